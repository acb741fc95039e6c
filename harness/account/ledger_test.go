package account

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

var began = time.Date(2026, 11, 30, 9, 0, 0, 0, time.UTC)

const sonnet = "claude-sonnet-5-5" // 2 / 10 / 2.5 / 4 / 0.1 USD per million

// The context of a call is the sum of the three input fields, work that nothing was cached for is input and writes
// (H-ACC-10, H-LOG-28).
func TestContextOfACall(t *testing.T) {
	c := Read([]byte(`{"input_tokens":2,"cache_creation_input_tokens":379,"cache_read_input_tokens":50803,"output_tokens":372,` +
		`"cache_creation":{"ephemeral_1h_input_tokens":379,"ephemeral_5m_input_tokens":0}}`))
	assert.Equal(t, Usage{Input: 2, Write1h: 379, Read: 50803, Output: 372}, c.Last)
	assert.Equal(t, 51184, c.Last.Context())
	assert.Equal(t, 381, c.Last.Uncached())
}

// Writes that no lifetime is named for, and counts of a wrong kind.
func TestUsageOfOddForms(t *testing.T) {
	for raw, want := range map[string]Usage{
		`{"cache_creation_input_tokens":10}`:                                                                                {Write5m: 10},
		`{"cache_creation_input_tokens":10,"cache_creation":{"ephemeral_1h_input_tokens":4}}`:                               {Write1h: 10},
		`{"cache_creation_input_tokens":10,"cache_creation":{"ephemeral_1h_input_tokens":4,"ephemeral_5m_input_tokens":1}}`: {Write1h: 4, Write5m: 6},
		`{"input_tokens":"3","output_tokens":-4,"cache_read_input_tokens":1.5,"cache_creation":null,"iterations":"x"}`:      {},
		`{"cache_creation_input_tokens":3,"cache_creation":{"ephemeral_1h_input_tokens":9}}`:                                {Write1h: 9},
		`null`: {}, `[]`: {}, ``: {}, `{`: {},
	} {
		assert.Equal(t, want, Read([]byte(raw)).Last, raw)
	}
}

// The entries of one answer count once, with the final values wherever they stand (H-LOG-26, H-LOG-27, H-ACC-11).
func TestAnAnswerCountsOnce(t *testing.T) {
	l := New(began)
	for _, output := range []string{"3", "172", "172", "3"} {
		l.Answer(Main, "m1", "r1", sonnet, []byte(`{"input_tokens":100,"output_tokens":`+output+`}`))
	}
	l.Answer(Main, "m1", "r2", sonnet, []byte(`{"input_tokens":1,"output_tokens":1}`)) // another request
	l.Answer(Agent, "a1", "r3", "claude-haiku-4-5", []byte(`{"input_tokens":1000000,"output_tokens":0}`))
	got := l.Totals()
	assert.Equal(t, []ModelTotal{{sonnet, 2, Usage{Input: 101, Output: 173}, got.Models[0].CostUSD}}, got.Models)
	assert.InDelta(t, (101*2+173*10)/1e6, got.Models[0].CostUSD, 1e-12)
	require.Len(t, got.Agents, 1, "kept apart")
	assert.InDelta(t, got.Models[0].CostUSD+1, got.CostUSD, 1e-12, "and included in the cost")
	l.Answer(Main, "m1", "r1", sonnet, []byte(`{"input_tokens":100,"output_tokens":200}`)) // after the sums were asked for
	assert.Equal(t, Usage{Input: 101, Output: 201}, l.Totals().Models[0].Usage)
	for range 2 {
		l.Answer(Main, "", "", sonnet, []byte(`{"output_tokens":5}`))
	}
	assert.Equal(t, 211, l.Totals().Models[0].Usage.Output, "without an id each counts")
}

// All five prices are those of the model, both writes apart; a model that is not known costs nothing (H-ACC-12).
func TestCostByTheModelsPrices(t *testing.T) {
	u := Usage{Input: 1_000_000, Write5m: 1_000_000, Write1h: 1_000_000, Read: 1_000_000, Output: 1_000_000}
	assert.InDelta(t, 2+2.5+4+0.1+10, Cost(sonnet, u), 1e-9)
	assert.InDelta(t, 10+12.5+20+1+50, Cost("claude-fable-5", u), 1e-9, "the read factor is not one for all")
	assert.Zero(t, Cost("of-some-gateway", u))
	assert.InDelta(t, 0.5/1e6*200_000, Cost("claude-haiku-5-5", Usage{Input: 200_000}), 1e-9, "the price of a long prompt")
}

// A call of several steps costs the sum of its steps, the compaction included; its context is that of the last answer
// (H-CMP-85).
func TestStepsAreAddedUp(t *testing.T) {
	raw := []byte(`{"input_tokens":10,"output_tokens":20,"iterations":[` +
		`{"type":"compaction","input_tokens":1000,"output_tokens":100},` +
		`{"type":"message","input_tokens":10,"cache_read_input_tokens":5,"output_tokens":20},` +
		`{"type":"advisor_message","model":"claude-opus-5-5","input_tokens":7,"output_tokens":8}]}`)
	l := New(began)
	l.Answer(Main, "m", "r", sonnet, raw)
	got := l.Totals()
	assert.Equal(t, 15, Read(raw).Last.Context())
	require.Len(t, got.Models, 2)
	assert.Equal(t, ModelTotal{"claude-opus-5-5", 0, Usage{Input: 7, Output: 8}, got.Models[0].CostUSD}, got.Models[0])
	assert.Equal(t, ModelTotal{sonnet, 1, Usage{Input: 1010, Read: 5, Output: 120}, got.Models[1].CostUSD}, got.Models[1])
	assert.InDelta(t, (1010*2+5*0.1+120*10+7*4+8*20)/1e6, got.CostUSD, 1e-12)
}

// Auxiliary calls change the cost of their model and nothing else (H-ARCH-32).
func TestAuxiliaryCallsOnlyCost(t *testing.T) {
	l := New(began)
	l.Answer(Main, "m", "r", sonnet, []byte(`{"output_tokens":1}`))
	before := l.Totals()
	l.Call(Auxiliary, "claude-haiku-4-5", []byte(`{"input_tokens":10,"output_tokens":2}`))
	got := l.Totals()
	assert.Equal(t, ModelTotal{"claude-haiku-4-5", 0, Usage{}, (10*1 + 2*5) / 1e6}, got.Models[0])
	assert.Equal(t, before.Models[0], got.Models[1])
	assert.InDelta(t, before.CostUSD+20/1e6, got.CostUSD, 1e-12)
}

// A call that leaves no answer in the log counts too, at the price of the conversation's model (H-ACC-13).
func TestACallThatLeavesNoAnswerCounts(t *testing.T) {
	l := New(began)
	l.Answer(Main, "m", "r", sonnet, []byte(`{"output_tokens":1}`))
	l.Call(Main, "", []byte(`{"input_tokens":10,"output_tokens":2}`))
	assert.Equal(t, []ModelTotal{{sonnet, 2, Usage{Input: 10, Output: 3}, (10*2 + 3*10) / 1e6}}, l.Totals().Models)
}

// Times and changed lines (H-ACC-14).
func TestTimesAndLines(t *testing.T) {
	l := New(began)
	assert.Equal(t, Totals{}, l.Totals())
	l.Took(began.Add(time.Second), began.Add(3*time.Second))
	l.At(began.Add(9 * time.Second))
	l.Lines(3, 1)
	l.Lines(0, 2)
	assert.Equal(t, Totals{API: 2 * time.Second, Wall: 9 * time.Second, LinesAdded: 3, LinesRemoved: 3}, l.Totals())
}

// Lines are counted from the patches of Write and Edit, and from the text of a file that was created (H-ACC-14).
func TestChangedLines(t *testing.T) {
	for structured, want := range map[string][2]int{
		`{"structuredPatch":[{"oldStart":1,"lines":[" a","-b","+c","+d"]},{"lines":["+e"]}],"filePath":"/w/a"}`: {3, 1},
		`{"type":"create","content":"a\nb\n","structuredPatch":[],"filePath":"/w/a"}`:                           {2, 0},
		`{"type":"create","content":"a\nb","structuredPatch":[]}`:                                               {2, 0},
		`{"type":"create","content":"","structuredPatch":[]}`:                                                   {0, 0},
		`{"type":"update","content":"a","structuredPatch":[]}`:                                                  {0, 0},
		`{"stdout":"+x","stderr":""}`:                                                                           {0, 0}, `"Error: no"`: {0, 0}, `{"structuredPatch":3}`: {0, 0}, `{`: {0, 0},
	} {
		added, removed := Changed([]byte(structured))
		assert.Equal(t, want, [2]int{added, removed}, structured)
	}
}

// Whatever the order of entries and of questions, the sums are those of the answers' final values (H-ACC-11).
func TestTotalsDoNotDependOnWhenTheyAreAsked(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		asked, silent := New(began), New(began)
		final := map[string]int{}
		for range rapid.IntRange(1, 20).Draw(rt, "entries") {
			id := rapid.SampledFrom([]string{"a", "b", "c"}).Draw(rt, "id")
			output := rapid.IntRange(0, 5).Draw(rt, "output")
			final[id] = max(final[id], output)
			for _, l := range []*Ledger{asked, silent} {
				l.Answer(Main, id, "r", sonnet, []byte(`{"output_tokens":`+string(rune('0'+output))+`}`))
			}
			if rapid.Bool().Draw(rt, "ask") {
				asked.Totals()
			}
		}
		sum := 0
		for _, n := range final {
			sum += n
		}
		require.Equal(rt, silent.Totals(), asked.Totals())
		require.Equal(rt, sum, asked.Totals().Models[0].Usage.Output)
	})
}
