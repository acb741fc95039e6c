package rebuild

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"harnessbench/harness/sessionlog"
	"harnessbench/internal/wire"
)

// Edits is what a request asks the server to change in what its model sees. The field is there in every request of a
// session that has it, with an empty list while there is nothing to change (H-REB-45).
type Edits struct {
	// Clearable are the tools whose results the server may clear.
	Clearable []string
	// ThinkingTurns is how many turns keep their thinking, 0 where the server is not asked to clear any (H-CMP-86).
	ThinkingTurns int
	// CompactAt is the size of the prompt, in input tokens, from which the server compacts before it answers, and then
	// waits for what is to be restored (H-CMP-82, H-CMP-84); 0 where it is not asked to.
	CompactAt int
}

// edits is the field context_management. Thinking must come first (H-CMP-86); compaction, which the server does last, stands
// behind clearing.
func (c *Conversation) edits(e *Edits) []byte {
	if e == nil {
		return nil
	}
	var list [][]byte
	if e.ThinkingTurns > 0 {
		list = append(list, fmt.Appendf(nil, `{"type":"clear_thinking_20251015","keep":{"type":"thinking_turns","value":%d}}`, e.ThinkingTurns))
	}
	if clearing := c.clearing(e); clearing != nil {
		list = append(list, clearing)
	}
	if e.CompactAt > 0 {
		list = append(list, fmt.Appendf(nil, `{"type":"compact_20260112","trigger":{"type":"input_tokens","value":%d},`+
			`"pause_after_compaction":true}`, e.CompactAt))
	}
	return append(append([]byte(`{"edits":[`), bytes.Join(list, []byte{','})...), "]}"...)
}

// clearing is the edit that clears results, nil for none. The results that boundaries name as cleared by the server
// stand in the payload, and each request asks again for the same clearing: the server counts uses, so all but those
// behind the last cleared one are named to be cleared (H-CMP-23, messages-api.md 8.1).
func (c *Conversation) clearing(e *Edits) []byte {
	kept, others := c.behindDeleted(e.Clearable)
	if kept < 0 {
		return nil
	}
	b := fmt.Appendf(nil, `{"type":"clear_tool_uses_20250919","trigger":{"type":"tool_uses","value":%d},`+
		`"keep":{"type":"tool_uses","value":%d}`, kept, kept)
	sep := `,"exclude_tools":[`
	for _, name := range others {
		b = append(append(b, sep...), sessionlog.Quote(name)...)
		sep = ","
	}
	if sep == "," {
		b = append(b, ']')
	}
	return append(b, '}')
}

// ServerClears tells that a boundary on the path names results that the server clears.
func (c *Conversation) ServerClears() bool { return len(c.deleted) > 0 }

// behindDeleted counts the uses with a result, of client and server tools, that were asked for behind the last one whose
// result the server clears, -1 when it clears none; others are the tools used that are not clearable.
func (c *Conversation) behindDeleted(clearable []string) (n int, others []string) {
	if len(c.deleted) == 0 {
		return -1, nil
	}
	messages, err := wire.ParseValue(append(append([]byte{'['}, c.buf...), ']'))
	if err != nil {
		return -1, nil
	}
	var uses []string
	answered := map[string]bool{}
	for _, m := range messages.Elems() {
		for _, b := range m.Get("content").Elems() {
			switch typ := b.Get("type").Text(); {
			case typ == "tool_use", typ == "server_tool_use", typ == "mcp_tool_use":
				uses = append(uses, b.Get("id").Text())
				if name := b.Get("name").Text(); !slices.Contains(clearable, name) && !slices.Contains(others, name) {
					others = append(others, name)
				}
			case strings.HasSuffix(typ, "tool_result"):
				answered[b.Get("tool_use_id").Text()] = true
			}
		}
	}
	n = -1
	for _, id := range uses {
		switch {
		case !answered[id]:
		case c.deleted[id]:
			n = 0
		case n >= 0:
			n++
		}
	}
	return n, others
}
