package run

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"harnessbench/conformance/invariant"
	"harnessbench/conformance/trace"
	"harnessbench/scenarios"
)

// expectations compares what came out with what the story says must come out.
func expectations(sc *scenarios.Scenario, res *Result, leaves int) []string {
	var out []string
	miss := func(format string, a ...any) { out = append(out, fmt.Sprintf(format, a...)) }
	e := sc.Expect
	if e.Calls != nil && *e.Calls != len(res.Calls) {
		miss("calls: expected %d, there were %d", *e.Calls, len(res.Calls))
	}
	if e.Leaves != nil && *e.Leaves != leaves {
		miss("log.leaves: expected %d, the log has %d", *e.Leaves, leaves)
	}
	var reads, cold, refused []string
	for _, c := range res.Calls {
		switch {
		case c.Status >= 400:
			refused = append(refused, c.Name)
		case c.Status == 200 && c.Usage.Read > 0:
			reads = append(reads, c.Name)
		case c.Status == 200:
			cold = append(cold, c.Name)
		}
	}
	compare := func(what string, want, got []string) {
		if want != nil && !slices.Equal(want, got) {
			miss("%s: expected %v, got %v", what, want, got)
		}
	}
	compare("cache.reads_at", e.ReadsAt, reads)
	compare("cache.cold_at", e.ColdAt, cold)
	compare("refused", e.Refused, refused)
	if len(res.Calls) > 0 {
		last := res.Calls[len(res.Calls)-1]
		for _, s := range e.Texts {
			if !holds(last.Body, s) {
				miss("present: %q is not in the last request (%s)", s, last.Name)
			}
		}
		for _, s := range e.Absent {
			if holds(last.Body, s) {
				miss("absent: %q is in the last request (%s)", s, last.Name)
			}
		}
	}
	for _, text := range e.Notices {
		if !slices.ContainsFunc(res.Notices, func(n string) bool { return strings.Contains(n, text) }) {
			miss("notices: the harness never said %q; it said %q", text, res.Notices)
		}
	}
	for _, id := range slices.Sorted(maps.Keys(e.Checks)) {
		i := slices.IndexFunc(res.Checks, func(c invariant.Result) bool { return c.Check == id })
		switch {
		case i < 0:
			miss("checks.%s: there is no such check", id)
		case string(res.Checks[i].Verdict) != e.Checks[id]:
			miss("checks.%s: expected %s, it is %s", id, e.Checks[id], res.Checks[i].Verdict)
		}
	}
	return out
}

// unsaid names the first call that was refused for good for what it sends, in a story that neither says so nor plans a
// fault in that step, on whatever model: such a story tells of something else than its author means.
func unsaid(sc *scenarios.Scenario, res *Result) []string {
	if sc.Expect.Refused != nil || sc.Faulty() {
		return nil
	}
	for i := range res.Calls {
		c := &res.Calls[i]
		planned := c.Step > 0 && sc.Steps[c.Step-1].Prompt != nil && len(sc.Steps[c.Step-1].Prompt.Faults) > 0
		if c.Status >= 400 && c.Status < 500 && c.Status != 408 && c.Status != 409 && c.Status != 429 && !planned {
			return []string{fmt.Sprintf("refused: the server refused call %s, which the story does not say: %s", c.Name, c.Refusal)}
		}
	}
	return nil
}

// holds tells whether a planted string stands in a JSON body, in its escaped form.
func holds(body []byte, text string) bool {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(text); err != nil {
		return false
	}
	quoted := bytes.TrimSpace(buf.Bytes())
	return bytes.Contains(body, quoted[1:len(quoted)-1])
}

// leaves counts the ends of branches in the newest session log: chain entries that no entry names as parent.
type leaves struct {
	file    string
	parents map[string]bool
	entries []string
}

func (l *leaves) log(w *trace.Log) {
	if w.File != l.file {
		*l = leaves{file: w.File, parents: map[string]bool{}}
	}
	for line := range bytes.Lines(w.Data) {
		var e struct{ UUID, ParentUUID string }
		if json.Unmarshal(line, &e) != nil || e.UUID == "" {
			continue
		}
		l.entries = append(l.entries, e.UUID)
		l.parents[e.ParentUUID] = true
	}
}

func (l *leaves) count() int {
	n := 0
	for _, id := range l.entries {
		if !l.parents[id] {
			n++
		}
	}
	return n
}
