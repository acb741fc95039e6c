package fakeapi

import (
	"time"

	"harnessbench/fakeapi/validate"
)

// countTime is how long a count takes in virtual time.
const countTime = 60 * time.Millisecond

// countTokens is POST /v1/messages/count_tokens (messages-api.md 9): the checks of create and the size that its
// usage would sum up to. Nothing is written to the cache, and no window limits the count.
func (x *exchange) countTokens(body []byte) Response {
	x.counts = true
	if _, _, fault := x.accept(body, validate.CheckCount); fault != nil {
		return x.refuse(fault)
	}
	out := number([]byte(`{"input_tokens":`), x.rendered.Total)
	return x.plain(countTime, append(x.originalTokens(out), '}'))
}

// plain is a JSON answer of an endpoint without rate limit headers.
func (x *exchange) plain(after time.Duration, body []byte) Response {
	return Response{Status: 200, Header: x.identity([]Field{{"content-type", "application/json"}}), Frames: []Frame{{after, body}}, View: x.view}
}
