// Package thread keeps conversations on the server (messages-api.md 2.10): a request that creates or continues a
// thread leaves behind its whole conversation, reply included, under the id of the response. A continue is put
// together with what was kept into the body of a whole conversation, which every other rule then judges as if it had
// been sent.
//
// Cache marks of earlier turns are left out of what is kept: the breakpoints of a continue are its own.
package thread
