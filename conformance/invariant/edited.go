package invariant

import (
	"harnessbench/conformance/trace"
	"harnessbench/internal/wire"
)

// judged is the body that the checks read: the whole conversation where the client sent a part of it (D10). What the
// server cleared or summarised on its own copy is no doing of the client, who must keep its array as it was: it is
// judged by what it sent.
func judged(e *trace.Request) []byte {
	if len(e.Effective) > 0 && !continues(e.Body) {
		return e.Body
	}
	return e.Judged()
}

// continues tells requests that bring a part of a conversation the server holds (messages-api.md 2.10).
func continues(body []byte) bool {
	req, err := wire.Parse(nil, body)
	return err == nil && req.Get("thread").Get("type").Text() == "continue"
}
