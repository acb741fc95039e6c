// Package scenarios holds the stories and their strict loader. A story is data: what the user does,
// what the model says, what the tools answer, what is expected. Loading runs nothing.
//
// Unknown keys, wrong types and impossible steps are errors with file:line:column, what is wrong and
// what would be right.
package scenarios
