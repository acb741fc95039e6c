package contextedit

import (
	"bytes"
	"strconv"
	"strings"

	"harnessbench/internal/prefix"
	"harnessbench/internal/wire"
)

// Base is a request as the server takes it up: what stands before the last compaction block with content is
// ignored, whether it was sent or not (messages-api.md 8.3).
type Base struct {
	Request *wire.Request // ignored messages are there without content
	// At is the last compaction block, as Request has it; Message is -1 without one.
	At prefix.Place
	// Shift is how many blocks were ignored ahead of it in its own message.
	Shift int

	sent *wire.Request
}

// empty stands for an ignored message.
const empty = `{"role":"assistant","content":[]}`

// Begin finds the last compaction block. prev, which may be nil, is the base of the request that req was parsed
// against; the result does not depend on it. blocks says whether there can be any (their header was sent).
func Begin(prev *Base, req *wire.Request, blocks bool) *Base {
	b := &Base{Request: req, At: prefix.Place{Message: -1}, sent: req}
	if blocks {
		b.At = last(prev, req)
	}
	var edits []wire.Splice
	if b.At.Message >= 0 {
		b.Shift, b.At.Index = b.At.Index, 0
		edits = b.cut(req)
	}
	switch {
	case len(edits) > 0:
		b.Request = parse(prev.request(), wire.Apply(req.Body, edits...))
	case prev != nil && prev.Changed(): // what is kept of it belongs to the changed body
		b.Request = parse(prev.Request, req.Body)
	}
	return b
}

// Changed tells whether anything was ignored.
func (b *Base) Changed() bool { return b.At.Message > 0 || b.Shift > 0 }

// Named is a text that begins with a path of Request, with the path as the array sent has it.
func (b *Base) Named(text string) string {
	head := "messages." + strconv.Itoa(b.At.Message) + ".content."
	rest, ok := strings.CutPrefix(text, head)
	if b.Shift == 0 || !ok {
		return text
	}
	digits := len(rest) - len(strings.TrimLeft(rest, "0123456789"))
	n, err := strconv.Atoi(rest[:digits])
	if err != nil {
		return text
	}
	return head + strconv.Itoa(n+b.Shift) + rest[digits:]
}

func (b *Base) request() *wire.Request {
	if b == nil {
		return nil
	}
	return b.Request
}

// last is the place of the last compaction block with content, Message -1 when there is none.
func last(prev *Base, req *wire.Request) prefix.Place {
	known := -1 // messages up to this one hold nothing behind prev's block
	if prev != nil && prev.At.Message < req.SharedMessages() {
		known = req.SharedMessages() - 1
	}
	for i := req.MessageCount() - 1; i > known; i-- {
		content := req.Message(i).Get("content")
		for k := content.Len() - 1; k >= 0; k-- {
			if v := content.At(k); v.Get("type").Text() == "compaction" && v.Get("content").Kind() == '"' {
				return prefix.Place{Message: i, Index: k}
			}
		}
	}
	if known < 0 {
		return prefix.Place{Message: -1}
	}
	return prefix.Place{Message: prev.At.Message, Index: prev.At.Index + prev.Shift}
}

// cut empties the messages before the block and takes the blocks before it out of its own.
func (b *Base) cut(req *wire.Request) []wire.Splice {
	var edits []wire.Splice
	if n := b.At.Message; n > 0 {
		first, end := req.Message(0), req.Message(n-1)
		blank := bytes.Repeat([]byte(empty+","), n)
		edits = append(edits, wire.Splice{Start: first.Offset(), End: end.Offset() + len(end.Raw()), With: blank[:len(blank)-1]})
	}
	if b.Shift > 0 {
		content := req.Message(b.At.Message).Get("content")
		edits = append(edits, wire.Splice{Start: content.At(0).Offset(), End: content.At(b.Shift).Offset()})
	}
	return edits
}

// parse reads an edited body, which is JSON as the one it was made of.
func parse(prev *wire.Request, body []byte) *wire.Request {
	req, err := wire.Parse(prev, body)
	if err != nil {
		panic("contextedit: an edit of a valid body is none: " + err.Error())
	}
	return req
}
