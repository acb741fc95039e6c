package fault

import (
	"bytes"
	"slices"
	"strconv"

	"harnessbench/internal/wire"
)

// recount rewrites the counts of every usage in the answer.
func (c *context) recount(change func(usage wire.Value, name string, n int64) int64) bool {
	found := false
	for i := range c.a.Frames {
		v := c.events[i].data
		if c.events[i].name == "" {
			whole, err := wire.ParseValue(c.a.Frames[i].Data)
			if err != nil {
				continue
			}
			v = whole
		}
		u := usageOf(v)
		if u.Kind() != '{' {
			continue
		}
		found = true
		fresh := counts(u, u, change)
		raw := v.Raw()
		at := u.Offset() - v.Offset()
		data := append(append(append([]byte(nil), raw[:at]...), fresh...), raw[at+len(u.Raw()):]...)
		if c.events[i].name != "" {
			data = frame(c.events[i].name, data)
		}
		c.a.Frames[i].Data = data
	}
	return found
}

// counts writes an object of usage with its numbers changed.
func counts(usage, v wire.Value, change func(wire.Value, string, int64) int64) []byte {
	out := []byte{'{'}
	for name, m := range v.Members() {
		if len(out) > 1 {
			out = append(out, ',')
		}
		out = append(append(out, quoted(name)...), ':')
		n, isNumber := m.Int()
		switch {
		case isNumber:
			out = strconv.AppendInt(out, change(usage, name, n), 10)
		case m.Kind() == '{':
			out = append(out, counts(usage, m, change)...)
		default:
			out = append(out, m.Raw()...)
		}
	}
	return append(out, '}')
}

func usageZero(c *context) bool {
	return c.recount(func(wire.Value, string, int64) int64 { return 0 })
}

func usageDoubled(c *context) bool {
	return c.recount(func(_ wire.Value, _ string, n int64) int64 { return 2 * n })
}

func usageWithCached(c *context) bool {
	return c.recount(func(u wire.Value, name string, n int64) int64 {
		if name != "input_tokens" {
			return n
		}
		read, _ := u.Get("cache_read_input_tokens").Int()
		write, _ := u.Get("cache_creation_input_tokens").Int()
		return n + read + write
	})
}

func usageAbsent(c *context) bool {
	i := find(c.events, "message_delta")
	if i < 0 {
		return false
	}
	data := []byte(`{"type":"message_delta","delta":`)
	c.a.Frames[i].Data = frame("message_delta", append(append(data, c.events[i].data.Get("delta").Raw()...), '}'))
	return true
}

func tokensBackwards(c *context) bool {
	i := find(c.events, "message_delta")
	if i < 0 {
		return false
	}
	n, _ := c.events[i].data.Get("usage").Get("output_tokens").Int()
	data := []byte(`{"type":"message_delta","delta":`)
	data = append(data, c.events[i].data.Get("delta").Raw()...)
	data = append(data, `,"usage":{"output_tokens":`+digits(n/2)+`}}`...)
	c.a.insert(i+1, Frame{c.a.at(i), frame("message_delta", data)})
	return true
}

func indexGap(c *context) bool   { return c.shift(1) }
func indexReuse(c *context) bool { return c.shift(-1) }

// shift counts the blocks that start from the place on one off.
func (c *context) shift(by int64) bool {
	i, ok := c.pos.place(c.a)
	if !ok {
		return false
	}
	moved := map[int64]bool{}
	for j := i; j < len(c.events); j++ {
		e := c.events[j]
		if e.name == "content_block_start" && e.index+by >= 0 {
			moved[e.index] = true
		}
		if e.index < 0 || !moved[e.index] {
			continue
		}
		v := e.data.Get("index")
		at := v.Offset() - e.data.Offset()
		raw := e.data.Raw()
		data := append(append(append([]byte(nil), raw[:at]...), digits(e.index+by)...), raw[at+len(v.Raw()):]...)
		c.a.Frames[j].Data = frame(e.name, data)
	}
	return len(moved) > 0
}

func strayDelta(c *context) bool {
	return c.put(frame("content_block_delta", []byte(`{"type":"content_block_delta","index":77,"delta":{"type":"text_delta","text":"stray"}}`)))
}

func doubleStop(c *context) bool {
	i, ok := c.pos.place(c.a)
	if !ok || i == 0 || c.events[i-1].name != "content_block_stop" {
		return false
	}
	return c.put(c.a.Frames[i-1].Data)
}

func startTwice(c *context) bool {
	i := find(c.events, "message_start")
	return i >= 0 && c.put(c.a.Frames[i].Data)
}

func startOther(c *context) bool {
	i := find(c.events, "message_start")
	if i < 0 {
		return false
	}
	id := c.events[i].data.Get("message").Get("id").Text()
	if id == "" {
		return false
	}
	other := []byte(id)
	slices.Reverse(other[len(other)/2:]) // the random half: another id of the same form
	return c.put(bytes.ReplaceAll(c.a.Frames[i].Data, []byte(id), other))
}

func reuseCallID(c *context) bool {
	if c.memory.callID == "" {
		return false
	}
	own := firstCall(c.a)
	if own == "" || own == c.memory.callID {
		return false
	}
	for i := range c.a.Frames {
		c.a.Frames[i].Data = bytes.ReplaceAll(c.a.Frames[i].Data, []byte(own), []byte(c.memory.callID))
	}
	return true
}

// firstCall is the id of the first tool call of an answer, "" for none.
func firstCall(a *Answer) string {
	for _, f := range a.Frames {
		if i := bytes.Index(f.Data, []byte(`"id":"toolu_`)); i >= 0 {
			id := f.Data[i+len(`"id":"`):]
			if j := bytes.IndexByte(id, '"'); j > 0 {
				return string(id[:j])
			}
		}
	}
	return ""
}
