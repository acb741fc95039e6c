package tap

import (
	"fmt"
	"strings"

	"harnessbench/internal/wire"
)

// Kind tells what a call was for, as far as the wire shows (H-TRACE-6).
type Kind string

// Kinds. A side call has no tools and another model than the calls that have some.
const (
	Main  Kind = "main"
	Side  Kind = "side"
	Probe Kind = "probe" // a side call that asks for one token: a quota probe
	Other Kind = "other" // another endpoint
)

// Row is what one call comes to (H-TRACE-3, H-TRACE-4).
type Row struct {
	Turn     int
	Kind     Kind
	Model    string
	Messages int
	Added    int // messages more than in the main call before
	Stop     string
	Tools    []string // names of the tools the answer calls
	Usage    wire.Usage
	Status   int
	Millis   int64

	tools bool
	limit int64
}

// RowOf reads a call; Kind and Added are known beside the other calls alone, see Table.
func RowOf(r *Record) Row {
	row := Row{Turn: r.Turn, Status: r.Response.Status, Millis: r.Duration.Milliseconds(), Kind: Other}
	if path, _, _ := strings.Cut(r.Request.Path, "?"); strings.HasSuffix(path, "/v1/messages") {
		row.Kind = Main
	}
	if v, err := wire.ParseValue(r.Request.Body); err == nil {
		row.Model, row.Messages = v.Get("model").Text(), v.Get("messages").Len()
		row.tools = v.Get("tools").Len() > 0
		row.limit, _ = v.Get("max_tokens").Int()
	}
	a := r.answer()
	row.Stop, row.Usage = a.StopReason, a.Usage
	for _, b := range a.Blocks {
		if t := b.Get("type").Text(); t == "tool_use" || t == "server_tool_use" {
			row.Tools = append(row.Tools, b.Get("name").Text())
		}
	}
	return row
}

// answer is the message that came back, empty when none did.
func (r *Record) answer() *wire.Answer {
	if len(r.Response.Events) == 0 {
		if a, err := wire.ParseAnswer(r.Response.Body); err == nil {
			return a
		}
		return &wire.Answer{}
	}
	var asm wire.Assembler
	for _, e := range r.Response.Events {
		if asm.Event(e) != nil {
			break // what came before counts
		}
	}
	return asm.Answer()
}

// Table gives the calls their kinds and what each adds to the main call before.
func Table(rows []Row) []Row {
	out := append([]Row(nil), rows...)
	main := map[string]bool{} // models of calls with tools
	for _, r := range out {
		if r.Kind == Main && r.tools {
			main[r.Model] = true
		}
	}
	before := 0
	for i := range out {
		r := &out[i]
		if r.Kind == Main && !r.tools && len(main) > 0 && !main[r.Model] {
			r.Kind = Side
			if r.limit == 1 {
				r.Kind = Probe
			}
		}
		if r.Kind == Main {
			r.Added, before = r.Messages-before, r.Messages
		}
	}
	return out
}

// Breaks lists the main calls that did not read what the one before read and wrote (H-TRACE-4): "turn 4
// read 0, want 27758". rows are as Table gives them.
func Breaks(rows []Row) []string {
	var out []string
	want := -1
	for _, r := range rows {
		if r.Kind != Main || r.Status != 200 {
			continue
		}
		if want >= 0 && r.Usage.CacheRead != want {
			out = append(out, fmt.Sprintf("turn %d read %d, want %d", r.Turn, r.Usage.CacheRead, want))
		}
		want = r.Usage.CacheRead + r.Usage.CacheCreation
	}
	return out
}

// String is the line of the readable file (H-TRACE-3).
func (r Row) String() string {
	stop := r.Stop
	if stop == "" {
		stop = "-"
	}
	tools := "-"
	if len(r.Tools) > 0 {
		tools = strings.Join(r.Tools, ",")
	}
	return fmt.Sprintf("turn %d  %s  %d messages  status %d  stop %s  tools %s  in %d  write %d  read %d  out %d  %d ms",
		r.Turn, r.Model, r.Messages, r.Status, stop, tools,
		r.Usage.Input, r.Usage.CacheCreation, r.Usage.CacheRead, r.Usage.Output, r.Millis)
}
