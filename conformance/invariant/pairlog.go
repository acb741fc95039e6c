package invariant

import "fmt"

// pairLog judges a rule that speaks of the wire and of the log.
type pairLog struct {
	wire func(c *call, t *tally) bool
	log  func(f *logfile, e *entry, t *tally)
}

func (p *pairLog) see(m *moment, t *tally) {
	if m.Request != nil && m.call != nil && p.wire(m.call, t) {
		t.occasion()
	}
	if m.write != nil {
		for _, e := range m.write.entries {
			p.log(m.write.file, e, t)
		}
	}
}

// orphanEntry judges that the call of a result stands before it on its path, with no message of
// another answer between.
func orphanEntry(f *logfile, e *entry, t *tally) {
	for _, b := range e.results() {
		walk := f.up(e)
		answer := ""
		for p := walk(); p != nil; p = walk() {
			if p.kind != "assistant" {
				continue
			}
			if answer == "" {
				answer = p.message
			}
			if p.message != answer {
				t.broken("log orphan "+f.at(e), fmt.Sprintf("%s holds a result for %s", f.at(e), b.tool),
					fmt.Sprintf("%s belongs to the answer before the nearest one, %s, which does not call it", f.at(p), answer))
				break
			}
			if p.holds("tool_use", b.tool) {
				break
			}
			if p.parent < 0 && p.parentUUID == "" {
				t.broken("log orphan "+f.at(e), fmt.Sprintf("%s holds a result for %s", f.at(e), b.tool), f.at(p)+" begins its path, and no entry of it makes this call")
			}
		}
		if answer == "" && f.rooted(e) {
			t.broken("log orphan "+f.at(e), fmt.Sprintf("%s holds a result for %s", f.at(e), b.tool), "no assistant entry stands on its path before it")
		}
	}
}

// secondEntry judges that a call has one result record on a path.
func secondEntry(f *logfile, e *entry, t *tally) {
	for _, b := range e.results() {
		walk := f.up(e)
		for p := walk(); p != nil && !p.holds("tool_use", b.tool); p = walk() {
			if p.kind == "user" && p.holds("tool_result", b.tool) {
				t.broken("log result "+f.at(e), fmt.Sprintf("%s holds a result for %s", f.at(e), b.tool), f.at(p)+", on the same path, holds one already")
				break
			}
		}
	}
}

// results are the tool results of an entry.
func (e *entry) results() []block {
	var out []block
	if e.kind == "user" {
		for _, b := range e.blocks {
			if b.kind == "tool_result" {
				out = append(out, b)
			}
		}
	}
	return out
}

func (e *entry) holds(kind, tool string) bool {
	for _, b := range e.blocks {
		if b.kind == kind && b.tool == tool {
			return true
		}
	}
	return false
}

// up walks from the parent of an entry to the start of its path; nil at the end.
func (f *logfile) up(e *entry) func() *entry {
	i, steps := e.parent, 0
	return func() *entry {
		if i < 0 || steps > len(f.entries) {
			return nil
		}
		steps++
		p := f.entries[i]
		i = p.parent
		return p
	}
}

// rooted tells whether the path of an entry is known to its start.
func (f *logfile) rooted(e *entry) bool {
	walk := f.up(e)
	for p := walk(); p != nil; p = walk() {
		e = p
	}
	return e.parent < 0 && e.parentUUID == ""
}
