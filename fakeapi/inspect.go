package fakeapi

import (
	"encoding/json"

	"harnessbench/fakeapi/validate"
)

// Inspection is what the rules say of a request that is not sent: all faults in the order in which the API would come
// upon them, where the API itself tells the first one only. It is the bench's own; the API has nothing like it.
type Inspection struct {
	Faults []Finding `json:"faults"`
	// NotJudged lists JSON paths of what no rule looked at, as in View.
	NotJudged []string `json:"not_judged,omitempty"`
}

// Finding is one fault: the rule that found it, and the answer it would be.
type Finding struct {
	Rule    string          `json:"rule"` // as `bench rules` lists it
	Status  int             `json:"status"`
	Type    string          `json:"type"`
	Message string          `json:"message"`
	Details json.RawMessage `json:"details,omitempty"`
}

// Inspect judges headers and body of a request to /v1/messages and changes nothing. Left out is what depends on
// earlier requests or on the count of tokens: signatures, threads, the window.
func (s *Server) Inspect(header []Field, body []byte) Inspection {
	faults, rest := validate.Every(body, headers(header), s.keys())
	out := Inspection{Faults: make([]Finding, 0, len(faults)), NotJudged: rest}
	for _, f := range faults {
		out.Faults = append(out.Faults, Finding{Rule: f.Rule, Status: f.Status, Type: f.Type, Message: f.Message, Details: json.RawMessage(f.Details)})
	}
	return out
}
