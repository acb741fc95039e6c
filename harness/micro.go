package harness

import (
	"cmp"
	"fmt"
	"path"
	"strconv"
	"time"

	"harnessbench/harness/cachewatch"
	"harnessbench/harness/compact"
	"harnessbench/harness/rebuild"
	"harnessbench/harness/sessionlog"
	"harnessbench/harness/tool"
	"harnessbench/internal/model"
	"harnessbench/internal/wire"
)

// lastAnswer is the newest answer on the path: when it was logged, ISO 8601, and who gave it.
type lastAnswer struct{ at, model string }

// time is when it was logged; ok is false without an answer.
func (l lastAnswer) time() (at time.Time, ok bool) {
	at, err := time.Parse(time.RFC3339, l.at)
	return at, err == nil
}

// microLayer clears old tool results (H-CMP-20 to H-CMP-28), by one of three ways: after a pause so long that the cache
// is gone, which a resume counts too (H-CMD-46); at the server, when there are many; by their place. All of them or none
// go: as many as it takes for the cost of writing the cache anew to come back (H-CMP-26, H-CMP-27).
func (t *turn) microLayer() error {
	s := t.s
	mode := cmp.Or(s.cfg.Switches.Micro, MicroTime)
	if mode == MicroOff || mode == MicroTime && !s.cfg.Switches.MicroUnconditional && !s.paused(t.w.Now()) {
		return nil
	}
	path, _ := s.log.Path(s.leaf)
	path = sentOf(path)
	f := firing{path: path, results: compact.Results(path, &s.log.Decisions), server: mode == MicroCached || s.editsAtBreak()}
	l := s.limits().Micro
	switch mode {
	case MicroTime:
		f.clear = l.Old(f.results, 0)
	case MicroCached:
		f.clear = l.Old(f.results, l.Cached)
	case MicroPosition:
		taught := compact.Teaching().Micro
		f.clear = taught.ByPlace(f.results)
	}
	if len(f.clear) == 0 || !f.server && s.inOpenThinking(path) {
		return nil
	}
	if !f.server {
		f.further()
	}
	if freed := f.freed(); freed == 0 || freed < s.clearAtLeast(t.w.Now(), &f) {
		return nil
	}
	return t.fire(mode, &f)
}

// paused tells that no answer came for so long that the cache is taken for gone (H-CMP-22).
func (s *Session) paused(now time.Time) bool {
	at, ok := s.answered.time()
	return ok && now.Sub(at) > s.limits().Micro.Gap
}

// firing is what one pass of micro-compaction would do.
type firing struct {
	path    []*sessionlog.Entry
	results []compact.Result
	server  bool // the server clears; the payload stays

	clear  []compact.Result
	images []string         // entries whose images become text
	pixels int              // how many images they are
	spill  []compact.Result // what stays but is too long to stay whole
}

// further adds what goes only together with a firing (H-CMP-24): images before the second-newest prompt, and the bulk of
// long results. Thinking is not touched: what of it goes with old turns goes by thinking.keep (H-LOOP-54).
func (f *firing) further() {
	gone := map[string]bool{}
	for i := range f.clear {
		gone[f.clear[i].Call] = true
	}
	for i := range f.results {
		r := &f.results[i]
		text, ok := r.Text()
		call := tool.Logged().Check(r.Call, r.Tool, r.Input, noEarlier)
		if ok && r.Seen && !r.Cleared && !gone[r.Call] && r.Chars() > tool.MaxOldChars &&
			call.Spillable(&tool.Result{Text: text, IsError: r.Failed}) {
			f.spill = append(f.spill, *r)
		}
	}
	prompts := 0
	end := len(f.path)
	for end > 0 && prompts < 2 {
		end--
		if f.path[end].Typed {
			prompts++
		}
	}
	if prompts < 2 {
		return
	}
	bare := map[string]bool{}
	for _, e := range f.path {
		for _, uuid := range e.WithoutImages() {
			bare[uuid] = true
		}
	}
	for _, e := range f.path[:end] {
		if n := images(e, gone); n > 0 && !bare[e.UUID] && !e.Sidechain {
			f.images, f.pixels = append(f.images, e.UUID), f.pixels+n
		}
	}
}

func noEarlier(string) (string, bool) { return "", false }

// images counts the images of a user entry, those in results that are cleared left out.
func images(e *sessionlog.Entry, cleared map[string]bool) int {
	n := 0
	for i := range e.Message.Blocks {
		b := &e.Message.Blocks[i]
		if e.Type != sessionlog.User || cleared[b.ID] || b.Type != "image" && b.Type != "tool_result" {
			continue
		}
		v, err := wire.ParseValue(b.Raw)
		if err != nil {
			continue
		}
		if rebuild.IsImage(v) {
			n++
		}
		for _, in := range v.Get("content").Elems() {
			if rebuild.IsImage(in) {
				n++
			}
		}
	}
	return n
}

// freed is the tokens that the firing frees.
func (f *firing) freed() int {
	n := compact.Freed(f.clear, f.pixels)
	for i := range f.spill {
		n += (f.spill[i].Chars() - compact.Previewed) / 4
	}
	return n
}

// first is the place on the path of the first entry that changes.
func (f *firing) first() int {
	at := f.clear[0].Entry
	for i := range f.spill {
		at = min(at, f.spill[i].Entry)
	}
	for i, e := range f.path[:at] {
		if len(f.images) > 0 && e.UUID == f.images[0] {
			return i
		}
	}
	return at
}

// clearAtLeast is how many tokens a firing must free (H-CMP-26, H-CACHE-24). A cold cache asks for none, neither does
// the fault mode.
func (s *Session) clearAtLeast(now time.Time, f *firing) int {
	sw := &s.cfg.Switches
	if sw.MicroUnconditional || !s.warm(now) {
		return 0
	}
	if n, err := strconv.Atoi(sw.MicroClearAtLeast); err == nil {
		return n
	}
	from := f.first()
	if !f.server && s.dropsAtBreak() {
		from = min(from, s.firstThinking(f.path))
	}
	worth := compact.Worth{Cached: compact.Cached(f.path, f.results, from), Calls: compact.ExpectedCalls}
	price := s.model.PriceAt(s.estimate())
	worth.Read, worth.Write = price.Read, price.Write1h
	if s.ttl == "5m" {
		worth.Write = price.Write5m
	}
	if n, err := strconv.Atoi(sw.MicroExpectedCalls); err == nil {
		worth.Calls = n
	}
	return worth.ClearAtLeast()
}

// warm tells that the cache may still hold the conversation: this model read it within the life of an entry.
func (s *Session) warm(now time.Time) bool {
	life := time.Hour
	if s.ttl == "5m" {
		life = 5 * time.Minute
	}
	by, known := model.Lookup(s.answered.model)
	last, ok := s.answered.time()
	if !ok || !s.model.Caches() || known && by.ID != s.model.ID {
		return false
	}
	if s.warmed.After(last) {
		last = s.warmed
	}
	return now.Sub(last) <= life
}

// fire logs a firing in one write and takes it over: what is spilled is on disk before, the boundary tells the rest, so
// that every later build repeats it (H-CMP-28, H-LOG-47).
func (t *turn) fire(mode string, f *firing) error {
	s := t.s
	var records []byte
	var saved []compact.Result // what could not be saved stays whole, and frees nothing
	spilled := map[string][]byte{}
	for i := range f.spill {
		r := &f.spill[i]
		text, _ := r.Text()
		file := path.Join(s.resultsDir(), r.Call+".txt")
		if err := t.w.Replace(file, []byte(text)); err != nil {
			s.notice(fmt.Sprintf("the long result of call %s could not be saved and stays whole: %v", r.Call, err))
			continue
		}
		call, res := tool.Call{ID: r.Call}, tool.Result{Text: text}
		call.Persist(&res, tool.Raw{}, text, file)
		records = append(records, sessionlog.Replacement(s.id, s.leaf, r.Call, res.Text)...)
		spilled[r.Call] = sessionlog.Quote(res.Text)
		saved = append(saved, *r)
	}
	f.spill = saved
	m := compact.MicroMetadata{Trigger: mode, PreTokens: s.estimate(), Saved: f.freed(), Images: f.images}
	if f.server {
		m.Trigger = MicroCached
	}
	for i := range f.clear {
		m.Calls = append(m.Calls, f.clear[i].Call)
	}
	e := &sessionlog.Entry{
		Type: sessionlog.System, Subtype: "microcompact_boundary",
		Content: sessionlog.Quote("Context microcompacted"), Micro: m.Encode(),
	}
	note, leaf := "", s.leaf
	if !f.server {
		note = s.breakNote()
	}
	if err := s.decide(t.w, records, e); err != nil {
		return err
	}
	for i := range f.spill {
		s.log.Decisions.Replace(leaf, f.spill[i].Call, spilled[f.spill[i].Call])
	}
	s.restand()
	s.cache.Expect(cachewatch.Micro) // (H-CMP-28)
	s.notice(fmt.Sprintf("Micro-compaction (%s): %d old tool results were cleared%s, about %d tokens less%s.",
		mode, len(f.clear), f.byServer(), m.Saved, note))
	return nil
}

func (f *firing) byServer() string {
	if f.server {
		return " by the server"
	}
	return ""
}
