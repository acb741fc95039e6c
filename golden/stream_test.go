package golden

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"harnessbench/conformance/trace"
)

// stream makes a run's events by hand. Ids are made of what they stand for, which keeps tests readable;
// the renderer must not show them.
type stream struct {
	t      *testing.T
	events []trace.Event
	step   int
	at     time.Duration
	calls  int
	uuids  int
	msgs   []string // request messages so far
}

func newStream(t *testing.T) *stream {
	s := &stream{t: t}
	s.emit(trace.Event{Kind: trace.KindRun, Run: &trace.Run{Version: 1, Story: "test", Text: "a\n  story", Engine: "loop", Lane: "quiet", Model: "claude-sonnet-5"}})
	return s
}

func (s *stream) emit(e trace.Event) {
	e.Step, e.At = s.step, s.at
	s.events = append(s.events, e)
}

func (s *stream) after(d time.Duration) { s.at += d }

func (s *stream) op(o trace.Op) {
	s.step++
	s.at += time.Minute
	s.emit(trace.Event{Kind: trace.KindOp, Op: &o})
}

func (s *stream) also(o trace.Op) { s.emit(trace.Event{Kind: trace.KindOp, Op: &o}) }

func (s *stream) logTo(file string, line string) {
	s.emit(trace.Event{Kind: trace.KindLog, Log: &trace.Log{File: file, Data: trace.JSONText(line + "\n")}})
}

func (s *stream) uuid() string {
	s.uuids++
	return fmt.Sprintf("00000000-0000-4000-8000-%012d", s.uuids)
}

func quoteJSON(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(b)
}

func parentJSON(parent string) string {
	if parent == "" {
		return "null"
	}
	return quoteJSON(parent)
}

// user logs a user entry; content is JSON. It answers the uuid.
func (s *stream) user(parent, content string) string {
	id := s.uuid()
	s.logTo("/p/s.jsonl", fmt.Sprintf(`{"type":"user","uuid":%q,"parentUuid":%s,"message":{"role":"user","content":%s}}`, id, parentJSON(parent), content))
	return id
}

// assistant logs an answer, one entry a block.
func (s *stream) assistant(parent, msg, stop string, blocks ...string) string {
	for _, b := range blocks {
		id := s.uuid()
		s.logTo("/p/s.jsonl", fmt.Sprintf(`{"type":"assistant","uuid":%q,"parentUuid":%s,"message":{"id":%q,"role":"assistant","content":[%s],"stop_reason":%s}}`,
			id, parentJSON(parent), msg, b, parentJSON(stop)))
		parent = id
	}
	return parent
}

func (s *stream) side(line string) { s.logTo("/p/s.jsonl", line) }

func message(role string, blocks ...string) string {
	return fmt.Sprintf(`{"role":%q,"content":[%s]}`, role, strings.Join(blocks, ","))
}

func text(s string) string { return `{"type":"text","text":` + quoteJSON(s) + `}` }

func toolUse(id, name, input string) string {
	return fmt.Sprintf(`{"type":"tool_use","id":%q,"name":%q,"input":%s}`, id, name, input)
}

func result(id, out string) string {
	return fmt.Sprintf(`{"type":"tool_result","tool_use_id":%q,"content":%s}`, id, quoteJSON(out))
}

// request sends the messages; the call's number is answered.
func (s *stream) request(messages ...string) int {
	s.calls++
	s.msgs = messages
	body := `{"model":"claude-sonnet-5","messages":[` + strings.Join(messages, ",") + `]}`
	s.emit(trace.Event{Kind: trace.KindRequest, Request: &trace.Request{Call: s.calls, Chain: "main", Method: "POST", Path: "/v1/messages", Body: trace.JSONText(body)}})
	return s.calls
}

// respond answers a call with a whole message; view is JSON or "".
func (s *stream) respond(call int, stop string, usage [4]int, view string) {
	body := fmt.Sprintf(`{"id":"msg_x","type":"message","role":"assistant","model":"m","content":[],"stop_reason":%q,"usage":{"input_tokens":%d,"cache_read_input_tokens":%d,"cache_creation_input_tokens":%d,"output_tokens":%d}}`,
		stop, usage[0], usage[1], usage[2], usage[3])
	s.answer(trace.Response{Call: call, Status: 200, Body: trace.JSONText(body), Ended: true, View: json.RawMessage(view),
		Header: []trace.Field{{Name: "request-id", Value: fmt.Sprintf("req_%d", call)}}})
}

func (s *stream) answer(p trace.Response) {
	s.emit(trace.Event{Kind: trace.KindResponse, Response: &p})
}

func (s *stream) tool(t trace.Tool) { s.emit(trace.Event{Kind: trace.KindTool, Tool: &t}) }

func (s *stream) leaf(uuid string) {
	s.emit(trace.Event{Kind: trace.KindLeaf, Leaf: &trace.Leaf{Session: "s", File: "/p/s.jsonl", Leaf: uuid}})
}

// text renders the stream, and holds it to the rules of the form that every golden must keep.
func (s *stream) text(checks ...Check) string {
	s.t.Helper()
	var b bytes.Buffer
	require.NoError(s.t, Render(&b, func(yield func(trace.Event) bool) {
		for _, e := range s.events {
			if !yield(e) {
				return
			}
		}
	}, checks))
	out := b.String()
	require.True(s.t, strings.HasSuffix(out, "\n"))
	for _, line := range strings.Split(out, "\n") {
		require.Equal(s.t, strings.TrimRight(line, " \r"), line, "trailing blanks")
		require.NotContains(s.t, line, "\t")
		require.NotRegexp(s.t, `[0-9a-f]{8}-[0-9a-f]{4}|toolu_|req_|msg_`, line, "an id of the run")
	}
	return out
}
