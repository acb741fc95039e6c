package golden

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"time"

	"harnessbench/conformance/trace"
	"harnessbench/internal/wire"
)

// call is one exchange.
type call struct {
	name   string
	line   int // of its request in pending
	reader *reader
}

// totals are the sums over a run.
type totals struct{ calls, refused, fresh, read, write, out int }

func (t totals) line() string {
	what := fmt.Sprintf("calls %d", t.calls)
	if t.refused > 0 {
		what += fmt.Sprintf(", refused %d", t.refused)
	}
	return pair("sum", fmt.Sprintf("%-28s %s", what, counts(t.fresh, t.read, t.write, t.out)))
}

// request renders a call that goes out; what its prefix is made of is added with the answer, where
// the server's view comes.
func (r *Renderer) request(at time.Duration, q *trace.Request) {
	rd := r.threads[q.Chain]
	if rd == nil {
		rd = &reader{}
		r.threads[q.Chain] = rd
	}
	c := &call{name: r.naming.call(r.step), line: len(r.pending)}
	what := "path unreadable"
	if rd.read(r.store, q.Body) {
		c.reader = rd
		what = "path " + rd.path(r.store)
	}
	if q.Method != "POST" || q.Path != "/v1/messages" && !strings.HasPrefix(q.Path, "/v1/messages?") {
		what = q.Method + " " + q.Path
	}
	if q.Chain != "" && q.Chain != "main" {
		what = q.Chain + " " + what
	}
	r.add(at, "api>", fmt.Sprintf("%-5s %-21s", c.name, what))
	r.open[q.Call], r.calls[q.Call] = c, c
	r.total.calls++
}

// response renders how a call ended.
func (r *Renderer) response(at time.Duration, p *trace.Response) {
	c := r.open[p.Call]
	if c == nil {
		r.add(at, "api<", fmt.Sprintf("?     answer to call %d, which was never made", p.Call))
		return
	}
	delete(r.open, p.Call)
	v := readView(p.View)
	if v != nil && v.RequestID != "" {
		r.byID[v.RequestID] = c
	}
	for _, f := range p.Header {
		if f.Name == "request-id" {
			r.byID[f.Value] = c
		}
	}
	if prefix := r.prefix(v, c.reader); prefix != "" {
		r.pending[c.line] = clean(fmt.Sprintf("%-44s %s", r.pending[c.line], prefix))
	}
	r.add(at, "api<", fmt.Sprintf("%-5s %s", c.name, r.outcome(p)))
	for _, note := range v.notes() {
		r.add(at, "api<", fmt.Sprintf("%-5s %s", c.name, note))
	}
}

// outcome is the stop reason with the four counts, or why there is none.
func (r *Renderer) outcome(p *trace.Response) string {
	if p.Status == 0 {
		return fmt.Sprintf("%-16s %s", "no answer", p.Error)
	}
	if p.Status != 200 {
		r.total.refused++
		typ, message, ok := wire.APIError(p.Body)
		if !ok {
			typ, message = "no API error", string(p.Body)
		}
		return fmt.Sprintf("%d %s: %s", p.Status, typ, cut(message, 60))
	}
	a, open, failed := readAnswer(p.Body)
	if a == nil {
		return fmt.Sprintf("%-16s %d bytes", "unreadable", len(p.Body))
	}
	stop := a.StopReason
	if !a.Complete || !p.Ended {
		stop = "cut in " + open
		if open == "" {
			stop = "cut"
		}
	}
	if stop == "" {
		stop = "no stop reason"
	}
	u := a.Usage
	r.total.fresh += u.Input
	r.total.read += u.CacheRead
	r.total.write += u.CacheCreation
	r.total.out += u.Output
	line := fmt.Sprintf("%-16s %s", stop, counts(u.Input, u.CacheRead, u.CacheCreation, u.Output))
	switch {
	case failed != nil:
		line += "  " + cut(failed.Error(), 60)
	case p.Error != "" && p.Error != "interrupted":
		line += "  " + cut(p.Error, 60)
	}
	return line
}

// readAnswer reads a whole message or a stream as far as it came; open is the kind of block that was
// being streamed, err what the stream itself says went wrong.
func readAnswer(body []byte) (a *wire.Answer, open string, err error) {
	if trimmed := bytes.TrimLeft(body, " \t\r\n"); len(trimmed) > 0 && trimmed[0] == '{' {
		if a, err = wire.ParseAnswer(body); err != nil {
			return nil, "", err
		}
		return a, "", nil
	}
	var sse wire.SSE
	asm := &wire.Assembler{}
	for _, e := range sse.Feed(body) {
		var input *wire.InputError
		if err = asm.Event(e); errors.As(err, &input) {
			err = nil // a cut tool call; the message goes on
		}
		if err != nil {
			break
		}
	}
	return asm.Answer(), asm.Open(), err
}

// cut shows the first n characters of a text.
func cut(s string, n int) string {
	s = strings.Join(strings.Fields(s), " ")
	count := 0
	for i := range s {
		if count == n {
			return s[:i] + ".."
		}
		count++
	}
	return s
}
