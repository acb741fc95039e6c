package tracelog

import (
	"bytes"
	"fmt"
	"time"

	"github.com/zeebo/xxh3"

	"harnessbench/harness/world"
	"harnessbench/harness/world/sim"
	"harnessbench/internal/tap"
)

// Replay answers requests from recorded calls (H-TRACE-5): with the answer of the first unused call whose
// request had the same body, else with that of the next unused one. A request beyond them fails. It
// implements sim.Server.
type Replay struct {
	records []*tap.Record
	used    []bool
	byBody  map[uint64][]int
}

// NewReplay plays calls in the order given.
func NewReplay(records []*tap.Record) *Replay {
	p := &Replay{records: records, used: make([]bool, len(records)), byBody: map[uint64][]int{}}
	for i, r := range records {
		h := xxh3.Hash(r.Request.Body)
		p.byBody[h] = append(p.byBody[h], i)
	}
	return p
}

// Handle implements sim.Server.
func (p *Replay) Handle(_ time.Time, req world.Request) sim.Exchange {
	i, ok := p.next(req.Body)
	if !ok {
		return sim.Exchange{Err: fmt.Errorf("replay: all %d recorded calls are used up", len(p.records))}
	}
	p.used[i] = true
	r := p.records[i].Response
	if r.Status == 0 {
		return sim.Exchange{Err: fmt.Errorf("replay: recorded call %d got no answer", p.records[i].Turn)}
	}
	ex := sim.Exchange{Status: r.Status}
	for _, f := range r.Header {
		ex.Header = append(ex.Header, world.Field(f))
	}
	if r.Events == nil {
		ex.Frames = []sim.Frame{{Data: r.Body}}
		return ex
	}
	for _, e := range r.Events {
		ex.Frames = append(ex.Frames, sim.Frame{Data: frame(e.Name, e.Data)})
	}
	return ex
}

func (p *Replay) next(body []byte) (int, bool) {
	for _, i := range p.byBody[xxh3.Hash(body)] {
		if !p.used[i] && bytes.Equal(p.records[i].Request.Body, body) {
			return i, true
		}
	}
	for i := range p.used {
		if !p.used[i] {
			return i, true
		}
	}
	return 0, false
}

// frame is a server-sent event. The data is JSON on one line, or a text that was no JSON, which goes line
// by line.
func frame(name string, data []byte) []byte {
	var b []byte
	if name != "" {
		b = append(append(append(b, "event: "...), name...), '\n')
	}
	for line := range bytes.SplitSeq(data, []byte{'\n'}) {
		b = append(append(append(b, "data: "...), line...), '\n')
	}
	return append(b, '\n')
}

// Summary is the table of H-TRACE-4 as text, with the calls that did not read what the one before left.
func Summary(records []*tap.Record) string {
	rows := make([]tap.Row, len(records))
	for i, r := range records {
		rows[i] = tap.RowOf(r)
	}
	rows = tap.Table(rows)
	b := []byte("turn  messages  added  cache_create  cache_read  kind\n")
	for _, r := range rows {
		b = fmt.Appendf(b, "%4d  %8d  %5d  %12d  %10d  %s\n", r.Turn, r.Messages, r.Added, r.Usage.CacheCreation, r.Usage.CacheRead, r.Kind)
	}
	for _, broken := range tap.Breaks(rows) {
		b = append(append(b, broken...), '\n')
	}
	return string(b)
}
