package scenarios

import (
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
