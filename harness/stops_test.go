package harness_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"harnessbench/harness"
	"harnessbench/harness/world"
)

func stopped(stop string, blocks ...string) answer { return answer{blocks: blocks, stop: stop} }

const first = "user: text(The project keeps instru) text(one)"

// The first answer of a turn that meets the output limit is dropped and asked for again with a higher one; then what comes
// is kept and the model asked to go on, three times (H-LOOP-31; bugs c-length-stop-triggers-compaction,
// s-max-tokens-call-loop).
func TestTheOutputLimitIsRaisedThenTheAnswerGoesOn(t *testing.T) {
	limit := func(r *rig, i int) string {
		body := string(r.requests[i].Body)
		at := strings.Index(body, `"max_tokens":`)
		return strings.SplitN(body[at+len(`"max_tokens":`):], ",", 2)[0]
	}
	max := func(s string) answer { return stopped("max_tokens", text(s)) }

	r := newRig(t, plain, max("A."), says(text("B.")))
	out, _, entries := listened(r, "one")
	assert.Equal(t, harness.Outcome{Reason: "completed", Text: "B."}, out)
	assert.Equal(t, []string{"8000", "64000"}, []string{limit(r, 0), limit(r, 1)})
	assert.Equal(t, r.shape(0), r.shape(1), "the same request")
	assert.Len(t, ofType(entries, "assistant", ""), 1, "the cut answer is dropped")

	r = newRig(t, plain, max("A."), max("B."), max("C."), max("D."), says(text("E.")))
	out, _, _ = listened(r, "one")
	assert.Equal(t, "completed", out.Reason)
	assert.Equal(t, []string{first, "assistant: text(B.)", "user: text(Output token limit hit. )", "assistant: text(C.)",
		"user: text(Output token limit hit. )", "assistant: text(D.)", "user: text(Output token limit hit. )*"}, r.shape(4))
	assert.Equal(t, "64000", limit(r, 4))

	r = newRig(t, plain, max("A."), max("B."), max("C."), max("D."), max("E."))
	out, _, entries = listened(r, "one")
	assert.Equal(t, "max_output_tokens", out.Reason)
	assert.EqualError(t, out.Err, "the answer met the limit of 64000 output tokens, and so did 3 continuations")
	assert.Len(t, r.requests, 5)
	assert.Equal(t, true, entries[len(entries)-1]["isApiErrorMessage"])

	// The next turn begins with the first limit again; a model that gives no more than that is asked to go on at once.
	r = newRig(t, plain, max("A."), says(text("B.")))
	r.session(func(w world.World, s *harness.Session) { r.prompt(w, s, "one"); r.prompt(w, s, "two") })
	assert.Equal(t, "8000", limit(r, 2))
	r = newRig(t, "claude-3-opus-20240229", max("A."), says(text("B.")))
	out, _, _ = listened(r, "one")
	assert.Equal(t, "completed", out.Reason)
	assert.Equal(t, []string{"4096", "4096"}, []string{limit(r, 0), limit(r, 1)})
	assert.Equal(t, []string{first, "assistant: text(A.)", "user: text(Output token limit hit. )*"}, r.shape(1))
}

// Whole calls decide before the stop reason does, once the limit was raised (H-LOOP-3, H-LOOP-4; bug
// s-truncated-call-executed-as-set).
func TestWholeCallsDecideBeforeTheStopReason(t *testing.T) {
	for _, stop := range []string{"max_tokens", "end_turn", "stop_sequence", "pause_turn", "model_context_window_exceeded", "from_the_future"} {
		t.Run(stop, func(t *testing.T) {
			a := stopped(stop, text("Running."), use("a", "Bash", `{"command":"make"}`))
			r := newRig(t, plain, a, a, says(text("Hi.")))
			if stop != "max_tokens" {
				r.script = r.script[1:]
			}
			out, _, _ := listened(r, "one")
			assert.Equal(t, "completed", out.Reason)
			assert.Equal(t, []string{"a"}, r.ran)
			assert.Equal(t, "user: tool_result(a out|[rerun: b1])*", r.shape(len(r.requests) - 1)[2])
		})
	}
}

// A paused answer is sent back as it is, up to ten times in a turn; the answers join (H-LOOP-32, H-ARCH-6). No result is
// made for what the server runs itself.
func TestAPausedTurnGoesOn(t *testing.T) {
	search := `{"type":"server_tool_use","id":"srvtoolu_1","name":"web_search","input":{"query":"go"}}`
	found := `{"type":"web_search_tool_result","tool_use_id":"srvtoolu_1","content":[]}`
	r := newRig(t, plain, stopped("pause_turn", text("Searching."), search), says(found, text("Found.")), says(text("Hi.")))
	r.session(func(w world.World, s *harness.Session) {
		assert.Equal(t, harness.Outcome{Reason: "completed", Text: "Found."}, r.prompt(w, s, "one"))
		r.prompt(w, s, "two")
	})
	assert.Equal(t, []string{first, "assistant: text(Searching.) server_tool_use"}, unmarked(r.shape(1)))
	assert.Equal(t, []string{first, "assistant: text(Searching.) server_tool_use web_search_tool_result text(Found.)", "user: text(two)"}, unmarked(r.shape(2)))
	assert.Contains(t, string(r.requests[2].Body), search[:len(search)-1], "the bytes it came in")
	assert.Empty(t, r.ran)

	r = newRig(t, plain, stopped("pause_turn", text("Searching."), search, found))
	out, _, _ := listened(r, "one")
	assert.Equal(t, "pause_limit", out.Reason)
	assert.EqualError(t, out.Err, "the server paused the turn 11 times")
	assert.Len(t, r.requests, 11)
}

// unmarked takes the marks of breakpoints off a shape.
func unmarked(shape []string) (out []string) {
	for _, line := range shape {
		out = append(out, strings.ReplaceAll(line, "*", ""))
	}
	return out
}

// A refusal ends the turn with a notice, keeps what came and runs nothing; nothing is tried again unless there is a
// fallback model, which gets the same conversation and stays (H-LOOP-33).
func TestARefusalEndsTheTurnOrTakesTheFallback(t *testing.T) {
	no := stopped("refusal", text("I was about to"), use("a", "Bash", `{"command":"make"}`))
	r := newRig(t, bound, no, says(text("Hi.")))
	var file string
	r.session(func(w world.World, s *harness.Session) {
		out := r.prompt(w, s, "one")
		assert.Equal(t, "refusal", out.Reason)
		assert.EqualError(t, out.Err, "the model declined to answer")
		r.prompt(w, s, "two")
		file = s.File()
	})
	assert.Empty(t, r.ran)
	assert.Equal(t, []string{first, "assistant: text(I was about to) tool_use(a)", "user: tool_result(a <tool_use_error>the mode) text(two)*"}, r.shape(1))
	notices := 0
	for _, e := range ofType(r.log(file), "assistant", "") {
		if e["isApiErrorMessage"] == true {
			notices++
		}
	}
	assert.Equal(t, 1, notices)

	r = newRig(t, bound, stopped("refusal"))
	out, _, entries := listened(r, "one")
	assert.Equal(t, "refusal", out.Reason, "also without content")
	assert.Len(t, r.requests, 1)
	assert.Len(t, entries, len(ofType(entries, "user", ""))+1+len(ofType(entries, "file-history-snapshot", "")))

	r = newRig(t, bound, no, says(text("Hi.")))
	r.cfg.Fallback = systems
	r.session(func(w world.World, s *harness.Session) {
		out := r.prompt(w, s, "one")
		assert.Equal(t, harness.Outcome{Reason: "completed", Text: "Hi."}, out)
		assert.Equal(t, systems, s.Model())
		assert.Len(t, s.Report(), 1)
		assert.Greater(t, s.Totals().Models[0].Calls, 0, "the refused answer was paid for")
	})
	assert.Empty(t, r.ran)
	assert.Equal(t, r.shape(0), r.shape(1))

	r = newRig(t, bound, no)
	r.cfg.Fallback = bound
	out, _, _ = listened(r, "one")
	assert.Equal(t, "refusal", out.Reason, "a fallback to the same model is none")
}

// An answer that filled the window ends the turn with a clear error, what came of it is kept (H-LOOP-34).
func TestAFullWindowEndsTheTurn(t *testing.T) {
	r := newRig(t, plain, stopped("model_context_window_exceeded", text("Half.")), says(text("Hi.")))
	r.session(func(w world.World, s *harness.Session) {
		out := r.prompt(w, s, "one")
		assert.Equal(t, "prompt_too_long", out.Reason)
		assert.ErrorContains(t, out.Err, "filled the context window of 1000000 tokens")
		r.prompt(w, s, "two")
	})
	assert.Equal(t, []string{first, "assistant: text(Half.)", "user: text(two)*"}, r.shape(1))
}

// A compaction that waits for what is to be restored goes on with a text of the harness (H-CMP-84, H-LOOP-3).
func TestACompactionPauseGoesOn(t *testing.T) {
	r := newRig(t, plain, stopped("compaction", `{"type":"compaction","content":"sum"}`), says(text("Hi.")))
	out, _, _ := listened(r, "one")
	assert.Equal(t, "completed", out.Reason)
	last := r.shape(1)
	assert.Equal(t, "user: text(The earlier part of this) text(The project keeps instru) text(one)*", last[len(last)-1])
}

// A stop reason nobody knows ends the turn and is reported; the known ones are not (H-LOOP-30).
func TestAnUnknownStopReasonIsReported(t *testing.T) {
	for stop, want := range map[string]int{"from_the_future": 1, "end_turn": 0, "stop_sequence": 0, "tool_use": 0} {
		r := newRig(t, plain, stopped(stop, text("Hi.")))
		r.session(func(w world.World, s *harness.Session) {
			assert.Equal(t, harness.Outcome{Reason: "completed", Text: "Hi."}, r.prompt(w, s, "one"))
			report := s.Report()
			require.Len(t, report, want, stop)
			if want > 0 {
				assert.Contains(t, report[0], `"from_the_future"`)
			}
		})
		assert.Len(t, r.requests, 1)
	}
}

// Tool rounds and cost are limited; what was done so far is kept (H-LOOP-7, H-LOOP-5).
func TestATurnEndsAtItsLimits(t *testing.T) {
	n := 0
	calls := func() answer { n++; return says(use(fmt.Sprint("c", n), "Bash", `{"command":"make"}`)) }
	r := newRig(t, plain, says())
	r.answer, r.cfg.MaxTurns = calls, 2
	out, heard, _ := listened(r, "one")
	assert.Equal(t, "max_turns", out.Reason)
	assert.EqualError(t, out.Err, "the turn had 2 tool rounds, as many as it may")
	assert.Len(t, r.requests, 2)
	assert.Equal(t, []string{"c1", "c2"}, r.ran)
	require.Len(t, heard.ended, 1)
	assert.Equal(t, 2, heard.ended[0].Answers)

	r = newRig(t, plain, says())
	r.answer, r.cfg.MaxTurns = calls, 5
	listened(r, "one")
	for i := range r.requests {
		assert.Len(t, r.shape(i), 1+2*i, "2k more messages after k rounds")
	}

	r = newRig(t, plain, says())
	r.answer, r.cfg.MaxBudgetUSD = calls, 0.0005
	out, _, _ = listened(r, "one")
	assert.Equal(t, "max_budget", out.Reason)
	assert.Contains(t, out.Err.Error(), "its budget is $0.0005")
	assert.Len(t, r.requests, 4, "3 input and 9 output tokens cost $0.000144")

	r.process(func(w world.World) {
		for _, spoil := range []func(c *harness.Config){
			func(c *harness.Config) { c.MaxTurns = -1 }, func(c *harness.Config) { c.MaxBudgetUSD = -1 }, func(c *harness.Config) { c.MaxToolConcurrency = -1 },
		} {
			cfg := r.cfg
			spoil(&cfg)
			_, err := harness.Start(w, cfg)
			assert.ErrorContains(t, err, "want 0 for")
		}
	})
}
