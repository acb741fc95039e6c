package invariant

import (
	"slices"
	"sort"

	"harnessbench/internal/prefix"
	"harnessbench/internal/wire"
)

// explanation sets a request of the main conversation beside the path of its log: what the log does
// not explain, and what of the path was not sent. Only what is new in the request is looked at.
type explanation struct {
	file     *logfile
	unlogged []spot  // no log write made before holds the block
	strayed  []stray // logged, but not on the active chain
	moved    []stray // on the chain, but before something sent earlier
	repeated []stray // on the chain, but sent already as often as it stands there
	cleared  []stray // on the chain, but the entry, a boundary of micro-compaction, says that something else is sent
	missing  []*entry
}

// spot is a block of the request.
type spot struct{ msg, index int }

// stray is a block of the request and the entry that holds it.
type stray struct {
	spot
	file  *logfile
	entry *entry
}

// explainer keeps the comparison from one request to the next.
type explainer struct {
	file   *logfile
	turned int
	left   int // records that leave something out
	taken  int // entries of the path already read

	items    []item
	by       map[prefix.Hash][]int
	calls    map[string]bool   // tool_use ids on the path
	answered map[string]bool   // ids with a result on the path
	messages map[string]bool   // message ids of the assistant entries on the path
	clears   map[string]*entry // by tool id or uuid: the boundary on the path that clears the result, the attachment or the images
	stands   map[*standIn]bool // are on the path
	due      int               // items that must be sent and are not matched
	rank     int
	role     string

	rows    []row
	nothing prefix.Hash // the text that stands for an assistant message left empty (H-REB-35)
}

// item is one block of the path.
type item struct {
	entry     *entry
	rank      int // number of its run of entries of one role: the message it belongs to
	role      string
	used, due bool
	past      bool // a summary of the server's stands behind it
}

// row is what was matched for one message of the request.
type row struct {
	used     []int
	floor    int   // highest rank used up to and including this message
	volatile []int // blocks passed as text of the newest turn alone
}

func newExplainer() *explainer {
	nothing, _ := wire.ParseValue([]byte(`"(no content)"`))
	return &explainer{nothing: blockDigest(nothing, true)}
}

// explain compares the request with the path as the log stands now. nil: it cannot be judged.
func (x *explainer) explain(c *call, l *logs, life int) *explanation {
	f := l.current
	if f == nil {
		f = l.none
	}
	if f.gap || f.beyond != "" {
		x.file = nil
		return nil
	}
	conv := c.chain.conv
	if f.last == lineOpen {
		f.decide(f.sayings(conv))
	}
	from := conv.fresh
	if x.file != f || x.turned != f.path.turned || x.left != f.omitted.records {
		*x = explainer{nothing: x.nothing, file: f, turned: f.path.turned, left: f.omitted.records, by: map[prefix.Hash][]int{},
			calls: map[string]bool{}, answered: map[string]bool{}, messages: map[string]bool{},
			clears: f.cleared(), stands: map[*standIn]bool{}}
		from = 0
	}
	from = min(from, len(x.rows))
	x.follow()
	for _, r := range x.rows[from:] {
		for _, i := range r.used {
			x.release(i)
		}
	}
	x.rows = x.rows[:from]
	ex := &explanation{file: f}
	for i, r := range x.rows {
		if conv.msgs[i].prompted != conv.prompted() {
			for _, k := range r.volatile {
				ex.unlogged = append(ex.unlogged, spot{i, k})
			}
			x.rows[i].volatile = nil
		}
	}
	for i := from; i < len(conv.msgs); i++ {
		x.message(ex, conv, i, l, life)
	}
	if x.due > 0 {
		for _, it := range x.items {
			if it.due && !it.used && (len(ex.missing) == 0 || ex.missing[len(ex.missing)-1] != it.entry) {
				ex.missing = append(ex.missing, it.entry)
			}
		}
	}
	return ex
}

// follow reads the entries by which the path has grown.
func (x *explainer) follow() {
	active := x.file.active()
	for ; x.taken < len(active); x.taken++ {
		e := x.file.entries[active[x.taken]]
		if e.role == "" || e.side || e.kind == "attachment" && x.clears[e.uuid] != nil {
			continue
		}
		if s := x.file.omits()[e.uuid]; s != nil {
			x.stand(s)
			continue
		}
		if e.role != "system" {
			x.speaks(e.role)
		}
		if e.kind == "assistant" && e.message != "" {
			x.messages[e.message] = true
		}
		if e.condenses() {
			x.forgive()
		}
		blocks := e.blocks
		if e.bare != nil && x.clears[e.uuid] != nil {
			blocks = e.bare
		}
		for _, b := range blocks {
			due := x.mustBeSent(e, b)
			if b.kind != "tool_result" || x.clears[b.tool] == nil {
				x.add(b.digest, item{entry: e, rank: x.rank, role: e.role, due: due})
			}
		}
	}
}

// speaks begins a new rank where another role begins to speak.
func (x *explainer) speaks(role string) {
	if role != x.role {
		x.role, x.rank = role, x.rank+1
	}
}

func (x *explainer) add(digest prefix.Hash, it item) {
	if it.due {
		x.due++
	}
	x.by[digest] = append(x.by[digest], len(x.items))
	x.items = append(x.items, it)
}

// stand puts what stands for entries in the place of the first of them.
func (x *explainer) stand(s *standIn) {
	if !x.stands[s] {
		x.stands[s] = true
		x.speaks("user")
		x.add(s.digest, item{entry: s.entry, rank: x.rank, role: "user", due: true})
	}
}

// cleared tells by tool id or uuid what the boundaries of micro-compaction on the path clear.
func (f *logfile) cleared() map[string]*entry {
	out := map[string]*entry{}
	if f.omitted.records == 0 {
		return out
	}
	for _, i := range f.active() {
		if e := f.entries[i]; e.clears != nil {
			for _, id := range slices.Concat(e.clears.results, e.clears.attachments, e.clears.images) {
				out[id] = e
			}
		}
	}
	return out
}

// forgive lets everything so far be left out of the request, and be sent all the same.
func (x *explainer) forgive() {
	for i := range x.items {
		x.items[i].due, x.items[i].past = false, true
	}
	x.due = 0
}

// mustBeSent tells whether leaving the block out would lose conversation. Thinking may be dropped
// (THINK-1, THINK-6 judge that), blank text and results without a call are removed (H-REB-32,
// H-REB-35), and a system message whose call left no answer is left out (D34).
func (x *explainer) mustBeSent(e *entry, b block) bool {
	switch b.kind {
	case "text":
		return !b.blank && e.role != "system"
	case "tool_use":
		x.calls[b.tool] = true
		return true
	case "tool_result":
		first := !x.answered[b.tool]
		x.answered[b.tool] = true
		return first && x.calls[b.tool] && !x.file.swapped[b.tool]
	case "image", "document", "search_result":
		return true
	case "compaction":
		return !b.failed
	}
	return false
}

func (x *explainer) release(i int) {
	if x.items[i].used && x.items[i].due {
		x.due++
	}
	x.items[i].used = false
}

// message matches one message of the request.
func (x *explainer) message(ex *explanation, conv *conversation, i int, l *logs, life int) {
	m, floor := conv.msgs[i], -1
	if i > 0 {
		floor = x.rows[i-1].floor
	}
	r := row{floor: floor}
	newest := -1 // of the items of this message, in an answer; user messages have an order of their own (H-REB-13, H-REB-14)
	for k, b := range m.blocks {
		n := x.match(b.digest, m.role, floor, newest+1)
		if n < 0 {
			x.unmatched(ex, conv, spot{i, k}, &r, l, life)
			continue
		}
		it := &x.items[n]
		if it.used {
			if m.role != "system" && !b.reminder && !b.blank && b.digest != x.nothing {
				ex.repeated = append(ex.repeated, stray{spot{i, k}, x.file, it.entry})
			}
			continue
		}
		it.used = true
		if it.due {
			x.due--
		}
		r.used = append(r.used, n)
		if m.role == "system" {
			continue
		}
		if it.rank < floor || m.role == "assistant" && n < newest {
			ex.moved = append(ex.moved, stray{spot{i, k}, x.file, it.entry})
		}
		r.floor = max(r.floor, it.rank)
		if m.role == "assistant" {
			newest = max(newest, n)
		}
	}
	x.rows = append(x.rows, r)
}

// match finds the item for a block: the first unused one from the index after and of the rank floor on, which
// keeps the order, else any unused one, else a used one, -1 for none. Text of system messages may stand in
// the log under either role.
func (x *explainer) match(digest prefix.Hash, role string, floor, after int) int {
	all := x.by[digest] // in rising rank
	from := 0
	if role != "system" {
		from = sort.Search(len(all), func(k int) bool { return all[k] >= after && x.items[all[k]].rank >= floor })
	}
	fits := func(n int) bool { return role == "system" || x.items[n].role == role }
	for _, past := range [...]bool{false, true} {
		for _, n := range all[from:] {
			if fits(n) && !x.items[n].used && x.items[n].past == past {
				return n
			}
		}
	}
	used := -1
	for _, n := range all {
		switch {
		case !fits(n):
		case !x.items[n].used:
			return n
		default:
			used = n
		}
	}
	return used
}

// unmatched sorts out a block that the path does not hold.
func (x *explainer) unmatched(ex *explanation, conv *conversation, at spot, r *row, l *logs, life int) {
	m := conv.msgs[at.msg]
	b := m.blocks[at.index]
	// Reminders first: one of the same words may stand anywhere in the log, such as the time of the same minute
	// in another turn, and says nothing about this one.
	switch {
	case m.role == "user" && b.reminder && at.index == 0 && firstUser(conv) == at.msg:
		return // memory and date (H-REB-43)
	case m.role == "user" && b.reminder && m.prompted == conv.prompted():
		r.volatile = append(r.volatile, at.index) // volatile text, never logged (H-LOG-53)
		return
	}
	if by := x.clears[b.tool]; by != nil && b.kind == "tool_result" {
		if !b.cleared {
			ex.cleared = append(ex.cleared, stray{at, x.file, by})
		}
		return
	}
	for _, f := range l.inOrder(x.file) {
		n, ok := f.holders[b.digest]
		if !ok {
			continue
		}
		e := f.entries[n]
		// Parallel results and parts of one answer may stand beside the path instead of on it (H-REB-5).
		if f == x.file && (e.kind == "assistant" && x.messages[e.message] || b.kind == "tool_result" && x.calls[b.tool]) {
			return
		}
		ex.strayed = append(ex.strayed, stray{at, f, e})
		return
	}
	switch {
	case b.kind == "tool_result" && b.failed && x.calls[b.tool] && !x.answered[b.tool] && l.ran[b.tool] != life+1:
		return // made up for a call whose result was lost with its process (H-REB-31)
	case b.kind == "tool_result" && x.file.swapped[b.tool]:
		return
	case m.role == "assistant" && len(m.blocks) == 1 && b.digest == x.nothing:
		return
	}
	ex.unlogged = append(ex.unlogged, at)
}

// firstUser is the index of the first user message.
func firstUser(conv *conversation) int {
	for i, m := range conv.msgs {
		if m.role == "user" {
			return i
		}
	}
	return -1
}
