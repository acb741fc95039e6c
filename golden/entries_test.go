package golden

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"harnessbench/conformance/trace"
)

func TestEveryKindOfEntryHasItsLine(t *testing.T) {
	for _, tc := range []struct{ name, line, want string }{
		{"a system entry", `{"type":"system","uuid":"U","parentUuid":null,"subtype":"turn_duration"}`, "1s1   <- root         system turn_duration"},
		{"a summary", `{"type":"user","uuid":"U","parentUuid":null,"isCompactSummary":true,"message":{"content":"so far"}}`, "1c    <- root         user, summary"},
		{"a prompt of the harness", `{"type":"user","uuid":"U","parentUuid":null,"isMeta":true,"message":{"content":[{"type":"text","text":"go on"}]}}`, "1m1   <- root         user, by the harness"},
		{"a prompt that is an image", `{"type":"user","uuid":"U","parentUuid":null,"message":{"content":[{"type":"image"}]}}`, "1u    <- root         user"},
		{"an unknown kind", `{"type":"later","uuid":"U","parentUuid":"nobody"}`, "1x1   <- unknown      later"},
		{"an attachment that is sent", `{"type":"attachment","uuid":"U","parentUuid":null,"attachment":{"type":"file"},"rendered":[{"content":"x"}]}`, "1n1   <- root         attachment file, sent"},
		{"a reminder that was due", `{"type":"attachment","uuid":"U","parentUuid":null,"attachment":{"type":"task_reminder"}}`, "1v1   <- root         volatile task_reminder"},
		{"an answer without id", `{"type":"assistant","uuid":"U","parentUuid":null,"message":{"content":[{"type":"text","text":"x"}],"stop_reason":"end_turn"}}`, "1a1   <- root         assistant: text"},
		{"a clear, or a rewind to the beginning", `{"type":"last-prompt","leafUuid":null,"explicit":true,"emptyPath":true}`, "1w    side            empty path"},
		{"a prompt remembered", `{"type":"last-prompt","lastPrompt":"x"}`, "1w    side            last-prompt"},
		{"a line that is no object", `7`, "-     torn            1 bytes that are no entry"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := newStream(t)
			s.op(trace.Op{Name: "prompt", Text: "x"})
			s.logTo("/p/s.jsonl", tc.line)
			require.Contains(t, s.text(), "   +0.000  log   "+tc.want+"\n")
		})
	}
}

func TestAnAnswerWithoutIDDoesNotSwallowTheNext(t *testing.T) {
	s := newStream(t)
	s.op(trace.Op{Name: "prompt", Text: "x"})
	for _, msg := range []string{"msg_1", "msg_2"} {
		s.assistant("", msg, "end_turn", text("a"), text("b"))
	}
	require.Contains(t, s.text(), lines(`
   +0.000  log   1a1   <- root         assistant: text, text
   +0.000  log   1a2   <- root         assistant: text, text
`))
}

func TestAReplacedLogAndSeveralRootsAreShown(t *testing.T) {
	s := newStream(t)
	s.op(trace.Op{Name: "prompt", Text: "x"})
	s.user("", `"x"`)
	s.emit(trace.Event{Kind: trace.KindLog, Log: &trace.Log{File: "/p/s.jsonl", Replaced: true,
		Data: trace.JSONText(fmt.Sprintf(`{"type":"user","uuid":%q,"parentUuid":null,"message":{"content":"y"}}`, s.uuid()))}})
	out := s.text()
	require.Contains(t, out, "-     whole file      replaced, 105 bytes\n")
	require.Contains(t, out, lines(`
tree      root
            |- 1u
            '- 1u2                     leaf
`))
}

func TestAnotherThreadAndAnotherEndpointAreNamed(t *testing.T) {
	s := newStream(t)
	s.op(trace.Op{Name: "prompt", Text: "x"})
	s.emit(trace.Event{Kind: trace.KindRequest, Request: &trace.Request{Call: 1, Chain: "title", Method: "POST", Path: "/v1/messages?beta=true", Body: trace.JSONText("not json")}})
	s.answer(trace.Response{Call: 1, Status: 200, Ended: true, Body: trace.JSONText(`{"type":"ping"}`), View: []byte(`"another server's"`)})
	s.emit(trace.Event{Kind: trace.KindRequest, Request: &trace.Request{Call: 2, Method: "POST", Path: "/v1/messages/count_tokens", Body: trace.JSONText(`{"messages":[]}`)}})
	require.Contains(t, s.text(), lines(`
   +0.000  api>  1.1   title path unreadable
   +0.000  api<  1.1   unreadable       15 bytes
   +0.000  api>  1.2   POST /v1/messages/count_tokens
`))
}
