package sessionlog

import (
	"strings"
	"time"
	"unicode/utf8"

	"harnessbench/internal/wire"
)

// summary is the record of a title in old files (harness.md 2.9).
const summary = "summary"

// titleLength is the most characters of a prompt that stand for a title (H-LOG-71).
const titleLength = 200

// Listed is one session as a list shows it.
type Listed struct {
	Session string // id
	File    string // absolute path of the log
	Written time.Time
	Size    int64 // of the log, in bytes

	Began      string // first timestamp of the file, "" for a file without entries
	Cwd        string // working directory of the first entry
	Entrypoint string // how the process that wrote the first entry was started, such as cli (harness.md 2.3)
	Title      string // by the precedence of H-LOG-71, at most 200 characters
	Prompted   bool   // there is a prompt
	// Continuable tells a session that can be gone on with unasked: one with a prompt, or one that a /clear has just
	// begun and that says so by a record of an empty path.
	Continuable bool

	sidechain bool // the first line is a sidechain entry
}

// InList tells a session that lists show (H-LOG-72): its first line is no sidechain entry, and it has a title or a
// prompt.
func (l *Listed) InList() bool { return !l.sidechain && (l.Title != "" || l.Prompted) }

// Describe reads what a list shows of a file. Lines are read as a load reads them.
func Describe(data []byte) Listed {
	var l Listed
	var t titles
	var rep Report
	seen, begun := false, false
	for _, v := range objects(data, &rep) {
		e, ok := Parse(v)
		if !seen {
			seen, l.sidechain = true, ok && e.Sidechain
		}
		if !ok {
			t.record(v)
			p, isPin := pin{}, v.Get("type").Text() == lastPrompt
			if isPin {
				p, isPin = parsePin(v, 0)
			}
			begun = begun || isPin && p.explicit && p.empty
			continue
		}
		if l.Began == "" {
			l.Began, l.Cwd, l.Entrypoint = e.Time, v.Get("cwd").Text(), v.Get("entrypoint").Text()
		}
		l.Prompted = l.Prompted || e.Typed
		t.entry(e)
	}
	l.Title = t.best()
	l.Continuable = !l.sidechain && (l.Prompted || begun)
	return l
}

// titles holds what a session can be called by, the last of each kind (H-LOG-71).
type titles struct{ custom, generated, prompt, summary, first, command string }

func (t *titles) record(v wire.Value) {
	for _, f := range []struct {
		typ, field string
		at         *string
	}{
		{customTitle, "customTitle", &t.custom},
		{aiTitle, "aiTitle", &t.generated},
		{lastPrompt, "lastPrompt", &t.prompt},
		{summary, "summary", &t.summary},
	} {
		if v.Get("type").Text() != f.typ {
			continue
		}
		if text := v.Get(f.field).Text(); text != "" {
			*f.at = text
		}
	}
}

// entry keeps the first real prompt: no tool result, no text of the harness, no command, no marker of an interrupt. A
// session of commands alone is called by the first of them.
func (t *titles) entry(e *Entry) {
	if t.first != "" || e.Type != User || e.Meta || e.Summary || e.Sidechain {
		return
	}
	text := strings.TrimSpace(e.Message.plainText())
	switch {
	case text == "" || strings.HasPrefix(text, interruptMark):
	case isCommand(text):
		if t.command == "" {
			t.command = between(text, "<command-name>", "</command-name>")
		}
	default:
		t.first = text
	}
}

func (t *titles) best() string {
	for _, s := range []string{t.custom, t.generated, t.prompt, t.summary, t.first, t.command} {
		if s = strings.TrimSpace(s); s != "" {
			return cutTo(s, titleLength)
		}
	}
	return ""
}

// interruptMark begins the marker an interrupt leaves, in all its wordings.
const interruptMark = "[Request interrupted by user"

// isCommand tells the text of a command or of its output.
func isCommand(text string) bool {
	for _, tag := range []string{"<command-", "<local-command-", "<bash-input>", "<bash-stdout>", "<bash-stderr>"} {
		if strings.HasPrefix(text, tag) {
			return true
		}
	}
	return false
}

func between(s, open, end string) string {
	_, s, _ = strings.Cut(s, open)
	s, _, _ = strings.Cut(s, end)
	return s
}

func cutTo(s string, n int) string {
	if utf8.RuneCountInString(s) <= n {
		return s
	}
	return strings.TrimSpace(string([]rune(s)[:n]))
}

// Said is the text of a prompt, as it returns to the input after a rewind (H-CMD-31).
func (e *Entry) Said() string { return e.Message.plainText() }

// plainText is what somebody said: the string, or the text blocks in a line each; "" where a tool result stands.
func (m *Message) plainText() string {
	if m.Text != nil {
		return textOf(m.Text)
	}
	var parts []string
	for i := range m.Blocks {
		switch b := &m.Blocks[i]; b.Type {
		case "tool_result":
			return ""
		case "text":
			v, err := wire.ParseValue(b.Raw)
			if err == nil {
				parts = append(parts, v.Get("text").Text())
			}
		}
	}
	return strings.Join(parts, "\n")
}

func textOf(raw []byte) string {
	v, err := wire.ParseValue(raw)
	if err != nil {
		return ""
	}
	return v.Text()
}
