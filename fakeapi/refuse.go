package fakeapi

import (
	"github.com/go-json-experiment/json/jsontext"

	"harnessbench/fakeapi/validate"
)

// quote appends a JSON string, escaping no more than it must.
func quote(dst []byte, s string) []byte {
	out, err := jsontext.AppendQuote(dst, s)
	if err != nil { // invalid UTF-8 stands as the replacement character, which AppendQuote has written
		return out
	}
	return out
}

// refuse answers with an error envelope (messages-api.md 1.5, api-verdicts-notes.md 1). Refusals are plain JSON,
// streamed or not.
func (x *exchange) refuse(f *validate.Fault) Response {
	x.view.Rule = f.Rule
	body := []byte(`{"type":"error","error":{"type":`)
	if f.Status == 413 { // the edge answers this one, without the outer type and the id
		body = []byte(`{"error":{"type":`)
	}
	body = append(quote(body, f.Type), `,"message":`...)
	body = append(quote(body, f.Message), '}')
	if f.Status != 413 {
		body = append(quote(append(body, `,"request_id":`...), x.id), '}')
	} else {
		body = append(body, '}')
	}
	header := []Field{{"content-type", "application/json"}}
	if f.Status == 401 || f.Status == 413 { // nobody is known yet
		header = append(header, Field{"request-id", x.id})
	} else {
		header = x.identity(header)
	}
	if f.Status == 400 || f.Status == 401 || f.Status == 404 {
		header = append(header, Field{"x-should-retry", "false"})
	}
	return Response{Status: f.Status, Header: header, Frames: []Frame{{RefusalTime, body}}, View: x.view}
}

// Rule ids of refusals that are the server's own, not of the body's rules.
const (
	RuleTooLarge    = "request-too-large"
	RuleNotFound    = "not-found"
	RuleRetired     = "model-retired"
	RuleTooLong     = "prompt-too-long"
	RuleOverflow    = "prompt-and-max-tokens-too-long"
	RuleNoAnswer    = "script-no-answer"
	typeInvalid     = "invalid_request_error"
	typeNotFound    = "not_found_error"
	typeTooLarge    = "request_too_large"
	messageTooLarge = "Request exceeds the maximum size"
)
