// Package thinking makes and checks the signatures of thinking blocks (messages-api.md 6.5, 6.6).
//
// A signature is self-contained: what it is bound to, and a code over that with a key drawn from the server's
// seed. A server started again with the same seed therefore still knows its own blocks, and nothing is kept
// between requests but what spares work.
//
// Two things stay open. Nothing public says what names the end user of end_user_binding_mismatch, so that reason is
// never given. And where thinking is partly left out of the latest answer, it is missed at the thinking block or the
// tool call behind it, in the same message; with neither nobody can tell whether the answer was cut, so that is
// accepted. The page does not say which block the refusal names: it is the one found out of place, or the last one
// before the gap. All of it left out degrades, as the page says of a toggle.
package thinking
