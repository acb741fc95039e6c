package fault

import (
	"bytes"
	"unicode/utf8"

	"harnessbench/internal/wire"
)

// put inserts a frame at the place, at the time of what follows.
func (c *context) put(data []byte) bool {
	i, ok := c.pos.place(c.a)
	if ok {
		c.a.insert(i, Frame{c.a.at(i), data})
	}
	return ok
}

// each rewrites every frame from the place on.
func (c *context) each(rewrite func(i int, data []byte) []byte) bool {
	i, ok := c.pos.place(c.a)
	if !ok {
		return false
	}
	for j := i; j < len(c.a.Frames); j++ {
		c.a.Frames[j].Data = rewrite(j, c.a.Frames[j].Data)
	}
	return true
}

func ping(c *context) bool    { return c.put(frame("ping", pingData)) }
func comment(c *context) bool { return c.put([]byte(": keep-alive\n\n")) }

func unknownEvent(c *context) bool {
	return c.put(frame("bench_news", []byte(`{"type":"bench_news","text":"a type that nobody knows"}`)))
}

func crlf(c *context) bool {
	return c.each(func(_ int, data []byte) []byte { return bytes.ReplaceAll(data, []byte("\n"), []byte("\r\n")) })
}

// dataLines breaks the data behind each comma of its outermost object, where JSON takes a line feed.
func dataLines(c *context) bool {
	return c.each(func(i int, data []byte) []byte {
		if i >= len(c.events) || c.events[i].data.Kind() != '{' || c.events[i].name == "" {
			return data
		}
		e := c.events[i]
		out := []byte("event: " + e.name + "\n")
		raw, from := e.data.Raw(), 0
		for _, m := range e.data.Members() {
			if end := m.Offset() - e.data.Offset() + len(m.Raw()); end+1 < len(raw) {
				out = append(append(append(out, "data: "...), raw[from:end]...), '\n')
				from = end
			}
		}
		return append(append(append(out, "data: "...), raw[from:]...), "\n\n"...)
	})
}

func longLine(c *context) bool {
	i, ok := c.pos.place(c.a)
	if !ok || i == 0 {
		return false
	}
	f := &c.a.Frames[i-1]
	head, found := bytes.CutSuffix(f.Data, []byte("}\n\n"))
	if found {
		f.Data = append(append(append([]byte(nil), head...), bytes.Repeat([]byte{' '}, 1<<20)...), "}\n\n"...)
	}
	return found
}

func unknownDelta(c *context) bool {
	i, ok := c.pos.place(c.a)
	if !ok || i == 0 {
		return false
	}
	open := int64(-1)
	for _, e := range c.events[:min(i, len(c.events))] {
		switch e.name {
		case "content_block_start":
			open = e.index
		case "content_block_stop":
			open = -1
		}
	}
	if open < 0 {
		return false
	}
	return c.put(frame("content_block_delta", []byte(`{"type":"content_block_delta","index":`+digits(open)+`,"delta":{"type":"bench_delta","news":"nobody knows this"}}`)))
}

// members of deltas that grow by pieces.
var growing = map[string]string{"text_delta": "text", "thinking_delta": "thinking", "input_json_delta": "partial_json"}

func emptyDelta(c *context) bool {
	found := false
	for i := len(c.events) - 1; i >= 0; i-- {
		if e := c.events[i]; growing[e.delta] != "" {
			c.a.insert(i, Frame{c.a.at(i), piece(e, "")})
			found = true
		}
	}
	return found
}

func splitInput(c *context) bool {
	found := false
	for i := len(c.events) - 1; i >= 0; i-- {
		e := c.events[i]
		text := e.data.Get("delta").Get("partial_json").Text()
		if e.delta != "input_json_delta" || len(text) < 2 {
			continue
		}
		var out []Frame
		for _, r := range text {
			out = append(out, Frame{c.a.at(i), piece(e, string(r))})
		}
		c.a.replace(i, out...)
		found = true
	}
	return found
}

// piece is a delta like another one with its own text.
func piece(e event, text string) []byte {
	return frame("content_block_delta", []byte(`{"type":"content_block_delta","index":`+digits(e.index)+
		`,"delta":{"type":`+quoted(e.delta)+`,`+quoted(growing[e.delta])+`:`+quoted(text)+`}}`))
}

// splitUTF8 cuts each frame in the middle of each character of several bytes.
func splitUTF8(c *context) bool {
	found := false
	for i := len(c.a.Frames) - 1; i >= 0; i-- {
		f := c.a.Frames[i]
		var out []Frame
		from := 0
		for j := 0; j < len(f.Data); {
			_, w := utf8.DecodeRune(f.Data[j:])
			if w > 1 {
				out = append(out, Frame{f.After, f.Data[from : j+1 : j+1]})
				from = j + 1
			}
			j += w
		}
		if from > 0 {
			c.a.replace(i, append(out, Frame{f.After, f.Data[from:]})...)
			found = true
		}
	}
	return found
}

// usageOf is the object of counts that an event or a body shows.
func usageOf(v wire.Value) wire.Value {
	if m := v.Get("message"); m.Exists() {
		v = m
	}
	return v.Get("usage")
}
