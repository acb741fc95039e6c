package sessionlog

import "harnessbench/internal/wire"

// Types of side records that change the payload; unlike records of state they add up (H-LOG-70).
const (
	contentReplacement = "content-replacement"
	snipRecord         = "snip"
	collapseCommit     = "collapse-commit"
)

// Decisions are what a harness once decided about the payload and repeats on every rebuild (H-CMP-3). The zero value
// holds none.
type Decisions struct {
	// Replaced holds, by the id of its call, the text that stands for a result: a JSON string (H-LOG-73).
	Replaced map[string][]byte
	// Snipped are the uuids of entries that are left out, SnipTotal is how many messages they were (H-CMP-17).
	Snipped   map[string]bool
	SnipTotal int
	// Collapsed are the spans that are shown as summaries (H-CMP-30).
	Collapsed []Collapse
}

// Collapse is a span of entries and the summary, a JSON string, that stands for it.
type Collapse struct {
	Span    []string
	Summary []byte
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
				d.Replace(r.Get("tool_use_id").Text(), text)
			}
		}
	case snipRecord:
		if d.Snipped == nil {
			d.Snipped = map[string]bool{}
		}
		for _, uuid := range v.Get("removedUuids").Elems() {
			d.Snipped[uuid.Text()] = true
		}
		if n, ok := v.Get("total").Int(); ok {
			d.SnipTotal = int(n)
		}
	case collapseCommit:
		c := Collapse{Summary: stringBytes(v.Get("summary"))}
		for _, uuid := range v.Get("spanUuids").Elems() {
			c.Span = append(c.Span, uuid.Text())
		}
		if c.Summary != nil {
			d.Collapsed = append(d.Collapsed, c)
		}
	}
}

// Replacement is the content-replacement record of one result (H-LOG-73).
func Replacement(session, call, text string) []byte {
	r := line{}
	r.str("tool_use_id", call)
	r.str("replacement", text)
	l := line{}
	l.str("type", contentReplacement)
	l.raw("replacements", append(append([]byte{'['}, r.buf...), "}]"...))
	l.str("sessionId", session)
	return append(l.buf, "}\n"...)
}

// Replace sets the text, a JSON string, for the result of a call that has none yet.
func (d *Decisions) Replace(call string, text []byte) {
	if d.Replaced == nil {
		d.Replaced = map[string][]byte{}
	}
	if d.Replaced[call] == nil {
		d.Replaced[call] = text
	}
}

// Cleared are the results and attachments whose content a microcompact_boundary took from the payload, by call id and
// by uuid (H-LOG-47). It is empty for other entries, and for a boundary whose clearing the server does, which leaves
// the payload as it is (H-CMP-23).
func (e *Entry) Cleared() (calls, attachments []string) {
	if e.Micro == nil {
		return nil, nil
	}
	v, err := wire.ParseValue(e.Micro)
	if err != nil || v.Get("trigger").Text() == "cached" {
		return nil, nil
	}
	for _, id := range v.Get("compactedToolIds").Elems() {
		calls = append(calls, id.Text())
	}
	for _, uuid := range v.Get("clearedAttachmentUUIDs").Elems() {
		attachments = append(attachments, uuid.Text())
	}
	return calls, attachments
}
