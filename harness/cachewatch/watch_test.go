package cachewatch

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"harnessbench/harness/account"
)

const body = `{"model":"claude-sonnet-4-6","max_tokens":100,` +
	`"system":[{"type":"text","text":"static"},{"type":"text","text":"cwd /w","cache_control":{"type":"ephemeral"}}],` +
	`"tools":[{"name":"Read","description":"reads"},{"name":"Bash","description":"runs"}],` +
	`"thinking":{"type":"adaptive"},"stream":true,` +
	`"messages":[{"role":"user","content":[{"type":"text","text":"hello","cache_control":{"type":"ephemeral"}}]}]}`

var noon = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

func request(body string) Request {
	return Request{At: noon, Betas: []string{"a-2026"}, Client: "2026-10-21", Body: []byte(body)}
}

// with is the base request with texts replaced.
func with(t *testing.T, oldNew ...string) Request {
	t.Helper()
	text := body
	for i := 0; i < len(oldNew); i += 2 {
		require.Contains(t, text, oldNew[i])
		text = strings.Replace(text, oldNew[i], oldNew[i+1], 1)
	}
	return request(text)
}

// next is what the following call sends when nothing breaks: more messages, the breakpoint at their end.
func next(t *testing.T, oldNew ...string) Request {
	t.Helper()
	return with(t, append([]string{`"hello","cache_control":{"type":"ephemeral"}}]}]`,
		`"hello"}]},{"role":"assistant","content":[{"type":"text","text":"hi"}]},` +
			`{"role":"user","content":[{"type":"text","text":"go on","cache_control":{"type":"ephemeral"}}]}]`}, oldNew...)...)
}

func read(n int) account.Usage { return account.Usage{Read: n, Write5m: 100, Input: 3} }

// played is what comes of two calls that read so much.
func played(first, second Request, reads ...account.Usage) (Drop, bool) {
	var w Watch
	w.Before("main", first)
	w.After("main", reads[0])
	w.Before("main", second)
	return w.After("main", reads[1])
}

// (H-CACHE-14) Each vector is named when it alone changed.
func TestEachVectorIsNamed(t *testing.T) {
	betas := func(values ...string) Request {
		r := next(t)
		r.Betas = append(r.Betas, values...)
		return r
	}
	plan := next(t, `"cwd /w","cache_control":{"type":"ephemeral"}`, `"cwd /w","cache_control":{"type":"ephemeral","ttl":"1h"}`)
	plan.Plan = "overage"
	client := next(t)
	client.Client = "2027"
	seen := map[Vector]bool{}
	for _, tc := range []struct {
		name    string
		second  Request
		want    Vector
		section string
		at      string // what stands at the offset
	}{
		{"static", next(t, `"static"`, `"stitic"`), StaticSystem, "system.0", `itic"`},
		{"cwd", next(t, `cwd /w`, `cwd /x`), DynamicSystem, "system.1", `x","cache`},
		{"added tool", next(t, `"runs"}]`, `"runs"},{"name":"Grep"}]`), ToolSet, "tools.2", `{"name":"Grep"`},
		{"removed tool", next(t, `,{"name":"Bash","description":"runs"}`, ``), ToolSet, "tools.1", `],"thinking"`},
		{"order", next(t, `{"name":"Read","description":"reads"},{"name":"Bash","description":"runs"}`, `{"name":"Bash","description":"runs"},{"name":"Read","description":"reads"}`), ToolSet, "tools.0", `Bash`},
		{"schema", next(t, `"reads"`, `"reads files"`), ToolContent, "tools.0", ` files`},
		{"life", next(t, `"cwd /w","cache_control":{"type":"ephemeral"}`, `"cwd /w","cache_control":{"type":"ephemeral","ttl":"1h"}`), Markers, "", ""},
		{"no breakpoint on system", next(t, `"cwd /w","cache_control":{"type":"ephemeral"}`, `"cwd /w"`), Markers, "", ""},
		{"model", next(t, `sonnet-4-6`, `sonnet-5`), Model, "", ""},
		{"effort", next(t, `"stream"`, `"output_config":{"effort":"low"},"stream"`), Effort, "", ""},
		{"thinking", next(t, `"adaptive"`, `"disabled"`), Effort, "", ""},
		{"fast", betas("fast-mode-2026-02-01"), Fast, "", ""},
		{"speed", next(t, `"stream"`, `"speed":"fast","stream"`), Fast, "", ""},
		{"beta", betas("b-2026"), Betas, "", ""},
		{"auto", betas("auto-mode-2026"), Auto, "", ""},
		{"plan", plan, Plan, "", ""},
		{"history", next(t, `"hello"`, `"hallo"`), History, "messages.0.content.0", `allo`},
		{"role", next(t, `"role":"user"`, `"role":"system"`), History, "messages.0.role", `"system"`},
		{"tool choice", next(t, `"stream"`, `"tool_choice":{"type":"any"},"stream"`), History, "", ""},
		{"first image", next(t, `{"type":"text","text":"go on"`, `{"type":"image","source":{}},{"type":"text","text":"go on"`), History, "messages.2.content.0", `{"type":"image"`},
		{"first image in a result", next(t, `{"type":"text","text":"go on"`, `{"type":"tool_result","content":[{"type":"image","source":{}}]},{"type":"text","text":"go on"`), History, "messages.2.content.0.content.0", `{"type":"image"`},
		{"another parameter", next(t, `"stream"`, `"inference_geo":"us","stream"`), Extra, "", ""},
		{"client", client, Extra, "", ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			d, dropped := played(request(body), tc.second, read(50_000), read(0))
			require.True(t, dropped)
			assert.Equal(t, []Vector{tc.want}, d.Changed)
			assert.Empty(t, d.Expected)
			assert.Equal(t, tc.section, d.Section)
			if tc.section != "" {
				assert.True(t, strings.HasPrefix(string(tc.second.Body[d.Offset:]), tc.at), "%s", tc.second.Body[d.Offset:])
			}
			seen[tc.want] = true
		})
	}
	whole := with(t, `{"type":"text","text":"static"},`, ``, `cwd /w`, `static cwd /w`)
	halves := with(t, `"static"`, `"static "`)
	d, dropped := played(whole, halves, read(50_000), read(0))
	require.True(t, dropped)
	assert.Equal(t, []Vector{Strategy}, d.Changed)
	d, _ = played(whole, request(body), read(50_000), read(0))
	assert.Equal(t, []Vector{StaticSystem, Strategy}, d.Changed, "a blank went too")
	assert.Len(t, seen, 13, "and the split")
	assert.Len(t, facts, 1+14)
}

// (H-CACHE-14) A conversation that only grows changes no vector, wherever its breakpoints moved.
func TestGrowingChangesNothing(t *testing.T) {
	d, dropped := played(request(body), next(t), read(50_000), read(0))
	require.True(t, dropped)
	assert.Empty(t, d.Changed)
	assert.Empty(t, d.Section)
	assert.Contains(t, d.String(), "Nothing of the request changed: the server did not find the entries.")
	bare := strings.Replace(body, `[{"type":"text","text":"hello","cache_control":{"type":"ephemeral"}}]`, `"hello"`, 1)
	d, _ = played(request(bare), next(t), read(50_000), read(0))
	assert.NotContains(t, d.Changed, History, "a string and one block of text are the same")
	grown := with(t, `"hello","cache_control":{"type":"ephemeral"}}`, `"hello"},{"type":"text","text":"and","cache_control":{"type":"ephemeral"}}`)
	d, _ = played(request(body), grown, read(50_000), read(0))
	assert.Empty(t, d.Changed, "the last message may grow")
	image := []string{`{"type":"text","text":"hello"`, `{"type":"image","source":{}},{"type":"text","text":"hello"`}
	d, _ = played(with(t, image...), next(t, image...), read(50_000), read(0))
	assert.Empty(t, d.Changed, "an image that was there before")
}

// (H-CACHE-11) More than 5 %, and more than 2,000 tokens.
func TestTheEdgesOfADrop(t *testing.T) {
	for _, tc := range []struct {
		before, now int
		want        bool
	}{
		{10_000, 8_000, false}, {10_000, 7_999, true}, {100_000, 95_000, false}, {100_000, 94_999, true},
		{2_000, 0, false}, {2_001, 0, true}, {0, 0, false}, {40_000, 37_999, true}, {40_000, 38_000, false}, {10_000, 20_000, false},
	} {
		_, dropped := played(request(body), next(t, `"static"`, `"other"`), read(tc.before), read(tc.now))
		assert.Equal(t, tc.want, dropped, "%d after %d", tc.now, tc.before)
	}
}

// (H-CACHE-12) The report names vectors, the first differing byte with its section, tokens lost and cost.
func TestTheReport(t *testing.T) {
	d, dropped := played(request(body), next(t, `cwd /w`, `cwd /x`),
		account.Usage{Read: 40_000, Write1h: 10_000}, account.Usage{Read: 6_000, Write1h: 45_000, Input: 3})
	require.True(t, dropped)
	assert.Equal(t, 44_000, d.Lost)
	assert.InDelta(t, 44_000*(6-0.3)/1e6, d.CostUSD, 1e-9)
	assert.Equal(t, "Cache break, main calls: 6000 tokens read after 40000, 44000 lost, $0.2508 more. "+
		"Changed: dynamic system text (may lose the end of system, messages). First difference: system.1, byte 116.", d.String())
	short, _ := played(request(body), next(t, `cwd /w`, `cwd /x`), account.Usage{Read: 40_000}, account.Usage{Read: 6_000, Write5m: 1_000})
	assert.Equal(t, 1_000, short.Lost, "no more is lost than was sent")
	assert.InDelta(t, 1_000*(3.75-0.3)/1e6, short.CostUSD, 1e-9)
}

// (H-CACHE-12) Each source is compared with itself.
func TestSourcesAreApart(t *testing.T) {
	var w Watch
	other := with(t, `"static"`, `"another prompt"`)
	for i, name := range []string{"main", "agent a", "aux", "main", "agent a", "aux"} {
		r := map[string]Request{"main": request(body), "agent a": other, "aux": with(t, `sonnet-4-6`, `haiku-4-5`)}[name]
		w.Before(name, r)
		_, dropped := w.After(name, read(map[string]int{"main": 50_000, "agent a": 20_000, "aux": 0}[name]))
		assert.False(t, dropped, "call %d", i)
	}
	w.Before("agent a", other)
	d, dropped := w.After("agent a", read(0))
	assert.True(t, dropped)
	assert.Equal(t, "agent a", d.Source)
}

// (H-CACHE-13) An announced drop is labelled, and only the next call of a source is.
func TestExpectedDropsAreLabelled(t *testing.T) {
	for _, why := range []string{Compaction, Micro, Rewind, ModelSwitch} {
		var w Watch
		w.Before("main", request(body))
		w.After("main", read(50_000))
		w.Expect(why)
		w.Before("main", with(t, `"hello"`, `"summary"`))
		d, dropped := w.After("main", read(10_000))
		require.True(t, dropped)
		assert.Equal(t, why, d.Expected)
		assert.True(t, strings.HasPrefix(d.String(), "Expected cache drop ("+why+"), main calls: 10000 tokens read after 50000"), d.String())
		w.Before("main", with(t, `"hello"`, `"another"`))
		d, dropped = w.After("main", read(0))
		require.True(t, dropped)
		assert.Empty(t, d.Expected, "the label was used")
	}
}

// (H-CACHE-13) A label that met no drop does not stay for a later one.
func TestALabelIsForTheNextCallAlone(t *testing.T) {
	var w Watch
	w.Before("main", request(body))
	w.After("main", read(50_000))
	w.Expect(Micro)
	w.Before("main", next(t))
	w.After("main", read(50_100))
	w.Before("main", with(t, `"static"`, `"other"`))
	d, dropped := w.After("main", read(0))
	require.True(t, dropped)
	assert.Empty(t, d.Expected)
}

// (H-CACHE-13, H-CMP-86) What the server cleared because it was asked to costs the prefix behind it, once: a drop where it
// clears as much as before, or where something else changed too, is a break.
func TestWhatTheServerClearsIsExpected(t *testing.T) {
	for _, c := range []struct {
		before, now int
		changed     bool
		want        string
	}{{0, 1, false, cleared}, {2, 3, false, cleared}, {2, 2, false, ""}, {0, 0, false, ""}, {2, 3, true, ""}} {
		var w Watch
		w.Before("main", request(body))
		w.Cleared("main", c.before)
		w.After("main", read(50_000))
		later := next(t)
		if c.changed {
			later = with(t, `"static"`, `"other"`)
		}
		w.Before("main", later)
		w.Cleared("main", c.now)
		d, dropped := w.After("main", read(10_000))
		require.True(t, dropped)
		assert.Equal(t, c.want, d.Expected, "%+v", c)
		w.Before("main", later)
		w.Cleared("main", c.now)
		d, dropped = w.After("main", read(0))
		require.True(t, dropped)
		assert.Empty(t, d.Expected, "it is cleared already")
	}
}

// (H-CACHE-13) Behind /clear there is nothing to compare with.
func TestForgetBeginsAnew(t *testing.T) {
	var w Watch
	w.Before("main", request(body))
	w.After("main", read(50_000))
	w.Forget()
	w.Before("main", with(t, `"hello"`, `"new"`))
	_, dropped := w.After("main", read(0))
	assert.False(t, dropped)
}

// (H-CACHE-14) A pause that outlives the entries is no client's break.
func TestALifeThatWasOver(t *testing.T) {
	for _, tc := range []struct {
		pause time.Duration
		life  string
		want  string
	}{{5*time.Minute - 1, "", ""}, {5 * time.Minute, "", expired}, {59 * time.Minute, `,"ttl":"1h"`, ""}, {time.Hour, `,"ttl":"1h"`, expired}} {
		life := func(r Request) Request {
			r.Body = []byte(strings.ReplaceAll(string(r.Body), `"type":"ephemeral"`, `"type":"ephemeral"`+tc.life))
			return r
		}
		second := life(next(t))
		second.At = noon.Add(tc.pause)
		d, dropped := played(life(request(body)), second, read(50_000), read(0))
		require.True(t, dropped)
		assert.Equal(t, tc.want, d.Expected, "%v", tc.pause)
	}
}

// A model that shows only the last turn's thinking loses its prefix with each prompt, through nobody's fault.
func TestAModelThatForgetsThinking(t *testing.T) {
	forgetful := func(r Request) Request {
		r.Body = []byte(strings.Replace(string(r.Body), "sonnet-4-6", "haiku-4-5", 1))
		return r
	}
	d, dropped := played(forgetful(request(body)), forgetful(next(t)), read(50_000), read(9_000))
	require.True(t, dropped)
	assert.Equal(t, forgotten, d.Expected)
	d, _ = played(forgetful(request(body)), forgetful(request(body)), read(50_000), read(9_000))
	assert.Empty(t, d.Expected, "without a new prompt it forgets nothing")
	d, _ = played(forgetful(request(body)), forgetful(next(t, `"static"`, `"other"`)), read(50_000), read(0))
	assert.Empty(t, d.Expected, "nor is it the cause where the request changed")
}

// A request that was refused or interrupted before its usage came is compared with nothing.
func TestCallsWithoutAnAnswerCountForNothing(t *testing.T) {
	var w Watch
	_, dropped := w.After("main", read(0))
	assert.False(t, dropped)
	w.Before("main", request(body))
	w.After("main", read(50_000))
	w.Before("main", with(t, `"static"`, `"other"`)) // refused
	w.Before("main", next(t))
	_, dropped = w.After("main", read(50_100))
	assert.False(t, dropped)
	w.Before("main", request(`{"model":`))
	d, dropped := w.After("main", read(0))
	assert.True(t, dropped, "a body that cannot be read is reported without a cause")
	assert.Empty(t, d.Changed)
}

// (H-CACHE-21) What was used once stays, in the order of first use.
func TestALatchKeepsWhatWasUsed(t *testing.T) {
	var l Latch
	assert.Empty(t, l.Use())
	assert.Equal(t, []string{"a"}, l.Use("a"))
	assert.Equal(t, []string{"a", "b"}, l.Use("b", "a"))
	assert.Equal(t, []string{"a", "b"}, l.Use())
	l = Latch{}
	assert.Empty(t, l.Use(), "a reset")
}
