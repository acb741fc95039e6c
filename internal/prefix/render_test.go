package prefix

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"harnessbench/internal/model"
	"harnessbench/internal/wire"
)

func parse(t require.TestingT, body string) *wire.Request {
	req, err := wire.Parse(nil, []byte(body))
	require.NoError(t, err, body)
	return req
}

func modelOf(t require.TestingT, id string) model.Model {
	m, ok := model.Lookup(id)
	require.True(t, ok, id)
	return m
}

// render renders a body whose model is named in it.
func render(t require.TestingT, body string) *Rendered {
	req := parse(t, body)
	return Render(nil, req, modelOf(t, req.Model()), Options{})
}

// sonnet is a body for Sonnet 4.6 with members added.
func sonnet(members string) string { return body("claude-sonnet-4-6", members) }

func body(id, members string) string {
	return `{"model":"` + id + `","max_tokens":100,` + members + `}`
}

func TestFixedPointsOfARequest(t *testing.T) { // messages-api.md 9.1
	for prompt, n := range map[string]int{"hello": 8, "What is 2+2?": 14} {
		for _, id := range []string{"claude-haiku-4-5", "claude-sonnet-4-6", "claude-opus-4-5"} {
			r := render(t, body(id, `"messages":[{"role":"user","content":"`+prompt+`"}]`))
			assert.Equal(t, n, r.Total, id+" "+prompt)
			assert.Equal(t, n-3, r.Blocks.At(0).Tokens, "the tail stays behind the last block")
		}
	}
}

func TestBlocksStandInRenderOrderWithPathsAndPositions(t *testing.T) {
	r := render(t, sonnet(`"messages":[
		{"role":"user","content":"go"},
		{"role":"assistant","content":[{"type":"text","text":"two calls"},
			{"type":"tool_use","id":"a","name":"Bash","input":{}},{"type":"tool_use","id":"b","name":"Bash","input":{}}]},
		{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"1"}]},
		{"role":"user","content":[{"type":"tool_result","tool_use_id":"b","content":"2"},{"type":"text","text":"and?"}]}],
		"system":[{"type":"text","text":"You help."},{"type":"text","text":"Today."}],
		"tools":[{"name":"Bash","input_schema":{"type":"object"}},{"name":"Rare","defer_loading":true,"input_schema":{"type":"object"}}]`))
	type row struct {
		path, typ string
		pos       int
		shown     bool
	}
	var got []row
	for _, b := range r.Blocks.All() {
		got = append(got, row{b.Path(), b.Type, b.Pos, b.Shown})
	}
	assert.Equal(t, []row{
		{"tools.0", "tool", 0, true},
		{"tools.1", "tool", 0, false},
		{"system.0", "text", 1, true},
		{"system.1", "text", 2, true},
		{"messages.0.content.0", "text", 3, true},
		{"messages.1.content.0", "text", 4, true},
		{"messages.1.content.1", "tool_use", 5, true},
		{"messages.1.content.2", "tool_use", 5, true},
		{"messages.2.content.0", "tool_result", 6, true},
		{"messages.3.content.0", "tool_result", 6, true}, // joined with the message before
		{"messages.3.content.1", "text", 7, true},
	}, got)
	for i := 1; i < r.Blocks.Len(); i++ {
		assert.GreaterOrEqual(t, r.Blocks.At(i).Tokens, r.Blocks.At(i-1).Tokens)
	}
	assert.Equal(t, r.Blocks.At(0).Cache, r.Blocks.At(1).Cache, "a deferred tool is in no chain")
}

func TestMarksAreFoundWhereverTheyMayStand(t *testing.T) {
	r := render(t, sonnet(`"tools":[{"name":"a","input_schema":{},"cache_control":{"type":"ephemeral","ttl":"1h"}}],
		"system":[{"type":"text","text":"s","cache_control":{"type":"ephemeral"}}],
		"messages":[{"role":"user","content":[
			{"type":"tool_result","tool_use_id":"a","content":[{"type":"text","text":"1","cache_control":{"type":"ephemeral"}}]},
			{"type":"text","text":"x","cache_control":null}]}],
		"cache_control":{"type":"ephemeral","ttl":"1h"}`))
	var got []Mark
	for _, i := range r.Marked() {
		got = append(got, *r.Mark(i))
	}
	assert.Equal(t, []Mark{
		{time.Hour, "tools.0"}, {5 * time.Minute, "system.0"},
		{5 * time.Minute, "messages.0.content.0.content.0"}, {time.Hour, ""},
	}, got)
}

func TestAutomaticCachingTakesTheLastCacheableBlock(t *testing.T) { // messages-api.md 5.5
	auto := `"cache_control":{"type":"ephemeral"},`
	for name, c := range map[string]struct {
		messages string
		want     int
	}{
		"last block":           {`{"role":"user","content":"a"}`, 0},
		"thinking is passed":   {`{"role":"user","content":"a"},{"role":"assistant","content":[{"type":"text","text":"b"},{"type":"thinking","thinking":"t","signature":"s"}]}`, 1},
		"empty text is passed": {`{"role":"user","content":[{"type":"text","text":"a"},{"type":"text","text":""}]}`, 0},
		"reminder is passed":   {`{"role":"user","content":"a"},{"role":"system","content":"r","clear_at":"next_user_message"}`, 0},
		"marked already":       {`{"role":"user","content":[{"type":"text","text":"a","cache_control":{"type":"ephemeral"}}]}`, -1},
		"nothing to mark":      {`{"role":"user","content":""}`, -1},
	} {
		t.Run(name, func(t *testing.T) {
			r := render(t, body("claude-sonnet-5-5", auto+`"messages":[`+c.messages+`]`))
			assert.Equal(t, c.want, r.auto)
		})
	}
}

// chains renders two bodies and tells up to which level the cache chains agree.
func agree(t *testing.T, a, b *Rendered) (tools, system, messages bool) {
	last := func(r *Rendered, l Level) (h Hash) {
		for _, b := range r.Blocks.All() {
			if b.Level == l && b.Shown {
				h = b.Cache
			}
		}
		return h
	}
	return last(a, Tools) == last(b, Tools), last(a, System) == last(b, System), last(a, Messages) == last(b, Messages)
}

func TestWhatInvalidatesWhichLevel(t *testing.T) { // messages-api.md 5.7
	base := `"tools":[{"name":"a","input_schema":{"type":"object"}}],"system":"You help.","messages":[{"role":"user","content":"hello"}]`
	swap := func(old, new string) string { return strings.Replace(base, old, new, 1) }
	for name, c := range map[string]struct {
		id, members string
		want        string // levels that still hit
	}{
		"nothing":                         {"claude-sonnet-4-6", base, "tools system messages"},
		"model":                           {"claude-sonnet-4-5", base, ""},
		"tool description":                {"claude-sonnet-4-6", swap(`"name":"a"`, `"name":"a","description":"d"`), ""},
		"order in an input schema":        {"claude-sonnet-4-6", swap(`{"type":"object"}`, `{"type":"object","properties":{}}`), ""},
		"order of a tool's own members":   {"claude-sonnet-4-6", swap(`{"name":"a","input_schema":{"type":"object"}}`, `{"input_schema": {"type":"object"},"name":"\u0061"}`), "tools system messages"},
		"deferred tool added":             {"claude-sonnet-4-6", swap(`"tools":[`, `"tools":[{"name":"z","defer_loading":true,"input_schema":{}},`), "tools system messages"},
		"web search switched on":          {"claude-sonnet-4-6", swap(`"tools":[`, `"tools":[{"type":"web_search_20250305","name":"web_search"},`), "tools"},
		"system text":                     {"claude-sonnet-4-6", swap("You help", "You hinder"), "tools"},
		"system as one block":             {"claude-sonnet-4-6", swap(`"You help."`, `[{"text":"You help.","type":"text"}]`), "tools system messages"},
		"speed":                           {"claude-sonnet-4-6", base + `,"speed":"fast"`, "tools"},
		"tool_choice":                     {"claude-sonnet-4-6", base + `,"tool_choice":{"type":"any"}`, "tools system"},
		"tool_choice auto is the default": {"claude-sonnet-4-6", base + `,"tool_choice":{"type":"auto","disable_parallel_tool_use":false}`, "tools system messages"},
		"parallel calls off":              {"claude-sonnet-4-6", base + `,"tool_choice":{"type":"auto","disable_parallel_tool_use":true}`, "tools system"},
		"image":                           {"claude-sonnet-4-6", swap(`"content":"hello"}`, `"content":"hello"},{"role":"user","content":[{"type":"image","source":{"type":"url","url":"u"}}]}`), "tools system"},
		"thinking on":                     {"claude-sonnet-4-6", base + `,"thinking":{"type":"enabled","budget_tokens":1024}`, "tools system"},
		"thinking off said aloud":         {"claude-sonnet-4-6", base + `,"thinking":{"type":"disabled"}`, "tools system messages"},
		"effort":                          {"claude-sonnet-4-6", base + `,"output_config":{"effort":"low"}`, "tools system"},
		"default effort said aloud":       {"claude-sonnet-4-6", base + `,"output_config":{"effort":"high"}`, "tools system messages"},
		"output format":                   {"claude-sonnet-4-6", base + `,"output_config":{"format":{"type":"json_schema","schema":{}}}`, "tools"},
		"sampling, limits, stream":        {"claude-sonnet-4-6", base + `,"temperature":1,"stream":true,"stop_sequences":["x"],"metadata":{"user_id":"u"}`, "tools system messages"},
	} {
		t.Run(name, func(t *testing.T) {
			tools, system, messages := agree(t, render(t, sonnet(base)), render(t, body(c.id, c.members)))
			var got []string
			for _, l := range []struct {
				hit  bool
				name string
			}{{tools, "tools"}, {system, "system"}, {messages, "messages"}} {
				if l.hit {
					got = append(got, l.name)
				}
			}
			assert.Equal(t, c.want, strings.Join(got, " "))
		})
	}
}

func TestEffortMissesOnEverythingOnlyWhereItIsRenderedAhead(t *testing.T) { // 5.7, the "model" columns
	base := `"tools":[{"name":"a","input_schema":{}}],"system":"s","messages":[{"role":"user","content":"hello"}]`
	for id, want := range map[string]bool{"claude-sonnet-5": false, "claude-opus-4-8": false, "claude-opus-5": true, "claude-sonnet-5-5": true, "claude-sonnet-4-6": true} {
		tools, system, messages := agree(t, render(t, body(id, base)), render(t, body(id, base+`,"output_config":{"effort":"low"}`)))
		assert.Equal(t, []bool{want, want, false}, []bool{tools, system, messages}, id)
	}
	req := parse(t, body("claude-sonnet-5", base+`,"output_config":{"effort":"low"}`))
	kept := Options{ThinkingKeepsSystem: map[string]bool{"claude-sonnet-5": true}}
	plain := Render(nil, parse(t, body("claude-sonnet-5", base)), modelOf(t, "claude-sonnet-5"), kept)
	tools, system, _ := agree(t, plain, Render(nil, req, plain.Model, kept))
	assert.True(t, tools && system, "by option")
}

// TestSettingsAreComparedWithoutWhatBlocksSay: an image keeps two requests apart in the cache, and is no setting (5.7).
func TestSettingsAreComparedWithoutWhatBlocksSay(t *testing.T) {
	const plain, shown = `"messages":[{"role":"user","content":"a"}]`,
		`"messages":[{"role":"user","content":"a"},{"role":"user","content":[{"type":"image","source":{"type":"base64","media_type":"image/png","data":"iVBORw0KGgo="}}]}]`
	a, b := render(t, sonnet(plain)), render(t, sonnet(shown))
	require.NotEqual(t, a.Blocks.At(0).Cache, b.Blocks.At(0).Cache)
	require.True(t, a.SameSettings(b))
	for _, other := range []string{`"output_config":{"effort":"low"}`, `"thinking":{"type":"adaptive"}`, `"tool_choice":{"type":"none"}`, `"speed":"fast"`} {
		require.False(t, a.SameSettings(render(t, sonnet(other+","+shown))), other)
	}
	require.True(t, a.SameSettings(render(t, sonnet(`"output_config":{"effort":"high"},`+shown))))
}
