package invariant

import (
	"fmt"
	"slices"
	"strings"

	"harnessbench/internal/prefix"
	"harnessbench/internal/wire"
)

const (
	mediaKey  = 48 // characters of base64 text by which an image is known again
	mediaKept = 64 // images that are looked for
)

// cmp8 looks for images that became text.
type cmp8 struct {
	images []string // beginnings of their base64 text
	bytes  int      // of the main request that was refused for them, 0 for none
	number int      // of that call
}

func (o *cmp8) see(m *moment, t *tally) {
	switch {
	case m.Op != nil && !beside(m.Op.Name):
		o.bytes = 0
	case m.Event.Response != nil && m.call != nil && m.call.chain.main():
		if o.bytes = 0; m.Event.Response.Status == 413 {
			o.bytes, o.number = len(m.call.req.Body), m.call.number
		}
	case m.Request != nil && m.call != nil && m.call.chain.main():
		o.main(m.call, t)
		if m.behind != nil && len(o.images) > 0 {
			t.occasion()
			summary := m.behind.summary()
			o.texts(m.call, func(h prefix.Hash) bool { return summary[h] }, t)
		}
	case m.tried != nil && m.Request != nil && len(o.images) > 0:
		t.occasion()
		var said map[prefix.Hash]bool // before, by whomever
		if base := m.reading.compacts.base; base != nil {
			said = base.chain.conv.digests()
		}
		log := m.reading.logs.current // what stands there came from a tool or the user, in these words
		o.texts(m.call, func(h prefix.Hash) bool { return !said[h] && !log.tells(h) }, t)
	}
}

// tells whether an entry of the file says this.
func (f *logfile) tells(h prefix.Hash) bool {
	if f == nil {
		return false
	}
	_, ok := f.holders[h]
	return ok
}

// summary are the blocks of the summary behind a boundary.
func (c *commit) summary() map[prefix.Hash]bool {
	out := map[prefix.Hash]bool{}
	if i := c.file.summaryOf(c.boundary); i >= 0 {
		for _, b := range c.file.entries[i].blocks {
			out[b.digest] = true
		}
	}
	return out
}

func (o *cmp8) main(c *call, t *tally) {
	if o.bytes > 0 {
		t.occasion()
		if n := len(c.req.Body); n >= o.bytes {
			t.report(fmt.Sprintf("bytes %d", c.number), C, (n-o.bytes)/4, fmt.Sprintf("call %d has %d bytes", c.number, n),
				fmt.Sprintf("call %d was refused for its %d bytes", o.number, o.bytes))
		}
	}
	o.bytes = 0
	for i := c.chain.conv.fresh; i < len(c.chain.conv.msgs); i++ {
		for _, b := range c.req.Message(i).Blocks() {
			o.image(b.Value)
			for _, part := range b.Get("content").Elems() {
				o.image(part)
			}
		}
	}
}

// image remembers an image.
func (o *cmp8) image(v wire.Value) {
	data := v.Get("source").Get("data").Text()
	if v.Get("type").Text() != "image" || len(data) < mediaKey || len(o.images) == mediaKept {
		return
	}
	if key := data[:mediaKey]; !slices.Contains(o.images, key) {
		o.images = append(o.images, key)
	}
}

// texts looks through the texts of the blocks of a request that are asked about.
func (o *cmp8) texts(c *call, about func(prefix.Hash) bool, t *tally) {
	for i, msg := range c.chain.conv.msgs {
		for k, b := range c.req.Message(i).Blocks() {
			if !about(msg.blocks[k].digest) {
				continue
			}
			o.text(b.TextValue(), c.at(i, k), t)
			for _, part := range b.Get("content").Elems() {
				o.text(part.Get("text"), c.at(i, k), t)
			}
			if b.Get("content").Kind() == '"' {
				o.text(b.Get("content"), c.at(i, k), t)
			}
		}
	}
}

func (o *cmp8) text(v wire.Value, place string, t *tally) {
	if v.Kind() != '"' {
		return
	}
	text := v.Text()
	for _, key := range o.images {
		if strings.Contains(text, key) {
			t.report("text "+place, C, len(text)/4, place+": a text that holds "+key[:16]+"…", "an image of the conversation begins with these characters")
			return
		}
	}
}
