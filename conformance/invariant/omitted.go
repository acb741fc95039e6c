package invariant

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"harnessbench/internal/prefix"
	"harnessbench/internal/wire"
)

// Texts that stand for what a record takes out of the payload (harness.md 5.7, H-CMP-25).
const (
	clearedTag   = "[Old tool result content cleared]"
	savedTag     = clearedTag + "\nstored on disk, retrievable by path: "
	clearedTag2  = "[Earlier tool result compacted. Re-run if needed.]" // of the teaching profile
	imageGoneTag = "[image removed]"
)

// omissions are what the records of a file take out of the payload (H-CMP-3). A record of which it is not plain what it does
// is not followed, and nothing is judged behind it.
type omissions struct {
	made    []omission
	records int // so far, with the boundaries of micro-compaction that take something out

	by     map[string]*standIn // what those on the active path take out, nil while nobody asked
	turned int                 // of the path that was asked about
	of     int                 // how many records were
}

// omission is one record that leaves entries out.
type omission struct {
	entry  *entry // the record, as far as it can be one
	leaf   string // uuid of the entry it was made behind: it stands on paths that hold this; "" for all
	uuids  []string
	digest prefix.Hash // of the text that stands for them
}

// standIn is a text of the user's in the place of entries.
type standIn struct {
	entry  *entry
	digest prefix.Hash
}

// take takes a record that leaves entries out; false when it is not understood.
func (o *omissions) take(kind string, v wire.Value, line int) bool {
	list := "removedUuids"
	if kind != "snip" {
		list = "spanUuids"
	}
	uuids, ok := texts(v.Get(list))
	if !ok || len(uuids) == 0 {
		return false
	}
	m := omission{entry: &entry{kind: kind, line: line}, leaf: v.Get("leafUuid").Text(), uuids: uuids}
	if kind == "snip" {
		total, ok := v.Get("total").Int()
		if !ok {
			return false
		}
		m.digest = textDigest(fmt.Sprintf("[snipped %d messages from conversation middle]", total))
	} else {
		if v.Get("summary").Kind() != '"' {
			return false
		}
		m.digest = blockDigest(v.Get("summary"), true)
	}
	o.made = append(o.made, m)
	o.records++
	return true
}

// on says by uuid of an entry that is not sent what is sent where the first such entry of a path stood. Snips add up, and
// one text tells how many messages all of them took (H-CMP-17); of two spans that hold an entry the first one stands
// (H-CMP-30).
func (o *omissions) on(path map[string]bool) map[string]*standIn {
	by := map[string]*standIn{}
	var snip *standIn
	for i := range o.made {
		m := &o.made[i]
		if m.leaf != "" && !path[m.leaf] {
			continue
		}
		s := &standIn{m.entry, m.digest}
		if m.entry.kind == "snip" {
			if snip == nil {
				snip = &standIn{}
			}
			*snip, s = *s, snip
		}
		for _, uuid := range m.uuids {
			if by[uuid] == nil || s == snip {
				by[uuid] = s
			}
		}
	}
	return by
}

// omits is what records take out of the active path.
func (f *logfile) omits() map[string]*standIn {
	o := &f.omitted
	if o.by == nil || o.turned != f.path.turned || o.of != len(o.made) {
		path := map[string]bool{}
		if len(o.made) > 0 {
			for _, i := range f.active() {
				path[f.entries[i].uuid] = true
			}
		}
		o.by, o.turned, o.of = o.on(path), f.path.turned, len(o.made)
	}
	return o.by
}

// texts reads a list of strings.
func texts(v wire.Value) (out []string, ok bool) {
	if v.Kind() != '[' {
		return nil, false
	}
	for _, e := range v.Elems() {
		if e.Kind() != '"' {
			return nil, false
		}
		out = append(out, e.Text())
	}
	return out, true
}

// textDigest is that of a text block that says this, which needs no escape.
func textDigest(text string) prefix.Hash {
	v, err := wire.ParseValue(strconv.AppendQuoteToASCII(nil, text))
	if err != nil {
		return prefix.Hash{}
	}
	return blockDigest(v, true)
}

// clearing is what a microcompact_boundary takes out of what stands on its path (H-LOG-47).
type clearing struct {
	results     []string // ids of their calls
	attachments []string // uuids
	images      []string // uuids of the entries that hold them
}

// clearingOf reads one; nil where the server clears, which leaves the payload as it is (H-CMP-23); ok is false when it is
// not understood.
func clearingOf(v wire.Value) (c *clearing, ok bool) {
	trigger := v.Get("trigger").Text()
	if trigger == "cached" {
		return nil, true
	}
	c = &clearing{}
	known := trigger == "time" || trigger == "position"
	for name, list := range map[string]*[]string{"compactedToolIds": &c.results, "clearedAttachmentUUIDs": &c.attachments, "removedImageUUIDs": &c.images} { // any order: each by its name
		if found := v.Get(name); found.Exists() {
			*list, ok = texts(found)
			known = known && ok
		}
	}
	return c, known && len(c.results)+len(c.attachments)+len(c.images) > 0
}

// isCleared tells a result whose content is what stands for a cleared one.
func isCleared(result wire.Value) bool {
	content := result.Get("content")
	if content.Kind() == '[' && content.Len() == 1 {
		content = content.At(0).Get("text")
	}
	text := content.Text()
	return text == clearedTag || text == clearedTag2 || strings.HasPrefix(text, savedTag)
}

// withoutImages are the blocks of a message with text in place of their images (H-CMP-24), nil where it holds none.
func withoutImages(message wire.Value, blocks []block) []block {
	isImage := func(v wire.Value) bool {
		return v.Get("type").Text() == "image" && v.Get("source").Get("type").Text() == "base64"
	}
	var out []block
	for i, v := range message.Get("content").Elems() {
		var gone []wire.Splice
		own, err := wire.ParseValue(v.Raw())
		if err != nil || i >= len(blocks) {
			continue
		}
		b := blocks[i]
		if isImage(own) {
			b.kind, b.digest = "text", textDigest(imageGoneTag)
		}
		for _, part := range own.Get("content").Elems() {
			if isImage(part) {
				gone = append(gone, wire.Replace(part, []byte(`{"type":"text","text":"`+imageGoneTag+`"}`)))
			}
		}
		if len(gone) > 0 {
			if own, err = wire.ParseValue(wire.Apply(v.Raw(), gone...)); err != nil {
				continue
			}
			b.digest = blockDigest(own, false)
		}
		if b.digest != blocks[i].digest {
			if out == nil {
				out = slices.Clone(blocks)
			}
			out[i] = b
		}
	}
	return out
}
