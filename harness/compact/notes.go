package compact

import (
	"regexp"
	"strings"
	"unicode/utf8"

	"harnessbench/harness/sessionlog"
	"harnessbench/internal/wire"
)

// Notes are what a session's memory file holds (H-CMP-80).
type Notes struct {
	// UpTo is the uuid of the newest entry they tell of. Where it is "" somebody else wrote them, who is believed to have
	// told of everything.
	UpTo string
	Text string
}

// mark is the first line of a file that says how far it goes.
var mark = regexp.MustCompile(`^<!-- notes up to entry ([0-9a-f-]{36}) -->\n`)

// ParseNotes reads a memory file; ok is false for one that is empty or no text.
func ParseNotes(file []byte) (n Notes, ok bool) {
	if !utf8.Valid(file) {
		return Notes{}, false
	}
	if m := mark.FindSubmatch(file); m != nil {
		n.UpTo, file = string(m[1]), file[len(m[0]):]
	}
	n.Text = strings.TrimSpace(string(file))
	return n, n.Text != ""
}

// Encode is the file of the notes.
func (n Notes) Encode() []byte {
	return []byte("<!-- notes up to entry " + n.UpTo + " -->\n" + n.Text + "\n")
}

// Behind is the place on a path behind all that the notes tell of: its end where they do not say how far they go. ok is
// false where they tell of another path, as after a rewind, or of what a summary has replaced.
func (n Notes) Behind(path []*sessionlog.Entry) (at int, ok bool) {
	if n.UpTo == "" {
		return len(path), true
	}
	return placeBehind(path, n.UpTo)
}

func placeBehind(path []*sessionlog.Entry, uuid string) (at int, ok bool) {
	for i := len(path) - 1; i >= 0; i-- {
		if path[i].UUID == uuid {
			return i + 1, true
		}
	}
	return 0, false
}

// Due is the stretch of a path that the notes are to be brought up to date with in one request: what stands behind those of
// from, no more of it than a request may hold, or one entry. There is none before enough has come since, the last attempt
// included that ended with the entry tried ("" for none).
func (l *MemoryLimits) Due(path []*sessionlog.Entry, from int, tried string) (stretch []*sessionlog.Entry) {
	since := from
	if at, ok := placeBehind(path, tried); ok {
		since = max(since, at)
	}
	if Tokens(path[since:]) < l.Grown {
		return nil
	}
	end := from + 1
	for size := Tokens(path[from:end]); end < len(path); end++ {
		if size += Tokens(path[end : end+1]); size > l.Request {
			break
		}
	}
	stretch = path[from:end]
	if over := Tokens(stretch) - l.Request; over > 0 {
		stretch, _ = Shorten(stretch, over)
	}
	return stretch
}

// Transcript is what entries say, as text for a model that has nothing else of the conversation: what was typed, said,
// called and answered, as it is sent. Thinking and what the harness adds by itself are left out.
func Transcript(entries []*sessionlog.Entry, d *sessionlog.Decisions) string {
	var parts []string
	say := func(who string, text string) {
		if strings.TrimSpace(text) != "" {
			parts = append(parts, "["+who+"]\n"+text)
		}
	}
	for _, e := range sendable(entries, d) {
		switch {
		case e.Type == sessionlog.Attachment && e.Attach.Type == "queued_command":
			say("user", e.Attach.Content)
		case e.Speech() && e.Message.Text != nil:
			say(e.Type, stringIn(e.Message.Text))
		case e.Speech():
			for i := range e.Message.Blocks {
				who, text := spoken(&e.Message.Blocks[i], e.Type, d)
				say(who, text)
			}
		}
	}
	return strings.Join(parts, "\n\n")
}

// spoken is what a block says, and who says it.
func spoken(b *sessionlog.Block, role string, d *sessionlog.Decisions) (who, text string) {
	v, err := wire.ParseValue(b.Raw)
	if err != nil {
		return role, ""
	}
	switch b.Type {
	case "text":
		return role, v.Get("text").Text()
	case "tool_use":
		return "call of " + b.Name, string(b.Input)
	case "tool_result":
		if replaced := d.Replaced[b.ID]; replaced != nil {
			return "result", stringIn(replaced)
		}
		return "result", textOf(v.Get("content"))
	case "compaction":
		return "summary", textOf(v.Get("content"))
	case "image", "document":
		return role, "(" + b.Type + ")"
	}
	return role, ""
}

// textOf is a content as text: a string, or the texts of its blocks.
func textOf(v wire.Value) string {
	if v.Kind() == '"' {
		return v.Text()
	}
	var texts []string
	for _, part := range v.Elems() {
		switch kind := part.Get("type").Text(); kind {
		case "text":
			texts = append(texts, part.Get("text").Text())
		case "image", "document":
			texts = append(texts, "("+kind+")")
		}
	}
	return strings.Join(texts, "\n")
}

// stringIn is the text of a JSON string.
func stringIn(raw []byte) string {
	v, _ := wire.ParseValue(raw) // ours, or checked when it was read
	return v.Text()
}
