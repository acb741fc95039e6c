package invariant

import (
	"fmt"
	"strings"
)

// logChecks is the family of the session log (invariants.md 3, LOG).
func logChecks() []check {
	return []check{
		{
			Info: Info{ID: "LOG-3", Level: H, Engines: anyEngine, Source: "invariants.md LOG-3; harness.md H-LOG-30, H-LOG-42",
				Sentence: "The parent of each entry, and its logical parent, is an earlier line of the same file; only a first entry, a compaction boundary or a rewind to the very start has none.",
				Mutants:  []string{"parent-null-after-resume", "parent-unknown"}},
			idle: "no log entry was written", begin: func() observer { return &log3{boundary: map[*logfile]*entry{}, rewound: map[*logfile]bool{}} },
		},
		{
			Info: Info{ID: "LOG-5", Level: H, Engines: ownHarness, Source: "invariants.md LOG-5, D34; harness.md H-REB-2, H-REB-3, H-REB-4",
				Sentence: "A request holds exactly the messages on the path of the leaf the log names, the harness stands at that leaf, and bookkeeping is never the parent of a message.",
				Mutants:  []string{"leaf-is-abandoned-branch", "servers-summary-dropped", "snipped-round-sent", "span-without-summary"}},
			idle: "no request came with a log that begins in this stream", begin: func() observer { return log5{} },
		},
		{
			Info: Info{ID: "LOG-6", Level: H, Engines: ownHarness, Source: "invariants.md LOG-6, D34; harness.md H-LOG-53, H-LOG-54, H-REB-31, H-REB-43, H-REB-59",
				Sentence: "Each block of the messages stands in a log write made before the request, in the order of the path, also within an answer; the memory block and volatile text of the newest turn alone are exempt.",
				Mutants:  []string{"sent-before-logged", "entry-never-logged", "cleared-result-sent"}},
			idle: "no request came with a log that begins in this stream", begin: func() observer { return &log6{} },
		},
		{
			Info: Info{ID: "LOG-12", Level: H, Engines: anyEngine, Source: "invariants.md LOG-12; harness.md H-LOG-11",
				Sentence: "What once stood in a session file stays: every write begins where the file ended.",
				Mutants:  []string{"log-rewritten", "log-truncated"}},
			idle: "no log write was seen", begin: func() observer { return log12{} },
		},
	}
}

// log3 remembers where a boundary waits for its summary, and where a rewind went to the very start.
type log3 struct {
	boundary map[*logfile]*entry
	rewound  map[*logfile]bool
}

func (o *log3) see(m *moment, t *tally) {
	if m.Op != nil && m.Op.Name == "rewind" {
		if f := m.reading.logs.current; f != nil {
			if i, ok := f.byUUID[m.Op.Target]; ok && f.entries[i].parentUUID == "" {
				o.rewound[f] = true
			}
		}
	}
	if m.write == nil {
		return
	}
	f := m.write.file
	for _, e := range m.write.entries {
		t.occasion()
		here := f.at(e)
		if e.parentUUID != "" && e.parent < 0 && !f.gap {
			t.broken("parent "+here, fmt.Sprintf("%s names parent %s", here, e.parentUUID), "no earlier line of the file has this uuid")
		}
		if i, ok := f.byUUID[e.logical]; e.logical != "" && !f.gap && (!ok || i >= e.index) {
			t.broken("logical "+here, fmt.Sprintf("%s names logical parent %s", here, e.logical), "no earlier line of the file has this uuid")
		}
		if b := o.boundary[f]; b != nil && !e.side && e.parent != b.index {
			t.broken("boundary "+here, fmt.Sprintf("%s is the first entry behind a compaction boundary and names parent %q", here, e.parentUUID), f.at(b)+" is the boundary")
		}
		if before := f.messageBefore(e); e.talks() && !e.side && e.parentUUID == "" && before != nil && !e.pinned && !o.rewound[f] && m.reading.ops {
			t.broken("root "+here, fmt.Sprintf("%s of type %s names no parent", here, e.kind), f.at(before)+" stands in the file before it, and nothing took the conversation back to its start")
		}
		if !e.side {
			delete(o.boundary, f)
			delete(o.rewound, f)
		}
		if e.subtype == "compact_boundary" {
			o.boundary[f] = e
		}
	}
}

// at names the line of an entry, or of a record without uuid.
func (f *logfile) at(e *entry) string {
	if e.uuid == "" {
		return fmt.Sprintf("%s line %d, a %s record", f.base(), e.line, e.kind)
	}
	return fmt.Sprintf("%s line %d, entry %s", f.base(), e.line, e.uuid)
}

// base is the file's name without its directory: what differs from run to run stays out of a finding.
func (f *logfile) base() string { return f.name[strings.LastIndexByte(f.name, '/')+1:] }

// messageBefore is the newest main-chain message before e, nil for none.
func (f *logfile) messageBefore(e *entry) *entry {
	for i := e.index - 1; i >= 0; i-- {
		if b := f.entries[i]; b.talks() && !b.side {
			return b
		}
	}
	return nil
}

type log5 struct{}

func (log5) see(m *moment, t *tally) {
	switch {
	case m.write != nil:
		f := m.write.file
		for _, e := range m.write.entries {
			if e.parent < 0 || !e.talks() || e.side {
				continue
			}
			if p := f.entries[e.parent]; p.kind == "progress" || p.side {
				t.broken("bookkeeping "+f.at(e), fmt.Sprintf("%s of type %s hangs on %s", f.at(e), e.kind, p.uuid), fmt.Sprintf("%s is %s", f.at(p), bookkeeping(p)))
			}
		}
	case m.Leaf != nil:
		leaf(m, t)
	case m.log != nil:
		t.occasion()
		o := m.log
		for _, s := range o.strayed {
			fact := fmt.Sprintf("%s: a %s block that stands in %s", m.call.at(s.msg, s.index), m.call.kind(s.spot), s.file.at(s.entry))
			t.broken("stray "+s.file.at(s.entry), fact, s.file.without(s.entry, o.file))
		}
		for _, s := range o.repeated {
			t.broken("repeated "+s.file.at(s.entry), fmt.Sprintf("%s: a %s block that was sent before it already", m.call.at(s.msg, s.index), m.call.kind(s.spot)),
				fmt.Sprintf("%s holds it, and no other entry of the path does", s.file.at(s.entry)))
		}
		for _, e := range o.missing {
			t.broken("missing "+o.file.at(e), fmt.Sprintf("call %d sends %d messages without what %s says", m.call.number, len(m.call.chain.conv.msgs), o.file.at(e)), o.file.leafFact())
		}
	}
}

func bookkeeping(e *entry) string {
	if e.side {
		return "a sidechain entry"
	}
	return "a progress entry"
}

func (c *call) kind(s spot) string { return c.chain.conv.msgs[s.msg].blocks[s.index].kind }

// without says why an entry is not part of the conversation that another file, or the same, holds.
func (f *logfile) without(e *entry, of *logfile) string {
	if s := f.omits()[e.uuid]; s != nil && f == of {
		return f.at(s.entry) + " takes that entry out"
	}
	return of.leafFact()
}

// leafFact says where the log stands.
func (f *logfile) leafFact() string {
	if f.path.tip < 0 {
		return f.base() + ": the path is empty"
	}
	return fmt.Sprintf("the leaf is %s, and %d entries lead to it", f.at(f.entries[f.path.tip]), len(f.active()))
}

// leaf compares the harness's own word with the log.
func leaf(m *moment, t *tally) {
	f := m.reading.logs.files[m.Leaf.File]
	if f == nil || f.gap || f.beyond != "" {
		return
	}
	t.occasion()
	if f.tip() != m.Leaf.Leaf {
		says := "at the empty path"
		if m.Leaf.Leaf != "" {
			says = "at " + m.Leaf.Leaf
		}
		t.broken("leaf "+m.Leaf.Leaf+" "+f.tip(), fmt.Sprintf("step %d: the harness stands %s", m.Step, says), f.leafFact())
	}
}

// log6 holds a finding back until it is known that the session is logged at all.
type log6 struct {
	early *call
	step  int
}

func (o *log6) see(m *moment, t *tally) {
	switch {
	case m.Request != nil && m.call != nil && m.call.chain.main() && !m.reading.logs.written:
		if o.early == nil && len(m.call.chain.conv.msgs) > 0 {
			o.early, o.step = m.call, m.Step
		}
	case m.write != nil && o.early != nil:
		if m.write.first && m.write.Offset == 0 {
			t.occasion()
			t.step, t.call = o.step, o.early.number
			t.broken("early", fmt.Sprintf("call %d was sent with %d messages", o.early.number, o.early.req.MessageCount()),
				fmt.Sprintf("%s: the first write to the log came after it", m.write.file.base()))
		}
		o.early = nil
	case m.log != nil:
		t.occasion()
		for _, s := range m.log.unlogged {
			t.broken("unlogged "+m.call.digest(s), fmt.Sprintf("%s: a %s block", m.call.at(s.msg, s.index), m.call.kind(s)),
				fmt.Sprintf("%s, %d lines before the request: no entry holds it", m.log.file.base(), m.log.file.lines))
		}
		for _, s := range m.log.moved {
			t.broken("moved "+m.call.digest(s.spot), fmt.Sprintf("%s: a %s block", m.call.at(s.msg, s.index), m.call.kind(s.spot)),
				s.file.at(s.entry)+" holds it, before what was sent ahead of it")
		}
		for _, s := range m.log.cleared {
			t.broken("cleared "+m.call.digest(s.spot), fmt.Sprintf("%s: a %s block with all it said", m.call.at(s.msg, s.index), m.call.kind(s.spot)),
				s.file.at(s.entry)+" clears it")
		}
	}
}

func (c *call) digest(s spot) string {
	return fmt.Sprintf("%x", c.chain.conv.msgs[s.msg].blocks[s.index].digest)
}

type log12 struct{}

func (log12) see(m *moment, t *tally) {
	w := m.write
	if w == nil {
		return
	}
	t.occasion()
	switch {
	case w.Replaced:
		t.broken(fmt.Sprintf("replaced %d", m.Seq), fmt.Sprintf("event %d exchanges the whole of %s for %d bytes", m.Seq, w.file.base(), len(w.Data)),
			fmt.Sprintf("%d bytes stood in it", w.known))
	case w.Offset < w.known:
		t.broken(fmt.Sprintf("offset %d", m.Seq), fmt.Sprintf("event %d writes %d bytes to %s at byte %d", m.Seq, len(w.Data), w.file.base(), w.Offset),
			fmt.Sprintf("%d bytes stood in it already", w.known))
	}
}
