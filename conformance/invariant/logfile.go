package invariant

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"harnessbench/conformance/trace"
	"harnessbench/internal/prefix"
	"harnessbench/internal/wire"
)

// logs are the session files of the stream, read by the judge's own small reader. It knows the line
// format of harness.md 2 and nothing of the code that writes it.
type logs struct {
	files    map[string]*logfile
	order    []*logfile
	none     *logfile // stands for a session that has no file yet
	current  *logfile // file of the main conversation, nil when none is known
	written  bool     // the stream holds log writes at all
	sessions map[string]bool
	ran      map[string]int // tool id: process in which its run ended, counted from 1
}

// logfile is one session file as far as the stream wrote it.
type logfile struct {
	name    string
	end     int64  // bytes known to stand in it
	torn    []byte // the unfinished last line
	last    int    // what is known of it: lineWhole, lineOpen, lineDecided
	decided int    // bytes of it that were decided on
	adopted []*entry
	lines   int
	gap     bool // bytes stand in it that the stream does not hold
	entries []*entry
	byUUID  map[string]int
	holders map[prefix.Hash]int // block digest: newest entry that holds it
	keepers []int               // boundaries that keep entries
	pin     pin
	beyond  string          // a record whose effect on the payload this judge does not follow, "" for none
	swapped map[string]bool // tool ids whose result was replaced by a record
	omitted omissions
	path    path
}

// entry is one line with a uuid.
type entry struct {
	index, line   int
	uuid          string
	parentUUID    string // "" for null
	parent        int    // index of the parent, -1 for null or unknown
	logical       string
	kind, subtype string
	message       string // message.id of an assistant entry
	side, meta    bool
	team          bool
	child         bool // some entry names it as parent
	summary       bool
	role          string // role its blocks are sent under: user, assistant, system; "" when it is not sent
	blocks        []block
	prompt        bool      // what somebody typed, as far as its message tells
	bare          []block   // blocks with text in place of its images, nil when it has none
	said          string    // text of a summary, "" for another entry
	clears        *clearing // boundary of micro-compaction: what it takes out, nil for nothing
	keeps         *keeps    // boundary: what it says stays, nil for nothing
	abandoned     bool      // left behind by a rewind
	pinned        bool      // grew from the pinned leaf after the pin
}

// write is one log event as read.
type write struct {
	*trace.Log
	file    *logfile
	known   int64 // bytes known to stand in the file before
	first   bool  // first write to the file in the stream
	entries []*entry
	marks   []lastPrompt
	frees   bool // a record in it makes the conversation shorter
	spans   bool // one of them shows rounds as a summary
}

// lastPrompt is a last-prompt record (H-REB-4).
type lastPrompt struct {
	leaf                 string
	named, explicit, top bool
}

func newLogs() *logs {
	return &logs{none: newLogfile("no session file yet"), files: map[string]*logfile{}, sessions: map[string]bool{}, ran: map[string]int{}}
}

func newLogfile(name string) *logfile {
	return &logfile{name: name, byUUID: map[string]int{}, holders: map[prefix.Hash]int{}, swapped: map[string]bool{}, path: path{tip: -1}}
}

func (l *logs) session(id string) {
	if id != "" {
		l.sessions[id] = true
	}
}

// unseen tells whether a resumed session began before the stream did.
func (l *logs) unseen(id string) bool {
	return !l.written || id != "" && !l.sessions[id]
}

func (l *logs) leaf(e *trace.Leaf) {
	l.session(e.Session)
	if e.File == "" {
		return
	}
	l.current = l.files[e.File]
	if f := l.current; f != nil && f.last == lineOpen {
		f.decide(e.Leaf != f.tip())
	}
}

func (l *logs) tool(e *trace.Tool, life int) {
	if e.Phase == "end" {
		l.ran[e.ID] = life + 1
	}
}

// orphan notes that a process is gone, and every file without its writer.
func (l *logs) orphan() {
	for _, f := range l.order {
		f.orphan()
	}
}

// inOrder lists the files, the given one first.
func (l *logs) inOrder(first *logfile) []*logfile {
	out := []*logfile{first}
	for _, f := range l.order {
		if f != first {
			out = append(out, f)
		}
	}
	return out
}

// given reads what stood in a file before the stream: nobody in it is to be judged for it.
func (l *logs) given(e *trace.Log) {
	f := l.take(e).file
	f.gap = true
	f.forget()
}

// take reads one write.
func (l *logs) take(e *trace.Log) *write {
	f := l.files[e.File]
	w := &write{Log: e, first: f == nil}
	if f == nil {
		f = newLogfile(e.File)
		f.end, f.gap = e.Offset, e.Offset > 0
		l.files[e.File] = f
		l.order = append(l.order, f)
	}
	w.file, w.known = f, f.end
	l.written = true
	if !strings.Contains(e.File, "/subagents/") {
		l.current = f
	}
	switch {
	case e.Replaced:
		f.end = int64(len(e.Data))
		f.forget()
		return w // what it holds now has no history to be judged by
	case e.Offset > f.end:
		f.gap = true
		f.forget()
	case e.Offset < f.end:
		f.forget()
	case f.last == lineOpen: // nobody said how the line is read: it is made whole, so it is an entry
		f.last = lineWhole
	}
	f.end = e.Offset + int64(len(e.Data))
	f.torn = append(f.torn, e.Data...)
	for {
		line, rest, whole := bytes.Cut(f.torn, []byte("\n"))
		if !whole {
			break
		}
		f.lines++
		if f.last == lineDecided {
			f.finish(line, w)
		} else {
			f.readLine(line, w)
		}
		f.torn = rest
	}
	f.torn = bytes.Clone(f.torn) // let go of the lines read
	return w
}

// readLine reads one line; one that is no object costs only itself. Objects glued together are taken apart.
func (f *logfile) readLine(line []byte, w *write) {
	if v, err := wire.ParseValue(line); err == nil {
		f.readObject(v, w)
		return
	}
	dec := json.NewDecoder(bytes.NewReader(line))
	for {
		var raw json.RawMessage
		if dec.Decode(&raw) != nil {
			return
		}
		if v, err := wire.ParseValue(raw); err == nil {
			f.readObject(v, w)
		}
	}
}

func (f *logfile) readObject(v wire.Value, w *write) {
	if v.Kind() != '{' {
		return
	}
	uuid := v.Get("uuid").Text()
	if uuid == "" {
		f.side(v, w)
		return
	}
	e := &entry{index: len(f.entries), line: f.lines, uuid: uuid, parentUUID: v.Get("parentUuid").Text(), parent: -1,
		logical: v.Get("logicalParentUuid").Text(), kind: v.Get("type").Text(), subtype: v.Get("subtype").Text(),
		message: v.Get("message").Get("id").Text(), team: v.Get("teamName").Text() != ""}
	e.side, _ = v.Get("isSidechain").Bool()
	e.meta, _ = v.Get("isMeta").Bool()
	e.summary, _ = v.Get("isCompactSummary").Bool()
	if p, ok := f.byUUID[e.parentUUID]; ok && e.parentUUID != "" {
		e.parent = p
		f.entries[p].child = true
	}
	e.read(v)
	f.entries = append(f.entries, e)
	f.byUUID[uuid] = e.index
	for _, b := range e.blocks {
		f.holders[b.digest] = e.index
	}
	switch e.subtype {
	case "compact_boundary":
		f.pin = pin{}
		e.keeps = keepsOf(v.Get("compactMetadata"))
		if e.keeps != nil {
			e.keeps.entries = f.keep(e)
			f.keepers = append(f.keepers, e.index)
		}
	case "microcompact_boundary":
		var ok bool
		if e.clears, ok = clearingOf(v.Get("microcompactMetadata")); !ok {
			f.beyond = e.subtype
		} else if e.clears != nil {
			f.omitted.records++
		}
	}
	f.keepAlso(e)
	f.grow(e)
	w.entries = append(w.entries, e)
}

// side reads a line without uuid.
func (f *logfile) side(v wire.Value, w *write) {
	switch kind := v.Get("type").Text(); kind {
	case "last-prompt":
		var r lastPrompt
		r.leaf, r.named = v.Get("leafUuid").Text(), v.Get("leafUuid").Exists()
		r.explicit, _ = v.Get("explicit").Bool()
		r.top, _ = v.Get("emptyPath").Bool()
		f.mark(r)
		w.marks = append(w.marks, r)
	case "content-replacement":
		for _, r := range v.Get("replacements").Elems() {
			f.swapped[r.Get("tool_use_id").Text()] = true
		}
	case "snip", "collapse-commit":
		w.frees, w.spans = true, w.spans || kind == "collapse-commit"
		if !f.omitted.take(kind, v, f.lines) {
			f.beyond = kind
		}
	}
}

// read finds what the entry puts into the payload (H-REB-10).
func (e *entry) read(v wire.Value) {
	message := v.Get("message")
	switch e.kind {
	case "user":
		if hidden, _ := v.Get("isVisibleInTranscriptOnly").Bool(); hidden && !e.summary {
			return
		}
		e.role = "user"
	case "assistant":
		if failed, _ := v.Get("isApiErrorMessage").Bool(); failed || message.Get("model").Text() == "<synthetic>" {
			return
		}
		e.role = "assistant"
	case "attachment":
		e.attachment(v)
		return
	default:
		return
	}
	read := readMessage(wire.Message{Value: message})
	e.blocks, e.prompt = read.blocks, read.prompt
	if e.summary {
		e.said = textOf(wire.Message{Value: message}.Blocks())
	}
	if e.role == "user" {
		e.bare = withoutImages(message, e.blocks)
	}
}

// attachment reads the texts of an attachment that entered the payload (H-LOG-50, H-LOG-54).
func (e *entry) attachment(v wire.Value) {
	rendered := v.Get("rendered")
	if !rendered.Exists() {
		rendered = v.Get("attachment").Get("rendered")
	}
	for _, r := range rendered.Elems() {
		text := r.Get("content")
		if text.Kind() == '"' {
			e.blocks = append(e.blocks, block{kind: "text", digest: blockDigest(text, true), blank: strings.TrimSpace(text.Text()) == ""})
		}
	}
	if len(e.blocks) == 0 {
		return
	}
	e.role = "user"
	if v.Get("place").Text() == "system" || v.Get("attachment").Get("place").Text() == "system" {
		e.role = "system"
	}
}

// talks tells the entries of the conversation proper, at which a leaf is chosen (H-REB-2).
func (e *entry) talks() bool { return e.kind == "user" || e.kind == "assistant" }

// removed tells whether a record takes the entry out of the payload, as the path now is.
func (f *logfile) removed(e *entry) bool { return f.omits()[e.uuid] != nil }

// declares tells a record that declares a break of the prefix (invariants.md 1).
func (e *entry) declares() bool {
	return e.subtype == "compact_boundary" || e.subtype == "microcompact_boundary" || e.subtype == "thinking_refused" || e.condenses()
}

// condenses tells an answer with a summary that the server wrote: it takes no notice of what stands before it, sent or
// not (messages-api.md 8.3).
func (e *entry) condenses() bool {
	return e.kind == "assistant" && !e.side && slices.ContainsFunc(e.blocks, func(b block) bool { return b.kind == "compaction" && !b.failed })
}
