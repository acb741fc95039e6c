// Package thinking makes and checks the signatures of thinking blocks (messages-api.md 6.5, 6.6).
//
// A signature is self-contained: what it is bound to, and a code over that with a key drawn from the server's
// seed. A server started again with the same seed therefore still knows its own blocks, and nothing is kept
// between requests but what spares work.
//
// Two things stay open. Nothing public says what names the end user of end_user_binding_mismatch, so that reason is
// never given. And of an answer whose last thinking blocks are missing nobody can tell whether it was cut, so that
// is accepted; a block missing in front of another one of the latest answer is not.
package thinking
