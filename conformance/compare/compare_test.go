package compare

import (
	"os"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"harnessbench/conformance/run"
	"harnessbench/fakeapi/promptcache"
	"harnessbench/harness"
	"harnessbench/internal/model"
	"harnessbench/scenarios"
)

func load(t *testing.T, name string) *scenarios.Scenario {
	t.Helper()
	sc, err := scenarios.Load(os.DirFS("../../scenarios"), name)
	require.NoError(t, err)
	return sc
}

func play(t *testing.T, sc *scenarios.Scenario, list string) []Row {
	t.Helper()
	policies, err := Parse(list)
	require.NoError(t, err)
	var done []string
	rows, err := Play(sc, policies, run.Options{Seed: 1}, false, func(p string) { done = append(done, p) })
	require.NoError(t, err)
	require.Len(t, done, len(rows))
	return rows
}

func TestEverySwitchOfABuiltInPolicyExists(t *testing.T) {
	all := BuiltIn()
	require.NoError(t, Check(all))
	require.Equal(t, AsWritten, all[0].Name)
	for _, p := range all {
		sc := load(t, "clear.yaml")
		sc.Set = p.Set
		_, err := run.CachePolicy(sc)
		require.NoError(t, err, p.Name)
		for name, value := range p.Set {
			if name == "cache.policy" {
				continue
			}
			_, err := harness.ParseSwitches(map[string]string{name: value})
			require.NoError(t, err, p.Name)
		}
	}
}

func TestPoliciesOfACommandLine(t *testing.T) {
	got, err := Parse("story, ttl-5m,half:cache.policy=openai,cache.hitRate=0.5,prune-always:micro.mode=off,openai:cache.hitRate=0.1")
	require.NoError(t, err)
	require.Len(t, got, 5)
	assert.Equal(t, "half", got[2].Name)
	assert.Equal(t, map[string]string{"cache.policy": "openai", "cache.hitRate": "0.5"}, got[2].Set)
	assert.Equal(t, map[string]string{"micro.mode": "off", "micro.unconditional": "on"}, got[3].Set, "over those of the built-in one")
	assert.Equal(t, map[string]string{"cache.policy": "openai", "cache.hitRate": "0.1"}, got[4].Set)
	for list, want := range map[string]string{
		"":               `no policy is called ""; there are story, ttl-1h,`,
		"tll-5m":         `no policy is called "tll-5m"`,
		"cache.ttl=5m":   `"cache.ttl=5m" sets a switch before any policy is named`,
		"a:cache.ttl":    `"a:cache.ttl" is no setting; want name:switch=value`,
		"a:=5m":          `is no setting`,
		"a:cache.ttl=,b": `is no setting`,
		"story,a:x=1,=y": `is no setting`,
	} {
		_, err := Parse(list)
		require.ErrorContains(t, err, want, list)
	}
	require.EqualError(t, Check([]Policy{{Name: "a"}, {Name: "a"}}), `two policies are called "a"; want one of each name`)
	require.EqualError(t, Check(nil), "no policy is named")
}

// The tokens of one story do not depend on who caches them, only their classes do (H-CACHE-53).
func TestTheWholePromptIsTheSameUnderEveryProvider(t *testing.T) {
	rows := play(t, load(t, "rewind.yaml"), "story,openai,gemini,half:cache.policy=openai,cache.hitRate=0.5")
	for _, r := range rows {
		assert.Equal(t, 5, r.Calls, r.Policy)
		assert.Equal(t, rows[0].Fresh+rows[0].Read+rows[0].Write1h, r.Fresh+r.Read+r.Write5m+r.Write1h, r.Policy)
		assert.Equal(t, rows[0].Output, r.Output)
		assert.Equal(t, rows[0].Longest, r.Longest)
		assert.Empty(t, r.Findings)
		assert.False(t, r.Broken)
	}
	assert.Zero(t, rows[1].Write5m+rows[1].Write1h)
	assert.Less(t, rows[3].Read, rows[1].Read, "half of the hits are missed")
	assert.Greater(t, rows[3].CostUSD, rows[1].CostUSD)
}

// What a story costs is what its provider asks for what it counted, each at prices of its own (H-CACHE-50),
// those of the two lives apart (H-CACHE-6).
func TestEachProviderPricesTheStory(t *testing.T) {
	sc := load(t, "rewind.yaml")
	m, ok := model.Lookup(sc.Model)
	require.True(t, ok)
	for _, r := range play(t, sc, "story,openai,gemini") {
		p, err := promptcache.Named(map[string]string{"openai": promptcache.NameOpenAI, "gemini": promptcache.NameGemini}[r.Policy], 1)
		require.NoError(t, err)
		spent := model.Spent{Input: r.Fresh, Read: r.Read, Write5m: r.Write5m, Write1h: r.Write1h, Output: r.Output}
		assert.InDelta(t, p.Cost(m, spent), r.CostUSD, 1e-9, r.Policy)
	}
}

// A longer life costs more to write and pays where a pause outlives the shorter one (H-CACHE-5, H-CACHE-6).
func TestLivesOfEntries(t *testing.T) {
	rows := play(t, load(t, "volatile_reminder.yaml"), "ttl-1h,ttl-5m")
	assert.Zero(t, rows[0].Write5m)
	assert.Zero(t, rows[1].Write1h)
	assert.Less(t, rows[0].CostUSD, rows[1].CostUSD)
}

// Volatile text in the prompt breaks the prefix once a turn, at the tail in every call (H-REB-61).
func TestFindingsOfEachPolicyAreItsOwn(t *testing.T) {
	rows := play(t, load(t, "volatile_reminder.yaml"), "story,volatile-prompt,volatile-tail")
	assert.Empty(t, rows[0].Findings)
	assert.Len(t, rows[1].Findings, 1)
	assert.Len(t, rows[2].Findings, 3)
	assert.Equal(t, "CACHE-1", rows[2].Findings[0].Check)
	assert.Equal(t, "C", rows[2].Findings[0].Level)
	assert.Equal(t, "1.2", rows[2].Findings[0].Call)
	assert.False(t, rows[2].Broken, "a cost breaks nothing")
	strict, err := Play(load(t, "volatile_reminder.yaml"), []Policy{{Name: "tail", Set: map[string]string{"volatile.place": "tail"}}}, run.Options{Seed: 1}, true, func(string) {})
	require.NoError(t, err)
	assert.True(t, strict[0].Broken, "unless costs count")
}

// The ways to compact that are off by default have names, and each spares the call for a summary where it can: the server
// writes it in the call itself, or the session's memory file is it (H-CMP-80, H-CMP-87).
func TestWaysToCompactHaveNames(t *testing.T) {
	for name, policy := range map[string]string{"server_compact.yaml": "server-compaction", "session_memory.yaml": "session-memory"} {
		sc := load(t, name)
		own := sc.Set
		sc.Set = nil
		rows := play(t, sc, "story,"+policy)
		assert.Equal(t, own, rows[1].Set, policy)
		asked, spared := rows[0], rows[1]
		assert.False(t, spared.Broken, policy)
		assert.NotEqual(t, asked.Calls, spared.Calls, policy)
		assert.Less(t, spared.CostUSD, asked.CostUSD, policy)
	}
}

// What a story expects, it expects of itself: a policy that changes something is not held to it.
func TestExpectationsCountOnlyWithoutChange(t *testing.T) {
	sc := load(t, "rewind.yaml")
	wrong := 4
	sc.Expect.Calls = &wrong
	sc.Set = map[string]string{"cache.ttl": "1h"}
	rows := play(t, sc, "story,ttl-1h,ttl-5m")
	for _, r := range rows[:2] {
		assert.Equal(t, []string{"calls: expected 4, there were 5"}, r.Missed, r.Policy)
		assert.True(t, r.Broken)
	}
	assert.Empty(t, rows[2].Missed)
	assert.False(t, rows[2].Broken)
	assert.Equal(t, map[string]string{"cache.ttl": "1h"}, sc.Set, "the story is left as it was")
}

func TestAPolicyThatCannotBePlayedIsNamed(t *testing.T) {
	sc := load(t, "rewind.yaml")
	for set, want := range map[string]string{
		"a:cache.tll=5m":                         `no switch is called "cache.tll"`,
		"a:cache.policy=azure":                   `no cache policy is called "azure"`,
		"a:cache.policy=openai,cache.hitRate=2":  "hit rate 2: want a number over 0, up to 1",
		"a:cache.policy=openai,cache.hitRate=no": `switch cache.hitRate: "no" is no number`,
	} {
		policies, err := Parse(set)
		require.NoError(t, err)
		rows, err := Play(sc, policies, run.Options{Seed: 1}, false, func(string) {})
		require.NoError(t, err)
		require.Contains(t, rows[0].Error, want)
		require.Contains(t, Table(rows, false), "NOT PLAYED\n")
	}
}

func TestTheSameComparisonGivesTheSameBytes(t *testing.T) {
	sc := load(t, "rewind.yaml")
	list := "story,gemini,half:cache.policy=gemini,cache.hitRate=0.5"
	require.Equal(t, Table(play(t, sc, list), true), Table(play(t, sc, list), true))
}

// A policy that leaves prompts without an answer is cheap, and says why.
func TestATurnWithoutAnAnswerIsTold(t *testing.T) {
	policies, err := Parse("story,no-auto")
	require.NoError(t, err)
	rows, err := Play(load(t, "auto_compact.yaml"), policies, run.Options{Seed: 1, Model: "claude-haiku-4-5"}, false, func(string) {})
	require.NoError(t, err)
	assert.Empty(t, rows[0].Unanswered)
	assert.Equal(t, []string{"step 1: blocking_limit", "step 2: blocking_limit", "step 3: blocking_limit"}, rows[1].Unanswered)
	assert.Contains(t, Table(rows, false), "3 turns unanswered, NOTHING CHECKED\n")
	assert.Contains(t, Table(rows, true), "no-auto: unanswered: step 2: blocking_limit\n")
}

func TestTheTable(t *testing.T) {
	rows := []Row{
		{Policy: "story", Calls: 5, Fresh: 9, Read: 19285, Write1h: 12944, Output: 66, CostUSD: 0.0544, Longest: 6485, Checked: true},
		{Policy: "much-worse", Calls: 12, Fresh: 1234567, CostUSD: 0.0816, Longest: 12, Checked: true, Broken: true, Missed: []string{"calls"}, Findings: []Finding{
			{"CACHE-1", "C", "2.1", "was so", "is so", 1000}, {"CACHE-1", "C", "3.1", "was so", "is so", 500}, {"PAIR-1", "H", "3.1", "no result", "a call", 0},
		}},
		{Policy: "nothing"},
	}
	assert.Equal(t, `policy      calls      fresh    read  write 5m  write 1h  output     cost  to first  longest  findings
story           5          9  19,285         0    12,944      66  $0.0544     +0.0%    6,485  none
much-worse     12  1,234,567       0         0         0       0  $0.0816    +50.0%       12  CACHE-1 x2 (1,500 tokens), PAIR-1, 1 faults, BROKEN
nothing         0          0       0         0         0       0  $0.0000   -100.0%        0  NOTHING CHECKED
much-worse: PAIR-1: no result
  but a call
much-worse: expected: calls
`, Table(rows, false))
	assert.Contains(t, Table(rows, true), "much-worse: CACHE-1 (cost only: 500 tokens): was so\n  but is so\n")
}

// A story without a word of caching can be compared too.
func TestAnyStory(t *testing.T) {
	sc, err := scenarios.Load(fstest.MapFS{"s.yaml": {Data: []byte("story: s\nmodel: claude-haiku-4-5\nsteps:\n  - prompt: hello\n")}}, "s.yaml")
	require.NoError(t, err)
	for _, r := range play(t, sc, "story,openai,gemini,two-breakpoints") {
		assert.False(t, r.Broken, r.Policy)
		assert.True(t, r.Checked)
	}
}

// The figure of the README: on one story of sixty turns, clearing each old result as it ages costs more than clearing
// none, and clearing them where that pays costs least, whether the client does it or the server (H-CACHE-24, H-CMP-26,
// H-CMP-27).
func TestPruningThatPaysAndPruningThatDoesNot(t *testing.T) {
	rows := play(t, load(t, "compare/sixty_turns.yaml"), "no-micro,prune-always,micro-position,micro-cached")
	never, always, paying, server := rows[0], rows[1], rows[2], rows[3]
	for _, r := range rows {
		assert.Equal(t, 120, r.Calls)
		assert.False(t, r.Broken, r.Policy)
		assert.Empty(t, r.Missed)
	}
	assert.Greater(t, always.CostUSD, 1.5*never.CostUSD)
	assert.Less(t, paying.CostUSD, never.CostUSD)
	assert.Less(t, server.CostUSD, never.CostUSD)
	assert.Less(t, always.Longest, paying.Longest, "although it has the shortest context")
	assert.Less(t, paying.Longest, never.Longest)
}
