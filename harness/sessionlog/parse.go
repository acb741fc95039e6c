package sessionlog

import (
	"strings"

	"harnessbench/internal/wire"
)

// Parse reads one object as a chain entry; ok is false when it has no type or no uuid (a side record).
// Wrong-typed fields read as absent (H-LOG-83).
func Parse(v wire.Value) (e *Entry, ok bool) {
	typ, uuid := v.Get("type").Text(), v.Get("uuid").Text()
	if typ == "" || uuid == "" {
		return nil, false
	}
	e = &Entry{
		Type:      typ,
		UUID:      uuid,
		Parent:    v.Get("parentUuid").Text(),
		Time:      v.Get("timestamp").Text(),
		Sidechain: flag(v, "isSidechain"),
		Team:      v.Get("teamName").Text() != "",
	}
	switch typ {
	case User:
		e.Meta = flag(v, "isMeta")
		e.Summary, e.Hidden = flag(v, "isCompactSummary"), flag(v, "isVisibleInTranscriptOnly")
		e.Result, e.CallEntry = v.Get("toolUseResult").Raw(), v.Get("sourceToolAssistantUUID").Text()
		e.Message = parseMessage(v.Get("message"))
		if source := v.Get("promptSource").Text(); source != "typed" {
			e.Source = source
		}
		e.Typed = !e.Meta && !e.Summary && (e.Message.Text != nil || v.Get("promptSource").Exists())
	case Assistant:
		e.Meta, e.Hidden = flag(v, "isMeta"), flag(v, "isVisibleInTranscriptOnly")
		e.RequestID = v.Get("requestId").Text()
		m := v.Get("message")
		e.Message = parseMessage(m)
		e.Message.ID, e.Message.Model = m.Get("id").Text(), m.Get("model").Text()
		e.Message.StopReason, e.Message.StopSequence = m.Get("stop_reason").Text(), m.Get("stop_sequence").Text()
		e.Message.Usage = m.Get("usage").Raw()
		e.Notice = e.Message.Model == SyntheticModel || flag(v, "isApiErrorMessage")
	case Attachment:
		e.Attach = parseAttach(v)
	case System:
		e.Subtype, e.Logical = v.Get("subtype").Text(), v.Get("logicalParentUuid").Text()
		e.Content = stringBytes(v.Get("content"))
		e.Compact, e.Micro = v.Get("compactMetadata").Raw(), v.Get("microcompactMetadata").Raw()
	}
	return e, true
}

// parseMessage reads the content of a message.
func parseMessage(v wire.Value) Message {
	var m Message
	content := v.Get("content")
	if m.Text = stringBytes(content); m.Text != nil {
		return m
	}
	for _, b := range content.Elems() {
		if b.Kind() == '{' {
			m.Blocks = append(m.Blocks, BlockOf(b))
		}
	}
	return m
}

func parseAttach(v wire.Value) Attach {
	a := v.Get("attachment")
	at := Attach{Type: a.Get("type").Text(), Event: a.Get("hookEvent").Text(), Place: a.Get("place").Text(), Content: a.Get("content").Text(), Mode: a.Get("commandMode").Text()}
	if at.Mode != "" {
		at.Content = a.Get("prompt").Text()
	}
	for _, r := range v.Get("rendered").Elems() {
		if text := stringBytes(r.Get("content")); text != nil {
			at.Texts = append(at.Texts, text)
		}
	}
	return at
}

// BlockOf reads a content block.
func BlockOf(v wire.Value) Block {
	b := Block{Raw: v.Raw(), Type: v.Get("type").Text()}
	switch b.Type {
	case "text":
		b.Blank = strings.TrimSpace(v.Get("text").Text()) == ""
	case "thinking":
		b.Signed = v.Get("signature").Text() != ""
	case "redacted_thinking":
		b.Signed = v.Get("data").Text() != ""
	case "tool_use":
		b.ID, b.Name, b.Input = v.Get("id").Text(), v.Get("name").Text(), v.Get("input").Raw()
	case "server_tool_use", "mcp_tool_use":
		b.ID = v.Get("id").Text()
	default:
		b.ID = v.Get("tool_use_id").Text()
	}
	return b
}

// BlankText tells a JSON string of nothing but white space.
func BlankText(raw []byte) bool {
	v, err := wire.ParseValue(raw)
	return err != nil || strings.TrimSpace(v.Text()) == ""
}

// stringBytes is the value as it stands when it is a string, nil otherwise.
func stringBytes(v wire.Value) []byte {
	if v.Kind() != '"' {
		return nil
	}
	return v.Raw()
}

func flag(v wire.Value, name string) bool {
	b, _ := v.Get(name).Bool()
	return b
}
