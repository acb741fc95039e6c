package invariant

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"harnessbench/conformance/trace"
	"harnessbench/internal/wire"
)

// answer is a response as the judge itself puts it together.
type answer struct {
	*wire.Answer
	accepted bool // status 200, the grammar held, and the end was delivered
	// edits are those of the server's copy of the conversation that took effect: kinds, and how much each cleared, "" for
	// none (messages-api.md 8.2).
	edits string
}

// assemble reads the body of a response. What a cut body still holds is kept: its completed blocks.
func assemble(r *trace.Response) answer {
	if r.Status != 200 {
		return answer{Answer: &wire.Answer{}}
	}
	if body := bytes.TrimLeft(r.Body, " \t\r\n"); len(body) > 0 && body[0] == '{' {
		a, err := wire.ParseAnswer(r.Body)
		if err != nil {
			return answer{Answer: &wire.Answer{}}
		}
		whole, _ := wire.ParseValue(r.Body)
		return answer{Answer: a, accepted: a.Complete, edits: appliedEdits(whole)}
	}
	var sse wire.SSE
	var asm wire.Assembler
	sound, edits := true, ""
	for _, e := range sse.Feed(r.Body) {
		if bytes.Contains(e.Data, []byte(`"applied_edits"`)) {
			if v, err := wire.ParseValue(e.Data); err == nil && v.Get("type").Text() == "message_delta" {
				edits = appliedEdits(v)
			}
		}
		err := asm.Event(e)
		var cut *wire.InputError // a tool call cut by max_tokens; the stream goes on
		sound = sound && (err == nil || errors.As(err, &cut))
	}
	a := asm.Answer()
	return answer{Answer: a, accepted: a.Complete && sound, edits: edits}
}

// appliedEdits reads the edits from a message, or from the event that ends its stream.
func appliedEdits(v wire.Value) string {
	var out strings.Builder
	for _, e := range v.Get("context_management").Get("applied_edits").Elems() {
		fmt.Fprintf(&out, "%s %s %s;", e.Get("type").Text(), e.Get("cleared_tool_uses").Raw(), e.Get("cleared_thinking_turns").Raw())
	}
	return out.String()
}
