// Package benchtest puts the bench into other people's Go tests: a fake Messages API on a local address, what
// its model says, the traffic it saw, and the judge over it.
package benchtest
