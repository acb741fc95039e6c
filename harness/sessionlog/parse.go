package sessionlog

import (
	"strings"

	"harnessbench/internal/wire"
)

// envelope is the members of an object that an entry is read from (harness.md 2.3), of equal names the last.
type envelope struct {
	typ, uuid, parent, time, sidechain, team        wire.Value
	meta, summary, hidden, source, message          wire.Value
	result, callEntry, requestID, apiError          wire.Value
	attachment, rendered                            wire.Value
	subtype, logical, content, compaction, clearing wire.Value
}

// envelopeOf walks an object once: a search for each name would cost as much as the parsing.
func envelopeOf(v wire.Value) *envelope {
	f := &envelope{}
	for i := range v.Len() {
		at := f.member(string(v.NameAt(i)))
		if at != nil {
			*at = v.MemberAt(i)
		}
	}
	return f
}

func (f *envelope) member(name string) *wire.Value {
	switch name {
	case "type":
		return &f.typ
	case "uuid":
		return &f.uuid
	case "parentUuid":
		return &f.parent
	case "timestamp":
		return &f.time
	case "isSidechain":
		return &f.sidechain
	case "teamName":
		return &f.team
	case "isMeta":
		return &f.meta
	case "isCompactSummary":
		return &f.summary
	case "isVisibleInTranscriptOnly":
		return &f.hidden
	case "promptSource":
		return &f.source
	case "message":
		return &f.message
	case "toolUseResult":
		return &f.result
	case "sourceToolAssistantUUID":
		return &f.callEntry
	case "requestId":
		return &f.requestID
	case "isApiErrorMessage":
		return &f.apiError
	case "attachment":
		return &f.attachment
	case "rendered":
		return &f.rendered
	case "subtype":
		return &f.subtype
	case "logicalParentUuid":
		return &f.logical
	case "content":
		return &f.content
	case "compactMetadata":
		return &f.compaction
	case "microcompactMetadata":
		return &f.clearing
	}
	return nil
}

// Parse reads one object as a chain entry; ok is false when it has no type or no uuid (a side record).
// Wrong-typed fields read as absent (H-LOG-83).
func Parse(v wire.Value) (e *Entry, ok bool) {
	if v.Kind() != '{' {
		return nil, false
	}
	f := envelopeOf(v)
	typ, uuid := f.typ.Text(), f.uuid.Text()
	if typ == "" || uuid == "" {
		return nil, false
	}
	e = &Entry{
		Type:      typ,
		UUID:      uuid,
		Parent:    f.parent.Text(),
		Time:      f.time.Text(),
		Sidechain: isTrue(f.sidechain),
		Team:      f.team.Text() != "",
	}
	switch typ {
	case User:
		e.Meta = isTrue(f.meta)
		e.Summary, e.Hidden = isTrue(f.summary), isTrue(f.hidden)
		e.Result, e.CallEntry = f.result.Raw(), f.callEntry.Text()
		e.Message = parseMessage(f.message)
		if source := f.source.Text(); source != "typed" {
			e.Source = source
		}
		e.Typed = !e.Meta && !e.Summary && (e.Message.Text != nil || f.source.Exists())
	case Assistant:
		e.Meta, e.Hidden = isTrue(f.meta), isTrue(f.hidden)
		e.RequestID = f.requestID.Text()
		m := f.message
		e.Message = parseMessage(m)
		e.Message.ID, e.Message.Model = m.Get("id").Text(), m.Get("model").Text()
		e.Message.StopReason, e.Message.StopSequence = m.Get("stop_reason").Text(), m.Get("stop_sequence").Text()
		e.Message.Usage = m.Get("usage").Raw()
		e.Notice = e.Message.Model == SyntheticModel || isTrue(f.apiError)
	case Attachment:
		e.Attach = parseAttach(f.attachment, f.rendered)
	case System:
		e.Subtype, e.Logical = f.subtype.Text(), f.logical.Text()
		e.Content = stringBytes(f.content)
		e.Compact, e.Micro = f.compaction.Raw(), f.clearing.Raw()
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

func parseAttach(a, rendered wire.Value) Attach {
	at := Attach{Type: a.Get("type").Text(), Event: a.Get("hookEvent").Text(), Place: a.Get("place").Text(), Content: a.Get("content").Text(), Mode: a.Get("commandMode").Text()}
	if at.Mode != "" {
		at.Content = a.Get("prompt").Text()
	}
	if namesFile(at.Type) {
		at.Content = a.Get("filename").Text()
	}
	for _, r := range rendered.Elems() {
		if text := stringBytes(r.Get("content")); text != nil {
			at.Texts = append(at.Texts, text)
		}
	}
	return at
}

// BlockOf reads a content block. Its text is made well-formed, for no request may hold half a surrogate pair; signed
// blocks are never touched.
func BlockOf(v wire.Value) Block {
	b := Block{Raw: v.Raw(), Type: v.Get("type").Text()}
	if !b.IsThinking() {
		v = wellformed(v)
		b.Raw = v.Raw()
	}
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

// wellformed is a value without halves of surrogate pairs.
func wellformed(v wire.Value) wire.Value {
	raw := v.Raw()
	text := wire.Wellformed(raw)
	if len(raw) == 0 || &text[0] == &raw[0] {
		return v
	}
	if clean, err := wire.ParseValue(text); err == nil {
		return clean
	}
	return v
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
	return wire.Wellformed(v.Raw())
}

func flag(v wire.Value, name string) bool { return isTrue(v.Get(name)) }

func isTrue(v wire.Value) bool {
	b, _ := v.Bool()
	return b
}
