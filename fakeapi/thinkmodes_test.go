package fakeapi_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"harnessbench/fakeapi"
	"harnessbench/fakeapi/script"
	"harnessbench/internal/wire"
)

// working is a turn of two calls: the first answer thinks, then reports what it is about to do and calls a tool; the
// second thinks again.
var working = script.Script{Turns: []script.Turn{{Prompt: "go", Answers: []script.Answer{
	{Blocks: []script.Block{
		{Kind: "thinking", Text: "what is needed here"},
		{Kind: "thinking", Text: "Running the tests.", Update: true},
		{Kind: "tool_use", Name: "Bash", Input: []byte(`{"command":"make"}`)},
	}},
	{Blocks: []script.Block{{Kind: "thinking", Text: "all is well"}, {Kind: "text", Text: "Done."}}},
}}}}

// shape writes the blocks of an answer: T and the text of thinking, u for a call, t for text.
func shape(a *wire.Answer) string {
	var out []string
	for _, b := range a.Blocks {
		switch b.Get("type").Text() {
		case "thinking":
			out = append(out, "T:"+b.Get("thinking").Text())
		case "tool_use":
			out = append(out, "u")
		default:
			out = append(out, "t")
		}
	}
	return strings.Join(out, " ")
}

// TestWhatIsThoughtAndShown: modes, displays and interleaving by model (messages-api.md 6.1, 6.3, 6.4), over the two
// calls of a turn.
func TestWhatIsThoughtAndShown(t *testing.T) {
	const full, hidden = "T:what is needed here T:Running the tests. u", "T: T: u"
	adaptive := func(display string) obj { return obj{"type": "adaptive", "display": display} }
	budget := obj{"type": "enabled", "budget_tokens": 1024}
	interleaved := "interleaved-thinking-2025-05-14"
	for _, tc := range []struct {
		name, model   string
		thinking      obj
		beta          string
		first, second string
	}{
		{"summarized by default", "claude-sonnet-4-6", obj{"type": "adaptive"}, "", full, "T:all is well t"},
		{"omitted by default", "claude-opus-4-7", obj{"type": "adaptive"}, "", hidden, "T: t"},
		{"omitted by default", "claude-sonnet-5-5", nil, "", hidden, "T: t"},
		{"summarized", "claude-sonnet-5-5", adaptive("summarized"), "", full, "T:all is well t"},
		{"omitted", "claude-sonnet-4-6", adaptive("omitted"), "", hidden, "T: t"},
		{"updates", "claude-sonnet-5-5", adaptive("updates"), "thinking-display-updates-2026-08-18", "T: T:Running the tests. u", "T: t"},
		{"between tools", "claude-sonnet-5-5", obj{"type": "between_tools"}, "", "T:Running the tests. u", "t"},
		{"disabled", "claude-opus-4-8", obj{"type": "disabled"}, "", "u", "t"},
		{"off by default", "claude-opus-4-8", nil, "", "u", "t"},
		{"on by default", "claude-sonnet-5", adaptive("summarized"), "", full, "T:all is well t"},
		{"a budget does not think between tools", "claude-haiku-4-5", budget, "", full, "t"},
		{"nor with the header", "claude-haiku-4-5", budget, interleaved, full, "t"},
		{"a budget without the header", "claude-sonnet-4-5", budget, "", full, "t"},
		{"a budget with the header", "claude-sonnet-4-5", budget, interleaved, full, "T:all is well t"},
		{"a budget without the header", "claude-opus-4-5", budget, "", full, "t"},
		{"a budget with the header", "claude-opus-4-5", budget, interleaved, full, "T:all is well t"},
		{"a budget without the header", "claude-sonnet-4-6", budget, "", full, "t"},
		{"a budget with the header", "claude-sonnet-4-6", budget, interleaved, full, "T:all is well t"},
		{"a budget never, with the header", "claude-opus-4-6", budget, interleaved, full, "t"},
		{"adaptive always", "claude-opus-4-6", obj{"type": "adaptive"}, "", full, "T:all is well t"},
	} {
		for _, stream := range []bool{false, true} {
			t.Run(tc.name+" "+tc.model, func(t *testing.T) {
				c := newChat(t, fakeapi.New(fakeapi.Options{Script: working}), tc.model)
				if tc.beta != "" {
					c.header = append([]fakeapi.Field{{Name: "anthropic-beta", Value: tc.beta}}, usual...)
				}
				delete(c.body, "thinking")
				if tc.thinking != nil {
					c.body["thinking"] = tc.thinking
				}
				c.body["stream"] = stream
				a := c.ask(text("go"))
				assert.Equal(t, tc.first, shape(a))
				for _, b := range a.Blocks {
					if b.Get("type").Text() == "thinking" {
						assert.NotEmpty(t, b.Get("signature").Text(), "the signature is there whatever is shown")
					}
				}
				assert.Equal(t, tc.second, shape(c.ask(result(a))))
			})
		}
	}
}

// TestThinkingToggledInsideATurn: no error on models from 4.6 on. Thinking is off for the request and that of the turn
// is not shown; the next turn thinks again (messages-api.md 6.5).
func TestThinkingToggledInsideATurn(t *testing.T) {
	budget := obj{"type": "enabled", "budget_tokens": 1024}
	for _, id := range []string{"claude-sonnet-4-6", "claude-opus-4-6"} {
		t.Run("on "+id, func(t *testing.T) {
			c := newChat(t, fakeapi.New(fakeapi.Options{Script: working}), id)
			c.header = append([]fakeapi.Field{{Name: "anthropic-beta", Value: "interleaved-thinking-2025-05-14"}}, usual...)
			a := c.ask(text("go"))
			require.Equal(t, "u", shape(a))
			c.body["thinking"] = budget
			assert.Equal(t, "t", shape(c.ask(result(a))), "silently off")
			assert.Equal(t, "T:what is needed here T:Running the tests. u", shape(c.ask(text("go"))), "the next turn thinks")
		})
		t.Run("off "+id, func(t *testing.T) {
			c := newChat(t, fakeapi.New(fakeapi.Options{Script: working}), id)
			c.body["thinking"] = budget
			a := c.ask(text("go"))
			c.user(result(a))
			with := c.do().View.Total
			c.body["thinking"] = obj{"type": "disabled"}
			resp := c.do()
			require.Equal(t, 200, resp.Status, "%s", resp.Body())
			assert.Less(t, resp.View.Total, with-5, "the thinking of the turn is not shown")
		})
	}
	t.Run("thinking in the middle of a turn that began without", func(t *testing.T) {
		c := newChat(t, fakeapi.New(fakeapi.Options{Script: working}), "claude-sonnet-4-6")
		c.body["thinking"] = obj{"type": "adaptive"}
		a := c.ask(text("go"))
		c.user(result(a))
		c.body["thinking"] = budget
		whole := c.do()
		require.Equal(t, 200, whole.Status, "%s", whole.Body())
		c.messages[1].(obj)["content"] = slices.Insert(c.content(1), 0, any(text("first words")))
		resp := c.do()
		require.Equal(t, 200, resp.Status, "%s", resp.Body())
		assert.Less(t, resp.View.Total, whole.View.Total, "both thinking blocks are left out, three words came in")
	})
}

// TestWhoReadsWhom is the table of messages-api.md 6.6: the thinking of a model, asked of another.
func TestWhoReadsWhom(t *testing.T) {
	makers := []string{"claude-fable-5-2", "claude-mythos-5-2", "claude-fable-5-1", "claude-mythos-5-1", "claude-opus-5-5", "claude-sonnet-5-5",
		"claude-haiku-5-5", "claude-opus-5", "claude-sonnet-5", "claude-opus-4-8", "claude-sonnet-4-6", "claude-haiku-4-5"}
	fable := []string{"claude-fable-5-1", "claude-mythos-5-1", "claude-opus-5-5", "claude-opus-5", "claude-sonnet-5", "claude-opus-4-8", "claude-sonnet-4-6", "claude-haiku-4-5"}
	newest := append([]string{"claude-fable-5-2", "claude-mythos-5-2"}, fable...)
	reads := map[string][]string{
		"claude-fable-5-2":  newest,
		"claude-mythos-5-2": newest,
		"claude-fable-5-1":  fable,
		"claude-opus-5-5":   {"claude-opus-5-5", "claude-sonnet-5-5", "claude-haiku-5-5", "claude-opus-5", "claude-sonnet-5", "claude-opus-4-8", "claude-sonnet-4-6", "claude-haiku-4-5"},
		"claude-sonnet-5-5": {"claude-sonnet-5-5", "claude-haiku-5-5", "claude-sonnet-5", "claude-opus-4-8", "claude-haiku-4-5", "claude-sonnet-4-6"},
		"claude-haiku-5-5":  {"claude-haiku-5-5", "claude-sonnet-5", "claude-opus-4-8", "claude-haiku-4-5", "claude-sonnet-4-6"},
		"claude-opus-5":     {"claude-opus-5", "claude-sonnet-5", "claude-opus-4-8", "claude-sonnet-4-6", "claude-haiku-4-5"},
		"claude-opus-4-8":   {"claude-opus-4-8", "claude-sonnet-4-6", "claude-haiku-4-5"},
	}
	for reader, readable := range reads {
		for _, maker := range makers {
			t.Run(reader+" of "+maker, func(t *testing.T) {
				c := newChat(t, fakeapi.New(fakeapi.Options{Script: endless}), maker)
				c.header = append([]fakeapi.Field{{Name: "anthropic-beta", Value: "thinking-binding-controls-2026-08-01"}}, usual...)
				if maker != "claude-haiku-4-5" {
					c.body["thinking"] = obj{"type": "adaptive"}
				}
				a := c.ask(text("go on"))
				require.Equal(t, "thinking", a.Blocks[0].Get("type").Text())
				c.user(text("go on"))
				c.body["model"], c.body["thinking"] = reader, obj{"type": "adaptive"}
				resp := c.do()
				require.Equal(t, 200, resp.Status, "%s", resp.Body())
				if slices.Contains(readable, maker) {
					assert.Empty(t, resp.View.Dropped)
					assert.Contains(t, string(resp.Body()), `"input_transformations":[]`)
				} else {
					assert.Equal(t, []fakeapi.Dropped{{Path: "messages.1.content.0", Reason: "model_binding_mismatch"}}, resp.View.Dropped)
					assert.Contains(t, string(resp.Body()), `"input_transformations":[{"type":"thinking_dropped","path":"messages.1.content.0","reason":"model_binding_mismatch"}]`)
				}
			})
		}
	}
}

// Accounts: blocks of Sonnet 5.5 and Haiku 5.5 belong to the organisation that made them, those of others to nobody;
// an account made before the day is let through (messages-api.md 6.5, 6.6).
func TestAccountsAndThinking(t *testing.T) {
	key := func(k string) []fakeapi.Field {
		return []fakeapi.Field{{Name: "anthropic-version", Value: "2023-06-01"}, {Name: "x-api-key", Value: k}, {Name: "anthropic-beta", Value: "thinking-binding-controls-2026-08-01"}}
	}
	old := time.Date(2026, 8, 30, 23, 59, 59, 0, time.UTC)
	s := func() *fakeapi.Server {
		return fakeapi.New(fakeapi.Options{Script: endless, Accounts: []fakeapi.Account{
			{Key: "other", Organization: "22222222-2222-4222-8222-222222222222"},
			{Key: "old", Created: old}, {Key: "elsewhere", Workspace: "wrkspc_other"},
		}})
	}
	for _, tc := range []struct {
		name, model, key string
		edit             func(*chat)
		want             string // in input_transformations; "400" a refusal
	}{
		{"another organisation, Sonnet 5.5", "claude-sonnet-5-5", "other", func(*chat) {}, `[{"type":"thinking_dropped","path":"messages.1.content.0","reason":"organization_binding_mismatch"}]`},
		{"another organisation, Haiku 5.5", "claude-haiku-5-5", "other", func(*chat) {}, `[{"type":"thinking_dropped","path":"messages.1.content.0","reason":"organization_binding_mismatch"}]`},
		{"another organisation, Opus 5.5", "claude-opus-5-5", "other", func(*chat) {}, `[]`},
		{"another organisation, Sonnet 5", "claude-sonnet-5", "other", func(*chat) {}, `[]`},
		{"another workspace", "claude-sonnet-5-5", "elsewhere", func(*chat) {}, `[]`},
		{"a new account, the conversation edited", "claude-sonnet-5-5", "new", func(c *chat) { c.block(0, 0)["text"] = "go on!" }, "400"},
		{"an old account, the conversation edited", "claude-sonnet-5-5", "old", func(c *chat) { c.block(0, 0)["text"] = "go on!" },
			`[{"type":"thinking_mismatch_allowed","path":"messages.1.content.0","reason":"prefix_binding_mismatch"}]`},
		{"an old account on a model that has it for all", "claude-fable-5-2", "old", func(c *chat) { c.block(0, 0)["text"] = "go on!" }, "400"},
		{"an old account that asks for it", "claude-sonnet-5-5", "old", func(c *chat) {
			c.block(0, 0)["text"] = "go on!"
			c.body["thinking"] = obj{"type": "adaptive", "block_binding": obj{"prefix_mismatch_behavior": "error"}}
		}, "400"},
		{"tools in another order", "claude-sonnet-5-5", "new", func(c *chat) {
			list := c.body["tools"].([]any)
			list[0], list[1] = list[1], list[0]
		}, `[]`},
		{"a deferred tool more", "claude-sonnet-5-5", "new", func(c *chat) {
			c.body["tools"] = append(c.body["tools"].([]any), obj{"name": "Edit", "input_schema": obj{"type": "object"}, "defer_loading": true})
		}, `[]`},
		{"a tool less", "claude-sonnet-5-5", "new", func(c *chat) { c.body["tools"] = c.body["tools"].([]any)[:1] }, "400"},
	} {
		for _, stream := range []bool{false, true} {
			t.Run(tc.name, func(t *testing.T) {
				c := newChat(t, s(), tc.model)
				c.header = key("new")
				c.body["tools"] = []any{bash, obj{"name": "Read", "input_schema": obj{"type": "object"}}}
				c.body["thinking"] = obj{"type": "adaptive"}
				c.ask(text("go on"))
				c.user(text("go on"))
				c.header = key(tc.key)
				c.body["stream"] = stream
				tc.edit(c)
				resp := c.do()
				if tc.want == "400" {
					require.Equal(t, 400, resp.Status)
					assert.Equal(t, "messages.1.content.0: "+strings.TrimSuffix(otherTalk, needsBeta), errorText(t, resp), "the beta was sent")
					return
				}
				require.Equal(t, 200, resp.Status, "%s", resp.Body())
				assert.Contains(t, string(resp.Frames[0].Data), `"input_transformations":`+tc.want, "in streams on message_start")
				c.header = key(tc.key)[:2]
				assert.NotContains(t, string(c.do().Body()), "input_transformations", "only with the beta")
			})
		}
	}
}

// strict_manual at its other values: a manual-only model degrades in silence, a later one refuses.
func TestStrictManualIsAnOption(t *testing.T) {
	for _, tc := range []struct {
		model  string
		strict bool
	}{{"claude-haiku-4-5-20251001", false}, {"claude-sonnet-4-6", true}} {
		c := newChat(t, fakeapi.New(fakeapi.Options{Script: working, StrictManual: map[string]bool{tc.model: tc.strict}}), tc.model)
		delete(c.body, "thinking")
		a := c.ask(text("go"))
		require.Equal(t, "u", shape(a))
		c.user(result(a))
		c.body["thinking"] = obj{"type": "enabled", "budget_tokens": 1024}
		resp := c.do()
		if !tc.strict {
			require.Equal(t, 200, resp.Status, "%s", resp.Body())
			assert.Equal(t, "t", shape(c.answer(resp)), "silently off")
			continue
		}
		require.Equal(t, 400, resp.Status)
		assert.True(t, strings.HasPrefix(errorText(t, resp), "messages.1.content.0.type: Expected `thinking` or `redacted_thinking`, but found `tool_use`."))
		c.body["thinking"] = obj{"type": "adaptive"}
		assert.Equal(t, 200, c.do().Status, "adaptive asks for nothing")
	}
}
