package golden

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"harnessbench/conformance/trace"
)

// rewindStory is the story of architecture.md 5.2 up to the prompt behind the rewind. With extra, step 1
// has one tool round more.
func rewindStory(t *testing.T, extra bool) *stream {
	s := newStream(t)
	s.op(trace.Op{Name: "prompt", Text: "which test fails?"})
	u1 := s.user("", `"which test fails?"`)
	m := []string{message("user", text("<system-reminder>memory</system-reminder>"), text("which test fails?"))}
	c := s.request(m...)
	s.after(1420 * time.Millisecond)
	s.respond(c, "tool_use", [4]int{3, 0, 4245, 96}, `{"request_id":"req_1","total":4248,"parts":[{"path":"system","tokens":4210},{"path":"messages.0","tokens":38}],"cold":"first"}`)
	use := toolUse("toolu_1", "Bash", `{"command":"make test"}`)
	last := s.assistant(u1, "msg_1", "tool_use", `{"type":"thinking","thinking":"run","signature":"c2ln"}`, text("Running the tests."), use)
	s.tool(trace.Tool{Phase: "start", ID: "toolu_1", Name: "Bash", Input: trace.JSONText(`{"command":"make test"}`)})
	s.after(2500 * time.Millisecond)
	s.tool(trace.Tool{Phase: "end", ID: "toolu_1", Name: "Bash", Exit: 2, Output: "--- FAIL: TestLogin"})
	last = s.user(last, "["+result("toolu_1", "Exit code 2\n--- FAIL: TestLogin")+"]")
	m = append(m, message("assistant", `{"type":"thinking","thinking":"run","signature":"c2ln"}`, text("Running the tests."), use), message("user", result("toolu_1", "Exit code 2\n--- FAIL: TestLogin")))
	if extra {
		c = s.request(m...)
		s.respond(c, "tool_use", [4]int{3, 4245, 300, 20}, "")
		use := toolUse("toolu_9", "Read", `{"file_path":"a.go"}`)
		last = s.assistant(last, "msg_9", "tool_use", use)
		s.tool(trace.Tool{Phase: "start", ID: "toolu_9", Name: "Read"})
		s.tool(trace.Tool{Phase: "end", ID: "toolu_9", Name: "Read"})
		last = s.user(last, "["+result("toolu_9", "x")+"]")
		m = append(m, message("assistant", use), message("user", result("toolu_9", "x")))
	}
	c = s.request(m...)
	s.after(960 * time.Millisecond)
	s.respond(c, "end_turn", [4]int{3, 4245, 406, 54}, fmt.Sprintf(`{"request_id":"req_%d","total":4654,"base":{"request_id":"req_1","tokens":4248},"read":{"request_id":"req_1","tokens":4248},"parts":[{"path":"messages.1","tokens":96},{"path":"messages.2","tokens":310}]}`, c))
	shared := fmt.Sprintf("req_%d", c)
	fork := s.assistant(last, "msg_2", "end_turn", text("TestLogin fails."))
	m = append(m, message("assistant", text("TestLogin fails.")))

	s.op(trace.Op{Name: "prompt", Text: "fix it"})
	u2 := s.user(fork, `"fix it"`)
	c = s.request(append(m[:len(m):len(m)], message("user", text("fix it")))...)
	s.after(2050 * time.Millisecond)
	s.respond(c, "end_turn", [4]int{3, 4651, 79, 120}, fmt.Sprintf(`{"request_id":"req_%d","total":4733,"base":{"request_id":%q,"tokens":4654},"read":{"request_id":%q,"tokens":4654},"parts":[{"path":"messages.3","tokens":54},{"path":"messages.4","tokens":25}]}`, c, shared, shared))
	s.assistant(u2, "msg_3", "end_turn", text("Fixed."))

	s.op(trace.Op{Name: "rewind", Target: u2, To: 2})
	s.side(fmt.Sprintf(`{"type":"last-prompt","leafUuid":%q,"explicit":true,"sessionId":"s"}`, fork))
	s.leaf(fork)

	s.op(trace.Op{Name: "prompt", Text: "explain it instead, please, and slowly"})
	u4 := s.user(fork, `"explain it instead, please, and slowly"`)
	n := len(m)
	c = s.request(append(m[:n:n], message("user", text("explain it instead, please, and slowly")))...)
	s.after(1310 * time.Millisecond)
	s.respond(c, "end_turn", [4]int{3, 4651, 85, 77}, fmt.Sprintf(`{"request_id":"req_%d","total":4739,"base":{"request_id":%q,"tokens":4654},"read":{"request_id":%q,"tokens":4654},"parts":[{"path":"messages.%d","tokens":54},{"path":"messages.%d","tokens":31}]}`, c, shared, shared, n-1, n))
	a4 := s.assistant(u4, "msg_4", "end_turn", text("The stub."))
	s.leaf(a4)
	s.op(trace.Op{Name: "wait", Wait: "past_cache_life"})
	return s
}

func TestTheRewindStoryReadsAsOneFactALine(t *testing.T) {
	got := rewindStory(t, false).text(
		Check{ID: "PAIR-1", Verdict: "held", Occasions: 4},
		Check{ID: "CACHE-1", Verdict: "held", Occasions: 3, Note: "cold 1 (call 1 first)"},
		Check{ID: "LOG-7", Verdict: "unknown"},
	)
	require.Equal(t, strings.TrimPrefix(`
trace 1   test   engine loop   lane quiet   model claude-sonnet-5
story     a story

step 1    prompt "which test fails?"
   +0.000  log   1u    <- root         user
   +0.000  api>  1.1   path 1u               prefix 4248 = sys 4210, 1u 38; shares nothing
   +1.420  api<  1.1   tool_use         fresh       3  read       0  write    4245  out      96
   +1.420  log   1a1   <- 1u           assistant: thinking, text, tool_use run#1
   +1.420  tool  run#1 start           Bash "make test"
   +3.920  tool  run#1 end             exit 2, "--- FAIL: TestLogin"
   +3.920  log   1r1   <- 1a1          tool_result run#1: "Exit code 2\n--- FAIL: Te"..
   +3.920  api>  1.2   path 1u..1r1          prefix 4654 = 1.1 4248, 1a1 96, 1r1 310; shares 1.1
   +4.880  api<  1.2   end_turn         fresh       3  read    4245  write     406  out      54
   +4.880  log   1a2   <- 1r1          assistant: text

step 2    prompt "fix it"
   +0.000  log   2u    <- 1a2          user
   +0.000  api>  2.1   path 1u..2u           prefix 4733 = 1.2 4654, 1a2 54, 2u 25; shares 1.2
   +2.050  api<  2.1   end_turn         fresh       3  read    4651  write      79  out     120
   +2.050  log   2a1   <- 2u           assistant: text

step 3    rewind before 2u
   +0.000  log   3w    side            rewind to 1a2
   +0.000  leaf  1a2                   leaves 2u 2a1

step 4    prompt "explain it instead, plea"..
   +0.000  log   4u    <- 1a2          user
   +0.000  api>  4.1   path 1u..1a2 4u       prefix 4739 = 1.2 4654, 1a2 54, 4u 31; shares 1.2
   +1.310  api<  4.1   end_turn         fresh       3  read    4651  write      85  out      77
   +1.310  log   4a1   <- 4u           assistant: text

step 5    wait past_cache_life

tree      root 1u 1a1 1r1 1a2
            |- 2u 2a1                  left in step 3
            '- 4u 4a1                  leaf
sum       calls 4                      fresh      12  read   13547  write    4815  out     347
check     CACHE-1   held 3, cold 1 (1.1 first)
check     LOG-7     unknown: no occasion
check     PAIR-1    held 4
`, "\n"), got)
}

func TestAChangeInStepOneRenamesNothingLater(t *testing.T) {
	part := func(s string) string {
		_, s, ok := strings.Cut(s, "\nstep 4 ")
		require.True(t, ok)
		s, _, ok = strings.Cut(s, "\ntree ")
		require.True(t, ok)
		return s
	}
	plain, more := rewindStory(t, false).text(), rewindStory(t, true).text()
	require.NotEqual(t, plain, more)
	// The one thing that follows from the call more in step 1 is which call the prefix is shared with.
	want := strings.NewReplacer("= 1.2 ", "= 1.3 ", "shares 1.2", "shares 1.3", "1u..1a2 ", "1u..1a3 ", ", 1a2 ", ", 1a3 ", "<- 1a2 ", "<- 1a3 ").Replace(part(plain))
	require.Equal(t, want, part(more))
}

func TestParallelToolsKeepTheirNumbersWhateverEndsFirst(t *testing.T) {
	s := newStream(t)
	s.op(trace.Op{Name: "prompt", Text: "both"})
	u := s.user("", `"both"`)
	c := s.request(message("user", text("both")))
	s.respond(c, "tool_use", [4]int{1, 2, 3, 4}, "")
	a := s.assistant(u, "msg_1", "tool_use", toolUse("toolu_a", "Read", `{"file_path":"a"}`), toolUse("toolu_b", "Read", `{"limit":1,"file_path":"b"}`))
	s.tool(trace.Tool{Phase: "start", ID: "toolu_a", Name: "Read", Input: trace.JSONText(`{"file_path":"a"}`)})
	s.tool(trace.Tool{Phase: "start", ID: "toolu_b", Name: "Read", Input: trace.JSONText(`{"limit":1,"file_path":"b"}`)})
	s.after(time.Second)
	s.tool(trace.Tool{Phase: "end", ID: "toolu_b", Name: "Read", Output: "B"})
	s.after(time.Second)
	s.tool(trace.Tool{Phase: "end", ID: "toolu_a", Name: "Read", Output: "A", IsError: true})
	r1 := s.user(a, `[{"type":"tool_result","tool_use_id":"toolu_a","content":[{"type":"text","text":"A"}],"is_error":true}]`)
	s.user(r1, "["+result("toolu_b", "B")+"]")
	s.request(message("user", text("both")), message("assistant", toolUse("toolu_a", "Read", `{}`), toolUse("toolu_b", "Read", `{}`)), message("user", result("toolu_a", "A"), result("toolu_b", "B")))
	require.Equal(t, lines(`
step 1    prompt "both"
   +0.000  log   1u    <- root         user
   +0.000  api>  1.1   path 1u
   +0.000  api<  1.1   tool_use         fresh       1  read       2  write       3  out       4
   +0.000  log   1a1   <- 1u           assistant: tool_use run#1, tool_use run#2
   +0.000  tool  run#1 start           Read "a"
   +0.000  tool  run#2 start           Read "b"
   +1.000  tool  run#2 end             "B"
   +2.000  tool  run#1 end             error, "A"
   +2.000  log   1r1   <- 1a1          tool_result run#1: error "A"
   +2.000  log   1r2   <- 1r1          tool_result run#2: "B"
   +2.000  api>  1.2   path 1u..1r2
`), steps(s.text()))
}

func TestARefusalSaysTypeAndReason(t *testing.T) {
	s := newStream(t)
	s.op(trace.Op{Name: "prompt", Text: "x"})
	u := s.user("", `"x"`)
	c := s.request(message("user", text("x")))
	s.answer(trace.Response{Call: c, Status: 400, Ended: true, View: json.RawMessage(`{"request_id":"req_1","rule":"R"}`),
		Body: trace.JSONText(`{"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long: 1000001 tokens > 1000000 maximum, and then a lot more of it"}}`)})
	s.logTo("/p/s.jsonl", `{"type":"assistant","uuid":"`+s.uuid()+`","parentUuid":"`+u+`","isApiErrorMessage":true,"message":{"id":"n","model":"<synthetic>","content":[{"type":"text","text":"API error 400"}],"stop_reason":null}}`)
	c = s.request(message("user", text("x")))
	s.answer(trace.Response{Call: c, Status: 502, Ended: true, Body: trace.JSONText("<html>\n\tbad gateway")})
	c = s.request(message("user", text("x")))
	s.answer(trace.Response{Call: c, Error: "connection reset"})
	s.answer(trace.Response{Call: 77, Status: 200})
	text := s.text()
	require.Equal(t, lines(`
step 1    prompt "x"
   +0.000  log   1u    <- root         user
   +0.000  api>  1.1   path 1u
   +0.000  api<  1.1   400 invalid_request_error: prompt is too long: 1000001 tokens > 1000000 maximum, and th..
   +0.000  log   1e1   <- 1u           notice "API error 400"
   +0.000  api>  1.2   path 1u
   +0.000  api<  1.2   502 no API error: <html> bad gateway
   +0.000  api>  1.3   path 1u
   +0.000  api<  1.3   no answer        connection reset
   +0.000  api<  ?     answer to call 77, which was never made
`), steps(text))
	require.Contains(t, text, "calls 3, refused 2 ")
}

func TestAnInterruptIsSeenInTheStreamTheToolsAndTheMarker(t *testing.T) {
	s := newStream(t)
	s.op(trace.Op{Name: "prompt", Text: "x"})
	u := s.user("", `"x"`)
	c := s.request(message("user", text("x")))
	sse := "event: message_start\ndata: {\"type\":\"message_start\",\"message\":{\"id\":\"msg_1\",\"type\":\"message\",\"role\":\"assistant\",\"model\":\"m\",\"content\":[],\"stop_reason\":null,\"stop_sequence\":null,\"usage\":{\"input_tokens\":7,\"output_tokens\":1}}}\n\n" +
		"event: content_block_start\ndata: {\"type\":\"content_block_start\",\"index\":0,\"content_block\":{\"type\":\"text\",\"text\":\"\"}}\n\n"
	s.after(time.Second)
	s.also(trace.Op{Name: "interrupt"})
	s.answer(trace.Response{Call: c, Status: 200, Body: trace.JSONText(sse), Error: "interrupted"})
	a := s.assistant(u, "msg_1", "", text("Part"), text("of it"))
	s.tool(trace.Tool{Phase: "interrupted", ID: "toolu_z", Name: "Bash"})
	i := s.user(a, `[{"type":"text","text":"[Request interrupted by user]"}]`)
	s.op(trace.Op{Name: "prompt", Text: "y"})
	s.user(i, `"y"`)
	s.request(message("user", text("x")), message("assistant", text("Part"), text("of it")), message("user", text("[Request interrupted by user]"), text("y")))
	require.Equal(t, lines(`
step 1    prompt "x"
   +0.000  log   1u    <- root         user
   +0.000  api>  1.1   path 1u
   +1.000  user  interrupt
   +1.000  api<  1.1   cut in text      fresh       7  read       0  write       0  out       1
   +1.000  log   1a1   <- 1u           assistant: text, text, cut short
   +1.000  tool  run#1 interrupted     Bash
   +1.000  log   1i    <- 1a1          user "[Request interrupted by "..

step 2    prompt "y"
   +0.000  log   2u    <- 1i           user
   +0.000  api>  2.1   path 1u..2u
`), steps(s.text()))
}

func TestAKillStandsBeforeWhatItCausesAndTheSessionGoesOn(t *testing.T) {
	s := newStream(t)
	s.op(trace.Op{Name: "prompt", Text: "x"})
	u := s.user("", `"x"`)
	c := s.request(message("user", text("x")))
	s.respond(c, "tool_use", [4]int{}, "")
	a := s.assistant(u, "msg_1", "tool_use", toolUse("toolu_1", "Bash", `{}`))
	s.emit(trace.Event{Kind: trace.KindFault, Fault: &trace.Fault{Name: "kill", At: "before tools.run #1"}})
	s.emit(trace.Event{Kind: trace.KindLeaf, Leaf: &trace.Leaf{}}) // no session is there
	s.op(trace.Op{Name: "resume"})
	s.side(`{"type":"mode","mode":"normal"}`)
	s.logTo("/p/s.jsonl", `{"type":"user","uuid":`)
	s.leaf(a)
	s.op(trace.Op{Name: "prompt", Text: "y"})
	r := s.user(a, "["+result("toolu_1", "no result")+"]")
	s.user(r, `"y"`)
	s.request(message("user", text("x")), message("assistant", toolUse("toolu_1", "Bash", `{}`)), message("user", result("toolu_1", "no result"), text("y")))
	s.emit(trace.Event{Kind: trace.KindEnd, End: &trace.End{Left: []string{"tool toolu"}}})
	out := s.text()
	require.Equal(t, lines(`
step 1    prompt "x"
   +0.000  log   1u    <- root         user
   +0.000  api>  1.1   path 1u
   +0.000  api<  1.1   tool_use         fresh       0  read       0  write       0  out       0
   +0.000  log   1a1   <- 1u           assistant: tool_use run#1
   +0.000  fault kill                  before tools.run #1

step 2    resume
   +0.000  log   2w    side            mode
   +0.000  log   -     torn            22 bytes that are no entry

step 3    prompt "y"
   +0.000  log   3r1   <- 1a1          tool_result run#1 of step 1: "no result"
   +0.000  log   3u    <- 3r1          user
   +0.000  api>  3.1   path 1u..3u
`), steps(out))
	require.Contains(t, out, "\nleft      tool toolu had not ended\n")
}

func TestVolatileTextClearAndFilesBesideTheLog(t *testing.T) {
	s := newStream(t)
	s.op(trace.Op{Name: "set", Text: "inject.time=on"})
	s.op(trace.Op{Name: "prompt", Text: "x"})
	u := s.user("", `"x"`)
	v := s.uuid()
	s.logTo("/p/s.jsonl", fmt.Sprintf(`{"type":"attachment","uuid":%q,"parentUuid":%q,"attachment":{"type":"current_time","place":"system"},"rendered":[{"content":"It is ten."}]}`, v, u))
	s.logTo("/p/s/frozen.json", `{}`)
	w := s.uuid()
	s.logTo("/p/s.jsonl", fmt.Sprintf(`{"type":"attachment","uuid":%q,"parentUuid":%q,"attachment":{"type":"hook_success"}}`, w, v))
	c := s.request(message("user", text("x")), message("system", text("It is ten.")))
	s.respond(c, "end_turn", [4]int{}, `{"request_id":"req_1","total":20,"parts":[{"path":"system","tokens":10},{"path":"messages.0","tokens":6},{"path":"messages.1","tokens":4}],"not_judged":["a","b","c","d"],"dropped":[{"path":"messages.1.content.0","reason":"prefix_mismatch"}],"cold":"below minimum"}`)
	a := s.assistant(w, "msg_1", "end_turn", text("ok"))
	s.leaf(a)
	s.op(trace.Op{Name: "clear", Breaks: true})
	s.leaf("")
	s.op(trace.Op{Name: "prompt", Text: "z"})
	s.logTo("/p/t.jsonl", fmt.Sprintf(`{"type":"user","uuid":%q,"parentUuid":null,"message":{"role":"user","content":"z"}}`, s.uuid()))
	s.request(message("user", text("z")), message("user", text("not in any log")))
	out := s.text()
	require.Equal(t, lines(`
step 1    set inject.time=on
step 2    prompt "x"
   +0.000  log   2u    <- root         user
   +0.000  log   2v1   <- 2u           volatile current_time, sent as system
   +0.000  log   -     beside          frozen.json, 3 bytes
   +0.000  log   2n1   <- 2v1          attachment hook_success
   +0.000  api>  2.1   path 2u..2v1          prefix 20 = sys 10, 2u 6, 2v1 4; shares nothing, below minimum
   +0.000  api<  2.1   end_turn         fresh       0  read       0  write       0  out       0
   +0.000  api<  2.1   dropped          1 thinking from messages.1.content.0 on: prefix_mismatch
   +0.000  api<  2.1   not judged       a, b, c and 1 more
   +0.000  log   2a1   <- 2n1          assistant: text

step 3    clear, a declared break of the prefix
   +0.000  leaf  root                  leaves 2u 2v1 2n1 2a1

step 4    prompt "z"
   +0.000  log   4u    <- root         user
   +0.000  api>  4.1   path 4u messages.1
`), steps(out))
	require.Contains(t, out, lines(`
tree 1    root 2u 2v1 2n1 2a1          left in step 3
tree 2    root 4u                      leaf
`))
}

func TestAPrefixThatIsNotReadInFullSaysWhy(t *testing.T) {
	for _, tc := range []struct{ name, view, want string }{
		{"expired", `"base":{"request_id":"req_1","tokens":9},"cold":"expired"`, "prefix 12 = 1.1 9, 1u 3; 1.1 expired"},
		{"read less than shared", `"base":{"request_id":"req_1","tokens":9},"read":{"request_id":"req_1","tokens":5},"cold":"outside the lookback window"`,
			"prefix 12 = 1.1 9, 1u 3; 1.1 outside the lookback window, shares 1.1 5"},
		{"of a call nobody saw", `"base":{"request_id":"req_8","tokens":9},"read":{"request_id":"req_8","tokens":9}`, "prefix 12 = an unknown call 9, 1u 3; shares an unknown call"},
		{"with a tail behind the last block", `"base":{"request_id":"req_1","tokens":7},"read":{"request_id":"req_1","tokens":7}`, "prefix 12 = 1.1 7, 1u 3, tail 2; shares 1.1"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := newStream(t)
			s.op(trace.Op{Name: "prompt", Text: "x"})
			s.user("", `"x"`)
			s.respond(s.request(message("user", text("x"))), "end_turn", [4]int{}, `{"request_id":"req_1","total":9}`)
			s.respond(s.request(message("user", text("x"))), "end_turn", [4]int{}, `{"request_id":"req_2","total":12,`+tc.view+`,"parts":[{"path":"messages.0","tokens":3}]}`)
			require.Contains(t, s.text(), "  api>  1.2   path 1u               "+tc.want+"\n")
		})
	}
}

func TestALongUnsharedPrefixListsItsFirstPartsAndTheSumOfTheOthers(t *testing.T) {
	s := newStream(t)
	s.op(trace.Op{Name: "prompt", Text: "x"})
	s.user("", `"x"`)
	parts := `{"path":"system","tokens":5}`
	for i := range 12 {
		parts += fmt.Sprintf(`,{"path":"messages.%d","tokens":%d}`, i, i+1)
	}
	s.respond(s.request(message("user", text("x"))), "end_turn", [4]int{}, `{"request_id":"req_1","total":85,"parts":[`+parts+`]}`)
	require.Contains(t, s.text(), "prefix 85 = sys 5, 1u 1, messages.1 2, messages.2 3, messages.3 4, messages.4 5, messages.5 6, messages.6 7, 5 more 50, tail 2; shares nothing\n")
}

func TestTheSameTextTypedTwiceIsFoundOnItsOwnBranch(t *testing.T) {
	s := newStream(t)
	s.op(trace.Op{Name: "prompt", Text: "go"})
	u1 := s.user("", `"go"`)
	a1 := s.assistant(u1, "msg_1", "end_turn", text("done"))
	s.op(trace.Op{Name: "prompt", Text: "go"})
	u2 := s.user(a1, `"go"`)
	a2 := s.assistant(u2, "msg_2", "end_turn", text("done"))
	s.op(trace.Op{Name: "rewind", Target: u2})
	s.leaf(a1)
	s.op(trace.Op{Name: "prompt", Text: "go"})
	s.user(a1, `"go"`)
	goes, done := message("user", text("go")), message("assistant", text("done"))
	s.request(goes, done, goes)
	s.op(trace.Op{Name: "rewind", Target: "never written", To: 9})
	s.leaf(a2)
	s.op(trace.Op{Name: "prompt", Text: "end"})
	s.user(a2, `"end"`)
	s.request(goes, done, goes, done, message("user", text("end")))
	out := s.text()
	require.Contains(t, out, "4.1   path 1u..1a1 4u\n")
	require.Contains(t, out, "step 5    rewind before the prompt of step 9\n")
	require.Contains(t, out, "6.1   path 1u..2a1 6u\n")
}

func TestALeakedBranchShowsInThePathOfTheCall(t *testing.T) {
	s := newStream(t)
	s.op(trace.Op{Name: "prompt", Text: "a"})
	u1 := s.user("", `"a"`)
	a1 := s.assistant(u1, "msg_1", "end_turn", text("A"))
	s.op(trace.Op{Name: "prompt", Text: "b"})
	u2 := s.user(a1, `"b"`)
	s.assistant(u2, "msg_2", "end_turn", text("B"))
	s.op(trace.Op{Name: "rewind", Target: u2})
	s.leaf(a1)
	s.op(trace.Op{Name: "prompt", Text: "c"})
	s.user(a1, `"c"`)
	s.request(message("user", text("a")), message("assistant", text("A")), message("user", text("b")), message("assistant", text("B")), message("user", text("c")))
	s.request(message("user", text("a")), message("assistant", text("A")), message("user", text("c")))
	out := s.text()
	require.Contains(t, out, "4.1   path 1u..2a1 4u\n")
	require.Contains(t, out, "4.2   path 1u..1a1 4u\n")
}

// lines is a wanted text without the line break that opens its literal.
func lines(s string) string { return strings.TrimPrefix(s, "\n") }

// steps is the part of a text between its head and its foot.
func steps(s string) string {
	_, s, _ = strings.Cut(s, "\n\n")
	i := strings.LastIndex(s, "\n\ntree")
	return s[:i+1]
}
