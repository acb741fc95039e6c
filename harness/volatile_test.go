package harness_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"harnessbench/harness"
	"harnessbench/harness/world"
)

// twoTurns prompts twice, the first time with one tool round.
func twoTurns(t *testing.T, model, place string) (*rig, string) {
	t.Helper()
	r := newRig(t, model, says(thinking("hm", "c2ln"), use("a", "Bash", `{"command":"ls"}`)), says(thinking("so", "c2ln"), text("Hi.")))
	r.cfg.Switches = harness.Switches{InjectTime: true, VolatilePlace: place}
	var file string
	r.session(func(w world.World, s *harness.Session) {
		r.prompt(w, s, "one")
		r.prompt(w, s, "two")
		file = s.File()
	})
	require.Len(t, r.requests, 3)
	return r, file
}

// As system messages volatile texts are logged and stay in the array for good, a byte-equal copy behind each later user
// message of the turn, unmarked (H-REB-59, H-LOG-54, D1).
func TestVolatileTextAsSystemMessagesStaysForGood(t *testing.T) {
	r, file := twoTurns(t, bound, "")
	assert.Equal(t, []string{
		"user: text(The project keeps instru) text(one)*",
		"system: text(The current time is 2026)",
	}, r.shape(0))
	assert.Equal(t, []string{
		"user: text(The project keeps instru) text(one)",
		"system: text(The current time is 2026)",
		"assistant: thinking tool_use(a)",
		"user: tool_result(a out|[rerun: b1])",
		"system: text(The current time is 2026)",
		"assistant: thinking text(Hi.)",
		"user: text(two)*",
		"system: text(The current time is 2026)",
	}, r.shape(2))
	system := `{"role":"system","clear_at":"next_user_message","content":[{"type":"text","text":"<system-reminder>\nThe current time is 2026-11-30T09:00:00Z.\n</system-reminder>"}]}`
	assert.Equal(t, 2, strings.Count(string(r.requests[1].Body), system), "a byte-equal copy behind the results")
	assert.Equal(t, 2, strings.Count(string(r.requests[2].Body), system))
	e := r.log(file)[1]
	assert.Equal(t, map[string]any{"type": "current_time", "place": "system"}, e["attachment"])
	assert.Len(t, e["rendered"], 1)
}

// In the prompt a volatile text is in all calls of its turn and gone with it, marked before it; the log holds only that it
// was due (H-REB-57, H-INJ-42, H-LOG-53, H-LOG-54). So the first call of the next turn writes the turn anew (H-REB-61).
func TestVolatileTextInThePromptIsGoneWithItsTurn(t *testing.T) {
	r, file := twoTurns(t, plain, "")
	assert.Equal(t, []string{"user: text(The project keeps instru)* text(The current time is 2026) text(one)*"}, r.shape(0))
	assert.Equal(t, []string{
		"user: text(The project keeps instru)* text(The current time is 2026) text(one)",
		"assistant: thinking tool_use(a)",
		"user: tool_result(a out|[rerun: b1])*",
	}, r.shape(1))
	assert.Equal(t, []string{
		"user: text(The project keeps instru) text(one)",
		"assistant: thinking tool_use(a)",
		"user: tool_result(a out|[rerun: b1])",
		"assistant: thinking text(Hi.)*",
		"user: text(The current time is 2026) text(two)*",
	}, r.shape(2))
	assert.Equal(t, 4, strings.Count(string(r.requests[2].Body), `"cache_control"`))
	data, err := r.disk.Read(file)
	require.NoError(t, err)
	assert.NotContains(t, string(data), "The current time is")
	assert.Equal(t, map[string]any{"type": "current_time", "place": "prompt"}, r.log(file)[1]["attachment"])
}

// At the tail a volatile text moves with every call, behind the marked last block (H-REB-57).
func TestVolatileTextAtTheTailMovesWithEveryCall(t *testing.T) {
	r, _ := twoTurns(t, plain, "tail")
	assert.Equal(t, []string{"user: text(The project keeps instru) text(one)* text(The current time is 2026)"}, r.shape(0))
	assert.Equal(t, []string{
		"user: text(The project keeps instru) text(one)",
		"assistant: thinking tool_use(a)",
		"user: tool_result(a out|[rerun: b1])* text(The current time is 2026)",
	}, r.shape(1))
}

// On a bound model both are a declared break (H-REB-57, D1).
func TestVolatileTextOutsideSystemCostsABoundModelItsThinking(t *testing.T) {
	r, _ := twoTurns(t, bound, "prompt")
	assert.Equal(t, "assistant: thinking tool_use(a)", r.shape(1)[1], "the open turn keeps it")
	assert.Equal(t, []string{
		"user: text(The project keeps instru) text(one)",
		"assistant: tool_use(a)",
		"user: tool_result(a out|[rerun: b1])",
		"assistant: text(Hi.)*",
		"user: text(The current time is 2026) text(two)*",
	}, r.shape(2))
	r, _ = twoTurns(t, bound, "tail")
	assert.Equal(t, "assistant: tool_use(a)", r.shape(1)[1], "the place moved, so nothing made behind it holds")
}

// A model that takes no system messages gets the texts in the prompt (H-REB-57, D1).
func TestSystemPlaceFallsBackWhereTheModelTakesNone(t *testing.T) {
	r, _ := twoTurns(t, plain, "system")
	assert.Equal(t, []string{"user: text(The project keeps instru)* text(The current time is 2026) text(one)*"}, r.shape(0))
}

// A system message whose call left no answer is left out when a user item follows (H-REB-59).
func TestSystemMessageOfAFailedCallIsLeftOut(t *testing.T) {
	r := newRig(t, bound, cut(1, nil, ""), says(text("Hi.")))
	r.cfg.Switches.InjectTime = true
	r.cfg.MaxRetries = -1
	r.session(func(w world.World, s *harness.Session) {
		r.prompt(w, s, "one")
		require.NoError(t, s.Set("inject.time", "off"))
		r.prompt(w, s, "two")
	})
	assert.Equal(t, []string{"user: text(The project keeps instru) text(one)*", "system: text(The current time is 2026)"}, r.shape(0))
	assert.Equal(t, []string{"user: text(The project keeps instru) text(one) text(two)*"}, r.shape(1))
}
