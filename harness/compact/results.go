package compact

import (
	"unicode/utf8"

	"harnessbench/harness/account"
	"harnessbench/harness/inject"
	"harnessbench/harness/sessionlog"
	"harnessbench/harness/tool"
	"harnessbench/internal/wire"
)

// Result is a tool result of a path, as the payload holds it.
type Result struct {
	Call    string // id
	Tool    string // as the model called it
	Input   []byte // of the call
	Entry   int    // index on the path of the entry that holds it
	Content []byte // what is sent for it, JSON; nil for nothing
	Failed  bool
	Cleared bool // by an earlier firing, here or at the server
	Seen    bool // an answer of the model stands behind it
}

// Results lists the tool results of a path that are sent, oldest first. Decisions change what they hold, or leave them out.
func Results(path []*sessionlog.Entry, d *sessionlog.Decisions) []Result {
	cleared := map[string]bool{}
	newest := 0 // index of the newest answer
	for i, e := range path {
		for _, id := range e.Compacted() {
			cleared[id] = true
		}
		if Answers(e) {
			newest = i
		}
	}
	var out []Result
	calls := map[string]*sessionlog.Block{}
	for i, e := range path {
		if e.Sidechain || d.Hides(e.UUID) {
			continue
		}
		for j := range e.Message.Blocks {
			switch b := &e.Message.Blocks[j]; {
			case Answers(e) && b.Type == "tool_use":
				calls[b.ID] = b
			case e.Type == sessionlog.User && b.Type == "tool_result" && calls[b.ID] != nil:
				r := Result{Call: b.ID, Tool: calls[b.ID].Name, Input: calls[b.ID].Input, Entry: i, Cleared: cleared[b.ID], Seen: i < newest}
				r.read(b, d.Replaced[b.ID])
				out = append(out, r)
			}
		}
	}
	return out
}

// Answers tells an entry of an answer of the model.
func Answers(e *sessionlog.Entry) bool {
	return e.Type == sessionlog.Assistant && !e.Notice && !e.Sidechain
}

func (r *Result) read(b *sessionlog.Block, replaced []byte) {
	v, err := wire.ParseValue(b.Raw)
	if err != nil {
		return
	}
	r.Failed, _ = v.Get("is_error").Bool()
	r.Content = v.Get("content").Raw()
	if replaced != nil {
		r.Content = replaced
	}
}

// Text is the content where it is a string; ok is false for blocks and for nothing.
func (r *Result) Text() (text string, ok bool) {
	v, err := wire.ParseValue(r.Content)
	if err != nil || v.Kind() != '"' {
		return "", false
	}
	return v.Text(), true
}

// Chars is the length of a content that is a string, in characters; 0 for any other.
func (r *Result) Chars() int {
	text, _ := r.Text()
	return utf8.RuneCountInString(text)
}

// Compactable tells the result of a tool whose old results may be cleared (H-TOOL-4).
func (r *Result) Compactable() bool {
	d, known := tool.Full().Lookup(r.Tool)
	return known && d.Compactable
}

// freed is what the payload loses when the result is cleared, in characters, which may be below zero, and in images.
func (r *Result) freed() (chars, images int) {
	text, _ := r.Text()
	chars, images = account.Weigh(r.Content)
	stands, _ := account.Weigh(sessionlog.Quote(inject.ClearedResult(tool.SavedTo(text))))
	return chars - stands, images
}

// weigh is what an entry brings into the payload, in characters and images.
func weigh(e *sessionlog.Entry) (chars, images int) {
	add := func(raw []byte) {
		c, i := account.Weigh(raw)
		chars, images = chars+c, images+i
	}
	add(e.Message.Text)
	for i := range e.Message.Blocks {
		add(e.Message.Blocks[i].Raw)
	}
	for _, text := range e.Attach.Texts {
		add(text)
	}
	return chars, images
}
