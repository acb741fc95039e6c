// Package fit finds the coefficients of package tokens from requests whose size the real API has told. It is
// arithmetic alone: the program cmd/fit reads the pairs and prints what comes out, and the table in package
// tokens holds the result. Nothing at run time uses this package.
//
// The method: every request is rendered once per coefficient by a counter that knows that coefficient alone, so
// that the size of a request is a sum known but for the coefficients. They are chosen for the least sum of
// squared relative errors, where errors beyond a limit weigh less the larger they are (texts that no feature
// describes, such as one rare word a thousand times), with a small pull towards the values published in
// messages-api.md 9.1 for what few pairs tell. Its fixed points hold.
package fit
