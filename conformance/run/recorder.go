package run

import (
	"errors"
	"io"
	"path"
	"strings"
	"time"

	"harnessbench/conformance/trace"
	"harnessbench/harness"
	"harnessbench/harness/world"
	"harnessbench/internal/wire"
)

// recorder turns port calls into events. One recorder serves all processes of a run; its handles are
// decorators of each fiber's world. Everything runs on one thread, or under the real world's lock.
type recorder struct {
	start time.Time
	now   func() time.Time
	view  func(string) []byte
	// struck lists the faults that met calls since it was last asked.
	struck func() []trace.Fault
	emit   func(trace.Event)

	seq, step, calls int
	sizes            map[string]int64         // session logs, by path
	open             []*call                  // calls whose response was not yet emitted
	watch            func(phase, world.World) // told of every phase the run passes through, with the handle of its fiber
	answered         func(id, name string, input []byte)
	finished         func(*trace.Response, *wire.Answer)
	allow            func(world.Request) error // keeps a call from being sent
}

// phase is a point at which a user can interrupt; names as in the scenario.
type phase string

const (
	beforeAnswer phase = "before_answer"
	inThinking   phase = "thinking"
	inText       phase = "text"
	inToolInput  phase = "tool_input"
	inTool       phase = "tool"
)

func (r *recorder) event(e trace.Event) {
	r.seq++
	e.Seq, e.Step, e.At = r.seq, r.step, r.now().Sub(r.start)
	r.emit(e)
}

func (r *recorder) op(o trace.Op)     { r.event(trace.Event{Kind: trace.KindOp, Op: &o}) }
func (r *recorder) leaf(l trace.Leaf) { r.event(trace.Event{Kind: trace.KindLeaf, Leaf: &l}) }

// wrap makes a recording handle.
func (r *recorder) wrap(w world.World) world.World { return recording{World: w, r: r} }

// recording is one fiber's recording handle.
type recording struct {
	world.World
	r *recorder
}

func (x recording) Go(key string, f func(world.World)) world.Task {
	return x.World.Go(key, func(w world.World) { f(x.r.wrap(w)) })
}

// isLog tells session logs from all other files.
func isLog(file string) bool {
	return strings.HasSuffix(file, ".jsonl") && path.Base(path.Dir(file)) != harness.TranscriptsDir
}

func (x recording) Append(path string, data []byte) error {
	if err := x.World.Append(path, data); err != nil || !isLog(path) {
		return err
	}
	x.r.event(trace.Event{Kind: trace.KindLog, Log: &trace.Log{File: path, Offset: x.r.sizes[path], Data: append([]byte(nil), data...)}})
	x.r.sizes[path] += int64(len(data))
	return nil
}

func (x recording) Replace(path string, data []byte) error {
	if err := x.World.Replace(path, data); err != nil || !isLog(path) {
		return err
	}
	x.r.event(trace.Event{Kind: trace.KindLog, Log: &trace.Log{File: path, Data: append([]byte(nil), data...), Replaced: true}})
	x.r.sizes[path] = int64(len(data))
	return nil
}

// given tells of a log that was there before the run.
func (r *recorder) given(path string, data []byte) {
	r.event(trace.Event{Kind: trace.KindLog, Log: &trace.Log{File: path, Data: data, Given: true}})
	r.sizes[path] = int64(len(data))
}

// Write implements world.Disk: the user's own files.
func (x recording) Write(path string, data []byte) error {
	err := x.World.Write(path, data)
	if err == nil {
		x.r.event(trace.Event{Kind: trace.KindFile, File: &trace.File{Path: path, Bytes: len(data)}})
	}
	return err
}

// Remove implements world.Disk.
func (x recording) Remove(path string) error {
	err := x.World.Remove(path)
	if err == nil {
		x.r.event(trace.Event{Kind: trace.KindFile, File: &trace.File{Path: path, Removed: true}})
	}
	return err
}

// Approve implements world.Approver; a No is told as the end of the call.
func (x recording) Approve(c world.ToolCall) (world.Approval, error) {
	a, err := x.World.Approve(c)
	if err == nil && !a.Allow {
		x.r.event(trace.Event{Kind: trace.KindTool, Tool: &trace.Tool{Phase: "denied", ID: c.ID, Name: c.Name, Output: a.Feedback}})
	}
	return a, err
}

func (x recording) RunTool(c world.ToolCall) (world.ToolResult, error) {
	r := x.r
	r.event(trace.Event{Kind: trace.KindTool, Tool: &trace.Tool{Phase: "start", ID: c.ID, Name: c.Name, Input: append([]byte(nil), c.Input...)}})
	r.watch(inTool, x.World)
	res, err := x.World.RunTool(c)
	end := &trace.Tool{Phase: "end", ID: c.ID, Name: c.Name, Exit: res.Exit, IsError: res.IsError, Output: res.Output}
	if err != nil {
		end = &trace.Tool{Phase: "interrupted", ID: c.ID, Name: c.Name}
	}
	r.event(trace.Event{Kind: trace.KindTool, Tool: end})
	return res, err
}

// call is one exchange under way.
type call struct {
	number  int
	at      time.Time
	status  int
	header  []trace.Field
	id      string // request id the server gave
	body    []byte
	chunks  []trace.Chunk
	sse     wire.SSE
	asm     wire.Assembler
	blocks  int // completed blocks seen
	request *trace.Request
	view    []byte
	emitted bool
}

func (x recording) Call(req world.Request) (world.Response, error) {
	r := x.r
	if err := r.allow(req); err != nil {
		return world.Response{}, err
	}
	r.calls++
	c := &call{number: r.calls, at: r.now()}
	ev := &trace.Request{Call: c.number, Chain: req.Chain, Method: req.Method, Path: req.Path, Body: req.Body}
	for _, f := range req.Header {
		ev.Header = append(ev.Header, trace.Field(f))
	}
	ev.Header = trace.Redact(ev.Header)
	c.request = ev
	if r.view == nil || !trace.MayDiffer(req.Body) {
		r.sent(c)
	}
	r.open = append(r.open, c)
	resp, err := x.World.Call(req)
	if err != nil {
		r.close(c, false, err)
		return resp, err
	}
	c.status = resp.Status
	for _, f := range resp.Header {
		c.header = append(c.header, trace.Field(f))
		if f.Name == "request-id" {
			c.id = f.Value
		}
	}
	r.sent(c)
	resp.Body = &recordedBody{Body: resp.Body, r: r, c: c, w: x.World}
	r.watch(beforeAnswer, x.World) // the request is out, nothing of the answer was read
	return resp, nil
}

// sent emits a request, once: when it leaves or, where the server may judge another body, when it says which (D10).
func (r *recorder) sent(c *call) {
	ev := c.request
	if ev == nil {
		return
	}
	c.request = nil
	if c.id != "" && r.view != nil {
		c.view = r.view(c.id)
		ev.Effective = trace.EffectiveOf(c.view)
	}
	r.event(trace.Event{Kind: trace.KindRequest, Request: ev})
}

// close emits a response, once.
func (r *recorder) close(c *call, ended bool, err error) {
	if c.emitted {
		return
	}
	c.emitted = true
	r.sent(c)
	for i, o := range r.open {
		if o == c {
			r.open = append(r.open[:i:i], r.open[i+1:]...)
			break
		}
	}
	ev := &trace.Response{Call: c.number, Status: c.status, Header: c.header, Body: c.body, Chunks: c.chunks, Ended: ended}
	if err != nil && !errors.Is(err, io.EOF) {
		ev.Error = err.Error()
	}
	ev.View = c.view
	if c.id != "" && r.view != nil && ev.View == nil {
		ev.View = r.view(c.id)
	}
	if r.struck != nil {
		for _, f := range r.struck() {
			r.event(trace.Event{Kind: trace.KindFault, Fault: &f})
		}
	}
	r.finished(ev, c.asm.Answer())
	r.event(trace.Event{Kind: trace.KindResponse, Response: ev})
}

// abandon closes what a killed process left open.
func (r *recorder) abandon() {
	for len(r.open) > 0 {
		r.close(r.open[0], false, world.Killed{})
	}
}

type recordedBody struct {
	world.Body
	r *recorder
	c *call
	w world.World // the handle of the fiber that made the call
}

func (b *recordedBody) Next(w world.World) ([]byte, error) {
	data, err := b.Body.Next(w)
	if len(data) > 0 {
		b.c.body = append(b.c.body, data...)
		b.c.chunks = append(b.c.chunks, trace.Chunk{At: b.r.now().Sub(b.c.at), Len: len(data)})
		b.r.follow(b.c, data, b.w)
	}
	if err != nil {
		b.r.close(b.c, errors.Is(err, io.EOF), err)
	}
	return data, err
}

func (b *recordedBody) Close() {
	b.Body.Close()
	b.r.close(b.c, false, nil)
}

// follow reads along to learn the phase and the tool calls; a stream it cannot read teaches nothing.
func (r *recorder) follow(c *call, data []byte, w world.World) {
	for _, e := range c.sse.Feed(data) {
		if c.asm.Event(e) != nil {
			return
		}
		if e.Name == "content_block_delta" {
			switch c.asm.Open() {
			case "thinking":
				r.watch(inThinking, w)
			case "text":
				r.watch(inText, w)
			case "tool_use":
				r.watch(inToolInput, w)
			}
		}
		for blocks := c.asm.Answer().Blocks; c.blocks < len(blocks); c.blocks++ {
			if b := blocks[c.blocks]; b.Get("type").Text() == "tool_use" {
				r.answered(b.Get("id").Text(), b.Get("name").Text(), b.Get("input").Raw())
			}
		}
	}
}
