package fakeapi_test

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"harnessbench/fakeapi"
	"harnessbench/fakeapi/promptcache"
)

// probe is a request with a breakpoint at the end of tools, of system and of messages, each far beyond every
// model's minimum, so that what is read tells which levels survived.
type probe struct {
	body   obj
	header []fakeapi.Field
}

func mark() obj { return obj{"type": "ephemeral"} }

func newProbe(model string) *probe {
	return &probe{header: usual, body: obj{
		"model": model, "max_tokens": 4096,
		"tools": []any{
			obj{"name": "Bash", "description": long, "input_schema": obj{"type": "object", "properties": obj{"command": obj{"type": "string"}}}},
			obj{"name": "Read", "description": "reads", "input_schema": obj{"type": "object"}, "cache_control": mark()},
		},
		"system": []any{obj{"type": "text", "text": long, "cache_control": mark()}},
		"messages": []any{
			obj{"role": "user", "content": []any{text(long), text("first"), text("second")}},
			obj{"role": "assistant", "content": []any{text("yes")}},
			obj{"role": "user", "content": []any{obj{"type": "text", "text": "go on", "cache_control": mark()}}},
		},
	}}
}

func (p *probe) tools() []any       { return p.body["tools"].([]any) }
func (p *probe) message(i int) obj  { return p.body["messages"].([]any)[i].(obj) }
func (p *probe) block(i, j int) obj { return p.message(i)["content"].([]any)[j].(obj) }
func (p *probe) tool(i int) obj     { return p.tools()[i].(obj) }
func (p *probe) beta(values string) {
	p.header = append([]fakeapi.Field{{Name: "anthropic-beta", Value: values}}, usual...)
}
func (p *probe) set(name string, v any) { p.body[name] = v }

// say appends messages in front of a new user message that takes over the last breakpoint.
func (p *probe) say(messages ...any) {
	all := append(p.body["messages"].([]any), messages...)
	p.body["messages"] = append(all, obj{"role": "user", "content": []any{obj{"type": "text", "text": "and now?", "cache_control": mark()}}})
	delete(p.block(2, 0), "cache_control")
}

func (p *probe) send(t require.TestingT, s *fakeapi.Server, at time.Duration) fakeapi.Response {
	data, err := json.Marshal(p.body)
	require.NoError(t, err)
	resp := s.Handle(begin.Add(at), fakeapi.Request{Method: "POST", Path: "/v1/messages", Header: p.header, Body: data})
	require.Equal(t, 200, resp.Status, "%s", resp.Body())
	return resp
}

// level tells how far a changed request still reads what the first one wrote: "messages" for all of it, "system",
// "tools", "" for nothing, or the number of tokens when it is none of these.
func (p *probe) level(t require.TestingT, s *fakeapi.Server, change func(*probe)) string {
	first := p.send(t, s, 0)
	require.Zero(t, first.View.Usage.Read)
	require.Len(t, first.View.Breakpoints, 3)
	change(p)
	second := p.send(t, s, time.Minute)
	u := second.View.Usage
	require.Equal(t, second.View.Total, u.Input+u.Read+u.Write5m+u.Write1h)
	for i, name := range []string{"tools", "system", "messages"} {
		if u.Read == first.View.Breakpoints[i].Tokens {
			return name
		}
	}
	if u.Read == 0 {
		return ""
	}
	return fmt.Sprint(u.Read)
}

// pixel is a PNG of one pixel.
const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="

var image = obj{"type": "image", "source": obj{"type": "base64", "media_type": "image/png", "data": pixel}}

func document(cited bool) obj {
	d := obj{"type": "document", "source": obj{"type": "text", "media_type": "text/plain", "data": "a page"}}
	if cited {
		d["citations"] = obj{"enabled": true}
	}
	return d
}

// TestWhatInvalidatesWhat is the table of messages-api.md 5.7: what a change leaves, by model (H-CACHE-2). A model of the first
// column renders thinking and effort ahead of tools, one of the second behind system.
func TestWhatInvalidatesWhat(t *testing.T) {
	const all, system, tools, none = "messages", "system", "tools", ""
	prepare := func(*probe) {}
	for _, row := range []struct {
		name   string
		before func(*probe) // what the first request has too
		change func(*probe)
		want   string
		ahead  string // on models that render thinking and effort ahead of tools; "=" the same
	}{
		{"nothing", prepare, func(p *probe) {}, all, "="},
		{"model", prepare, func(p *probe) { p.set("model", "claude-opus-4-8") }, none, "="},
		{"tool name", prepare, func(p *probe) { p.tool(1)["name"] = "Cat" }, none, "="},
		{"tool description", prepare, func(p *probe) { p.tool(1)["description"] = "reads a file" }, none, "="},
		{"tool schema", prepare, func(p *probe) { p.tool(1)["input_schema"] = obj{"type": "object", "properties": obj{}} }, none, "="},
		{"tool order", prepare, func(p *probe) {
			a, b := p.tool(0), p.tool(1)
			delete(b, "cache_control")
			a["cache_control"] = mark()
			p.set("tools", []any{b, a})
		}, none, "="},
		{"tool more", prepare, func(p *probe) {
			p.set("tools", append([]any{obj{"name": "Edit", "input_schema": obj{"type": "object"}}}, p.tools()...))
		}, none, "="},
		{"tool less", prepare, func(p *probe) { p.set("tools", p.tools()[1:]) }, none, "="},
		{"deferred tool added", prepare, func(p *probe) {
			p.set("tools", append(p.tools(), obj{"name": "Edit", "input_schema": obj{"type": "object"}, "defer_loading": true}))
		}, all, "="},
		{"web search switched on", prepare, func(p *probe) {
			p.set("tools", append(p.tools(), obj{"type": "web_search_20250305", "name": "web_search"}))
		}, tools, "="},
		{"web search switched off", func(p *probe) {
			p.set("tools", append([]any{obj{"type": "web_search_20250305", "name": "web_search"}}, p.tools()...))
		}, func(p *probe) { p.set("tools", p.tools()[1:]) }, tools, "="},
		{"web fetch switched on", prepare, func(p *probe) {
			p.set("tools", append(p.tools(), obj{"type": "web_fetch_20250910", "name": "web_fetch"}))
		}, tools, "="},
		{"web fetch switched off", func(p *probe) {
			p.set("tools", append([]any{obj{"type": "web_fetch_20250910", "name": "web_fetch"}}, p.tools()...))
		}, func(p *probe) { p.set("tools", p.tools()[1:]) }, tools, "="},
		{"citations switched on", func(p *probe) { p.message(0)["content"] = append(p.message(0)["content"].([]any), document(false)) },
			func(p *probe) { p.block(0, 3)["citations"] = obj{"enabled": true} }, tools, "="},
		{"citations switched off", func(p *probe) { p.message(0)["content"] = append(p.message(0)["content"].([]any), document(true)) },
			func(p *probe) { p.block(0, 3)["citations"] = obj{"enabled": false} }, tools, "="},
		{"system text", prepare, func(p *probe) { p.body["system"].([]any)[0].(obj)["text"] = long + "!" }, tools, "="},
		{"system text behind another", func(p *probe) { p.set("system", append([]any{text("short")}, p.body["system"].([]any)...)) },
			func(p *probe) { p.body["system"].([]any)[1].(obj)["text"] = long + "!" }, tools, "="},
		{"system text before another", func(p *probe) { p.set("system", append([]any{text("short")}, p.body["system"].([]any)...)) },
			func(p *probe) { p.body["system"].([]any)[0] = text("shorT") }, tools, "="},
		{"role of a message", prepare, func(p *probe) { p.message(1)["role"] = "user" }, system, "="},
		{"tool_choice", prepare, func(p *probe) { p.set("tool_choice", obj{"type": "none"}) }, system, "="},
		{"tool_choice auto said", prepare, func(p *probe) { p.set("tool_choice", obj{"type": "auto"}) }, all, "="},
		{"parallel tool use disabled", prepare, func(p *probe) {
			p.set("tool_choice", obj{"type": "auto", "disable_parallel_tool_use": true})
		}, system, "="},
		{"an image comes", prepare, func(p *probe) {
			p.message(2)["content"] = append([]any{image}, p.message(2)["content"].([]any)...)
		}, system, "="},
		{"a second image comes", func(p *probe) { p.message(0)["content"] = append(p.message(0)["content"].([]any), image) },
			func(p *probe) {
				p.say(obj{"role": "assistant", "content": "yes"}, obj{"role": "user", "content": []any{image}})
			}, all, "="},
		{"effort", prepare, func(p *probe) { p.set("output_config", obj{"effort": "low"}) }, system, none},
		{"effort at its default said", prepare, func(p *probe) { p.set("output_config", obj{"effort": "high"}) }, all, "="},
		{"thinking.display", func(p *probe) { p.set("thinking", obj{"type": "adaptive", "display": "omitted"}) },
			func(p *probe) { p.set("thinking", obj{"type": "adaptive", "display": "summarized"}) }, all, "="},
		{"output_config.format", prepare, func(p *probe) {
			p.set("output_config", obj{"format": obj{"type": "json_schema", "schema": obj{"type": "object", "properties": obj{"a": obj{"type": "string"}}, "required": []any{"a"}, "additionalProperties": false}}})
		}, tools, "="},
		{"max_tokens", prepare, func(p *probe) { p.set("max_tokens", 5000) }, all, "="},
		{"stop_sequences", prepare, func(p *probe) { p.set("stop_sequences", []any{"STOP"}) }, all, "="},
		{"metadata", prepare, func(p *probe) { p.set("metadata", obj{"user_id": "somebody"}) }, all, "="},
		{"service_tier", prepare, func(p *probe) { p.set("service_tier", "standard_only") }, all, "="},
		{"stream", prepare, func(p *probe) { p.set("stream", true) }, all, "="},
		{"betas", prepare, func(p *probe) { p.beta("interleaved-thinking-2025-05-14") }, all, "="},
		{"markers gone but the last", prepare, func(p *probe) {
			delete(p.tool(1), "cache_control")
			delete(p.body["system"].([]any)[0].(obj), "cache_control")
		}, all, "="},
		{"an earlier message edited", prepare, func(p *probe) { p.block(0, 1)["text"] = "First" }, system, "="},
		{"blocks exchanged", prepare, func(p *probe) {
			c := p.message(0)["content"].([]any)
			c[1], c[2] = c[2], c[1]
		}, system, "="},
		{"a message removed", prepare, func(p *probe) { p.set("messages", p.body["messages"].([]any)[2:]) }, system, "="},
		{"messages appended", prepare, func(p *probe) { p.say(obj{"role": "assistant", "content": "yes"}) }, all, "="},
		{"string content for one block", prepare, func(p *probe) { p.message(1)["content"] = "yes" }, all, "="},
		{"one turn split in two messages", prepare, func(p *probe) {
			c := p.message(0)["content"].([]any)
			p.set("messages", append([]any{obj{"role": "user", "content": c[:2]}, obj{"role": "user", "content": c[2:]}}, p.body["messages"].([]any)[1:]...))
		}, all, "="},
	} {
		for _, m := range []struct {
			model string
			ahead bool
		}{{"claude-opus-5", false}, {"claude-sonnet-5", true}, {"claude-sonnet-5-5", false}} {
			t.Run(row.name+" "+m.model, func(t *testing.T) {
				want := row.want
				if m.ahead && row.ahead != "=" {
					want = row.ahead
				}
				p := newProbe(m.model)
				row.before(p)
				assert.Equal(t, want, p.level(t, fakeapi.New(fakeapi.Options{}), row.change))
			})
		}
	}
}

// TestWhatInvalidatesWhatOnSomeModels are the rows of the same table that not every model takes.
func TestWhatInvalidatesWhatOnSomeModels(t *testing.T) {
	const all, system, tools, none = "messages", "system", "tools", ""
	enabled := func(budget int) obj { return obj{"type": "enabled", "budget_tokens": budget} }
	for _, row := range []struct {
		name, model string
		before      func(*probe)
		change      func(*probe)
		want        string
	}{
		{"thinking switched on", "claude-sonnet-4-6", nil, func(p *probe) { p.set("thinking", obj{"type": "adaptive"}) }, system},
		{"thinking switched on", "claude-haiku-4-5", nil, func(p *probe) { p.set("thinking", enabled(2048)) }, system},
		{"thinking switched on", "claude-opus-4-8", nil, func(p *probe) { p.set("thinking", obj{"type": "adaptive"}) }, none},
		{"thinking switched off", "claude-sonnet-5", nil, func(p *probe) { p.set("thinking", obj{"type": "disabled"}) }, none},
		{"thinking switched off", "claude-opus-5", nil, func(p *probe) { p.set("thinking", obj{"type": "disabled"}) }, system},
		{"the default of thinking said", "claude-sonnet-5", nil, func(p *probe) { p.set("thinking", obj{"type": "adaptive"}) }, all},
		{"between_tools", "claude-sonnet-5-5", nil, func(p *probe) { p.set("thinking", obj{"type": "between_tools"}) }, system},
		{"budget", "claude-sonnet-4-6", func(p *probe) { p.set("thinking", enabled(2048)) }, func(p *probe) { p.set("thinking", enabled(3000)) }, system},
		{"budget", "claude-haiku-4-5", func(p *probe) { p.set("thinking", enabled(2048)) }, func(p *probe) { p.set("thinking", enabled(3000)) }, system},
		{"mode", "claude-sonnet-4-6", func(p *probe) { p.set("thinking", enabled(2048)) }, func(p *probe) { p.set("thinking", obj{"type": "adaptive"}) }, system},
		{"effort", "claude-sonnet-4-6", nil, func(p *probe) { p.set("output_config", obj{"effort": "low"}) }, system},
		{"effort", "claude-opus-4-7", nil, func(p *probe) { p.set("output_config", obj{"effort": "low"}) }, none},
		{"effort", "claude-opus-5-5", nil, func(p *probe) { p.set("output_config", obj{"effort": "low"}) }, system},
		{"effort", "claude-fable-5", nil, func(p *probe) { p.set("output_config", obj{"effort": "low"}) }, none},
		{"effort", "claude-fable-5-1", nil, func(p *probe) { p.set("output_config", obj{"effort": "low"}) }, system},
		{"forced tool", "claude-sonnet-4-6", nil, func(p *probe) { p.set("tool_choice", obj{"type": "any"}) }, system},
		{"forced tool", "claude-haiku-4-5", nil, func(p *probe) { p.set("tool_choice", obj{"type": "tool", "name": "Bash"}) }, system},
		{"temperature", "claude-sonnet-4-6", nil, func(p *probe) { p.set("temperature", 0.5) }, all},
		{"temperature", "claude-haiku-4-5", nil, func(p *probe) { p.set("temperature", 0.5) }, all},
		{"speed", "claude-opus-4-6", func(p *probe) { p.beta("fast-mode-2026-02-01") }, func(p *probe) { p.set("speed", "fast") }, tools},
		{"speed", "claude-opus-4-8", func(p *probe) { p.beta("fast-mode-2026-02-01") }, func(p *probe) { p.set("speed", "fast") }, tools},
		{"task budget", "claude-opus-4-7", func(p *probe) { p.beta("task-budgets-2026-03-13") },
			func(p *probe) { p.set("output_config", obj{"task_budget": obj{"type": "tokens", "total": 50_000}}) }, system},
		{"task budget", "claude-opus-5", func(p *probe) { p.beta("task-budgets-2026-03-13") },
			func(p *probe) { p.set("output_config", obj{"task_budget": obj{"type": "tokens", "total": 50_000}}) }, system},
		{"system message appended", "claude-opus-4-8", nil, func(p *probe) {
			p.set("messages", append(p.body["messages"].([]any), obj{"role": "system", "content": "be brief"}))
		}, all},
		{"system message appended", "claude-sonnet-5", nil, func(p *probe) {
			p.set("messages", append(p.body["messages"].([]any), obj{"role": "system", "content": "be brief"}))
		}, all},
	} {
		t.Run(row.name+" "+row.model, func(t *testing.T) {
			p := newProbe(row.model)
			if row.before != nil {
				row.before(p)
			}
			assert.Equal(t, row.want, p.level(t, fakeapi.New(fakeapi.Options{}), row.change))
		})
	}
}

// TestUnsettledFactsOfTheKey are the options of messages-api.md 12 that decide which prefixes are the same, each at
// its other value.
func TestUnsettledFactsOfTheKey(t *testing.T) {
	for _, row := range []struct {
		name, model string
		opt         promptcache.Options
		change      func(*probe)
		want        string
	}{
		{"betas_in_cache_key", "claude-sonnet-5", promptcache.Options{BetasInKey: true}, func(p *probe) { p.beta("interleaved-thinking-2025-05-14") }, ""},
		{"betas_in_cache_key, none sent", "claude-sonnet-5", promptcache.Options{BetasInKey: true}, func(p *probe) {}, "messages"},
		{"split_turn_is_same_prefix", "claude-sonnet-5", promptcache.Options{SplitTurnsDiffer: true}, func(p *probe) {
			c := p.message(0)["content"].([]any)
			p.set("messages", append([]any{obj{"role": "user", "content": c[:2]}, obj{"role": "user", "content": c[2:]}}, p.body["messages"].([]any)[1:]...))
		}, "system"},
		{"split_turn_is_same_prefix, nothing split", "claude-sonnet-5", promptcache.Options{SplitTurnsDiffer: true}, func(p *probe) {}, "messages"},
		{"thinking_config_invalidates_system off", "claude-sonnet-5", promptcache.Options{ThinkingKeepsSystem: map[string]bool{"claude-sonnet-5": true}},
			func(p *probe) { p.set("output_config", obj{"effort": "low"}) }, "system"},
		{"thinking_config_invalidates_system on", "claude-opus-5", promptcache.Options{ThinkingKeepsSystem: map[string]bool{"claude-opus-5": false}},
			func(p *probe) { p.set("output_config", obj{"effort": "low"}) }, ""},
	} {
		t.Run(row.name, func(t *testing.T) {
			assert.Equal(t, row.want, newProbe(row.model).level(t, fakeapi.New(fakeapi.Options{Cache: row.opt}), row.change))
		})
	}
}
