package prefix

import (
	"fmt"
	"strings"

	"pgregory.net/rapid"
)

// draft is a request that can be changed and written down again.
type draft struct {
	model    string
	tools    []string
	system   []string
	messages []draftMessage
	rest     []string // further members
}

type draftMessage struct {
	role    string
	extra   string
	content []string // blocks
	bare    string   // string content, when there are no blocks
}

func (d draft) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, `{"model":%q`, d.model)
	if d.tools != nil {
		fmt.Fprintf(&b, `,"tools":[%s]`, strings.Join(d.tools, ","))
	}
	if d.system != nil {
		fmt.Fprintf(&b, `,"system":[%s]`, strings.Join(d.system, ","))
	}
	b.WriteString(`,"messages":[`)
	for i, m := range d.messages {
		if i > 0 {
			b.WriteByte(',')
		}
		content := m.bare
		if m.content != nil {
			content = "[" + strings.Join(m.content, ",") + "]"
		}
		fmt.Fprintf(&b, `{"role":%q%s,"content":%s}`, m.role, m.extra, content)
	}
	b.WriteByte(']')
	for _, r := range d.rest {
		b.WriteString("," + r)
	}
	return b.String() + "}"
}

func (d draft) clone() draft {
	d.tools = append([]string(nil), d.tools...)
	d.system = append([]string(nil), d.system...)
	d.rest = append([]string(nil), d.rest...)
	messages := make([]draftMessage, len(d.messages))
	for i, m := range d.messages {
		if m.content != nil {
			m.content = append([]string{}, m.content...)
		}
		messages[i] = m
	}
	d.messages = messages
	return d
}

var drawWord = rapid.SampledFrom([]string{"alpha", "beta 12", "gamma\\n  delta", "eins zwei drei", "Zürich", "x_y(z)"})

func drawMark(t *rapid.T) string {
	return rapid.SampledFrom([]string{"", "", "", `,"cache_control":{"type":"ephemeral"}`, `,"cache_control":{"type":"ephemeral","ttl":"1h"}`}).Draw(t, "mark")
}

func drawText(t *rapid.T) string {
	return fmt.Sprintf(`{"type":"text","text":"%s"%s}`, drawWord.Draw(t, "word"), drawMark(t))
}

func drawBlock(t *rapid.T, role string) string {
	kinds := []string{"text", "tool_result", "tool_result", "image", "text"}
	if role == "assistant" {
		kinds = []string{"text", "tool_use", "tool_use", "thinking", "redacted_thinking"}
	}
	w, m := drawWord.Draw(t, "word"), drawMark(t)
	switch rapid.SampledFrom(kinds).Draw(t, "kind") {
	case "tool_use":
		return fmt.Sprintf(`{"type":"tool_use","id":"c","name":"Bash","input":{"command":"%s"}%s}`, w, m)
	case "tool_result":
		return fmt.Sprintf(`{"type":"tool_result","tool_use_id":"c","content":[{"type":"text","text":"%s"%s}]%s}`, w, drawMark(t), m)
	case "thinking":
		return fmt.Sprintf(`{"type":"thinking","thinking":"%s","signature":"sig"}`, w)
	case "redacted_thinking":
		return `{"type":"redacted_thinking","data":"c2VhbGVk"}`
	case "image":
		return `{"type":"image","source":{"type":"url","url":"u"}` + m + `}`
	}
	return fmt.Sprintf(`{"type":"text","text":"%s"%s}`, w, m)
}

func drawMessage(t *rapid.T) draftMessage {
	m := draftMessage{role: rapid.SampledFrom([]string{"user", "user", "assistant", "assistant", "system"}).Draw(t, "role")}
	switch {
	case m.role == "system":
		m.extra = rapid.SampledFrom([]string{"", `,"clear_at":"next_user_message"`, `,"clear_at":"never"`, `,"output_config":{"effort":"low"}`}).Draw(t, "extra")
		m.content = []string{}
		if !strings.Contains(m.extra, "effort") {
			m.content = append(m.content, `{"type":"text","text":"`+drawWord.Draw(t, "word")+`"}`)
		}
	case rapid.IntRange(0, 3).Draw(t, "form") == 0:
		m.bare = `"` + drawWord.Draw(t, "word") + `"`
	default:
		m.content = []string{}
		for range rapid.IntRange(1, 3).Draw(t, "blocks") {
			m.content = append(m.content, drawBlock(t, m.role))
		}
	}
	return m
}

func drawRest(t *rapid.T) []string {
	return rapid.SliceOfNDistinct(rapid.SampledFrom([]string{
		`"tool_choice":{"type":"any"}`, `"thinking":{"type":"disabled"}`, `"thinking":{"type":"enabled","budget_tokens":2000}`,
		`"output_config":{"effort":"low"}`, `"cache_control":{"type":"ephemeral"}`, `"cache_control":{"type":"ephemeral","ttl":"1h"}`,
	}), 0, 2, func(s string) string { return s[:8] }).Draw(t, "rest")
}

func drawTool(t *rapid.T) string {
	return fmt.Sprintf(`{"name":"t%d","input_schema":{"type":"object"}%s%s}`, rapid.IntRange(0, 9).Draw(t, "n"),
		rapid.SampledFrom([]string{"", "", `,"defer_loading":true`}).Draw(t, "deferred"), drawMark(t))
}

func drawDraft(t *rapid.T) draft {
	d := draft{model: rapid.SampledFrom([]string{"claude-haiku-4-5", "claude-sonnet-4-6", "claude-sonnet-5", "claude-sonnet-5-5"}).Draw(t, "model")}
	for range rapid.IntRange(0, 2).Draw(t, "tools") {
		d.tools = append(d.tools, drawTool(t))
	}
	for range rapid.IntRange(0, 2).Draw(t, "system") {
		d.system = append(d.system, drawText(t))
	}
	for range rapid.IntRange(0, 8).Draw(t, "messages") {
		d.messages = append(d.messages, drawMessage(t))
	}
	d.rest = drawRest(t)
	if rapid.Bool().Draw(t, "think") { // so that old thinking is there to be stripped
		d.rest = []string{`"thinking":{"type":"enabled","budget_tokens":2000}`}
		d.messages = append(d.messages, draftMessage{role: "assistant", content: []string{`{"type":"thinking","thinking":"hm","signature":"sig"}`, drawText(t)}})
	}
	return d
}

// change is what a client may do between two calls, the usual things more often.
func (d draft) change(t *rapid.T) draft {
	d = d.clone()
	for range rapid.IntRange(0, 3).Draw(t, "changes") {
		n := len(d.messages)
		switch k := rapid.IntRange(0, 11).Draw(t, "change"); {
		case k < 5 || n == 0:
			d.messages = append(d.messages, drawMessage(t))
		case k == 5:
			d.messages = d.messages[:rapid.IntRange(0, n).Draw(t, "rewind")]
		case k == 6:
			d.messages[rapid.IntRange(0, n-1).Draw(t, "edit")] = drawMessage(t)
		case k == 7:
			i := rapid.IntRange(0, n-1).Draw(t, "remove")
			d.messages = append(d.messages[:i:i], d.messages[i+1:]...)
		case k == 8:
			d.rest = drawRest(t)
		case k == 9:
			d.system = append(d.system, drawText(t))
		case k == 10:
			d.tools = append(d.tools, drawTool(t))
		default: // the marker moves away from a message
			m := &d.messages[rapid.IntRange(0, n-1).Draw(t, "unmark")]
			for i, b := range m.content {
				m.content[i] = strings.ReplaceAll(b, `,"cache_control":{"type":"ephemeral"}`, "")
			}
		}
	}
	return d
}
