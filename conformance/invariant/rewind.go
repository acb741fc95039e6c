package invariant

import (
	"fmt"
	"slices"

	"harnessbench/internal/prefix"
)

// rewindChecks is the family of rewind and file restore (invariants.md 3, REW).
func rewindChecks() []check {
	return []check{{
		Info: Info{ID: "REW-1", Level: H, Engines: ownHarness, Source: "invariants.md REW-1; harness.md H-CMD-31, H-CMD-32",
			Sentence: "After a rewind the next entry hangs on the parent of the prompt taken back, and nothing of the branch left behind is sent again; an unknown target changes nothing.",
			Mutants:  []string{"rewind-leaks-branch", "rewind-wrong-parent"}},
		idle: "no request followed a rewind", begin: func() observer { return &rew1{left: map[*logfile]bool{}} },
	}}
}

// rew1 follows rewinds from their start until their effect was judged.
type rew1 struct {
	begun *rewind           // started, not known to be done
	next  *rewind           // done, the next entry not yet seen
	first *rewind           // done, the next request not yet seen
	void  *logfile          // a rewind to an unknown target was asked for: this file may not change
	seen  string            // the unknown target
	left  map[*logfile]bool // files with a branch left behind
	given bool              // a summary, since this process or conversation began
}

// rewind is one move of the leaf.
type rewind struct {
	file   *logfile
	step   int
	target *entry
	parent int // index of the target's parent, -1 for none
	leaves []*entry
}

func (o *rew1) see(m *moment, t *tally) {
	switch {
	case m.Op != nil:
		o.op(m)
	case m.Fault != nil && m.Fault.Name == "kill":
		o.begun = nil // whether it was done is open
	case m.Leaf != nil:
		o.done()
	case m.write != nil:
		o.write(m.write, t)
	case m.log != nil:
		o.done()
		o.request(m, t)
	case m.tried != nil && m.answer.accepted:
		o.given = true
	}
}

func (o *rew1) op(m *moment) {
	switch {
	case m.Op.Name == "kill":
		o.begun = nil
	default:
		o.done()
	}
	o.void = nil
	if m.Op.Name == "clear" {
		o.next, o.first = nil, nil
	}
	if m.Op.Name == "clear" || m.Op.Name == "resume" {
		o.given = false
	}
	if m.Op.Name != "rewind" {
		return
	}
	f := m.reading.logs.current
	if f == nil || f.gap || f.beyond != "" || m.Op.Target == "" {
		return
	}
	i, ok := f.byUUID[m.Op.Target]
	if !ok {
		o.void, o.seen = f, m.Op.Target
		return
	}
	r := &rewind{file: f, step: m.Step, target: f.entries[i], parent: f.entries[i].parent}
	kept := map[int]bool{}
	for p := r.parent; p >= 0 && !kept[p]; p = f.entries[p].parent {
		kept[p] = true
	}
	for _, p := range f.active() {
		if !kept[p] {
			r.leaves = append(r.leaves, f.entries[p])
		}
	}
	o.begun = r
}

// done takes the rewind as carried out: the log or the harness said so, or life went on after it.
func (o *rew1) done() {
	r := o.begun
	if r == nil {
		return
	}
	o.begun, o.next, o.first = nil, r, r
	for p := r.parent; p >= 0; p = r.file.entries[p].parent {
		if !r.file.entries[p].abandoned {
			break
		}
		r.file.entries[p].abandoned = false
	}
	for _, e := range r.leaves {
		e.abandoned = true
	}
	o.left[r.file] = o.left[r.file] || len(r.leaves) > 0
}

func (o *rew1) write(w *write, t *tally) {
	if w.file == o.void && len(w.entries)+len(w.marks) > 0 {
		t.broken("void "+o.seen, fmt.Sprintf("%s changed at byte %d after a rewind to %s", w.file.base(), w.Offset, o.seen), "no entry of the file has this uuid, so the rewind had to fail and change nothing")
		o.void = nil
	}
	if o.begun != nil && w.file == o.begun.file && (len(w.entries) > 0 || slices.ContainsFunc(w.marks, func(p lastPrompt) bool { return p.explicit })) {
		o.done()
	}
	r := o.next
	if r == nil || w.file != r.file {
		return
	}
	for _, e := range w.entries {
		if e.side {
			continue
		}
		o.next = nil
		parent, named := e.parent, e.parentUUID
		if e.subtype == "compact_boundary" { // its link to what it stands for is the logical one
			parent, named = r.file.indexOf(e.logical), e.logical
		}
		if (parent != r.parent || parent < 0 && named != "") && (named != "" || !r.file.firstKept(r.target)) {
			want := "none"
			if r.parent >= 0 {
				want = r.file.entries[r.parent].uuid
			}
			t.broken("parent "+r.file.at(e), fmt.Sprintf("%s, the first after the rewind of step %d, names parent %q", r.file.at(e), r.step, named),
				fmt.Sprintf("%s is the prompt taken back, and its parent is %s", r.file.at(r.target), want))
		}
		return
	}
}

func (o *rew1) request(m *moment, t *tally) {
	f := m.log.file
	if !o.left[f] {
		return
	}
	t.occasion()
	first := o.first
	o.first = nil
	for _, s := range m.log.strayed {
		if s.entry.abandoned {
			t.broken("leak "+s.file.at(s.entry), fmt.Sprintf("%s: a %s block of %s", m.call.at(s.msg, s.index), m.call.kind(s.spot), s.file.at(s.entry)), "that entry was left behind by a rewind")
		}
	}
	for _, s := range m.log.repeated {
		if e := f.leftBehind(m.call.chain.conv.msgs[s.msg].blocks[s.index].digest); e != nil {
			t.broken("leak "+f.at(e), fmt.Sprintf("%s: a %s block that the path holds no further time", m.call.at(s.msg, s.index), m.call.kind(s.spot)), f.at(e)+" says the same and was left behind by a rewind")
		}
	}
	if first == nil || first.file != f {
		return
	}
	for _, e := range m.log.missing {
		if o.untold(m, e) {
			continue
		}
		t.broken("lost "+f.at(e), fmt.Sprintf("call %d, the first after the rewind of step %d, does not say what %s says", m.call.number, first.step, f.at(e)),
			"the rewind kept everything before "+first.target.uuid)
	}
}

// untold tells that a layer may have left an entry out of the request without a word in the log, as those of the teaching
// profile do: what was summarised may go on to be, a long list has lost its middle (H-CMP-15), and of a result the
// words may be others (H-CMP-10, H-CMP-20).
func (o *rew1) untold(m *moment, e *entry) bool {
	if m.reading.compacts.options["profile"] != "teaching" {
		return false
	}
	conv := m.call.chain.conv
	if o.given || len(conv.msgs) >= taughtTail {
		return true
	}
	said, results := conv.digests(), map[string]bool{}
	for _, msg := range conv.msgs {
		for _, b := range msg.blocks {
			results[b.tool] = results[b.tool] || b.kind == "tool_result"
		}
	}
	return !slices.ContainsFunc(e.blocks, func(b block) bool {
		return !said[b.digest] && (b.kind != "tool_result" || !results[b.tool])
	})
}

// firstKept tells an entry that the boundary before it keeps as the first of all, as in a copy of a session behind a
// partial summary: nothing that is sent stands before it, so that going back to it leaves an empty path.
func (f *logfile) firstKept(e *entry) bool {
	if e.parent < 0 {
		return false
	}
	b := f.entries[e.parent]
	return b.keeps != nil && b.keeps.anchor == b.uuid &&
		(b.keeps.head == e.uuid || len(b.keeps.uuids) > 0 && b.keeps.uuids[0] == e.uuid)
}

// indexOf is the index of an entry, -1 for none.
func (f *logfile) indexOf(uuid string) int {
	if i, ok := f.byUUID[uuid]; ok {
		return i
	}
	return -1
}

// leftBehind is an entry that holds the block and was left behind by a rewind, nil for none.
func (f *logfile) leftBehind(digest prefix.Hash) *entry {
	for _, e := range f.entries {
		if e.abandoned && slices.ContainsFunc(e.blocks, func(b block) bool { return b.digest == digest }) {
			return e
		}
	}
	return nil
}
