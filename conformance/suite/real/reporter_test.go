package real_test

import (
	"bytes"
	"errors"
	"io"
	"strings"

	"harnessbench/conformance/trace"
	"harnessbench/harness/world"
)

// reporter tells of the port calls of one process, in the order in which they happen.
type reporter struct {
	emit func(trace.Event) // returns when the event is taken down
	// around is told of each write to the disk, before and after it; writes count from 1.
	around func(write int, after bool)
	writes int
	calls  int
}

// reporting is one fiber's handle.
type reporting struct {
	world.World
	r *reporter
}

func (x reporting) Go(key string, f func(world.World)) world.Task {
	return x.World.Go(key, func(w world.World) { f(reporting{w, x.r}) })
}

// write does one write to the disk; what it did is told before anything else can happen.
func (r *reporter) write(do func() error, done func() trace.Event) error {
	r.writes++
	n := r.writes
	r.around(n, false)
	if err := do(); err != nil {
		return err
	}
	r.emit(done())
	r.around(n, true)
	return nil
}

func (x reporting) Append(path string, data []byte) error {
	var at int64
	if info, err := x.World.Stat(path); err == nil {
		at = info.Size
	}
	return x.r.write(func() error { return x.World.Append(path, data) }, func() trace.Event {
		if !strings.HasSuffix(path, ".jsonl") {
			return file(path, len(data))
		}
		return trace.Event{Kind: trace.KindLog, Log: &trace.Log{File: path, Offset: at, Data: bytes.Clone(data)}}
	})
}

func (x reporting) Replace(path string, data []byte) error {
	return x.r.write(func() error { return x.World.Replace(path, data) }, func() trace.Event { return file(path, len(data)) })
}

func (x reporting) Write(path string, data []byte) error {
	return x.r.write(func() error { return x.World.Write(path, data) }, func() trace.Event { return file(path, len(data)) })
}

func file(path string, size int) trace.Event {
	return trace.Event{Kind: trace.KindFile, File: &trace.File{Path: path, Bytes: size}}
}

func (x reporting) RunTool(c world.ToolCall) (world.ToolResult, error) {
	x.r.emit(trace.Event{Kind: trace.KindTool, Tool: &trace.Tool{Phase: "start", ID: c.ID, Name: c.Name, Input: bytes.Clone(c.Input)}})
	res, err := x.World.RunTool(c)
	end := &trace.Tool{Phase: "end", ID: c.ID, Name: c.Name, Exit: res.Exit, IsError: res.IsError, Output: res.Output}
	if err != nil {
		end = &trace.Tool{Phase: "interrupted", ID: c.ID, Name: c.Name}
	}
	x.r.emit(trace.Event{Kind: trace.KindTool, Tool: end})
	return res, err
}

func (x reporting) Call(req world.Request) (world.Response, error) {
	x.r.calls++
	ev := &trace.Request{Call: x.r.calls, Chain: req.Chain, Method: req.Method, Path: req.Path, Body: req.Body}
	for _, f := range req.Header {
		ev.Header = append(ev.Header, trace.Field(f))
	}
	ev.Header = trace.Redact(ev.Header)
	x.r.emit(trace.Event{Kind: trace.KindRequest, Request: ev})
	b := &reportedBody{r: x.r, res: &trace.Response{Call: ev.Call}}
	res, err := x.World.Call(req)
	if err != nil {
		b.end(false, err)
		return res, err
	}
	b.Body, b.res.Status = res.Body, res.Status
	for _, f := range res.Header {
		b.res.Header = append(b.res.Header, trace.Field(f))
	}
	res.Body = b
	return res, nil
}

type reportedBody struct {
	world.Body
	r     *reporter
	res   *trace.Response
	ended bool
}

func (b *reportedBody) Next(w world.World) ([]byte, error) {
	data, err := b.Body.Next(w)
	b.res.Body = append(b.res.Body, data...)
	if err != nil {
		b.end(errors.Is(err, io.EOF), err)
	}
	return data, err
}

func (b *reportedBody) Close() {
	b.Body.Close()
	b.end(false, nil)
}

func (b *reportedBody) end(whole bool, err error) {
	if b.ended {
		return
	}
	b.ended, b.res.Ended = true, whole
	if err != nil && !whole {
		b.res.Error = err.Error()
	}
	b.r.emit(trace.Event{Kind: trace.KindResponse, Response: b.res})
}
