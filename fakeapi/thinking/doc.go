// Package thinking makes and checks the signatures of thinking blocks (messages-api.md 6.5, 6.6).
//
// A signature is self-contained: what it is bound to, and a code over that with a key drawn from the server's
// seed. A server started again with the same seed therefore still knows its own blocks, and nothing is kept
// between requests but what spares work.
package thinking
