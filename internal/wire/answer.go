package wire

import "fmt"

// Answer is a message that came from a server, whichever way it was delivered. Blocks hold each
// content block as raw JSON in which nothing was re-encoded: a streamed block is its start skeleton
// with the concatenated bytes of its deltas put in.
type Answer struct {
	ID, Model, Role string
	Blocks          []Value // completed blocks, in index order; each parsed from its own bytes
	StopReason      string  // "" for null or not yet seen
	StopSequence    string
	Usage           Usage
	Edits           Value // context_management: what the server edited in the prompt; absent where it says nothing (messages-api.md 8.2)
	Complete        bool  // message_stop seen, or a whole JSON message
}

// ParseAnswer reads a non-streamed message body (messages-api.md 3). The errors say which part is missing or of
// the wrong kind; one for a body that is no JSON wraps a *SyntaxError. Error bodies are read by APIError.
func ParseAnswer(body []byte) (*Answer, error) {
	v, err := ParseValue(body)
	if err != nil {
		return nil, fmt.Errorf("answer: %w", err)
	}
	if v.Kind() != '{' {
		return nil, fmt.Errorf("answer: a message must be an object, not %s", v.Kind())
	}
	if typ := v.Get("type"); typ.Text() != "message" {
		return nil, fmt.Errorf("answer: type must be \"message\", not %s", shown(typ))
	}
	content := v.Get("content")
	if content.Kind() != '[' {
		return nil, fmt.Errorf("answer: content must be an array, not %s", content.Kind())
	}
	a := &Answer{Complete: true}
	a.head(v)
	for i, b := range content.Elems() {
		if b.Kind() != '{' {
			return nil, fmt.Errorf("answer: content.%d must be an object, not %s", i, b.Kind())
		}
		a.Blocks = append(a.Blocks, b.own())
	}
	return a, nil
}

// head reads what stands beside the content of a message object.
func (a *Answer) head(v Value) {
	a.ID, a.Model, a.Role = v.Get("id").Text(), v.Get("model").Text(), v.Get("role").Text()
	a.stop(v)
	a.Usage = readUsage(v.Get("usage"))
	a.edited(v)
}

// edited reads the field context_management of a message object or of a message_delta event.
func (a *Answer) edited(v Value) {
	if e := v.Get("context_management"); e.Kind() == '{' {
		a.Edits = e.own()
	}
}

// stop reads the stop fields of a message object or of the delta of a message_delta.
func (a *Answer) stop(v Value) {
	a.StopReason, a.StopSequence = v.Get("stop_reason").Text(), v.Get("stop_sequence").Text()
}

// APIError reads an error body (messages-api.md 1.5): ok is false when it is not one (a gateway page). The outer
// type and the request id may be missing, as in the bodies of the edge.
func APIError(body []byte) (typ, message string, ok bool) {
	v, err := ParseValue(body)
	if err != nil {
		return "", "", false
	}
	return errorOf(v)
}

func errorOf(v Value) (typ, message string, ok bool) {
	if t := v.Get("type"); t.Exists() && t.Text() != "error" {
		return "", "", false
	}
	e := v.Get("error")
	typ, message = e.Get("type").Text(), e.Get("message").Text()
	return typ, message, typ != ""
}

// StreamError is the error event of a stream (messages-api.md 1.6).
type StreamError struct{ Type, Message string }

func (e *StreamError) Error() string { return "stream error: " + e.Type + ": " + e.Message }

// shown is a value in an error text, cut short.
func shown(v Value) string {
	if !v.Exists() {
		return "absent"
	}
	if raw := v.Raw(); len(raw) <= 60 {
		return string(raw)
	}
	return v.Kind().String()
}
