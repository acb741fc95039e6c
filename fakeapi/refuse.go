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
	proxied := f.Type == typeTooLarge && f.Details == "" // answered before the API: without the outer type and the id
	body := []byte(`{"type":"error","error":{"type":`)
	if proxied {
		body = []byte(`{"error":{"type":`)
	}
	body = append(quote(body, f.Type), `,"message":`...)
	body = quote(body, x.sentPath(f.Message))
	if f.Details != "" {
		body = append(append(body, `,"details":`...), f.Details...)
	}
	body = append(body, '}')
	if !proxied && x.s.gives(errorID) {
		body = quote(append(body, `,"request_id":`...), x.id)
	}
	return Response{Status: f.Status, Header: x.refusedHeaders(f), Frames: []Frame{{RefusalTime, append(body, '}')}}, View: x.view}
}

// Rule ids of refusals that are the server's own, not of the body's rules.
const (
	RuleTooLarge = "request-too-large"
	RuleNotFound = "not-found"
	RuleMethod   = "method-not-allowed"
	RuleInternal = "internal"
	RuleRetired  = "model-retired"
	RuleNoAnswer = "script-no-answer"
	typeInvalid  = "invalid_request_error"
	typeTooLarge = "request_too_large"
)
