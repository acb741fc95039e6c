package contextedit

import (
	"bytes"
	"fmt"
	"math"

	"github.com/go-json-experiment/json/jsontext"

	"harnessbench/internal/prefix"
	"harnessbench/internal/tokens"
	"harnessbench/internal/wire"
)

// promptTokens is what the server's own summary prompt weighs behind the conversation: 100 stood behind the
// marker of Sonnet 4.6, whose tail is 3 (recorded 2026-08).
const promptTokens = 97

// PromptTokens is what asking for the summary adds to the prompt.
func PromptTokens(c *tokens.Counter, instructions string) int {
	if text := Prompt(instructions); text != "" {
		return int(math.Ceil(c.Text([]byte(text))))
	}
	return promptTokens
}

// DefaultSummary is the summary where the script has none: what was there, and the newest words of the user.
func DefaultSummary(req *wire.Request) string {
	messages, calls := 0, 0
	newest := ""
	for i := 0; i < req.MessageCount(); i++ {
		m := req.Message(i)
		blocks := m.Blocks()
		if len(blocks) == 0 || m.Role() == "system" {
			continue
		}
		messages++
		for _, b := range blocks {
			switch b.Type() {
			case "tool_use":
				calls++
			case "text":
				if m.Role() == "user" {
					newest = b.TextValue().Text()
				}
			}
		}
	}
	if r := []rune(newest); len(r) > 200 {
		newest = string(r[:200]) + "..."
	}
	return fmt.Sprintf("Summary of %d messages with %d tool calls. The user said last: %s", messages, calls, newest)
}

// Shorten is the request after a compaction: nothing of the conversation but the summary, as the assistant message
// that the client will send back. Messages keep their indexes.
func Shorten(req *wire.Request, block []byte) *wire.Request {
	list := req.Get("messages")
	with := append([]byte{'['}, bytes.Repeat([]byte(empty+","), req.MessageCount())...)
	with = append(append(append(with, `{"role":"assistant","content":[`...), block...), "]}]"...)
	return parse(req, wire.Apply(req.Body, wire.Replace(list, with)))
}

// Block is a compaction block of compact_20260112; failed ones have no content.
func Block(summary string) []byte {
	if summary == "" {
		return []byte(`{"type":"compaction","content":null}`)
	}
	text, err := jsontext.AppendQuote([]byte(`{"type":"compaction","content":`), summary)
	if err != nil { // invalid UTF-8 stands as the replacement character, which AppendQuote has written
		return append(text, '}')
	}
	return append(text, '}')
}

// Effective is the conversation as the model sees it, nothing in it that it does not see: the body of the trace
// (D10).
func Effective(r *prefix.Rendered) []byte {
	hidden := map[prefix.Place]bool{}
	for _, b := range r.Blocks.All() {
		if b.Level == prefix.Messages && !b.Shown && (b.Type == "thinking" || b.Type == "redacted_thinking") {
			hidden[prefix.Place{Message: b.Message, Index: b.Index}] = true
		}
	}
	var out []byte
	for i := 0; i < r.Request.MessageCount(); i++ {
		m := r.Request.Message(i)
		if string(m.Raw()) == empty {
			continue
		}
		if len(out) > 0 {
			out = append(out, ',')
		}
		out = append(out, without(m, hidden)...)
	}
	return wire.Apply(r.Request.Body, wire.Replace(r.Request.Get("messages"), append(append([]byte{'['}, out...), ']')))
}

// without is a message without its hidden blocks.
func without(m wire.Message, hidden map[prefix.Place]bool) []byte {
	content := m.Get("content")
	var kept []byte
	any := false
	for k, v := range content.Elems() {
		if hidden[prefix.Place{Message: m.Index, Index: k}] {
			any = true
			continue
		}
		if len(kept) > 0 {
			kept = append(kept, ',')
		}
		kept = append(kept, v.Raw()...)
	}
	if !any {
		return m.Raw()
	}
	s := wire.Replace(content, append(append([]byte{'['}, kept...), ']'))
	s.Start, s.End = s.Start-m.Offset(), s.End-m.Offset()
	return wire.Apply(m.Raw(), s)
}
