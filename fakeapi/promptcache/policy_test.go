package promptcache

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"harnessbench/internal/model"
	"harnessbench/internal/prefix"
)

// long are texts of some 1,300 tokens each.
func long(n int) []string {
	var out []string
	for i := range n {
		out = append(out, fmt.Sprintf("message %d: %s", i, strings.Repeat("many plain words stand here ", 220)))
	}
	return out
}

// policies are the three providers by name, with nothing left to chance.
func policies(t require.TestingT) map[string]Policy {
	out := map[string]Policy{}
	for _, name := range []string{NameAnthropic, NameOpenAI, NameGemini} {
		p, err := Named(name, 1)
		require.NoError(t, err)
		out[name] = p
	}
	return out
}

// whole is the prompt that a report is of.
func whole(r Report) int {
	if r.Inclusive {
		return r.Prompt
	}
	return r.Prompt + r.Cached + r.Created5m + r.Created1h
}

// (H-CACHE-51) Under every policy A and then A with B reads A, and behind a change in the middle nothing is read.
func TestTheCommonLawOfAllProviders(t *testing.T) {
	for name, p := range policies(t) {
		t.Run(name, func(t *testing.T) {
			c := New(Options{Policy: p})
			a := long(7)
			first := render(t, nil, a, marks{3: "5m", 6: "5m"})
			assert.Zero(t, ask(c, 0, first).Split.Read)
			ab := ask(c, time.Minute, render(t, nil, long(9), marks{6: "5m", 8: "5m"}))
			assert.InDelta(t, first.Blocks.At(6).Tokens, ab.Split.Read, openAIStep)
			changed := long(9)
			changed[5] += "!"
			after := ask(c, 2*time.Minute, render(t, nil, changed, marks{4: "5m", 8: "5m"}))
			assert.LessOrEqual(t, after.Split.Read, first.Blocks.At(4).Tokens)
			assert.Positive(t, after.Split.Read)
			assert.Zero(t, ask(c, 3*time.Minute, render(t, nil, append([]string{"new"}, changed...), marks{9: "5m"})).Split.Read)
		})
	}
}

// (H-CACHE-50) Each policy says itself when an unused entry ends.
func TestEntriesEndAsTheirPolicySays(t *testing.T) {
	for name, p := range policies(t) {
		c := New(Options{Policy: p})
		r := render(t, nil, long(5), marks{4: "5m"})
		ask(c, 0, r)
		assert.Empty(t, ask(c, 4*time.Minute, r).Cold, name)
		assert.Empty(t, ask(c, 9*time.Minute-1, r).Cold, "%s: a use restarts it", name)
		assert.Equal(t, Expired, ask(c, 14*time.Minute-1, r).Cold, name)
		c = New(Options{Policy: p})
		r = render(t, nil, long(5), marks{4: "1h"})
		ask(c, 0, r)
		want := map[string]string{NameAnthropic: "", NameOpenAI: Expired, NameGemini: Expired}
		assert.Equal(t, want[name], ask(c, 5*time.Minute, r).Cold, "%s: only one knows of a life that was asked for", name)
	}
}

// (H-CACHE-53) Whatever shape a provider reports in, the parts sum up to the whole prompt.
func TestPartsSumUpToThePromptInEveryShape(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		count := func(name string) int { return rapid.IntRange(0, 1000).Draw(t, name) }
		r := Report{count("prompt"), count("cached"), count("created 5m"), count("created 1h"), rapid.Bool().Draw(t, "inclusive")}
		s := r.Disjoint()
		require.Equal(t, whole(r), s.Input+s.Read+s.Write5m+s.Write1h)
		for _, n := range []int{s.Input, s.Read, s.Write5m, s.Write1h} {
			require.GreaterOrEqual(t, n, 0)
		}
	})
	openai := Report{Prompt: 2006, Cached: 1920, Inclusive: true}
	assert.Equal(t, prefix.Split{Input: 86, Read: 1920}, openai.Disjoint(), "cached tokens are inside the prompt's count and not added to it")
	assert.Equal(t, 2006, whole(openai))
	assert.Equal(t, 3926, whole(Report{Prompt: 2006, Cached: 1920}), "Anthropic's are beside it")
}

// (H-CACHE-53) The split of a look is the provider's report, its parts the whole prompt.
func TestEveryLookDividesTheWholePrompt(t *testing.T) {
	for name, p := range policies(t) {
		c := New(Options{Policy: p})
		for i, n := range []int{1, 3, 5, 6, 9} {
			r := render(t, nil, long(n), marks{n - 1: "1h"})
			s := ask(c, time.Duration(i)*time.Minute, r).Split
			assert.Equal(t, r.Total, s.Input+s.Read+s.Write5m+s.Write1h, "%s, %d messages", name, n)
		}
	}
}

// (H-CACHE-50) Plan and Report of a provider that knows no breakpoints.
func TestOpenAIReadsInStepsFromItsMinimumOn(t *testing.T) {
	p, err := Named(NameOpenAI, 1)
	require.NoError(t, err)
	c := New(Options{Policy: p})
	short := render(t, nil, texts(9), nil)
	require.Less(t, short.Total, openAIMinimum)
	ask(c, 0, short)
	assert.Equal(t, First, ask(c, time.Second, short).Cold, "what is too short is not stored")
	r := render(t, nil, long(3), nil)
	ask(c, time.Minute, r)
	read := ask(c, 2*time.Minute, r).Split
	assert.Equal(t, r.Blocks.At(2).Tokens/openAIStep*openAIStep, read.Read, "without any breakpoint")
	assert.Zero(t, read.Write5m+read.Write1h, "writing has no fee")
}

// (H-CACHE-52) Chance is drawn from the seed: the same requests find the same, and the share is the rate.
func TestHitsAreDrawnFromTheSeed(t *testing.T) {
	hits := func(seed uint64, rate float64) string {
		p, err := Named(NameOpenAI, rate)
		require.NoError(t, err)
		c := New(Options{Policy: p, Seed: seed})
		r := render(t, nil, long(2), nil)
		ask(c, 0, r)
		out := ""
		for i := range 200 {
			l := ask(c, time.Duration(i+1)*time.Second, r)
			switch {
			case l.Split.Read > 0:
				out += "+"
			default:
				require.Equal(t, Chance, l.Cold)
				out += "-"
			}
		}
		return out
	}
	half := hits(1, 0.5)
	assert.Equal(t, half, hits(1, 0.5))
	assert.NotEqual(t, half, hits(2, 0.5))
	assert.InDelta(t, 100, strings.Count(half, "+"), 25)
	assert.Equal(t, 200, strings.Count(hits(1, 1), "+"))
	for i, c := range hits(1, 0.2) {
		if c == '+' {
			assert.EqualValues(t, '+', half[i], "what a lower rate finds, a higher one finds too")
		}
	}
}

func TestALookAloneDrawsNothing(t *testing.T) {
	p, err := Named(NameGemini, 0.5)
	require.NoError(t, err)
	c := New(Options{Policy: p, Seed: 3})
	r := render(t, nil, long(5), nil)
	ask(c, 0, r)
	for range 5 {
		assert.Equal(t, c.Look(start.Add(time.Minute), "", r, nil).Hit, c.Look(start.Add(time.Minute), "", r, nil).Hit)
	}
}

// withObject is a request whose system block is marked.
func withObject(t *testing.T, n int) *prefix.Rendered {
	return renderSystem(t, strings.Repeat("rules of this house ", 1500), long(n))
}

// (H-CACHE-50) Plan, Expire and Hit of objects made on purpose.
func TestGeminiFindsObjectsForCertainAndForOneHour(t *testing.T) {
	p, err := Named(NameGemini, 0.000001)
	require.NoError(t, err)
	c := New(Options{Policy: p})
	r := withObject(t, 3)
	size := r.Blocks.At(0).Tokens
	require.Greater(t, size, geminiMinimum)
	first := ask(c, 0, r)
	assert.Equal(t, size, first.Split.Write1h, "what goes into the object is paid for")
	for _, at := range []time.Duration{time.Minute, 30 * time.Minute, time.Hour - 1} {
		l := ask(c, at, r)
		assert.Equal(t, size, l.Split.Read, "at %v: the object alone is found, the rest is left to chance", at)
	}
	late := ask(c, time.Hour, r)
	assert.Zero(t, late.Split.Read, "no use restarts its hour")
	assert.Equal(t, size, late.Split.Write1h)
}

// (H-CACHE-50) Each policy prices a call by itself.
func TestPricesOfTheProviders(t *testing.T) {
	m := model.Model{Price: model.Price{Input: 10, Output: 50, Write5m: 12.5, Write1h: 20, Read: 1}}
	s := model.Spent{Input: 1e6, Write1h: 1e6, Read: 1e6, Output: 1e6}
	assert.InDelta(t, 10+20+1+50, Anthropic{}.Cost(m, s), 1e-9)
	assert.InDelta(t, 10+10+5+50, OpenAI{}.Cost(m, s), 1e-9)
	assert.InDelta(t, 10+46+1+50, Gemini{}.Cost(m, s), 1e-9)
	m.PriceTiers = []model.PriceTier{{OverPromptTokens: 100, Price: model.Price{Input: 20, Output: 50}}}
	assert.InDelta(t, 20+20+10+50, OpenAI{}.Cost(m, s), 1e-9, "the price of long prompts too")
}

// (H-CACHE-6) A short life pays with the first hit, a long one with the second only.
func TestWhenACacheWritePays(t *testing.T) {
	m, ok := model.Lookup("claude-sonnet-4-6")
	require.True(t, ok)
	cost := func(s model.Spent) float64 { return Anthropic{}.Cost(m, s) }
	plain := func(calls int) float64 { return float64(calls) * cost(model.Spent{Input: 1e5}) }
	short := func(hits int) float64 {
		return cost(model.Spent{Write5m: 1e5}) + float64(hits)*cost(model.Spent{Read: 1e5})
	}
	long := func(hits int) float64 {
		return cost(model.Spent{Write1h: 1e5}) + float64(hits)*cost(model.Spent{Read: 1e5})
	}
	assert.Greater(t, short(0), plain(1))
	assert.Less(t, short(1), plain(2))
	assert.Greater(t, long(1), plain(2))
	assert.Less(t, long(2), plain(3))
}

func TestPoliciesAreNamed(t *testing.T) {
	p, err := Named("", 1)
	require.NoError(t, err)
	assert.Equal(t, Anthropic{}, p)
	_, err = Named("azure", 1)
	assert.EqualError(t, err, `no cache policy is called "azure"; there are anthropic, openai, gemini`)
	for _, rate := range []float64{0, -1, 1.01} {
		_, err = Named(NameOpenAI, rate)
		assert.EqualError(t, err, fmt.Sprintf("hit rate %v: want a number over 0, up to 1", rate))
	}
	assert.True(t, Anthropic{}.Hit(rand.New(rand.NewPCG(1, 1))))
}
