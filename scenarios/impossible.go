package scenarios

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/goccy/go-yaml/ast"
)

// checkAnswer finds what no answer of the API is (messages-api.md 3): an empty one with blocks, a stop reason that its
// blocks or its stop sequence gainsay, a server tool's result without its call.
func (f *faults) checkAnswer(n ast.Node, a Answer) {
	if e := child(n, "empty"); e != nil && len(a.Blocks) > 0 {
		f.add(where(e), "empty: true beside blocks", "one of the two")
	}
	calls, open := false, 0
	for _, b := range a.Blocks {
		switch {
		case b.Kind == "tool_use":
			calls = true
		case b.Kind == "server_tool_use":
			open++
		case resultForm.MatchString(b.Kind) && open > 0:
			open--
		case resultForm.MatchString(b.Kind):
			f.strays = append(f.strays, where(n))
		}
	}
	f.pauses = f.pauses || open > 0
	if a.StopReason == "tool_use" && !calls {
		f.add(where(child(n, "stop_reason")), "stop_reason tool_use in an answer that calls no tool", "a tool_use in it, or another stop_reason")
	}
	f.checkSequence(n, a)
	f.checkSealed(n, a)
}

// checkSealed: what a search result holds for the server alone is base64, or the server would not take its own answer
// back.
func (f *faults) checkSealed(n ast.Node, a Answer) {
	for _, b := range a.Blocks {
		if b.Kind != "web_search_tool_result" {
			continue
		}
		var results []struct {
			Sealed *string `json:"encrypted_content"`
		}
		if json.Unmarshal(b.Content, &results) != nil {
			continue // an error object, or a form that the loader has told of
		}
		for _, r := range results {
			if r.Sealed == nil {
				continue
			}
			if _, err := base64.StdEncoding.DecodeString(*r.Sealed); err != nil || *r.Sealed == "" {
				f.add(where(n), fmt.Sprintf("encrypted_content %q is no base64", *r.Sealed), "base64 with its padding, such as RXhhbXBsZQ==")
			}
		}
	}
}

// checkSequence: a stop sequence is named where it ended the answer and nowhere else, and no text holds it.
func (f *faults) checkSequence(n ast.Node, a Answer) {
	named := child(n, "stop_sequence")
	if named == nil {
		if a.StopReason == "stop_sequence" {
			f.add(where(child(n, "stop_reason")), "stop_reason stop_sequence without the sequence", "the key stop_sequence, which names it")
		}
		return
	}
	switch {
	case a.StopReason != "" && a.StopReason != "stop_sequence":
		f.add(where(named), "stop_sequence in an answer of stop_reason "+a.StopReason, "one of the two")
	case a.Refusal != nil:
		f.add(where(named), "stop_sequence in a refusal", "one of the two")
	}
	for _, b := range a.Blocks {
		if b.Kind == "text" && strings.Contains(b.Text, a.StopSequence) {
			f.add(where(named), fmt.Sprintf("stop_sequence %q stands in the text, which ends before it", a.StopSequence), "the text up to it")
			return
		}
	}
}

// checkStrays: a server tool's result whose call is not in its answer belongs to an answer that ended before its
// results came, so the file must hold one.
func (f *faults) checkStrays() {
	if f.pauses {
		return
	}
	for _, at := range f.strays {
		f.add(at, "a server_tool_result without its call", "a server_tool_use before it, or an answer before it that ends in one")
	}
}
