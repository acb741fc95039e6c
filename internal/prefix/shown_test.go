package prefix

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func hiddenPaths(r *Rendered) map[string]string {
	hidden := map[string]string{}
	for _, b := range r.Blocks.All() {
		if !b.Shown {
			hidden[b.Path()] = b.Why
		}
	}
	return hidden
}

const (
	thought = `{"type":"thinking","thinking":"a long thought about it","signature":"s"}`
	toolUse = `{"type":"tool_use","id":"i","name":"Bash","input":{}}`
	results = `{"role":"user","content":[{"type":"tool_result","tool_use_id":"i","content":"ok"}]}`
)

func TestThinkingOfEarlierTurnsIsStrippedOnStripModels(t *testing.T) { // messages-api.md 6.5
	loop := `"thinking":{"type":"enabled","budget_tokens":1024},"messages":[{"role":"user","content":"go"},
		{"role":"assistant","content":[` + thought + `,` + toolUse + `]},` + results + `,
		{"role":"assistant","content":[` + thought + `,` + toolUse + `]},` + results
	assert.Empty(t, hiddenPaths(render(t, body("claude-haiku-4-5", loop+`]`))), "the loop is one open turn")

	next := loop + `,{"role":"assistant","content":"done"},{"role":"user","content":"more"}]`
	strip := render(t, body("claude-haiku-4-5", next))
	assert.Equal(t, map[string]string{
		"messages.1.content.0": "thinking of an earlier turn", "messages.3.content.0": "thinking of an earlier turn",
	}, hiddenPaths(strip))
	keep := render(t, body("claude-sonnet-4-6", next))
	assert.Empty(t, hiddenPaths(keep))
	assert.Greater(t, keep.Total, strip.Total, "what is stripped costs nothing")

	mixed := loop[:len(loop)-2] + `,{"type":"text","text":"and more"}]}]`
	assert.Len(t, hiddenPaths(render(t, body("claude-haiku-4-5", mixed))), 2, "text beside the results ends the turn")
}

// The boundary between two models of one answer is no part of the prompt, of what is cached, or of what thinking is
// bound to (2.11).
func TestABoundaryBetweenModelsIsNotRendered(t *testing.T) {
	const mark = `{"type":"fallback","from":{"model":"a"},"to":{"model":"b"},"trigger":{"type":"refusal","category":null}},`
	talk := func(mark string) *Rendered {
		return render(t, body("claude-sonnet-5-5", `"messages":[{"role":"user","content":"go"},
			{"role":"assistant","content":[`+mark+thought+`,{"type":"text","text":"done"}]},{"role":"user","content":"more"}]`))
	}
	with, without := talk(mark), talk("")
	assert.Equal(t, map[string]string{"messages.1.content.0": "boundary between two models"}, hiddenPaths(with))
	assert.Equal(t, without.Total, with.Total)
	assert.Equal(t, without.BindEnd, with.BindEnd)
	a, b := without.Blocks.last(), with.Blocks.last()
	assert.Equal(t, a.Cache, b.Cache)
	assert.Equal(t, a.Pos, b.Pos)
}

func TestStrippingBreaksTheCacheFromTheFirstStrippedBlock(t *testing.T) { // 5.7
	loop := `"thinking":{"type":"enabled","budget_tokens":1024},"messages":[{"role":"user","content":"go"},
		{"role":"assistant","content":[` + thought + `,` + toolUse + `]},` + results
	for id, kept := range map[string]bool{"claude-haiku-4-5": false, "claude-sonnet-4-6": true} {
		a := render(t, body(id, loop+`]`))
		b := render(t, body(id, loop+`,{"role":"user","content":"next"}]`))
		assert.Equal(t, a.Blocks.At(0).Cache, b.Blocks.At(0).Cache)
		assert.Equal(t, kept, a.Blocks.At(3).Cache == b.Blocks.At(3).Cache, id)
		assert.Equal(t, a.Blocks.At(3).Bind, b.Blocks.At(3).Bind, "the binding goes on")
	}
}

func TestReminderIsClearedByTheNextUserMessage(t *testing.T) { // messages-api.md 2.4, 5.7
	start := `"messages":[{"role":"user","content":"go"},{"role":"system","content":"it is noon","clear_at":"next_user_message"}`
	call := `,{"role":"assistant","content":[` + toolUse + `]}`
	shown := render(t, body("claude-sonnet-5-5", start+call+`]`))
	assert.Empty(t, hiddenPaths(shown))
	cleared := render(t, body("claude-sonnet-5-5", start+call+`,`+results+`]`))
	assert.Equal(t, map[string]string{"messages.1.content.0": "turn-scoped message cleared by a later user message"}, hiddenPaths(cleared))
	assert.Equal(t, shown.Blocks.At(0).Cache, cleared.Blocks.At(0).Cache, "up to the user turn before it")
	assert.NotEqual(t, shown.Blocks.At(2).Cache, cleared.Blocks.At(2).Cache, "the assistant turn after it is processed again")
	assert.Equal(t, shown.Blocks.At(2).Bind, cleared.Blocks.At(2).Bind, "it stays in the binding chain")
	lasting := render(t, body("claude-sonnet-5-5", `"messages":[{"role":"user","content":"go"},{"role":"system","content":"it is noon"}`+call+`,`+results+`]`))
	assert.Empty(t, hiddenPaths(lasting))
}

func TestThinkingIsNotShownWhenOffOrDropped(t *testing.T) {
	messages := `"messages":[{"role":"user","content":"go"},{"role":"assistant","content":[` + thought + `,` + toolUse + `]},` + results + `]`
	off := render(t, body("claude-sonnet-4-6", messages))
	assert.Equal(t, map[string]string{"messages.1.content.0": "thinking is off"}, hiddenPaths(off))
	req := parse(t, body("claude-sonnet-5-5", messages))
	m := modelOf(t, req.Model())
	dropped := Render(nil, req, m, Options{Dropped: map[Place]string{{1, 0}: "prefix_binding_mismatch"}})
	assert.Equal(t, map[string]string{"messages.1.content.0": "prefix_binding_mismatch"}, hiddenPaths(dropped))
	assert.NotEqual(t, Render(nil, req, m, Options{}).Blocks.At(2).Cache, dropped.Blocks.At(2).Cache)
}

// A growing conversation reads what the call before read and wrote, to the token, whatever it ends in.
func TestPrefixTokensStayTheSameAsTheConversationGrows(t *testing.T) {
	turns := []string{`{"role":"user","content":"go"}`, `{"role":"assistant","content":[` + thought + `,` + toolUse + `]}`, results,
		`{"role":"assistant","content":"done"}`, `{"role":"user","content":"more, please"}`}
	for _, id := range []string{"claude-sonnet-4-6", "claude-sonnet-5", "claude-sonnet-5-5", "claude-opus-4-7"} {
		var before *Rendered
		all := ""
		for i, turn := range turns {
			if i > 0 {
				all += ","
			}
			all += turn
			r := render(t, body(id, `"tools":[{"name":"Bash","input_schema":{}}],"thinking":{"type":"adaptive"},"messages":[`+all+`]`))
			if before != nil {
				for k, b := range before.Blocks.All() {
					assert.Equal(t, b.Tokens, r.Blocks.At(k).Tokens, "%s, block %d after %d messages", id, k, i+1)
					assert.Equal(t, b.Cache, r.Blocks.At(k).Cache)
				}
			}
			assert.Positive(t, r.Total-r.Blocks.At(r.Blocks.Len()-1).Tokens)
			before = r
		}
	}
}
