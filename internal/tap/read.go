package tap

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
	"time"

	"harnessbench/internal/wire"
)

// Read gives the records of a file, one after the other (H-TRACE-5). A line that is no record gives an
// error that names it, and the reading goes on behind it; blank lines are passed over. Unknown members are
// ignored, missing ones stay zero.
func Read(r io.Reader) iter.Seq2[*Record, error] {
	return func(yield func(*Record, error) bool) {
		in := bufio.NewReaderSize(r, 1<<16)
		for n := 1; ; n++ {
			line, err := in.ReadBytes('\n')
			if len(bytes.TrimSpace(line)) > 0 {
				rec, bad := parse(line)
				if bad != nil {
					rec, bad = nil, fmt.Errorf("line %d: %w", n, bad)
				}
				if !yield(rec, bad) {
					return
				}
			}
			if errors.Is(err, io.EOF) {
				return
			}
			if err != nil {
				yield(nil, fmt.Errorf("line %d: %w", n, err))
				return
			}
		}
	}
}

func parse(line []byte) (*Record, error) {
	v, err := wire.ParseValue(line)
	if err != nil {
		return nil, err
	}
	req, resp := v.Get("request"), v.Get("response")
	if req.Kind() != '{' {
		return nil, errors.New("it has no request object, so it is no recorded call")
	}
	r := &Record{
		RequestID: v.Get("request_id").Text(),
		Upstream:  v.Get("upstream_base_url").Text(),
		Request: Request{
			Method: req.Get("method").Text(), Path: req.Get("path").Text(),
			Header: fields(req.Get("headers")), Body: body(req.Get("body")),
		},
		Response: Response{Header: fields(resp.Get("headers")), Body: body(resp.Get("body"))},
	}
	// A time that does not read stays zero: recorders differ in its form.
	r.Time, _ = time.Parse(time.RFC3339Nano, v.Get("timestamp").Text())
	if ms, ok := v.Get("duration_ms").Float(); ok {
		r.Duration = time.Duration(ms * float64(time.Millisecond))
	}
	turn, _ := v.Get("turn").Int()
	status, _ := resp.Get("status").Int()
	r.Turn, r.Response.Status = int(turn), int(status)
	if c := v.Get("capture"); c.Kind() == '{' {
		r.Capture = bytes.Clone(c.Raw())
	}
	if events := resp.Get("sse_events"); events.Kind() == '[' {
		r.Response.Events = []wire.Event{}
		for _, e := range events.Elems() {
			r.Response.Events = append(r.Response.Events, wire.Event{Name: e.Get("event").Text(), Data: body(e.Get("data"))})
		}
	}
	return r, nil
}

// body is what a recorder put down of a body: a string stands for its text, anything else for itself.
func body(v wire.Value) []byte {
	switch {
	case !v.Exists() || v.IsNull():
		return nil
	case v.Kind() == '"':
		return []byte(v.Text())
	default:
		return bytes.Clone(v.Raw())
	}
}

func fields(v wire.Value) []Field {
	var out []Field
	for name, value := range v.Members() {
		out = append(out, Field{name, value.Text()})
	}
	return out
}
