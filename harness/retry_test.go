package harness_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"harnessbench/harness"
	"harnessbench/harness/sessionlog"
	"harnessbench/harness/world"
	"harnessbench/harness/world/sim"
	"harnessbench/internal/wire"
)

// ear keeps what a session tells.
type ear struct {
	logged  []*sessionlog.Entry
	retries []harness.Retry
	events  []string
	ended   []harness.Result
}

func (e *ear) Logged(entry *sessionlog.Entry) { e.logged = append(e.logged, entry) }
func (e *ear) Retrying(r harness.Retry)       { e.retries = append(e.retries, r) }
func (e *ear) Streamed(data []byte)           { e.events = append(e.events, string(data)) }
func (e *ear) Ended(r harness.Result)         { e.ended = append(e.ended, r) }

// refusal is an error answer of the API.
func refusal(status int, typ, message string, header ...world.Field) answer {
	body := fmt.Sprintf(`{"type":"error","error":{"type":%q,"message":%q},"request_id":"req_1"}`, typ, message)
	return answer{exchange: &sim.Exchange{Status: status, Header: header, Frames: []sim.Frame{{After: time.Second, Data: []byte(body)}}}}
}

func overload() answer { return refusal(529, "overloaded_error", "Overloaded") }

func retryAfter(value string) world.Field { return world.Field{Name: "retry-after", Value: value} }

// listened runs one prompt with a listener, and gives what it heard and the entries of the log.
func listened(r *rig, text string) (harness.Outcome, *ear, []map[string]any) {
	r.t.Helper()
	var out harness.Outcome
	heard, file := &ear{}, ""
	r.session(func(w world.World, s *harness.Session) {
		s.Listen(heard)
		out, file = r.prompt(w, s, text), s.File()
	})
	return out, heard, r.log(file)
}

// ofType counts entries by type and subtype.
func ofType(entries []map[string]any, typ, subtype string) (out []map[string]any) {
	for _, e := range entries {
		if e["type"] == typ && (subtype == "" || e["subtype"] == subtype) {
			out = append(out, e)
		}
	}
	return out
}

// What may pass is tried again with the same bytes, and leaves nothing behind but its record (H-LOOP-45, H-LOOP-49; bugs
// k-time-based-clear-on-request-error, s-retry-preamble-duplicated, s-index-gap, s-drop-mislabelled-as-limit,
// s-partial-json-salvaged, t-truncated-signature-persisted, p-max-tokens-dangling-call).
func TestWhatMayPassIsTriedAgain(t *testing.T) {
	faults := map[string]answer{
		"no connection":                {exchange: &sim.Exchange{Err: errors.New("refused")}},
		"gateway page":                 {exchange: &sim.Exchange{Status: 502, Frames: []sim.Frame{{Data: []byte("<html>")}}}},
		"cut before anything":          cut(0, errors.New("reset"), ""),
		"cut behind message_start":     cut(1, nil, ""),
		"cut in text":                  cut(3, errors.New("reset"), "", text("A.")),
		"cut in a signature":           cut(4, errors.New("reset"), "", thinking("hm", "c2ln"), text("A.")),
		"cut behind thinking":          cut(7, nil, "", thinking("hm", "c2ln"), text("A.")),
		"cut in the input of a call":   cut(3, errors.New("reset"), "", use("a", "Write", `{"file_path":"/w/app/f","content":"line"}`)),
		"an event that may not come":   cut(1, nil, "event: content_block_start\ndata: {\"type\":\"content_block_start\",\"index\":2,\"content_block\":{\"type\":\"text\",\"text\":\"\"}}\n\n"),
		"an error event":               cut(1, nil, "event: error\ndata: {\"type\":\"error\",\"error\":{\"type\":\"api_error\",\"message\":\"oops\"}}\n\n"),
		"a whole answer of no content": says(),
	}
	for _, status := range []int{408, 409, 429, 500, 502, 503, 504, 529} {
		faults[fmt.Sprint(status)] = refusal(status, "some_error", "later")
	}
	for name, fault := range faults {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, bound, fault, says(text("Hi.")))
			out, heard, entries := listened(r, "one")
			assert.Equal(t, harness.Outcome{Reason: "completed", Text: "Hi."}, out)
			require.Len(t, r.requests, 2)
			assert.Equal(t, string(r.requests[0].Body), string(r.requests[1].Body), "identical bytes")
			assert.Len(t, ofType(entries, "assistant", ""), 1, "nothing of the failed try")
			assert.Empty(t, r.ran)

			failed := ofType(entries, "system", "api_error")
			require.Len(t, failed, 1)
			assert.Equal(t, "error", failed[0]["level"])
			assert.EqualValues(t, 1, failed[0]["retryAttempt"])
			assert.EqualValues(t, 10, failed[0]["maxRetries"])
			assert.NotEmpty(t, failed[0]["error"].(map[string]any)["type"])
			require.Len(t, heard.retries, 1)
			assert.EqualValues(t, heard.retries[0].Delay.Milliseconds(), failed[0]["retryInMs"])
		})
	}
}

// What the same bytes would meet again is not sent again (H-LOOP-45).
func TestWhatStaysIsNotTriedAgain(t *testing.T) {
	spent := `{"type":"error","error":{"type":"rate_limit_error","message":"no more","details":{"error_code":"enforced_spend_limit_reached"}}}`
	for name, fault := range map[string]answer{
		"400": refusal(400, "invalid_request_error", "no"), "401": refusal(401, "authentication_error", "no"),
		"403": refusal(403, "permission_error", "no"), "404": refusal(404, "not_found_error", "no"), "413": refusal(413, "request_too_large", "no"),
		"418":                   refusal(418, "teapot", "no"),
		"spent, by its text":    refusal(429, "rate_limit_error", "You have reached your API usage limits. Come back in December."),
		"spent, by its code":    {exchange: &sim.Exchange{Status: 429, Frames: []sim.Frame{{Data: []byte(spent)}}}},
		"certificate":           {exchange: &sim.Exchange{Err: fmt.Errorf("%w: unknown authority", world.ErrPermanent)}},
		"refused in the stream": cut(1, nil, "event: error\ndata: {\"type\":\"error\",\"error\":{\"type\":\"invalid_request_error\",\"message\":\"oops\"}}\n\n"),
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, bound, fault, says(text("Hi.")))
			out, heard, entries := listened(r, "one")
			assert.NotEqual(t, "completed", out.Reason)
			assert.Error(t, out.Err)
			assert.Len(t, r.requests, 1)
			assert.Empty(t, heard.retries)
			assert.Empty(t, ofType(entries, "system", "api_error"))
			assert.Equal(t, true, entries[len(entries)-1]["isApiErrorMessage"])
		})
	}
}

// The delay doubles up to 32 s and has a jitter of at most a quarter; ten retries are the end of it, the configuration may
// say up to fifteen, or none (H-LOOP-46; bug r-no-delay-between-429).
func TestDelaysGrowAndEnd(t *testing.T) {
	for set, want := range map[int]int{0: 10, 3: 3, 99: 15, -1: 0} {
		r := newRig(t, bound, refusal(500, "api_error", "no"))
		r.cfg.MaxRetries = set
		out, heard, _ := listened(r, "one")
		assert.Equal(t, "api_error", out.Reason)
		assert.Len(t, r.requests, want+1)
		require.Len(t, heard.retries, want)
		base, jittered := 500*time.Millisecond, false
		for i, again := range heard.retries {
			assert.Equal(t, i+1, again.Attempt)
			assert.Equal(t, want, again.Max)
			assert.GreaterOrEqual(t, again.Delay, base)
			assert.LessOrEqual(t, again.Delay, base+base/4)
			jittered = jittered || again.Delay > base
			base = min(2*base, 32*time.Second)
		}
		assert.Equal(t, want > 0, jittered)
	}
}

// What a server asks for wins over a shorter delay; what cannot be read asks for nothing (H-LOOP-46; bugs
// r-retry-after-extremes, r-retry-after-ignored-in-lockstep).
func TestRetryAfterIsHeard(t *testing.T) {
	for value, want := range map[string]time.Duration{
		"20": 20 * time.Second, "1.5": 1500 * time.Millisecond, "3600": time.Hour, "999999999999": time.Hour,
		"Mon, 30 Nov 2026 09:01:00 GMT": 59 * time.Second, // asked for one second after nine
		"":                              500 * time.Millisecond, "abc": 500 * time.Millisecond, "-5": 500 * time.Millisecond, "NaN": 500 * time.Millisecond,
		"0": 500 * time.Millisecond, "Mon, 30 Nov 2020 09:01:00 GMT": 500 * time.Millisecond,
	} {
		t.Run(value, func(t *testing.T) {
			r := newRig(t, bound, refusal(429, "rate_limit_error", "slow", retryAfter(value)), says(text("Hi.")))
			out, heard, _ := listened(r, "one")
			assert.Equal(t, "completed", out.Reason)
			require.Len(t, heard.retries, 1)
			assert.GreaterOrEqual(t, heard.retries[0].Delay, want)
			assert.LessOrEqual(t, heard.retries[0].Delay, want+125*time.Millisecond)
		})
	}
}

// An interrupt ends the wait for a retry, and the turn (H-LOOP-20, H-LOOP-46).
func TestInterruptEndsTheWaitForARetry(t *testing.T) {
	r := newRig(t, bound, overload(), says(text("Hi.")))
	r.process(func(plain world.World) {
		var s *harness.Session
		w := world.Hooked(plain, nth(world.OpSleep, 1, func() { s.Interrupt() }))
		var err error
		s, err = harness.Start(w, r.cfg)
		require.NoError(t, err)
		assert.Equal(t, "interrupted", r.prompt(w, s, "one").Reason)
		assert.Len(t, r.requests, 1)
		assert.Equal(t, "completed", r.prompt(w, s, "two").Reason)
		require.NoError(t, s.Close(w))
	})
	assert.Equal(t, []string{"user: text(The project keeps instru) text(one) text([Request interrupted by ) text(two)*"}, r.shape(1))
}

// Three overloads in a row take the fallback model, for good; another fault between them starts the count anew, and without
// a fallback the retries go on (H-LOOP-47; bug r-fallback-skipped).
func TestRepeatedOverloadTakesTheFallback(t *testing.T) {
	inStream := cut(1, nil, "event: error\ndata: {\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\",\"message\":\"Overloaded\"}}\n\n")
	for name, c := range map[string]struct {
		fallback string
		script   []answer
		models   []string
	}{
		"three":       {systems, []answer{overload(), inStream, overload(), says(text("Hi."))}, []string{bound, bound, bound, systems}},
		"interrupted": {systems, []answer{overload(), overload(), refusal(500, "api_error", "no"), overload(), says(text("Hi."))}, []string{bound, bound, bound, bound, bound}},
		"none":        {"", []answer{overload(), overload(), overload(), overload(), says(text("Hi."))}, []string{bound, bound, bound, bound, bound}},
		"both":        {systems, []answer{overload(), overload(), overload(), overload(), overload(), overload(), says(text("Hi."))}, []string{bound, bound, bound, systems, systems, systems, systems}},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, bound, c.script...)
			r.cfg.Fallback = c.fallback
			r.session(func(w world.World, s *harness.Session) {
				assert.Equal(t, "completed", r.prompt(w, s, "one").Reason)
				assert.Equal(t, c.models[len(c.models)-1], s.Model())
				r.prompt(w, s, "two")
			})
			var models []string
			for _, req := range r.requests {
				v, err := wire.ParseValue(req.Body)
				require.NoError(t, err)
				models = append(models, v.Get("model").Text())
			}
			assert.Equal(t, append(c.models, c.models[len(c.models)-1]), models, "the session stays there")
		})
	}
	r := newRig(t, bound)
	r.cfg.Fallback = "gpt"
	r.process(func(w world.World) {
		_, err := harness.Start(w, r.cfg)
		assert.ErrorContains(t, err, `"gpt", the fallback`)
	})
}

// A limit that does not fit beside the input is lowered, once, to what the window leaves; without room the turn ends
// (H-LOOP-48).
func TestTheOutputLimitIsLoweredToFit(t *testing.T) {
	over := func(input, limit int) answer {
		return refusal(400, "invalid_request_error", fmt.Sprintf(
			"input length and `max_tokens` exceed context limit: %d + %d > 200000, decrease input length or `max_tokens` and try again", input, limit))
	}
	r := newRig(t, manual, over(195_000, 8000), says(text("Hi.")))
	out, _, entries := listened(r, "one")
	assert.Equal(t, "completed", out.Reason)
	assert.Equal(t, strings.Replace(string(r.requests[0].Body), `"max_tokens":8000`, `"max_tokens":5000`, 1), string(r.requests[1].Body))
	assert.Empty(t, ofType(entries, "system", "api_error"), "it is no retry of the same request")

	for name, script := range map[string][]answer{
		"no room":                     {over(200_000, 8000)},
		"no room behind the thinking": {over(196_500, 8000)},
		"again":                       {over(195_000, 8000), over(195_000, 5000)},
		"prompt too long":             {refusal(400, "invalid_request_error", "prompt is too long: 203456 tokens > 200000 maximum")},
		"body too large":              {refusal(413, "request_too_large", "Request exceeds the maximum size")},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, manual, script...)
			out, _, _ := listened(r, "one")
			assert.Equal(t, "prompt_too_long", out.Reason)
			assert.Len(t, r.requests, len(script))
		})
	}
}

// An answer that fails again and again behind its calls goes on a bounded number of times, and each call has one result
// (H-LOOP-44; bugs s-accumulator-kills-chat, s-partial-saved-as-complete, p-crash-recovery-double-result).
func TestBrokenAnswersBehindCallsEnd(t *testing.T) {
	n := 0
	r := newRig(t, plain, says())
	r.answer = func() answer {
		n++
		return cut(1+4, errors.New("reset"), "", use(fmt.Sprint("c", n), "Bash", `{"command":"make"}`), text("A."))
	}
	r.cfg.MaxRetries = 2
	out, _, entries := listened(r, "one")
	assert.Equal(t, "stream_error", out.Reason)
	require.Len(t, r.requests, 3)
	assert.Empty(t, r.ran)
	last := r.shape(2)
	assert.Equal(t, []string{"assistant: tool_use(c1)", "user: tool_result(c1 <tool_use_error>the answ)", "assistant: tool_use(c2)",
		"user: tool_result(c2 <tool_use_error>the answ)*"}, last[1:])
	notices := 0
	for _, e := range ofType(entries, "assistant", "") {
		if e["isApiErrorMessage"] == true {
			notices++
			continue
		}
		assert.Nil(t, e["message"].(map[string]any)["stop_reason"], "partial")
	}
	assert.Equal(t, 3, notices)
}

// A whole answer without content is asked for once more, then it is a fault (STREAM-3; bug s-bridge-failure-as-empty-success).
func TestAnAnswerOfNothingIsAskedForOnceMore(t *testing.T) {
	r := newRig(t, bound, says(), says(), says(text("Hi.")))
	out, _, entries := listened(r, "one")
	assert.Equal(t, "stream_error", out.Reason)
	assert.Len(t, r.requests, 2)
	require.Len(t, ofType(entries, "assistant", ""), 1)
	assert.Equal(t, true, ofType(entries, "assistant", "")[0]["isApiErrorMessage"])
}
