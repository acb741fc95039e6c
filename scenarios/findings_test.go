package scenarios

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// told is a story with an expectation of findings, which begin on line 5, column 22.
func told(list string) string {
	return head + "  - prompt: a\nexpect: {findings: [" + list + "]}\n"
}

// TestFindingsAreReadAsWritten: a check alone, and all that can be said of one.
func TestFindingsAreReadAsWritten(t *testing.T) {
	text := told("CACHE-1, {check: PAIR-1, contains: toolu, times: 2, models: [claude-sonnet-5, claude-haiku-4-5]}") + "plant: clock-in-system\n"
	s, err := load(t, text)
	require.NoError(t, err)
	require.NoError(t, compiled(t).Validate(value(t, []byte(text))))
	require.Equal(t, []Finding{
		{Check: "CACHE-1", At: Place{5, 21}},
		{Check: "PAIR-1", Contains: []string{"toolu"}, Times: 2, Models: []string{"claude-sonnet-5", "claude-haiku-4-5"}, At: Place{5, 38}},
	}, s.Expect.Findings)
	require.Equal(t, "clock-in-system", s.Plant)
	require.Equal(t, Place{6, 8}, s.PlantAt)
	require.True(t, s.Expect.Findings[0].On("claude-sonnet-4-6"))
	require.True(t, s.Expect.Findings[1].On("claude-haiku-4-5-20251001"), "by any name of the model")
	require.False(t, s.Expect.Findings[1].On("claude-sonnet-4-6"))
}

// TestAStoryIsFaultyByItsOwnWord: by what it plants or by what it expects; a right one is not.
func TestAStoryIsFaultyByItsOwnWord(t *testing.T) {
	for text, want := range map[string]bool{
		told("CACHE-1"): true,
		head + "  - prompt: a\nplant: clock-in-system\n":                   true,
		head + "  - prompt: a\nexpect: {checks: {CACHE-1: held}}\n":        false,
		head + "  - prompt: a\nset: {cache.ttl: 5m}\nexpect: {calls: 1}\n": false,
	} {
		s, err := load(t, text)
		require.NoError(t, err)
		require.Equal(t, want, s.Faulty(), text)
	}
}

// TestFindingsThatSayNothing are refused at their place, by the schema too where one place shows it.
func TestFindingsThatSayNothing(t *testing.T) {
	for _, tc := range []struct {
		name, text, want string
		schema           bool
	}{
		{"no list", head + "  - prompt: a\nexpect: {findings: CACHE-1}\n", `x.yaml:5:20: findings is text; a list, each entry a check such as CACHE-1`, true},
		{"an empty list", told(""), `x.yaml:5:20: findings is an empty list; at least one entry, or leave the key out`, true},
		{"no check's form", told("cache-1"), `x.yaml:5:21: entry 1 of findings is "cache-1"; a check such as CACHE-1`, true},
		{"a map without a check", told("{times: 2}"), `x.yaml:5:21: entry 1 of findings has no check; check is needed: a check such as CACHE-1`, true},
		{"an unknown key", told("{check: CACHE-1, time: 2}"),
			`x.yaml:5:38: unknown key "time" in entry 1 of findings; did you mean "times"? known here: check, contains, times, models`, true},
		{"none at all", told("{check: CACHE-1, times: 0}"), `x.yaml:5:45: times is the number 0; a whole number from 1 to 999`, true},
		{"an empty text", told(`{check: CACHE-1, contains: ""}`), `x.yaml:5:48: contains is empty; text, or leave the key out`, true},
		{"an unknown model", told("{check: CACHE-1, models: claude-sonet-5}"),
			`x.yaml:5:46: unknown model "claude-sonet-5"; did you mean "claude-sonnet-5"? 41 are known, such as claude-fable-5-2, claude-mythos-5-2, claude-fable-5-1`, true},
		{"no name of a plant", head + "  - prompt: a\nplant: a clock\n", `x.yaml:5:8: plant is "a clock"; the name of a planted fault, such as clock-in-system`, true},
		{"twice", told("CACHE-1, CACHE-1"), `x.yaml:5:30: the same finding of CACHE-1 twice on one model; each once; times: 2 says that there are two`, false},
		{"twice on one model of several", told("{check: CACHE-1, models: [claude-haiku-4-5, claude-sonnet-5]}, {check: CACHE-1, models: claude-haiku-4-5-20251001}"),
			`x.yaml:5:92: the same finding of CACHE-1 twice on one model; each once; times: 2 says that there are two`, false},
		{"of a check that must hold", head + "  - prompt: a\nexpect: {checks: {CACHE-1: held}, findings: [CACHE-1]}\n",
			`x.yaml:5:46: CACHE-1 finds something, and is held among the checks; one of the two`, false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, err := load(t, tc.text)
			require.EqualError(t, err, tc.want)
			if tc.schema {
				require.Error(t, compiled(t).Validate(value(t, []byte(tc.text))))
			}
		})
	}
	for name, text := range map[string]string{
		"other texts of one check": told("CACHE-1, {check: CACHE-1, contains: tick}"),
		"other models":             told("{check: CACHE-1, models: claude-haiku-4-5}, {check: CACHE-1, models: claude-sonnet-5}"),
		"held on the story's own":  head + "  - prompt: a\nexpect: {checks: {CACHE-1: held}, findings: [{check: CACHE-1, models: claude-haiku-4-5}]}\n",
	} {
		_, err := load(t, text)
		require.NoError(t, err, name)
	}
}

// TestNamesThatAreKnownElsewhere: what is not among them is told with its place, the nearest and all of them.
func TestNamesThatAreKnownElsewhere(t *testing.T) {
	s, err := load(t, head+"  - prompt: a\nplant: clock-in-sistem\nexpect: {checks: {CACHE-7: held}, findings: [CACHE-1, CACHE-12, {check: REST-9}]}\n")
	require.NoError(t, err)
	require.EqualError(t, s.Unknown([]string{"CACHE-1", "PAIR-1"}, []string{"clock-in-system", "five-markers"}),
		`x.yaml:5:8: there is no planted fault "clock-in-sistem"; did you mean "clock-in-system"? known here: clock-in-system, five-markers`+"\n"+
			`x.yaml:6:19: there is no check "CACHE-7"; did you mean "CACHE-1"? known here: CACHE-1, PAIR-1`+"\n"+
			`x.yaml:6:55: there is no check "CACHE-12"; did you mean "CACHE-1"? known here: CACHE-1, PAIR-1`+"\n"+
			`x.yaml:6:73: there is no check "REST-9"; known here: CACHE-1, PAIR-1`)
	require.Empty(t, s.Unknown([]string{"CACHE-1", "CACHE-7", "CACHE-12", "REST-9"}, []string{"clock-in-sistem"}))
}
