package headless

import (
	"bytes"
	"io"

	"harnessbench/harness"
	"harnessbench/harness/sessionlog"
	"harnessbench/internal/wire"
)

// printer writes what a session tells.
type printer struct {
	s    *harness.Session
	out  io.Writer
	opt  Options
	last *harness.Result // of the newest turn
	err  error           // the first one of out
}

var _ harness.Listener = (*printer)(nil)

func (p *printer) write(b []byte) {
	if p.err != nil {
		return
	}
	_, p.err = p.out.Write(append(b, '\n'))
}

// line writes an object of a stream.
func (p *printer) line(o *object) {
	if p.opt.Output == StreamJSON {
		p.write(o.end())
	}
}

// init is the first line of a stream (H-LOOP-60).
func (p *printer) init() {
	o := &object{}
	o.str("type", "system")
	o.str("subtype", "init")
	o.str("session_id", p.s.ID())
	o.str("cwd", p.s.Cwd())
	o.str("model", p.s.Model())
	o.strs("tools", p.s.Tools())
	o.strs("mcp_servers", nil)
	o.str("permissionMode", p.s.Mode())
	o.strs("slash_commands", []string{"branch", "btw", "clear", "compact", "context", "resume", "rewind"})
	o.strs("skills", nil)
	o.strs("agents", nil)
	o.str("apiKeySource", "ANTHROPIC_API_KEY")
	o.str("claude_code_version", sessionlog.Version)
	o.str("output_style", "default")
	p.line(o)
}

// Logged writes the messages of the main conversation, without the prompts that came in (H-LOOP-61), and boundaries of
// compactions.
func (p *printer) Logged(e *sessionlog.Entry) {
	if p.opt.Output != StreamJSON || e.Sidechain {
		return
	}
	switch {
	case e.Boundary():
		p.boundary(e)
	case e.Speech() && !e.Typed:
		p.message(e)
	}
}

// message is an assistant or user line; a result of a tool has its structured form beside it (H-LOOP-61).
func (p *printer) message(e *sessionlog.Entry) {
	logged, err := wire.ParseValue(bytes.TrimSpace(e.Encode(sessionlog.Envelope{})))
	if err != nil {
		return // the session itself reads back each line it wrote, and fails on one that is no JSON
	}
	o := &object{}
	o.str("type", e.Type)
	o.raw("message", logged.Get("message").Raw())
	o.raw("parent_tool_use_id", []byte("null"))
	o.str("session_id", p.s.ID())
	o.str("uuid", e.UUID)
	if e.Result != nil {
		o.raw("tool_use_result", e.Result)
	}
	p.line(o)
}

// boundary is the line of a compaction (H-LOOP-60).
func (p *printer) boundary(e *sessionlog.Entry) {
	o, m := &object{}, &object{}
	if v, err := wire.ParseValue(e.Compact); err == nil {
		m.str("trigger", v.Get("trigger").Text())
		tokens, _ := v.Get("preTokens").Int()
		m.num("pre_tokens", tokens)
	}
	o.str("type", "system")
	o.str("subtype", "compact_boundary")
	o.str("session_id", p.s.ID())
	o.str("uuid", e.UUID)
	o.raw("compact_metadata", m.end())
	p.line(o)
}

// Retrying is the line of a failed try (H-LOOP-49).
func (p *printer) Retrying(r harness.Retry) {
	o := &object{}
	o.str("type", "system")
	o.str("subtype", "api_retry")
	o.num("attempt", int64(r.Attempt))
	o.num("max_retries", int64(r.Max))
	o.num("retry_delay_ms", r.Delay.Milliseconds())
	if r.Status == 0 {
		o.raw("error_status", []byte("null"))
	} else {
		o.num("error_status", int64(r.Status))
	}
	o.str("error", r.Type)
	o.str("session_id", p.s.ID())
	p.line(o)
}

// Streamed is the line of an event, in the bytes it came in, where partial messages are wanted (H-LOOP-60). What is no
// JSON is a fault of the stream, of which the turn's end tells.
func (p *printer) Streamed(data []byte) {
	if !p.opt.Partials {
		return
	}
	v, err := wire.ParseValue(data)
	if err != nil {
		return
	}
	o := &object{}
	o.str("type", "stream_event")
	o.raw("event", flat(v.Raw()))
	o.str("session_id", p.s.ID())
	o.raw("parent_tool_use_id", []byte("null"))
	p.line(o)
}

// flat puts JSON on one line.
func flat(raw []byte) []byte {
	return bytes.Map(func(r rune) rune {
		if r == '\n' || r == '\r' {
			return ' '
		}
		return r
	}, raw)
}

// Ended is the result line of a stream; the other formats show the newest turn alone, at the end.
func (p *printer) Ended(r harness.Result) {
	p.last = &r
	if p.opt.Output == StreamJSON {
		p.write(p.result(r))
	}
}

// finish writes what the formats other than a stream show.
func (p *printer) finish() {
	switch {
	case p.last == nil:
	case p.opt.Output == JSON:
		p.write(p.result(*p.last))
	case p.opt.Output == Text:
		text := p.last.Text
		if err := failure(*p.last); err != "" {
			text = err
		}
		p.write([]byte(text))
	}
}

// good tells that the newest turn ended well.
func (p *printer) good() bool {
	subtype, _ := ending(*p.last)
	return subtype == success
}
