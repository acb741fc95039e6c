package invariant

import (
	"fmt"
	"strings"
)

// cmp7 looks at the begin and the end of compactions, and at what the user types meanwhile.
type cmp7 struct {
	ahead   typedAhead
	pause   *condensed // of the server's, behind which the turn has to go on
	open    *commit    // inside a turn, which has to go on
	step    int
	summary *commit // its summary has not been seen
}

func (o *cmp7) see(m *moment, t *tally) {
	o.excuse(m)
	o.ahead.see(m, t)
	o.paused(m, t)
	switch {
	case m.tried != nil && m.Request != nil:
		if m.tried.requests == 1 {
			t.occasion()
		}
		if c := o.summary; c != nil && m.tried.requests == 1 {
			t.broken("before "+c.boundary.uuid, fmt.Sprintf("call %d asks for a summary", m.call.number), c.file.at(c.boundary)+" was logged before it, and no summary hangs on it")
		}
	case m.commit != nil:
		o.committed(m, t)
	case m.Request != nil && m.call != nil && m.call.chain.main():
		if m.during {
			t.broken(fmt.Sprintf("during %d", m.call.number), fmt.Sprintf("call %d goes on with the conversation", m.call.number), "the summary that is to take its place was asked for, and has no answer yet")
		}
		o.open = nil
		if c := o.summary; c != nil && c.file == m.call.file {
			t.broken("bare "+c.boundary.uuid, fmt.Sprintf("call %d goes on behind %s", m.call.number, c.file.at(c.boundary)), "no summary hangs on that boundary")
		}
		o.summary = nil
	case m.write != nil && o.summary != nil:
		o.summarised(m.write.entries)
	case m.Op != nil && !beside(m.Op.Name), m.End != nil:
		o.left(m, t)
	}
}

// excuse drops what an interrupt, a kill or a word to the user explains.
func (o *cmp7) excuse(m *moment) {
	switch {
	case m.Fault != nil && m.Fault.Name == "kill", m.Op != nil && (m.Op.Name == "kill" || m.Op.Name == "exit" || m.Op.Name == "resume"):
		o.open, o.summary, o.pause = nil, nil, nil
	case m.Op != nil && m.Op.Name == "interrupt", m.Notice != nil && explains(m.Notice.Text), m.Fault != nil:
		o.open, o.pause = nil, nil
	case m.write != nil && o.open != nil && m.write.file == o.open.file:
		for _, e := range m.write.entries {
			if e != o.open.boundary && (e.kind == "system" || e.kind == "assistant") {
				o.open = nil // the record of an end, or of an error
				return
			}
		}
	}
}

// explains tells whether a word to the user may say why a turn ended. What was made shorter says nothing of it.
func explains(notice string) bool {
	for _, layer := range [...]string{"Micro-compaction", "Snip:", "Collapse:", "The server compacted the conversation."} {
		if strings.HasPrefix(notice, layer) {
			return false
		}
	}
	return true
}

func (o *cmp7) committed(m *moment, t *tally) {
	c := m.commit
	o.summary, o.open = c, nil
	o.summarised(m.write.entries)
	if c.trigger != byUser {
		o.open, o.step = c, m.Step
	}
	if c.bare && m.reading.chains["main"] != nil && m.reading.compacts.options["compact.sessionMemory"] != "on" {
		why := "no summary was asked for in this step, and no memory file stands for one"
		if m.reading.compacts.asked != nil {
			why = fmt.Sprintf("the answer of call %d, the newest to a request for a summary, stands behind another boundary", m.reading.compacts.asked.newest.number)
		}
		t.occasion()
		t.broken("made up "+c.boundary.uuid, c.file.at(c.boundary)+": a boundary was logged", why)
	}
	if a := c.attempt; a != nil && !a.answered && (a.trigger == byUser || a.trigger == byItself) {
		why := "was not answered in full"
		if a.waits {
			why = "has no answer yet"
		}
		t.broken("unanswered "+c.boundary.uuid, c.file.at(c.boundary)+": a boundary was logged", fmt.Sprintf("call %d, which asked for the summary, %s", a.newest.number, why))
	}
}

// summarised looks for the summary of the boundary.
func (o *cmp7) summarised(entries []*entry) {
	for _, e := range entries {
		if e.summary && e.parent == o.summary.boundary.index {
			o.summary = nil
			return
		}
	}
}

// left judges a turn that a compaction was the last of.
func (o *cmp7) left(m *moment, t *tally) {
	c := o.open
	o.open = nil
	if c == nil {
		return
	}
	t.broken("left "+c.boundary.uuid, fmt.Sprintf("step %d ends behind %s, and the conversation was not gone on with", o.step, c.file.at(c.boundary)),
		"nobody asked for that compaction, nobody stopped the turn, and nothing says why it ended")
}
