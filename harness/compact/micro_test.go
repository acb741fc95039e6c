package compact

import (
	"fmt"
	"math/big"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"harnessbench/harness/sessionlog"
	"harnessbench/internal/model"
)

// history is a path of entries, made of short words: p a prompt, a an answer of text, and name(n) a call of a tool with
// a result of n characters, with ! behind it one that no answer follows yet.
func history(words ...string) []*sessionlog.Entry {
	var path []*sessionlog.Entry
	add := func(e sessionlog.Entry) {
		e.UUID, e.Order = fmt.Sprint("e", len(path)), len(path)
		path = append(path, &e)
	}
	for i, w := range words {
		name, rest, call := strings.Cut(w, "(")
		switch {
		case w == "p":
			add(sessionlog.Entry{Type: sessionlog.User, Typed: true, Message: sessionlog.Message{Text: []byte(`"prompt"`)}})
		case !call:
			add(sessionlog.Entry{Type: sessionlog.Assistant, Message: sessionlog.Message{ID: fmt.Sprint("m", i), Blocks: []sessionlog.Block{
				{Raw: []byte(`{"type":"text","text":"a"}`), Type: "text"}}}})
		default:
			var n int
			if _, err := fmt.Sscanf(rest, "%d)", &n); err != nil {
				panic(err)
			}
			id := fmt.Sprint("c", i)
			add(sessionlog.Entry{Type: sessionlog.Assistant, Message: sessionlog.Message{ID: fmt.Sprint("m", i), Blocks: []sessionlog.Block{
				{Raw: fmt.Appendf(nil, `{"type":"tool_use","id":%q,"name":%q,"input":{}}`, id, name), Type: "tool_use", ID: id, Name: name, Input: []byte("{}")}}}})
			add(sessionlog.Entry{Type: sessionlog.User, Message: sessionlog.Message{Blocks: []sessionlog.Block{
				{Raw: fmt.Appendf(nil, `{"type":"tool_result","tool_use_id":%q,"content":%q}`, id, strings.Repeat("x", n)), Type: "tool_result", ID: id}}}})
		}
	}
	return path
}

// times repeats words.
func times(n int, words ...string) []string {
	var out []string
	for range n {
		out = append(out, words...)
	}
	return out
}

func boundary(trigger string, calls ...string) *sessionlog.Entry {
	m := MicroMetadata{Trigger: trigger, Calls: calls}
	return &sessionlog.Entry{Type: sessionlog.System, Subtype: "microcompact_boundary", UUID: "b", Micro: m.Encode()}
}

func calls(results []Result) []string {
	out := []string{}
	for i := range results {
		out = append(out, results[i].Call)
	}
	return out
}

func resultsOf(path []*sessionlog.Entry) []Result { return Results(path, &sessionlog.Decisions{}) }

// The newest five results of compactable tools stay, in the order they came; the results of other tools are no
// candidates, neither is one that the model has not seen (H-CMP-21, H-CMP-22, H-TOOL-4).
func TestOldResultsOfCompactableTools(t *testing.T) {
	micro := Full().Micro
	for name, c := range map[string]struct {
		words []string
		want  []string
	}{
		"none":            {[]string{"p", "a"}, []string{}},
		"five":            {append(append([]string{"p"}, times(5, "Read(9)")...), "a"), []string{}},
		"six":             {append(append([]string{"p"}, times(6, "Read(9)")...), "a"), []string{"c1"}},
		"every kind":      {[]string{"p", "Read(1)", "Bash(1)", "Grep(1)", "Glob(1)", "WebSearch(1)", "WebFetch(1)", "Edit(1)", "Write(1)", "a"}, []string{"c1", "c2", "c3"}},
		"others":          {append(append([]string{"p", "Agent(1)", "TaskList(1)", "Nobody(1)", "Read(1)"}, times(5, "Bash(9)")...), "a"), []string{"c4"}},
		"the last unseen": {append([]string{"p"}, times(7, "Read(9)")...), []string{"c1", "c2"}},
	} {
		assert.Equal(t, c.want, calls(micro.Old(resultsOf(history(c.words...)), 0)), name)
	}
	few := MicroLimits{Keep: 0}
	assert.Equal(t, []string{"c1"}, calls(few.Old(resultsOf(history("p", "Read(1)", "Read(1)", "a")), 0)), "never fewer than one")

	p := history(append([]string{"p"}, times(3, "Read(9)")...)...)
	one := MicroLimits{Keep: 1}
	assert.Equal(t, []string{"c1", "c2"}, calls(one.Old(resultsOf(p), 0)))
	assert.Empty(t, one.Old(resultsOf([]*sessionlog.Entry{p[0], p[1], p[3], p[5], p[2], p[4], p[6]}), 0), "results of one answer, all unseen")
}

// What an earlier firing cleared, here or at the server, is no candidate again (H-CMP-27, H-LOG-47).
func TestClearedResultsAreNoCandidates(t *testing.T) {
	micro := Full().Micro
	path := history(append(append([]string{"p"}, times(8, "Read(9)")...), "a")...)
	assert.Equal(t, []string{"c1", "c2", "c3"}, calls(micro.Old(resultsOf(path), 0)))
	for _, trigger := range []string{"time", "cached"} {
		assert.Empty(t, micro.Old(resultsOf(append(path, boundary(trigger, "c1", "c2", "c3"))), 0), trigger)
	}
	d := sessionlog.Decisions{}
	d.Snip(sessionlog.Removal{Gone: []string{"e1", "e2"}}, 2)
	assert.Equal(t, []string{"c2", "c3"}, calls(micro.Old(Results(path, &d), 0)), "what is snipped is not there")
}

// More than twelve uncleared candidates, not twelve, are needed where the server clears; then all but five go
// (H-CMP-23).
func TestManyResultsForTheServer(t *testing.T) {
	micro := Full().Micro
	for n, want := range map[int]int{5: 0, 12: 0, 13: 8, 20: 15} {
		path := history(append(append([]string{"p"}, times(n, "Bash(9)")...), "a")...)
		assert.Len(t, micro.Old(resultsOf(path), micro.Cached), want, "%d results", n)
	}
	path := history(append(append([]string{"p"}, times(25, "Bash(9)")...), "a")...)
	gone := calls(resultsOf(path)[:13])
	assert.Empty(t, micro.Old(resultsOf(append(path, boundary("cached", gone...))), micro.Cached), "12 are left")
	assert.Len(t, micro.Old(resultsOf(append(path, boundary("cached", gone[:12]...))), micro.Cached), 8, "13 are left")
}

// By place: more than three results of whatever tool, all but the last three, longer than 120 characters (H-CMP-20).
func TestResultsByPlace(t *testing.T) {
	micro := Teaching().Micro
	for name, c := range map[string]struct {
		words []string
		want  []string
	}{
		"three":          {[]string{"p", "Read(500)", "Read(500)", "Read(500)", "a"}, []string{}},
		"four":           {[]string{"p", "Agent(500)", "Read(500)", "Read(500)", "Read(500)", "a"}, []string{"c1"}},
		"120 characters": {[]string{"p", "Read(120)", "Read(500)", "Read(500)", "Read(500)", "a"}, []string{}},
		"121 characters": {[]string{"p", "Read(121)", "Read(500)", "Read(500)", "Read(500)", "a"}, []string{"c1"}},
	} {
		assert.Equal(t, c.want, calls(micro.ByPlace(resultsOf(history(c.words...)))), name)
	}
}

// The limit is ceil(X (w-r) / (n r + w - r)) to the token: with ten calls to come and reads at a tenth it is 53.5 % of
// what is cached at five minutes and 65.5 % at an hour. At the limit clearing costs no more than it saves, one token
// below it does; with nothing cached it is 0 (H-CMP-26, H-CACHE-24).
func TestClearAtLeast(t *testing.T) {
	sonnet, ok := model.Lookup("claude-sonnet-4-6")
	require.True(t, ok)
	p := sonnet.Price
	for name, c := range map[string]struct {
		worth Worth
		want  int
	}{
		"five minutes":        {Worth{100_000, p.Write5m, p.Read, 10}, 53_489},
		"an hour":             {Worth{100_000, p.Write1h, p.Read, 10}, 65_518},
		"no call to come":     {Worth{100_000, p.Write5m, p.Read, 0}, 100_000},
		"a hundred calls":     {Worth{100_000, p.Write5m, p.Read, 100}, 10_314},
		"one token":           {Worth{1, p.Write1h, p.Read, 10}, 1},
		"a cold cache":        {Worth{0, p.Write1h, p.Read, 10}, 0},
		"reads as dear":       {Worth{100_000, 1, 1, 10}, 0},
		"no price is known":   {Worth{100_000, 0, 0, 10}, 0},
		"reads at a fortieth": {Worth{100_000, 1.25, 0.025, 10}, 83_051},
	} {
		got := c.worth.ClearAtLeast()
		assert.Equal(t, c.want, got, name)
		if c.worth.Cached == 0 || c.worth.Write <= c.worth.Read {
			continue
		}
		assert.True(t, pays(c.worth, got), name)
		assert.False(t, pays(c.worth, got-1), name)
	}
}

// pays tells, in exact numbers, that (X-S)(w+(n-1)r) <= n X r.
func pays(w Worth, freed int) bool {
	rat := func(f float64) *big.Rat { r, _ := new(big.Rat).SetString(fmt.Sprint(f)); return r }
	n := func(i int) *big.Rat { return big.NewRat(int64(i), 1) }
	mul := func(a, b *big.Rat) *big.Rat { return new(big.Rat).Mul(a, b) }
	each := new(big.Rat).Add(rat(w.Write), mul(n(w.Calls-1), rat(w.Read)))
	return mul(n(w.Cached-freed), each).Cmp(mul(n(w.Calls*w.Cached), rat(w.Read))) <= 0
}

// What the cache holds from an entry on ends before the newest answer; what was cleared counts as what stands for it, and
// what clearing frees is its content less that (H-CMP-26).
func TestWhatIsCachedAndFreed(t *testing.T) {
	path := history("p", "Read(4000)", "Read(4000)", "a", "p")
	results := resultsOf(path)
	all := Cached(path, results, 0)
	assert.InDelta(t, 2*(4000+110)/4, all, 20)
	assert.InDelta(t, all-(4000+110)/4, Cached(path, results, 3), 20, "without the first result")
	assert.Zero(t, Cached(path, results, 5), "the answer itself is not cached yet")
	assert.InDelta(t, (4000-33)/4, Freed(results[:1], 0), 2)
	assert.InDelta(t, (4000-33)/4+4000, Freed(results[:1], 2), 2)
	assert.Zero(t, Freed(resultsOf(history("p", "Read(1)", "a")), 0), "a placeholder longer than the result frees nothing")
	after := append(path, boundary("time", "c1"))
	assert.InDelta(t, all-(4000-33)/4, Cached(after, resultsOf(after), 0), 2)
	assert.Zero(t, Cached(history("p"), nil, 0))
}
