package sessionlog

import (
	"slices"
	"strconv"

	"harnessbench/internal/wire"
)

// Types of side records that change the payload; unlike records of state they add up (H-LOG-70).
const (
	contentReplacement = "content-replacement"
	snipRecord         = "snip"
	collapseCommit     = "collapse-commit"
)

// SpanShown is the subtype of a user's entry that no log holds: it stands for a collapsed span where entries are listed as
// they are sent.
const SpanShown = "collapsed_span"

// Decisions are what a harness once decided about the payload and repeats on every rebuild (H-CMP-3). The zero value
// holds none. A decision that was made behind an entry stands on the paths that hold this entry, and on no other: what
// was taken back with it, or happened on another branch, is not told of, and its history is whole again (H-CMP-17,
// H-CMP-32). The fields are what stands on the path that Stand was given last; before that, everything.
type Decisions struct {
	// Replaced holds, by the id of its call, the text that stands for a result: a JSON string (H-LOG-73).
	Replaced map[string][]byte
	// Snipped are the uuids of entries that are left out, SnipTotal is how many messages they were (H-CMP-17).
	Snipped   map[string]bool
	SnipTotal int
	// Collapsed are the spans that are shown as summaries (H-CMP-30).
	Collapsed []Collapse
	// Removals are the snips and collapses in the order they were made.
	Removals []Removal

	made []decision // all of them, in the order they were made
}

// Collapse is a span of entries and the summary, a JSON string, that stands for it.
type Collapse struct {
	Span    []string
	Summary []byte
}

// Removal is one decision that took entries out of the payload.
type Removal struct {
	Leaf  string   // uuid of the entry it was made behind, "" where the record does not say
	Gone  []string // uuids
	Freed int      // tokens, by estimate; 0 where the record does not say
}

// decision is one of three kinds: a text for the result of a call, a summary for a span, else a snip.
type decision struct {
	Removal
	call  string
	text  []byte // for the result, or of the summary
	total int    // of a snip
}

// Stand makes the decisions those that stand on a path.
func (d *Decisions) Stand(path []*Entry) {
	on := make(map[string]bool, len(path))
	for _, e := range path {
		on[e.UUID] = true
	}
	made := d.made
	*d = Decisions{made: made}
	for i := range made {
		if made[i].stands(on) {
			d.apply(&made[i])
		}
	}
}

// stands tells a decision that was made on a path, about something that is still there.
func (m *decision) stands(on map[string]bool) bool {
	about := m.call != "" || slices.ContainsFunc(m.Gone, func(uuid string) bool { return on[uuid] })
	return m.Leaf == "" || on[m.Leaf] && about
}

func (d *Decisions) add(m decision) {
	d.made = append(d.made, m)
	d.apply(&m)
}

func (d *Decisions) apply(m *decision) {
	switch {
	case m.call != "":
		if d.Replaced == nil {
			d.Replaced = map[string][]byte{}
		}
		if d.Replaced[m.call] == nil {
			d.Replaced[m.call] = m.text
		}
		return
	case m.text != nil:
		d.Collapsed = append(d.Collapsed, Collapse{m.Gone, m.text})
	default:
		if d.Snipped == nil {
			d.Snipped = map[string]bool{}
		}
		for _, uuid := range m.Gone {
			d.Snipped[uuid] = true
		}
		d.SnipTotal = m.total
	}
	d.Removals = append(d.Removals, m.Removal)
}

// Hides tells an entry that is left out, by a snip or behind the summary of a span.
func (d *Decisions) Hides(uuid string) bool {
	if d.Snipped[uuid] {
		return true
	}
	return d.SpanOf(uuid) >= 0
}

// SpanOf is the collapsed span that an entry is in, as its index, -1 for none.
func (d *Decisions) SpanOf(uuid string) int {
	return slices.IndexFunc(d.Collapsed, func(c Collapse) bool { return slices.Contains(c.Span, uuid) })
}

// decision takes a side record of a decision; any other changes nothing. A record of an agent says nothing about the
// main thread. Of two replacements for one result the first holds: a decision is never revised (H-REB-63).
func (d *Decisions) decision(v wire.Value) {
	switch v.Get("type").Text() {
	case contentReplacement:
		if v.Get("agentId").Text() != "" {
			return
		}
		for _, r := range v.Get("replacements").Elems() {
			if text := stringBytes(r.Get("replacement")); text != nil {
				d.Replace(v.Get("leafUuid").Text(), r.Get("tool_use_id").Text(), text)
			}
		}
	case snipRecord:
		total, ok := v.Get("total").Int()
		if !ok {
			total = int64(d.SnipTotal)
		}
		d.Snip(removalOf(v, "removedUuids"), int(total))
	case collapseCommit:
		if summary := stringBytes(v.Get("summary")); summary != nil {
			d.Collapse(removalOf(v, "spanUuids"), summary)
		}
	}
}

func removalOf(v wire.Value, gone string) Removal {
	freed, _ := v.Get("tokensFreed").Int()
	c := Removal{Leaf: v.Get("leafUuid").Text(), Freed: int(freed)}
	for _, uuid := range v.Get(gone).Elems() {
		c.Gone = append(c.Gone, uuid.Text())
	}
	return c
}

// Snip leaves out entries; total is how many messages all snips of the path took (H-CMP-17).
func (d *Decisions) Snip(c Removal, total int) { d.add(decision{Removal: c, total: total}) }

// Collapse shows a summary, a JSON string, in place of entries (H-CMP-30).
func (d *Decisions) Collapse(c Removal, summary []byte) { d.add(decision{Removal: c, text: summary}) }

// Replace sets the text, a JSON string, for the result of a call that has none yet: on the paths that hold a leaf, or
// wherever the result stands.
func (d *Decisions) Replace(leaf, call string, text []byte) {
	d.add(decision{Removal: Removal{Leaf: leaf}, call: call, text: text})
}

// SnipRecord is the record of a snip (H-CMP-17).
func SnipRecord(session string, c Removal, total int) []byte {
	l := line{}
	l.str("type", snipRecord)
	l.removal(session, "removedUuids", c)
	l.raw("total", strconv.AppendInt(nil, int64(total), 10))
	return append(l.buf, "}\n"...)
}

// CollapseRecord is the record of a collapse; the summary is a JSON string (H-CMP-32).
func CollapseRecord(session string, c Removal, summary []byte) []byte {
	l := line{}
	l.str("type", collapseCommit)
	l.removal(session, "spanUuids", c)
	l.raw("summary", summary)
	return append(l.buf, "}\n"...)
}

func (l *line) removal(session, gone string, c Removal) {
	list := []byte{'['}
	for i, uuid := range c.Gone {
		if i > 0 {
			list = append(list, ',')
		}
		list = quote(list, uuid)
	}
	l.str("sessionId", session)
	l.str("leafUuid", c.Leaf)
	l.raw("tokensFreed", strconv.AppendInt(nil, int64(c.Freed), 10))
	l.raw(gone, append(list, ']'))
}

// Replacement is the content-replacement record of one result (H-LOG-73). With a leaf it holds on the paths that hold
// that entry alone: what a firing shortened had been sent whole before (H-CMP-24).
func Replacement(session, leaf, call, text string) []byte {
	r := line{}
	r.str("tool_use_id", call)
	r.str("replacement", text)
	l := line{}
	l.str("type", contentReplacement)
	l.raw("replacements", append(append([]byte{'['}, r.buf...), "}]"...))
	l.str("sessionId", session)
	if leaf != "" {
		l.str("leafUuid", leaf)
	}
	return append(l.buf, "}\n"...)
}

// Compacted are the calls whose results a microcompact_boundary took from what the model sees, in the payload or at the
// server (H-LOG-47).
func (e *Entry) Compacted() []string { return e.micro("compactedToolIds") }

// WithoutImages are the uuids of entries whose images a microcompact_boundary made text (H-CMP-24).
func (e *Entry) WithoutImages() []string { return e.micro("removedImageUUIDs") }

// ServerClears tells a microcompact_boundary whose clearing the server does: the payload stays as it is (H-CMP-23).
func (e *Entry) ServerClears() bool {
	v, err := wire.ParseValue(e.Micro)
	return e.Micro != nil && err == nil && v.Get("trigger").Text() == "cached"
}

func (e *Entry) micro(list string) []string {
	if e.Micro == nil {
		return nil
	}
	v, err := wire.ParseValue(e.Micro)
	if err != nil {
		return nil
	}
	var out []string
	for _, s := range v.Get(list).Elems() {
		out = append(out, s.Text())
	}
	return out
}

// Cleared are the results and attachments whose content a microcompact_boundary took from the payload, by call id and
// by uuid (H-LOG-47). It is empty for other entries, and for a boundary whose clearing the server does, which leaves
// the payload as it is (H-CMP-23).
func (e *Entry) Cleared() (calls, attachments []string) {
	if e.Micro == nil || e.ServerClears() {
		return nil, nil
	}
	return e.Compacted(), e.micro("clearedAttachmentUUIDs")
}
