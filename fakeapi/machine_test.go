package fakeapi_test

import (
	"sort"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"harnessbench/fakeapi"
	"harnessbench/fakeapi/script"
)

func TestTheScriptIsFollowed(t *testing.T) {
	c := newChat(t, serverWith(t, fakeapi.Options{}), "claude-sonnet-5-5")
	a := c.ask(text("which test fails?"))
	assert.Equal(t, "Running.", a.Blocks[1].Get("text").Text())
	assert.Equal(t, "tool_use", a.StopReason)
	assert.Equal(t, "Running.", c.answerAgain(1), "a retry gets the same answer")
	a = c.ask(result(a))
	a = c.ask(result(a))
	assert.Equal(t, "TestLogin fails.", a.Blocks[1].Get("text").Text())
	assert.Equal(t, "end_turn", a.StopReason)
	a = c.ask(text("<reminder>be brief</reminder>"), text("fix it"))
	assert.Equal(t, "Fixed.", a.Blocks[1].Get("text").Text(), "the prompt may be any text block of the message")
}

// answerAgain sends the newest request once more and gives the text of block i of its answer.
func (c *chat) answerAgain(i int) string {
	kept := c.messages
	c.messages = c.messages[:len(c.messages)-1]
	a := c.answer(c.do())
	c.messages = kept
	return a.Blocks[i].Get("text").Text()
}

func TestARequestTheScriptDoesNotKnowIsRefusedPlainly(t *testing.T) {
	for _, tc := range []struct {
		name string
		run  func(*chat)
		want string
	}{
		{"no turn matches", func(c *chat) { c.user(text("what now?")) },
			`bench script: no turn of the script matches the newest user text "what now?" (answer number 1)`},
		{"a long text is cut", func(c *chat) { c.user(text(strings.Repeat("é", 61))) },
			`bench script: no turn of the script matches the newest user text "` + strings.Repeat("é", 60) + `..." (answer number 1)`},
		{"the turn has no further answer", func(c *chat) {
			a := c.ask(text("which test fails?"))
			a = c.ask(result(a))
			c.ask(result(a))
			c.user(text("and then?"))
		}, `bench script: the script's turn "which test fails?" has no answer number 4`},
		{"the tool is not offered", func(c *chat) { delete(c.body, "tools"); c.user(text("which test fails?")) },
			`bench script: the script calls the tool "Bash" here, but the request does not offer it`},
		{"tools are ruled out", func(c *chat) { c.body["tool_choice"] = obj{"type": "none"}; c.user(text("which test fails?")) },
			`bench script: the script calls the tool "Bash" here, but the request does not offer it`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			c := newChat(t, serverWith(t, fakeapi.Options{}), "claude-sonnet-5-5")
			tc.run(c)
			resp := c.do()
			assert.Equal(t, 400, resp.Status)
			assert.Equal(t, tc.want, errorText(t, resp))
			assert.Equal(t, fakeapi.RuleNoAnswer, resp.View.Rule)
		})
	}
}

func TestThinkingComesOnlyWhereTheRequestThinks(t *testing.T) {
	for _, tc := range []struct {
		name, model string
		thinking    any
		first       string // type of the first block
		text        string // of the thinking
		details     bool
	}{
		{"on by default, omitted", "claude-sonnet-5-5", nil, "thinking", "", true},
		{"summarized on demand", "claude-sonnet-5-5", obj{"type": "adaptive", "display": "summarized"}, "thinking", "run them", true},
		{"off by default", "claude-sonnet-4-6", nil, "text", "", false},
		{"adaptive", "claude-sonnet-4-6", obj{"type": "adaptive"}, "thinking", "run them", true},
		{"omitted on demand", "claude-sonnet-4-6", obj{"type": "adaptive", "display": "omitted"}, "thinking", "", true},
		{"disabled", "claude-sonnet-5", obj{"type": "disabled"}, "text", "", true},
		{"with a budget", "claude-haiku-4-5", obj{"type": "enabled", "budget_tokens": 2048}, "thinking", "run them", true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			c := newChat(t, serverWith(t, fakeapi.Options{}), tc.model)
			delete(c.body, "thinking")
			if tc.thinking != nil {
				c.body["thinking"] = tc.thinking
			}
			a := c.ask(text("which test fails?"))
			assert.Equal(t, tc.first, a.Blocks[0].Get("type").Text())
			assert.Equal(t, tc.text, a.Blocks[0].Get("thinking").Text())
			assert.Equal(t, tc.details, strings.Contains(string(a.Usage.Raw), "output_tokens_details"))
		})
	}
}

func TestAManualBudgetAlwaysBeginsATurnWithThinking(t *testing.T) {
	said := script.Script{Turns: []script.Turn{{Prompt: "go", Answers: []script.Answer{
		{Blocks: []script.Block{{Kind: "tool_use", Name: "Bash"}}}, say("between", "done"),
	}}, {Prompt: "stop", Answers: []script.Answer{{Blocks: []script.Block{{Kind: "tool_use", Name: "Bash"}}}, say("", "stopped")}}}}
	c := newChat(t, fakeapi.New(fakeapi.Options{Script: said}), "claude-haiku-4-5")
	first := c.ask(text("go"))
	assert.Equal(t, fakeapi.FixedThinking, first.Blocks[0].Get("thinking").Text())
	a := c.ask(result(first))
	assert.Equal(t, "text", a.Blocks[0].Get("type").Text(), "this model does not think between tools")

	c.messages = c.messages[:2]
	a = c.ask(result(first), text("stop"))
	assert.Equal(t, fakeapi.FixedThinking, a.Blocks[0].Get("thinking").Text(), "what is said beside results begins a turn")
	a = c.ask(result(a))
	assert.Equal(t, "stopped", a.Blocks[0].Get("text").Text())
}

func TestEqualPromptsTakeTheirTurnsInOrder(t *testing.T) {
	said := script.Script{Turns: []script.Turn{
		{Prompt: "go", Answers: []script.Answer{say("", "first")}},
		{Prompt: "other", Answers: []script.Answer{say("", "other")}},
		{Prompt: "go", Answers: []script.Answer{say("", "second")}},
	}}
	s := fakeapi.New(fakeapi.Options{Script: said})
	last := func(c *chat, prompt string) string {
		a := c.ask(text(prompt))
		return a.Blocks[len(a.Blocks)-1].Get("text").Text()
	}
	for run := range 2 {
		c := newChat(t, s, "claude-sonnet-4-6")
		assert.Equal(t, "first", last(c, "go"), "run %d", run)
		assert.Equal(t, "first", c.answerAgain(0))
		assert.Equal(t, "other", last(c, "other"))
		assert.Equal(t, "second", last(c, "go"))
		assert.Equal(t, "second", c.answerAgain(0), "a retry takes no new turn")
		assert.Equal(t, "second", last(c, "go"), "the last one repeats")
		c.messages = c.messages[:2] // back to behind the first answer
		assert.Equal(t, "second", last(c, "go"))
	}
}

func TestPromptsBeyondTheWindowAreRefused(t *testing.T) {
	c := newChat(t, fakeapi.New(fakeapi.Options{}), "claude-haiku-4-5")
	words := func(n int) fakeapi.Response {
		c.messages = nil
		c.user(text(strings.Repeat("one ", n)))
		return c.do()
	}
	fits := sort.Search(250_000, func(n int) bool { return words(n+1).Status != 200 })
	resp := words(fits)
	require.Equal(t, 200, resp.Status)
	assert.InDelta(t, 200_000, resp.View.Total, 2, "the last prompt that fits fills the window")
	assert.LessOrEqual(t, resp.View.Total, 200_000)
	resp = words(fits + 1)
	require.Equal(t, 400, resp.Status)
	assert.Regexp(t, `^prompt is too long: 200\d\d\d tokens > 200000 maximum$`, errorText(t, resp))
	assert.Equal(t, fakeapi.RuleTooLong, resp.View.Rule)
}

func TestOldModelsCountMaxTokensToTheWindow(t *testing.T) {
	for _, tc := range []struct {
		model  string
		status int
	}{{"claude-3-7-sonnet-20250219", 400}, {"claude-sonnet-4-5", 200}} {
		c := newChat(t, fakeapi.New(fakeapi.Options{}), tc.model)
		c.body["max_tokens"] = 20_000
		delete(c.body, "system")
		c.user(text(strings.Repeat("one ", 190_000)))
		resp := c.do()
		require.Equal(t, tc.status, resp.Status, tc.model)
		if tc.status == 400 {
			assert.Regexp(t, "^input length and `max_tokens` exceed context limit: \\d+ \\+ 20000 > 200000, decrease input length or `max_tokens` and try again$", errorText(t, resp))
		}
	}
}

func TestPrewarmingWritesAndAnswersNothing(t *testing.T) {
	c := newChat(t, serverWith(t, fakeapi.Options{}), "claude-sonnet-5-5")
	c.body["max_tokens"] = 0
	c.user(text("which test fails?"))
	warm := c.do()
	require.Equal(t, 200, warm.Status, "%s", warm.Body())
	a := c.answer(warm)
	assert.Empty(t, a.Blocks)
	assert.Equal(t, "max_tokens", a.StopReason)
	assert.Zero(t, a.Usage.Output)
	assert.Positive(t, a.Usage.CacheCreation)
	c.body["max_tokens"] = 4096
	c.now = c.now.Add(time.Second)
	real := c.answer(c.do())
	assert.Equal(t, a.Usage.CacheCreation, real.Usage.CacheRead)
}

func TestRetiredModelsAnswerUnlessAskedNotTo(t *testing.T) {
	for _, tc := range []struct {
		opt    fakeapi.Options
		now    time.Time
		status int
	}{
		{fakeapi.Options{}, begin, 200},
		{fakeapi.Options{RefuseRetired: true}, begin, 404},
		{fakeapi.Options{RefuseRetired: true}, time.Date(2025, 6, 1, 0, 0, 0, 0, time.UTC), 200},
	} {
		c := newChat(t, fakeapi.New(tc.opt), "claude-3-7-sonnet-20250219")
		c.now = tc.now
		c.user(text("hello"))
		resp := c.do()
		require.Equal(t, tc.status, resp.Status)
		if tc.status == 404 {
			assert.Equal(t, "model: claude-3-7-sonnet-20250219", errorText(t, resp))
		}
	}
}

func TestARefusedRequestLeavesNothingInTheCache(t *testing.T) {
	c := newChat(t, serverWith(t, fakeapi.Options{}), "claude-sonnet-5-5")
	c.user(text("nobody scripted this"))
	require.Equal(t, 400, c.do().Status)
	c.messages = nil
	c.now = c.now.Add(time.Second)
	c.ask(text("which test fails?"))
	assert.Equal(t, "first", c.last.View.Cold)
	assert.Zero(t, c.last.View.Usage.Read)
}

func TestTheViewTellsWhatTheServerSaw(t *testing.T) {
	c := newChat(t, serverWith(t, fakeapi.Options{}), "claude-sonnet-5-5")
	a := c.ask(text("which test fails?"))
	first := c.last.View
	assert.Equal(t, "claude-sonnet-5-5", first.Model)
	assert.Equal(t, "first", first.Cold)
	assert.Nil(t, first.Base)
	require.Len(t, first.Parts, 2)
	assert.Equal(t, "system", first.Parts[0].Path)
	assert.Equal(t, "messages.0", first.Parts[1].Path)
	require.Len(t, first.Breakpoints, 2)
	assert.Equal(t, "system.0", first.Breakpoints[0].Path)
	assert.Equal(t, fakeapi.Breakpoint{Path: "messages.0.content.0", TTL: "5m", Tokens: first.Breakpoints[1].Tokens, Eligible: true, Written: true}, first.Breakpoints[1])
	assert.Equal(t, first.Total, first.Usage.Input+first.Usage.Write5m)

	c.ask(result(a))
	second := c.last.View
	assert.Equal(t, &fakeapi.Entry{RequestID: first.RequestID, Path: "messages.0.content.0", Tokens: first.Breakpoints[1].Tokens, AgeMS: 10_000}, second.Read)
	assert.Equal(t, second.Read, second.Base)
	assert.Equal(t, "", second.Cold)
	assert.False(t, second.Breakpoints[0].Written)
	sum := second.Base.Tokens
	var paths []string
	for _, p := range second.Parts {
		sum += p.Tokens
		paths = append(paths, p.Path)
	}
	assert.Equal(t, []string{"messages.1", "messages.2"}, paths)
	assert.Equal(t, second.Usage.Read+second.Usage.Write5m, sum)
	assert.Equal(t, second.Total, sum+second.Usage.Input)

	c.now = c.now.Add(5 * time.Minute)
	a = c.answer(c.last)
	c.user(result(a))
	expired := c.do().View
	assert.Equal(t, "expired", expired.Cold)
	assert.Nil(t, expired.Read)
	assert.Equal(t, second.RequestID, expired.Base.RequestID)
	assert.EqualValues(t, 310_000, expired.Base.AgeMS)
}

func TestIdsSortByTime(t *testing.T) {
	s := fakeapi.New(fakeapi.Options{})
	last := ""
	for i := range 50 {
		c := newChat(t, s, "claude-sonnet-5")
		c.now = begin.Add(time.Duration(i) * time.Second)
		id := c.ask(text("hello")).ID
		assert.Greater(t, id, last)
		last = id
	}
}

func TestResetGivesTheSameBytesAgain(t *testing.T) {
	s := serverWith(t, fakeapi.Options{Seed: 5})
	run := func() (out []string) {
		c := newChat(t, s, "claude-sonnet-5-5")
		c.body["stream"] = true
		a := c.ask(text("which test fails?"))
		out = append(out, string(c.last.Body()))
		c.ask(result(a))
		return append(out, string(c.last.Body()))
	}
	first := run()
	assert.NotEqual(t, first, run(), "ids go on")
	s.Reset()
	assert.Equal(t, first, run())
}
