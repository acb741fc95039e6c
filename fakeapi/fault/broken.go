package fault

import (
	"bytes"
	"compress/gzip"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"harnessbench/internal/wire"
)

func lost(c *context) bool {
	c.a.Frames = []Frame{{After: c.a.at(0)}}
	c.a.Status, c.a.Header, c.a.Pauses, c.a.Broken = 0, nil, nil, WasReset
	return true
}

func reset(c *context) bool {
	if !end(c) {
		return false
	}
	c.a.Broken = WasReset
	return true
}

func end(c *context) bool {
	i, n, ok := c.pos.in(c.a)
	switch {
	case !ok:
		return false
	case i == 0 && n == 0: // the headers leave with a first frame, even without a byte
		c.a.Frames, c.a.Pauses = []Frame{{After: c.a.at(0)}}, nil
	default:
		c.a.truncate(i, n)
	}
	return true
}

func errorEvent(c *context) bool {
	i, ok := c.pos.place(c.a)
	if !ok {
		return false
	}
	typ := c.Type
	if typ == "" {
		typ = "overloaded_error"
	}
	at := c.a.at(i)
	c.a.truncate(i, 0)
	data := []byte(`{"type":"error","error":{"details":null,"type":` + quoted(typ) + `,"message":` + quoted(messageOf(typ, c.Message)) + `},"request_id":` + quoted(c.requestID()) + `}`)
	c.a.Frames = append(c.a.Frames[:i:i], Frame{at, frame("error", data)})
	return true
}

func (c *context) requestID() string {
	for _, f := range c.a.Header {
		if f.Name == "request-id" {
			return f.Value
		}
	}
	return ""
}

func compressed(c *context) bool {
	var body []byte
	for _, f := range c.a.Frames {
		body = append(body, f.Data...)
	}
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	if _, err := w.Write(body); err != nil || w.Close() != nil { // a buffer takes everything
		return false
	}
	c.a.Frames, c.a.Pauses = []Frame{{c.a.at(len(c.a.Frames)), out.Bytes()}}, nil
	c.a.header("content-encoding", "gzip")
	return true
}

// asJSON makes the message that the stream would have built.
func asJSON(c *context) bool {
	var asm wire.Assembler
	var start, delta, usage wire.Value
	for _, e := range c.events {
		if err := asm.Event(wire.Event{Name: e.name, Data: e.data.Raw()}); err != nil {
			continue // what was broken before stays out
		}
		switch e.name {
		case "message_start":
			start = e.data.Get("message")
		case "message_delta":
			delta, usage = e.data.Get("delta"), e.data.Get("usage")
		}
	}
	if !start.Exists() {
		return false
	}
	body := []byte{'{'}
	for name, m := range start.Members() {
		if len(body) > 1 {
			body = append(body, ',')
		}
		body = append(append(body, quoted(name)...), ':')
		switch name {
		case "content":
			body = append(body, '[')
			for n, b := range asm.Answer().Blocks {
				if n > 0 {
					body = append(body, ',')
				}
				body = append(body, b.Raw()...)
			}
			body = append(body, ']')
		case "stop_reason", "stop_sequence", "stop_details":
			if d := delta.Get(name); d.Exists() {
				m = d
			}
			body = append(body, m.Raw()...)
		case "usage":
			body = append(body, overlay(m, usage)...)
		default:
			body = append(body, m.Raw()...)
		}
	}
	c.a.Frames, c.a.Pauses = []Frame{{c.a.at(len(c.a.Frames)), append(body, '}')}}, nil
	c.a.header("content-type", "application/json")
	c.a.without("cache-control")
	return true
}

// overlay puts the members of a later usage over an earlier one.
func overlay(first, later wire.Value) []byte {
	out := []byte{'{'}
	add := func(name string, v wire.Value) {
		if len(out) > 1 {
			out = append(out, ',')
		}
		out = append(append(append(out, quoted(name)...), ':'), v.Raw()...)
	}
	for name, v := range first.Members() {
		if l := later.Get(name); l.Exists() {
			v = l
		}
		add(name, v)
	}
	for name, v := range later.Members() {
		if !first.Get(name).Exists() {
			add(name, v)
		}
	}
	return append(out, '}')
}

func quoted(s string) string {
	out, err := jsontext.AppendQuote(nil, s)
	if err != nil { // invalid UTF-8 stands as the replacement character
		return string(out)
	}
	return string(out)
}

func digits(n int64) string { return strconv.FormatInt(n, 10) }
