package fakeapi_test

import (
	"bytes"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"harnessbench/fakeapi"
	"harnessbench/fakeapi/fault"
	"harnessbench/fakeapi/script"
	"harnessbench/internal/wire"
)

var spoken = script.Script{Turns: []script.Turn{{Prompt: "go", Answers: []script.Answer{
	{Blocks: []script.Block{
		{Kind: "text", Text: "Größer als 😀, and a text of several deltas in a row."},
		{Kind: "tool_use", Name: "Bash", Input: []byte(`{"command":"make \"test\" größer"}`)},
	}},
	{Blocks: []script.Block{{Kind: "tool_use", Name: "Bash", Input: []byte(`{"command":"make"}`)}}},
	{Blocks: []script.Block{{Kind: "text", Text: "done"}}},
}}}}

const goBody = `{"model":"claude-sonnet-4-6","max_tokens":1000,"stream":true,"tools":[{"name":"Bash","input_schema":{"type":"object"}}],"messages":[{"role":"user","content":"go"}]}`

// faulty asks a server with faults once.
func faulty(t require.TestingT, body string, texts ...string) (fakeapi.Response, *fakeapi.Server) {
	var plan []fault.Fault
	for _, text := range texts {
		f, err := fault.Parse(text)
		require.NoError(t, err)
		plan = append(plan, f)
	}
	s := fakeapi.New(fakeapi.Options{Script: spoken, Seed: 1, Faults: plan})
	return ask(s, body), s
}

func ask(s *fakeapi.Server, body string) fakeapi.Response {
	return s.Handle(begin, fakeapi.Request{Method: "POST", Path: "/v1/messages", Header: usual, Body: []byte(body)})
}

// follow assembles as far as it goes.
func follow(body []byte) (*wire.Answer, error) {
	var sse wire.SSE
	var asm wire.Assembler
	for _, e := range sse.Feed(body) {
		if err := asm.Event(e); err != nil {
			return asm.Answer(), err
		}
	}
	return asm.Answer(), nil
}

func blocksOf(a *wire.Answer) (out []string) {
	for _, b := range a.Blocks {
		out = append(out, string(b.Raw()))
	}
	return out
}

// TestOddButLegalStreamsGiveTheSameMessage: whatever is odd, the message is the one without the fault.
func TestOddButLegalStreamsGiveTheSameMessage(t *testing.T) {
	whole, _ := faulty(t, goBody)
	want, err := follow(whole.Body())
	require.NoError(t, err)
	for _, do := range []string{"ping", "ping,at=event 7", "comment", "crlf", "data_lines", "long_line", "unknown_event", "unknown_delta",
		"empty_delta", "split_input", "split_utf8", "usage_absent", "silence,for=1h", "silence,at=byte 9 of event 3", "pings,for=1m", "statuses,for=1m", "drip", "drip,every=1ms",
		"held", "held,at=event 4", "twice", "silence,at=before_headers"} {
		t.Run(do, func(t *testing.T) {
			resp, _ := faulty(t, goBody, do)
			require.Equal(t, 200, resp.Status)
			require.Empty(t, resp.Broken)
			require.False(t, resp.View.Faults[0].Missed)
			got, err := follow(resp.Body())
			require.NoError(t, err)
			require.True(t, got.Complete)
			if do == "twice" {
				require.NotEqual(t, want.ID, got.ID, "the second run has ids of its own")
				require.Len(t, got.Blocks, len(want.Blocks))
				return
			}
			require.Equal(t, blocksOf(want), blocksOf(got))
			require.NotEqual(t, whole.Frames, resp.Frames, "the fault changed something")
		})
	}
}

// TestIllegalStreamsAreSeen: a reader that follows the grammar says what is wrong.
func TestIllegalStreamsAreSeen(t *testing.T) {
	for do, want := range map[string]string{ // any order: each is a test of its own
		"index_gap":                             "block 1 starts where block 0 is due",
		"index_gap,at=event content_block_stop": "block 2 starts where block 1 is due",
		"index_reuse":                           "block 0 starts where block 1 is due",
		"stray_delta":                           "block 77 was not started",
		"stray_delta,at=event 5":                "block 77 is not open, block 0 is",
		"double_stop":                           "block 0 has stopped",
		"start_twice":                           "may not come between message_start and message_delta",
		"start_other":                           "may not come between message_start and message_delta",
		"error_event":                           "stream error: overloaded_error: Overloaded",
		"error_event,at=event 6,type=api_error": "stream error: api_error: Internal server error",
	} {
		t.Run(do, func(t *testing.T) {
			resp, _ := faulty(t, goBody, do)
			require.Equal(t, 200, resp.Status)
			_, err := follow(resp.Body())
			require.ErrorContains(t, err, want)
		})
	}
	first, _ := faulty(t, goBody, "start_other")
	whole, _ := faulty(t, goBody)
	a, err := follow(whole.Body())
	require.NoError(t, err)
	require.Equal(t, 1, bytes.Count(first.Body(), []byte(a.ID)), "the second start has another id")
	again, _ := faulty(t, goBody, "start_twice")
	require.Equal(t, 2, bytes.Count(again.Body(), []byte(a.ID)))
}

func TestBrokenStreams(t *testing.T) {
	whole, _ := faulty(t, goBody)
	for _, tc := range []struct {
		do     string
		broken string
		frames int
		bytes  int // of the last frame; 0: all of it
	}{
		{"reset,at=after_headers", "reset", 1, -1},
		{"reset,at=event 3", "reset", 3, 0},
		{"reset,at=byte 5 of event 4", "reset", 4, 5},
		{"reset,at=byte 100000 of event 4", "reset", 4, 0},
		{"reset,at=end", "reset", len(whole.Frames), 0},
		{"end", "", len(whole.Frames) - 1, 0},
		{"end,at=event message_start", "", 1, 0},
		{"end,at=after_headers", "", 1, -1},
		{"end,at=event text_delta 2", "", 5, 0},
		{"end,at=event content_block_start of tool_use", "", 8, 0},
	} {
		t.Run(tc.do, func(t *testing.T) {
			resp, _ := faulty(t, goBody, tc.do)
			require.Equal(t, 200, resp.Status)
			require.Equal(t, tc.broken, resp.Broken)
			require.Len(t, resp.Frames, tc.frames)
			switch last := resp.Frames[tc.frames-1]; {
			case tc.bytes < 0:
				require.Empty(t, last.Data)
			case tc.bytes > 0:
				require.Equal(t, whole.Frames[tc.frames-1].Data[:tc.bytes], last.Data)
			default:
				require.Equal(t, whole.Frames[tc.frames-1].Data, last.Data)
			}
		})
	}
}

func TestRefusalsOnDemand(t *testing.T) {
	for _, tc := range []struct {
		do, typ, message string
		status           int
		header           map[string]string
	}{
		{"overloaded", "overloaded_error", "Overloaded", 529, map[string]string{"retry-after": ""}},
		{"rate_limit", "rate_limit_error", "This request would exceed your organization's rate limit of 50,000 input tokens per minute.", 429, map[string]string{"retry-after": "5"}},
		{"rate_limit,retry_after=500ms", "rate_limit_error", "This request would exceed your organization's rate limit of 50,000 input tokens per minute.", 429, map[string]string{"retry-after": "", "retry-after-ms": "500"}},
		{"rate_limit,retry_after=none,message=slower", "rate_limit_error", "slower", 429, map[string]string{"retry-after": ""}},
		{"overloaded,retry_after=date", "overloaded_error", "Overloaded", 529, map[string]string{"retry-after": "Thu, 01 Oct 2026 12:00:30 GMT"}},
		{"unavailable,retry_after=absurd", "api_error", "Service Unavailable", 503, map[string]string{"retry-after": "99999999"}},
		{"server_error,retry_after=junk", "api_error", "Internal server error", 500, map[string]string{"retry-after": "soon"}},
		{"spend_limit", "rate_limit_error", "You have reached your API usage limits. You will regain access on 2026-12-01 at 00:00 UTC.", 429, map[string]string{"retry-after": ""}},
		{"refuse,status=400,should_retry=true", "invalid_request_error", "Error", 400, map[string]string{"x-should-retry": "true"}},
		{"refuse,status=418", "invalid_request_error", "Error", 418, nil},
		{"gateway_timeout,should_retry=false", "timeout_error", "Request timed out", 504, map[string]string{"x-should-retry": "false"}},
	} {
		t.Run(tc.do, func(t *testing.T) {
			resp, s := faulty(t, goBody, tc.do+",call=1")
			require.Equal(t, tc.status, resp.Status)
			typ, message, ok := wire.APIError(resp.Body())
			require.True(t, ok)
			assert.Equal(t, tc.typ, typ)
			assert.Equal(t, tc.message, message)
			assert.Equal(t, "fault", resp.View.Rule)
			for name, want := range tc.header { // any order: each is its own check
				got := ""
				for _, h := range resp.Header {
					if h.Name == name {
						got = h.Value
					}
				}
				assert.Equal(t, want, got, name)
			}
			next := ask(s, goBody)
			require.Equal(t, 200, next.Status, "the second call meets nothing")
			require.Empty(t, next.View.Faults)
		})
	}
	page, _ := faulty(t, goBody, "gateway_page,status=200")
	require.Equal(t, 200, page.Status)
	require.Equal(t, []fakeapi.Field{{Name: "content-type", Value: "text/html"}}, page.Header)
	require.Contains(t, string(page.Body()), "<html>")
	text, _ := faulty(t, goBody, "not_json")
	_, _, ok := wire.APIError(text.Body())
	require.False(t, ok)
}

func TestNoAnswerAtAll(t *testing.T) {
	for do, want := range map[string]string{"refused": "refused", "unreachable": "unreachable", "timeout,for=9s": "timeout", "reset": "reset", "lost": "reset"} { // any order: each is a test of its own
		resp, s := faulty(t, goBody, do)
		require.Zero(t, resp.Status, do)
		require.Equal(t, want, resp.Broken)
		require.Len(t, resp.Frames, 1)
		require.Equal(t, []fakeapi.Struck{{Name: do[:len(do)-len(do[len(resp.View.Faults[0].Name):])], At: "before_headers"}}, s.TakeStruck())
		require.Empty(t, s.TakeStruck())
	}
	late, _ := faulty(t, goBody, "timeout,for=9s")
	require.Equal(t, 9*time.Second, late.Frames[0].After)
}

// TestALostAnswerIsBilled: what the request wrote to the cache stays, and who asks again reads it and hears the
// same; a request that was never processed leaves nothing.
func TestALostAnswerIsBilled(t *testing.T) {
	for do, read := range map[string]bool{"lost": true, "reset,at=after_headers": true, "reset": false, "overloaded": false} { // any order: each is a test of its own
		f, err := fault.Parse(do + ",call=1")
		require.NoError(t, err)
		rules := script.Script{Rules: []script.Rule{{Answers: []script.Answer{
			{Blocks: []script.Block{{Kind: "text", Text: "first"}}}, {Blocks: []script.Block{{Kind: "text", Text: "second"}}}}}}}
		c := newChat(t, fakeapi.New(fakeapi.Options{Faults: []fault.Fault{f}, Script: rules}), "claude-sonnet-4-6")
		c.user(obj{"type": "text", "text": "hello"})
		c.do()
		c.now = c.now.Add(time.Minute)
		again := c.do()
		require.Equal(t, 200, again.Status)
		require.Equal(t, read, again.View.Usage.Read > 0, do)
		require.Contains(t, string(again.Body()), "first", do)
		require.Contains(t, string(c.do().Body()), "second", do)
	}
	reset, err := fault.Parse("reset,call=2")
	require.NoError(t, err)
	s := fakeapi.New(fakeapi.Options{Faults: []fault.Fault{reset}, Script: script.Script{Rules: []script.Rule{{Answers: []script.Answer{
		{Blocks: []script.Block{{Kind: "text", Text: "first"}}}, {Blocks: []script.Block{{Kind: "text", Text: "second"}}}}}}}})
	require.Contains(t, string(ask(s, goBody).Body()), "first")
	require.Zero(t, ask(s, goBody).Status)
	require.Contains(t, string(ask(s, goBody).Body()), "second", "an answer that got through is not said again")
}

func TestUsageFaults(t *testing.T) {
	whole, _ := faulty(t, goBody)
	right, err := follow(whole.Body())
	require.NoError(t, err)
	for do, want := range map[string]func(wire.Usage) wire.Usage{ // any order: each is a test of its own
		"usage_zero":    func(wire.Usage) wire.Usage { return wire.Usage{} },
		"usage_doubled": func(u wire.Usage) wire.Usage { u.Input, u.Output = 2*u.Input, 2*u.Output; return u },
		"tokens_backwards": func(u wire.Usage) wire.Usage {
			u.Output /= 2
			return u
		},
	} {
		resp, _ := faulty(t, goBody, do)
		a, err := follow(resp.Body())
		require.NoError(t, err)
		w := want(right.Usage)
		require.Equal(t, [2]int{w.Input, w.Output}, [2]int{a.Usage.Input, a.Usage.Output}, do)
	}
	c := newChat(t, fakeapi.New(fakeapi.Options{Faults: []fault.Fault{{Do: "usage_with_cached"}}}), "claude-sonnet-4-6")
	c.user(obj{"type": "text", "text": "hello"})
	a, err := wire.ParseAnswer(c.do().Body())
	require.NoError(t, err)
	v := c.last.View.Usage
	require.Positive(t, v.Write5m)
	require.Equal(t, v.Input+v.Write5m, a.Usage.Input)
}

func TestJSONWhereAStreamWasAskedFor(t *testing.T) {
	whole, _ := faulty(t, goBody)
	want, err := follow(whole.Body())
	require.NoError(t, err)
	resp, _ := faulty(t, goBody, "json")
	got, err := wire.ParseAnswer(resp.Body())
	require.NoError(t, err)
	require.Equal(t, blocksOf(want), blocksOf(got))
	require.Equal(t, want.StopReason, got.StopReason)
	require.Equal(t, want.Usage.Output, got.Usage.Output)
}

func TestACallIDIsUsedAgain(t *testing.T) {
	f, err := fault.Parse("reuse_call_id,call=2")
	require.NoError(t, err)
	c := newChat(t, fakeapi.New(fakeapi.Options{Script: spoken, Faults: []fault.Fault{f}}), "claude-sonnet-4-6")
	first := c.ask(obj{"type": "text", "text": "go"})
	id := first.Blocks[1].Get("id").Text()
	second := c.ask(obj{"type": "tool_result", "tool_use_id": id, "content": "ok"})
	require.Equal(t, id, second.Blocks[0].Get("id").Text())
	c.user(obj{"type": "tool_result", "tool_use_id": id, "content": "ok"})
	require.Equal(t, 400, c.do().Status)
	require.Contains(t, string(c.last.Body()), "`tool_use` ids must be unique")
}

// TestAFaultWithoutItsPlaceIsSaidSo: nothing changes, and the view tells.
func TestAFaultWithoutItsPlaceIsSaidSo(t *testing.T) {
	whole, _ := faulty(t, goBody)
	for _, do := range []string{"reset,at=event 999", "reset,at=event content_block_stop of tool_use 2", "error_event,at=event thinking_delta", "reuse_call_id"} {
		resp, _ := faulty(t, goBody, do)
		require.Equal(t, whole.Frames, resp.Frames)
		require.True(t, resp.View.Faults[0].Missed, do)
	}
	refused, _ := faulty(t, `{"model":1}`, "json")
	require.True(t, refused.View.Faults[0].Missed)
}

func TestFaultsAreDrawnFromTheSeed(t *testing.T) {
	struck := func(seed uint64) (out string) {
		s := fakeapi.New(fakeapi.Options{Script: spoken, Seed: seed, Faults: []fault.Fault{{Do: "overloaded", When: fault.Match{Chance: 0.5}}}})
		for range 40 {
			out += fmt.Sprint(ask(s, goBody).Status/100, " ")
		}
		return out
	}
	require.Equal(t, struck(1), struck(1))
	require.NotEqual(t, struck(1), struck(2))
	require.Contains(t, struck(1), "5")
	require.Contains(t, struck(1), "2")
}

// TestNoFaultBreaksServerOrReader: any faults at any places of any answer, streamed or not, cut anywhere.
func TestNoFaultBreaksServerOrReader(t *testing.T) {
	names := fault.Kinds()
	places := []string{"", "before_headers", "after_headers", "end", "event 1", "event 4", "byte 7 of event 2", "event content_block_stop", "byte 40 of event text_delta 2", "event content_block_start of tool_use", "event 500"}
	rapid.Check(t, func(t *rapid.T) {
		var plan []fault.Fault
		for range rapid.IntRange(1, 4).Draw(t, "faults") {
			f := fault.Fault{Do: rapid.SampledFrom(names).Draw(t, "do")}
			if f.Do == "refuse" {
				f.Status = 503
			}
			if at := rapid.SampledFrom(places).Draw(t, "at"); at != "" {
				require.NoError(t, f.Set("at", at))
			}
			if f.Check() != nil {
				f.At = fault.Position{}
			}
			require.NoError(t, f.Check())
			f.When.Call = rapid.IntRange(0, 2).Draw(t, "call")
			plan = append(plan, f)
		}
		s := fakeapi.New(fakeapi.Options{Script: spoken, Seed: 3, Faults: plan})
		body := goBody
		if rapid.Bool().Draw(t, "not streamed") {
			body = string(bytes.Replace([]byte(body), []byte(`"stream":true,`), nil, 1))
		}
		for range 3 {
			resp := ask(s, body)
			at := time.Duration(0)
			for i, fr := range resp.Frames {
				require.GreaterOrEqual(t, fr.After, at, "frame %d goes back in time", i)
				at = fr.After
			}
			for _, p := range resp.Pauses {
				require.LessOrEqual(t, p.Frame, len(resp.Frames))
			}
			if resp.Status == 0 {
				require.NotEmpty(t, resp.Broken)
			} else {
				require.NotEmpty(t, resp.Frames)
			}
			data := resp.Body()
			whole, wholeErr := follow(data)
			cut := rapid.IntRange(0, len(data)).Draw(t, "chunk")
			var sse wire.SSE
			var asm wire.Assembler
			var err error
			for _, e := range append(sse.Feed(data[:cut]), sse.Feed(data[cut:])...) {
				if err = asm.Event(e); err != nil {
					break
				}
			}
			require.Equal(t, wholeErr == nil, err == nil)
			require.Equal(t, blocksOf(whole), blocksOf(asm.Answer()))
		}
	})
}
