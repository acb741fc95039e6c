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
	"harnessbench/internal/model"
)

func hour() obj { return obj{"type": "ephemeral", "ttl": "1h"} }

// at sends a body a while after the beginning.
func at(t require.TestingT, s *fakeapi.Server, after time.Duration, body obj, header ...fakeapi.Field) fakeapi.Response {
	data, err := json.Marshal(body)
	require.NoError(t, err)
	return s.Handle(begin.Add(after), fakeapi.Request{Method: "POST", Path: "/v1/messages", Header: append(header, usual...), Body: data})
}

// usage is what the wire says about a request that was taken.
func usage(t require.TestingT, resp fakeapi.Response) fakeapi.Usage {
	require.Equal(t, 200, resp.Status, "%s", resp.Body())
	return resp.View.Usage
}

// marked is a conversation of short texts in one user message, with breakpoints at some of them.
func marked(model string, n int, at map[int]obj) obj {
	var blocks []any
	for i := range n {
		b := text(fmt.Sprintf("block %d", i))
		if cc := at[i]; cc != nil {
			b["cache_control"] = cc
		}
		blocks = append(blocks, b)
	}
	blocks[0].(obj)["text"] = long
	return obj{"model": model, "max_tokens": 100, "messages": []any{obj{"role": "user", "content": blocks}}}
}

func TestLookbackThroughTheServer(t *testing.T) { // messages-api.md 5.3
	for _, tc := range []struct {
		behind int // positions between entry and breakpoint, both counted
		hit    bool
	}{{19, true}, {20, true}, {21, false}} {
		s := fakeapi.New(fakeapi.Options{})
		first := usage(t, at(t, s, 0, marked("claude-sonnet-4-6", 16, map[int]obj{15: mark()})))
		require.Positive(t, first.Write5m)
		second := at(t, s, time.Minute, marked("claude-sonnet-4-6", 15+tc.behind, map[int]obj{14 + tc.behind: mark()}))
		u := usage(t, second)
		if !tc.hit {
			assert.Zero(t, u.Read, "%d positions", tc.behind)
			assert.Equal(t, "outside the lookback window", second.View.Cold)
			continue
		}
		assert.Equal(t, first.Write5m, u.Read, "%d positions", tc.behind)
	}
}

func TestARunOfThirtyResultsIsOnePosition(t *testing.T) { // messages-api.md 5.3
	turn := func(marked string) []any {
		var calls, results []any
		for i := range 30 {
			id := fmt.Sprintf("toolu_%d", i)
			calls = append(calls, obj{"type": "tool_use", "id": id, "name": "Bash", "input": obj{"command": fmt.Sprint(i)}})
			results = append(results, obj{"type": "tool_result", "tool_use_id": id, "content": fmt.Sprint(i)})
		}
		first := text(long)
		switch marked {
		case "first":
			first["cache_control"] = mark()
		case "last":
			results[29].(obj)["cache_control"] = mark()
		case "inside":
			results[9].(obj)["cache_control"] = mark()
		}
		return []any{obj{"role": "user", "content": []any{first}}, obj{"role": "assistant", "content": calls}, obj{"role": "user", "content": results}}
	}
	ask := func(marked string) obj {
		return obj{"model": "claude-sonnet-4-6", "max_tokens": 100, "tools": []any{bash}, "messages": turn(marked)}
	}
	s := fakeapi.New(fakeapi.Options{})
	first := usage(t, at(t, s, 0, ask("first")))
	resp := at(t, s, time.Minute, ask("last"))
	second := usage(t, resp)
	assert.Equal(t, first.Write5m, second.Read, "60 blocks lie between, in two positions")
	assert.Equal(t, 4, resp.View.Positions, "tool, text, calls, results")
	third := usage(t, at(t, s, 2*time.Minute, ask("last")))
	assert.Equal(t, second.Read+second.Write5m, third.Read)
	assert.Zero(t, third.Write5m)

	s = fakeapi.New(fakeapi.Options{})
	inside := usage(t, at(t, s, 0, ask("inside")))
	again := usage(t, at(t, s, time.Minute, ask("inside")))
	assert.Equal(t, inside.Write5m, again.Read, "a breakpoint finds the entry at its own block, even inside a run")
	end := usage(t, at(t, s, 2*time.Minute, ask("last")))
	assert.Zero(t, end.Read, "another looks at the end of the run, where nothing is stored")
}

func TestAnEntryDiesAtItsTick(t *testing.T) { // messages-api.md 5.4
	for _, ttl := range []struct {
		cc   obj
		life time.Duration
	}{{mark(), 5 * time.Minute}, {hour(), time.Hour}} {
		body := func() obj { return marked("claude-sonnet-5-5", 2, map[int]obj{1: ttl.cc}) }
		for _, tc := range []struct {
			after time.Duration
			opt   promptcache.Options
			alive bool
		}{
			{ttl.life - 1, promptcache.Options{}, true},
			{ttl.life, promptcache.Options{}, false},
			{ttl.life + 1, promptcache.Options{}, false},
			{ttl.life + time.Second - 1, promptcache.Options{Linger: time.Second}, true},
			{ttl.life + time.Second, promptcache.Options{Linger: time.Second}, false},
		} {
			s := fakeapi.New(fakeapi.Options{Cache: tc.opt})
			first := usage(t, at(t, s, 0, body()))
			resp := at(t, s, tc.after, body())
			u := usage(t, resp)
			wrote := first.Write5m + first.Write1h
			if tc.alive {
				assert.Equal(t, wrote, u.Read, "%s", tc.after)
				assert.Zero(t, u.Write5m+u.Write1h)
			} else {
				assert.Zero(t, u.Read, "%s", tc.after)
				assert.Equal(t, wrote, u.Write5m+u.Write1h)
				assert.Equal(t, "expired", resp.View.Cold)
			}
		}
	}
}

func TestAHitRefreshes(t *testing.T) { // messages-api.md 5.4
	short := marked("claude-sonnet-5-5", 2, map[int]obj{1: mark()})
	longer := marked("claude-sonnet-5-5", 4, map[int]obj{1: mark(), 3: mark()})
	later := marked("claude-sonnet-5-5", 4, map[int]obj{3: mark()})
	const four = 4 * time.Minute
	s := fakeapi.New(fakeapi.Options{})
	wrote := usage(t, at(t, s, 0, short)).Write5m
	for i := 1; i < 5; i++ {
		assert.Equal(t, wrote, usage(t, at(t, s, time.Duration(i)*four, short)).Read, "each use restarts the five minutes")
	}

	for _, keep := range []bool{false, true} { // refresh_shorter_entries true and false
		s := fakeapi.New(fakeapi.Options{Cache: promptcache.Options{KeepShorter: keep}})
		usage(t, at(t, s, 0, longer))
		require.Positive(t, usage(t, at(t, s, four, later)).Read)
		require.Positive(t, usage(t, at(t, s, 2*four, later)).Read)
		u := usage(t, at(t, s, 2*four+time.Minute, short))
		if keep {
			assert.Zero(t, u.Read)
		} else {
			assert.Equal(t, wrote, u.Read, "the shorter entry on the path of the hits lives too, marked or not")
		}
	}
}

func TestTTLsAreBilledApart(t *testing.T) { // messages-api.md 5.4
	for _, id := range []string{"claude-sonnet-4-6", "claude-opus-5-5"} {
		s := fakeapi.New(fakeapi.Options{})
		resp := at(t, s, 0, marked(id, 9, map[int]obj{2: hour(), 5: mark(), 8: mark()}))
		u := usage(t, resp)
		b := resp.View.Breakpoints
		require.Len(t, b, 3)
		assert.Equal(t, fakeapi.Usage{Input: resp.View.Total - b[2].Tokens, Write1h: b[0].Tokens, Write5m: b[2].Tokens - b[0].Tokens, Output: u.Output}, u)
		assert.Contains(t, string(resp.Body()), fmt.Sprintf(`"cache_creation":{"ephemeral_5m_input_tokens":%d,"ephemeral_1h_input_tokens":%d}`, u.Write5m, u.Write1h))

		u = usage(t, at(t, s, 6*time.Minute, marked(id, 12, map[int]obj{2: hour(), 8: mark(), 11: mark()})))
		assert.Equal(t, b[0].Tokens, u.Read, "after six minutes the hour's entry alone is left")
		assert.Zero(t, u.Write1h)

		u = usage(t, at(t, s, 7*time.Minute, marked(id, 12, map[int]obj{2: hour(), 5: hour(), 8: mark(), 11: mark()})))
		assert.Positive(t, u.Read)
		m, _ := model.Lookup(id)
		cost := m.Cost(model.Spent{Input: u.Input, Write5m: u.Write5m, Write1h: u.Write1h, Read: u.Read, Output: u.Output})
		p := m.Price
		assert.InDelta(t, (float64(u.Input)+1.25*float64(u.Write5m)+2*float64(u.Write1h))*p.Input+float64(u.Read)*p.Read+float64(u.Output)*p.Output, cost*1e6, 1e-6)
	}
}

// ttl_in_cache_key: a change of TTL misses, or, at the other value, reads the entry and leaves it its own TTL.
func TestAChangeOfTTL(t *testing.T) {
	for _, outside := range []bool{false, true} {
		s := fakeapi.New(fakeapi.Options{Cache: promptcache.Options{TTLOutsideKey: outside}})
		first := usage(t, at(t, s, 0, marked("claude-sonnet-5-5", 2, map[int]obj{1: mark()})))
		resp := at(t, s, time.Minute, marked("claude-sonnet-5-5", 2, map[int]obj{1: hour()}))
		u := usage(t, resp)
		if !outside {
			assert.Zero(t, u.Read)
			assert.Equal(t, first.Write5m, u.Write1h)
			assert.Equal(t, "ttl differs", resp.View.Cold)
			continue
		}
		assert.Equal(t, first.Write5m, u.Read)
		assert.Zero(t, u.Write1h)
		assert.Zero(t, usage(t, at(t, s, 7*time.Minute, marked("claude-sonnet-5-5", 2, map[int]obj{1: hour()}))).Read, "it kept its five minutes")
	}
}

func TestAutomaticCaching(t *testing.T) { // messages-api.md 5.5
	auto := func(body obj, cc obj) obj { body["cache_control"] = cc; return body }
	explicit := usage(t, at(t, fakeapi.New(fakeapi.Options{}), 0, marked("claude-sonnet-4-6", 3, map[int]obj{2: mark()})))
	for _, tc := range []struct {
		name string
		body obj
		want string // "" like explicit
	}{
		{"alone", auto(marked("claude-sonnet-4-6", 3, nil), mark()), ""},
		{"the last block marked too", auto(marked("claude-sonnet-4-6", 3, map[int]obj{2: mark()}), mark()), ""},
		{"the last block marked with another TTL", auto(marked("claude-sonnet-4-6", 3, map[int]obj{2: hour()}), mark()), "refused"},
		{"beside four", auto(marked("claude-sonnet-4-6", 6, map[int]obj{0: mark(), 1: mark(), 2: mark(), 3: mark()}), mark()),
			"A maximum of 4 blocks with cache_control may be provided. Found 5."},
		{"short behind an hour", auto(marked("claude-sonnet-4-6", 3, map[int]obj{0: hour()}), mark()), "split"},
		{"an hour behind short", auto(marked("claude-sonnet-4-6", 3, map[int]obj{0: mark()}), hour()), "refused"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			resp := at(t, fakeapi.New(fakeapi.Options{}), 0, tc.body)
			switch tc.want {
			case "":
				assert.Equal(t, explicit, usage(t, resp))
			case "split":
				u := usage(t, resp)
				assert.Positive(t, u.Write1h)
				assert.Equal(t, explicit.Write5m, u.Write1h+u.Write5m)
			case "refused":
				assert.Equal(t, 400, resp.Status)
			default:
				assert.Equal(t, tc.want, errorText(t, resp))
			}
		})
	}
	t.Run("a turn-scoped message is passed over", func(t *testing.T) {
		body := auto(marked("claude-sonnet-5-5", 3, nil), mark())
		body["messages"] = append(body["messages"].([]any), obj{"role": "system", "content": "brief", "clear_at": "next_user_message"})
		resp := at(t, fakeapi.New(fakeapi.Options{}), 0, body, fakeapi.Field{Name: "anthropic-beta", Value: "mid-conversation-system-clear-at-2026-08-21"})
		require.Positive(t, usage(t, resp).Write5m)
		assert.Equal(t, "messages.0.content.2", resp.View.Breakpoints[0].Path)
	})
	t.Run("it moves along", func(t *testing.T) {
		s := fakeapi.New(fakeapi.Options{})
		first := usage(t, at(t, s, 0, auto(marked("claude-sonnet-4-6", 3, nil), mark())))
		second := usage(t, at(t, s, time.Minute, auto(marked("claude-sonnet-4-6", 5, nil), mark())))
		assert.Equal(t, first.Write5m, second.Read)
		assert.Positive(t, second.Write5m)
	})
}

func TestCachesStayApart(t *testing.T) { // messages-api.md 5.1
	accounts := []fakeapi.Account{
		{Key: "one", Organization: "11111111-1111-4111-8111-111111111111"},
		{Key: "one too", Organization: "11111111-1111-4111-8111-111111111111"},
		{Key: "one elsewhere", Organization: "11111111-1111-4111-8111-111111111111", Workspace: "wrkspc_other"},
		{Key: "two", Organization: "22222222-2222-4222-8222-222222222222"},
	}
	key := func(k string) fakeapi.Field { return fakeapi.Field{Name: "x-api-key", Value: k} }
	workspace := func(w string) fakeapi.Field { return fakeapi.Field{Name: "anthropic-workspace-id", Value: w} }
	for _, tc := range []struct {
		name   string
		header []fakeapi.Field
		shared bool
	}{
		{"the same key", []fakeapi.Field{key("one")}, true},
		{"another key of the organisation", []fakeapi.Field{key("one too")}, true},
		{"a key of another workspace", []fakeapi.Field{key("one elsewhere")}, false},
		{"another organisation", []fakeapi.Field{key("two")}, false},
		{"an unknown key", []fakeapi.Field{key("somebody")}, false},
		{"a workspace by header", []fakeapi.Field{key("one"), workspace("wrkspc_x")}, false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := fakeapi.New(fakeapi.Options{Accounts: accounts})
			send := func(after time.Duration, header []fakeapi.Field) fakeapi.Response {
				data, err := json.Marshal(marked("claude-sonnet-5-5", 2, map[int]obj{1: mark()}))
				require.NoError(t, err)
				return s.Handle(begin.Add(after), fakeapi.Request{Method: "POST", Path: "/v1/messages", Body: data,
					Header: append([]fakeapi.Field{{Name: "anthropic-version", Value: "2023-06-01"}}, header...)})
			}
			first := usage(t, send(0, []fakeapi.Field{key("one")}))
			resp := send(time.Minute, tc.header)
			if tc.shared {
				assert.Equal(t, first.Write5m, usage(t, resp).Read)
			} else {
				assert.Zero(t, usage(t, resp).Read)
				assert.Equal(t, first.Write5m, usage(t, send(2*time.Minute, tc.header)).Read, "it has its own")
			}
		})
	}
	t.Run("other keys are refused where keys are named", func(t *testing.T) {
		s := fakeapi.New(fakeapi.Options{Keys: []string{"named"}, Accounts: accounts})
		body := marked("claude-sonnet-5-5", 2, nil)
		assert.Equal(t, 401, at(t, s, 0, body, key("x")).Status)
	})
}

func TestPrewarming(t *testing.T) { // messages-api.md 5.9
	warm := func() obj {
		b := marked("claude-sonnet-4-6", 3, map[int]obj{2: mark()})
		b["max_tokens"] = 0
		return b
	}
	s := fakeapi.New(fakeapi.Options{})
	resp := at(t, s, 0, warm())
	first := usage(t, resp)
	assert.Contains(t, string(resp.Body()), `"content":[]`)
	assert.Contains(t, string(resp.Body()), `"stop_reason":"max_tokens"`)
	assert.Zero(t, first.Output)
	assert.Positive(t, first.Write5m)
	again := usage(t, at(t, s, 4*time.Minute, warm()))
	assert.Equal(t, fakeapi.Usage{Input: first.Input, Read: first.Write5m}, again, "billed as a read")
	real := usage(t, at(t, s, 8*time.Minute, marked("claude-sonnet-4-6", 3, map[int]obj{2: mark()})))
	assert.Equal(t, first.Write5m, real.Read, "the read restarted the entry")

	for name, change := range map[string]func(obj){
		"stream":        func(b obj) { b["stream"] = true },
		"thinking":      func(b obj) { b["thinking"] = obj{"type": "enabled", "budget_tokens": 1024} },
		"forced choice": func(b obj) { b["tools"], b["tool_choice"] = []any{bash}, obj{"type": "any"} },
		"format": func(b obj) {
			b["output_config"] = obj{"format": obj{"type": "json_schema", "schema": obj{"type": "object", "properties": obj{}, "additionalProperties": false}}}
		},
	} {
		b := warm()
		change(b)
		assert.Equal(t, 400, at(t, s, 0, b).Status, name)
	}
	b := warm()
	b["thinking"] = obj{"type": "adaptive"}
	assert.Equal(t, 200, at(t, s, 0, b).Status, "adaptive is fine")
}

// An entry can be read from the moment its answer begins (messages-api.md 5.4, H-CACHE-10).
func TestAnEntryIsThereFromTheFirstByte(t *testing.T) {
	s := fakeapi.New(fakeapi.Options{})
	body := func() obj { return marked("claude-sonnet-5-5", 2, map[int]obj{1: mark()}) }
	first := usage(t, at(t, s, 0, body()))
	resp := at(t, s, fakeapi.FirstByte-1, body())
	assert.Equal(t, first, usage(t, resp), "a request before it pays the write too")
	assert.Equal(t, "not yet available", resp.View.Cold)
	assert.Equal(t, first.Write5m, usage(t, at(t, s, fakeapi.FirstByte, body())).Read)
}
