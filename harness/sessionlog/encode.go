package sessionlog

import (
	"cmp"

	"github.com/go-json-experiment/json/jsontext"
)

// Version is what the writer calls itself in each entry; Entrypoint likewise (H-LOG-15).
const (
	Version    = "1.0.0"
	Entrypoint = "cli"
)

// Envelope is what all entries of one session have in common (harness.md 2.3).
type Envelope struct{ Session, Cwd, Entrypoint string }

// Quote gives a JSON string: shortest form, no HTML escaping (H-ARCH-22); what is not UTF-8 becomes U+FFFD.
func Quote(s string) []byte { return quote(nil, s) }

func quote(dst []byte, s string) []byte {
	// The error only says that invalid UTF-8 was replaced, which is what is wanted.
	dst, _ = jsontext.AppendQuote(dst, s)
	return dst
}

// Encode writes the entry as one line with its line feed, one JSON object in UTF-8 (H-LOG-10): the eleven common fields
// of H-LOG-15, then those that carry information, the message last. The entry keeps the object as its Raw.
func (e *Entry) Encode(env Envelope) []byte {
	l := line{buf: make([]byte, 0, 640+e.size())}
	l.str("type", e.Type)
	l.str("uuid", e.UUID)
	l.nullable("parentUuid", e.Parent)
	if e.Logical != "" {
		l.str("logicalParentUuid", e.Logical)
	}
	l.str("sessionId", env.Session)
	l.str("timestamp", e.Time)
	l.flag("isSidechain", e.Sidechain)
	l.str("userType", "external")
	l.str("cwd", env.Cwd)
	l.str("version", Version)
	l.str("gitBranch", "")
	l.str("entrypoint", cmp.Or(env.Entrypoint, Entrypoint))
	if e.Meta {
		l.flag("isMeta", true)
	}
	if e.Summary {
		l.flag("isCompactSummary", true)
	}
	if e.Hidden {
		l.flag("isVisibleInTranscriptOnly", true)
	}
	switch e.Type {
	case User:
		e.encodeUser(&l)
	case Assistant:
		e.encodeAssistant(&l)
	case Attachment:
		e.encodeAttachment(&l)
	case System:
		l.str("subtype", e.Subtype)
		l.str("level", cmp.Or(e.Level, "info"))
		if e.Content != nil {
			l.raw("content", e.Content)
		}
		if len(e.Detail) > len("{}") {
			l.buf = append(append(l.buf, ','), e.Detail[1:len(e.Detail)-1]...)
		}
		if e.Compact != nil {
			l.raw("compactMetadata", e.Compact)
		}
		if e.Micro != nil {
			l.raw("microcompactMetadata", e.Micro)
		}
	}
	out := append(l.buf, "}\n"...)
	e.Raw = out[: len(out)-1 : len(out)-1]
	return out
}

func (e *Entry) encodeUser(l *line) {
	if e.Typed {
		l.str("permissionMode", cmp.Or(e.Mode, "default"))
		l.str("promptSource", cmp.Or(e.Source, "typed"))
	}
	if e.CallEntry != "" {
		l.str("sourceToolAssistantUUID", e.CallEntry)
	}
	if e.Result != nil {
		l.raw("toolUseResult", e.Result)
	}
	m := line{}
	m.str("role", User)
	m.raw("content", e.Message.content())
	l.raw("message", append(m.buf, '}'))
}

func (e *Entry) encodeAssistant(l *line) {
	if e.RequestID != "" {
		l.str("requestId", e.RequestID)
	}
	if e.Notice {
		l.flag("isApiErrorMessage", true)
	}
	m := line{}
	m.str("id", e.Message.ID)
	m.str("type", "message")
	m.str("role", Assistant)
	m.str("model", e.Message.Model)
	m.raw("content", e.Message.content())
	m.nullable("stop_reason", e.Message.StopReason)
	m.nullable("stop_sequence", e.Message.StopSequence)
	m.raw("usage", e.Message.Usage)
	l.raw("message", append(m.buf, '}'))
}

func (e *Entry) encodeAttachment(l *line) {
	a := line{}
	a.str("type", e.Attach.Type)
	if e.Attach.Event != "" {
		a.str("hookEvent", e.Attach.Event)
	}
	if e.Attach.Place != "" {
		a.str("place", e.Attach.Place)
	}
	switch {
	case e.Attach.Mode != "":
		a.str("prompt", e.Attach.Content)
		a.str("commandMode", e.Attach.Mode)
	case e.Attach.Content != "" && namesFile(e.Attach.Type):
		a.str("filename", e.Attach.Content)
		a.str("displayPath", e.Attach.Content)
	case e.Attach.Content != "":
		a.str("content", e.Attach.Content)
	}
	l.raw("attachment", append(a.buf, '}'))
	if e.Attach.Texts == nil {
		return
	}
	rendered := []byte{'['}
	for i, text := range e.Attach.Texts {
		if i > 0 {
			rendered = append(rendered, ',')
		}
		rendered = append(append(append(rendered, `{"content":`...), text...), '}')
	}
	l.raw("rendered", append(rendered, ']'))
}

// namesFile tells attachments that are about a file, and name it (H-LOG-52).
func namesFile(typ string) bool {
	switch typ {
	case "file", "compact_file_reference", "plan_file_reference":
		return true
	}
	return false
}

// content is the message's content as JSON: the string it is, or the blocks in their own bytes.
func (m *Message) content() []byte {
	if m.Text != nil {
		return m.Text
	}
	out := []byte{'['}
	for i := range m.Blocks {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(out, m.Blocks[i].Raw...)
	}
	return append(out, ']')
}

func (e *Entry) size() int {
	n := len(e.Message.Text) + len(e.Message.Usage) + len(e.Result) + len(e.Attach.Content)
	for i := range e.Message.Blocks {
		n += len(e.Message.Blocks[i].Raw)
	}
	return n
}

// Pin is the last-prompt record a rewind leaves (H-CMD-32): leaf "" means that the path is empty.
func Pin(session, leaf string) []byte {
	l := line{}
	l.str("type", lastPrompt)
	l.nullable("leafUuid", leaf)
	l.flag("explicit", true)
	if leaf == "" {
		l.flag("emptyPath", true)
	}
	l.str("sessionId", session)
	return append(l.buf, "}\n"...)
}

// Unpin is the last-prompt record of a prompt typed after a rewind: it names another leaf, which ends
// the pin (H-REB-4).
func Unpin(session, text, leaf string) []byte {
	l := line{}
	l.str("type", lastPrompt)
	l.str("lastPrompt", text)
	l.str("leafUuid", leaf)
	l.str("sessionId", session)
	return append(l.buf, "}\n"...)
}

// line builds an object member by member; the closing brace is the caller's.
type line struct{ buf []byte }

func (l *line) name(name string) {
	if len(l.buf) == 0 {
		l.buf = append(l.buf, '{')
	} else {
		l.buf = append(l.buf, ',')
	}
	l.buf = append(append(append(l.buf, '"'), name...), '"', ':')
}

func (l *line) str(name, value string) { l.name(name); l.buf = quote(l.buf, value) }

func (l *line) raw(name string, value []byte) { l.name(name); l.buf = append(l.buf, value...) }

func (l *line) nullable(name, value string) {
	if value == "" {
		l.raw(name, []byte("null"))
		return
	}
	l.str(name, value)
}

func (l *line) flag(name string, value bool) {
	if value {
		l.raw(name, []byte("true"))
		return
	}
	l.raw(name, []byte("false"))
}
