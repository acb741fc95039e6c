package rebuild

import (
	"bytes"

	"harnessbench/harness/inject"
	"harnessbench/harness/sessionlog"
	"harnessbench/harness/tool"
	"harnessbench/internal/wire"
)

// ToolResult is a tool_result block; is_error is written only on errors (H-LOG-22).
func ToolResult(id, text string, isError bool) []byte {
	b := append([]byte(`{"type":"tool_result","tool_use_id":`), sessionlog.Quote(id)...)
	b = append(append(b, `,"content":`...), sessionlog.Quote(text)...)
	if isError {
		b = append(b, `,"is_error":true`...)
	}
	return append(b, '}')
}

// result gives the block that answers a call: the logged one, with the content that was decided to stand for its own
// (H-LOG-47, H-LOG-73, H-REB-63), or one that says it is missing (H-REB-31).
func (c *Conversation) result(id string) []byte {
	raw := c.user.results[id]
	if raw == nil {
		return ToolResult(id, inject.Missing, true)
	}
	return c.resultOf(id, raw)
}

// resultOf is a logged result with the content that stands for its own.
func (c *Conversation) resultOf(id string, raw []byte) []byte {
	replaced := c.opt.Decisions.Replaced[id]
	if replaced != nil {
		raw = withContent(raw, replaced)
	}
	if c.cleared[id] {
		return withContent(raw, sessionlog.Quote(inject.ClearedResult(savedTo(raw))))
	}
	if replaced != nil {
		return raw
	}
	return sendable(raw)
}

// withContent is a result with another content.
func withContent(raw, content []byte) []byte {
	v, err := wire.ParseValue(raw)
	if err != nil {
		return raw
	}
	return sendable(wire.Apply(raw, wire.SetMember(v, "content", content)))
}

// sendable is a result as the API takes it: a logged null, of content or of is_error, is a member that is not there
// (H-LOG-22, H-LOG-23). A block that holds none stays as it is.
func sendable(raw []byte) []byte {
	if !bytes.Contains(raw, []byte("null")) {
		return raw
	}
	v, err := wire.ParseValue(raw)
	if err != nil || !v.Get("content").IsNull() && !v.Get("is_error").IsNull() {
		return raw
	}
	out := []byte{'{'}
	for name, member := range v.Members() {
		if member.IsNull() {
			continue
		}
		if len(out) > 1 {
			out = append(out, ',')
		}
		out = append(append(append(out, sessionlog.Quote(name)...), ':'), member.Raw()...)
	}
	return append(out, '}')
}

// savedTo is the file a spilled result was saved to, "" for a result that was not (H-CMP-25).
func savedTo(raw []byte) string {
	v, err := wire.ParseValue(raw)
	if err != nil {
		return ""
	}
	return tool.SavedTo(v.Get("content").Text())
}
