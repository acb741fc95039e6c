package tracelog

import (
	"errors"
	"fmt"
	"io"
	"time"

	"harnessbench/harness/world"
	"harnessbench/internal/tap"
	"harnessbench/internal/wire"
)

// Recorder writes the calls of one process.
type Recorder struct {
	// Complete and Readable are the paths of its two files (H-TRACE-1).
	Complete, Readable string
	upstream           string
	turn               int
	err                error
}

// New is a recorder of a process that started at a time, below dir: .traces/DATE/trace_TIME.jsonl and .log,
// both in UTC (H-TRACE-1). upstream is the base URL noted in the records, "" for none.
func New(dir string, started time.Time, upstream string) *Recorder {
	at := started.UTC()
	base := fmt.Sprintf("%s/.traces/%s/trace_%s", dir, at.Format(time.DateOnly), at.Format("150405"))
	return &Recorder{Complete: base + ".jsonl", Readable: base + ".log", upstream: upstream}
}

// Err is the first error of writing; a call never fails because its record could not be written.
func (r *Recorder) Err() error { return r.err }

// Wrap records the calls made through w, and through the worlds of the fibers it starts.
func (r *Recorder) Wrap(w world.World) world.World { return recording{w, r} }

type recording struct {
	world.World
	r *Recorder
}

func (x recording) Go(key string, f func(world.World)) world.Task {
	return x.World.Go(key, func(w world.World) { f(recording{w, x.r}) })
}

func (x recording) Call(req world.Request) (world.Response, error) {
	x.r.turn++
	c := &call{r: x.r, rec: tap.Record{Time: x.World.Now(), Turn: x.r.turn, Upstream: x.r.upstream}}
	c.rec.Request = tap.Request{Method: req.Method, Path: req.Path, Header: fields(req.Header), Body: req.Body}
	resp, err := x.World.Call(req)
	if err != nil {
		c.done(x.World, err)
		return resp, err
	}
	c.rec.Response.Status, c.rec.Response.Header = resp.Status, fields(resp.Header)
	for _, f := range resp.Header {
		if f.Name == "request-id" {
			c.rec.RequestID = f.Value
		}
	}
	resp.Body = &body{resp.Body, x.World, c}
	return resp, nil
}

func fields(header []world.Field) []tap.Field {
	out := make([]tap.Field, len(header))
	for i, f := range header {
		out[i] = tap.Field(f)
	}
	return out
}

// call is one exchange under way.
type call struct {
	r       *Recorder
	rec     tap.Record
	raw     []byte
	sse     wire.SSE
	events  []wire.Event
	written bool
}

// body passes the answer on and keeps what was read of it.
type body struct {
	world.Body
	w world.World // of the fiber that called; Close has none of its own
	c *call
}

func (b *body) Next(w world.World) ([]byte, error) {
	chunk, err := b.Body.Next(w)
	b.c.raw = append(b.c.raw, chunk...)
	b.c.events = append(b.c.events, b.c.sse.Feed(chunk)...)
	if err != nil {
		b.c.done(w, err)
	}
	return chunk, err
}

func (b *body) Close() {
	b.Body.Close()
	b.c.done(b.w, errClosed)
}

var errClosed = errors.New("given up by the client")

// done writes the record, once: at the end of the answer, or when the client gave it up (H-TRACE-2,
// H-TRACE-3). How it ended stands in capture unless it came whole.
func (c *call) done(w world.World, why error) {
	if c.written {
		return
	}
	c.written = true
	c.rec.Duration = w.Now().Sub(c.rec.Time)
	if !errors.Is(why, io.EOF) {
		c.rec.Capture = tap.Note("ended", why.Error())
	}
	c.rec.Response.Body = c.raw
	if len(c.events) > 0 {
		c.rec.Response.Events, c.rec.Response.Body = c.events, nil
	}
	c.r.write(w, c.r.Complete, c.rec.Line())
	c.r.write(w, c.r.Readable, []byte(tap.RowOf(&c.rec).String()+"\n"))
}

func (r *Recorder) write(w world.World, path string, data []byte) {
	if err := w.Append(path, data); err != nil && r.err == nil {
		r.err = fmt.Errorf("trace %s: %w", path, err)
	}
}
