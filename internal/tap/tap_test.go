package tap_test

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"harnessbench/internal/tap"
	"harnessbench/internal/wire"
)

// records reads a file that must be clean.
func records(t *testing.T, file string) []*tap.Record {
	t.Helper()
	var out []*tap.Record
	for r, err := range tap.Read(strings.NewReader(file)) {
		require.NoError(t, err)
		out = append(out, r)
	}
	return out
}

// TestARecordIsReadAsItWasWritten (H-TRACE-2): a line holds the call, with keys and cookies hidden, on one line.
func TestARecordIsReadAsItWasWritten(t *testing.T) {
	r := &tap.Record{
		Time: time.Date(2026, 11, 30, 9, 0, 0, 5e6, time.UTC), RequestID: "req_1", Turn: 3, Duration: 1500 * time.Millisecond,
		Request: tap.Request{Method: "POST", Path: "/v1/messages",
			Header: []tap.Field{{"x-api-key", "sk-secret"}, {"anthropic-beta", "a"}, {"anthropic-beta", "b"}},
			Body:   []byte("{\"model\":\"m\",\n \"x\":\"<\"}")},
		Response: tap.Response{Status: 200, Header: []tap.Field{{"request-id", "req_1"}, {"set-cookie", "s=1"}},
			Events: []wire.Event{{Name: "ping", Data: []byte(`{"type": "ping"}`)}, {Data: []byte("no json")}}},
		Upstream: "http://h", Capture: tap.Note("ended", "why"),
	}
	line := string(r.Line())
	require.Equal(t, `{"timestamp":"2026-11-30T09:00:00.005Z","request_id":"req_1","turn":3,"duration_ms":1500,`+
		`"request":{"method":"POST","path":"/v1/messages","headers":{"x-api-key":"[redacted]","anthropic-beta":"a, b"},"body":{"model":"m","x":"<"}},`+
		`"response":{"status":200,"headers":{"request-id":"req_1","set-cookie":"[redacted]"},"sse_events":[{"event":"ping","data":{"type":"ping"}},{"event":"","data":"no json"}]},`+
		`"upstream_base_url":"http://h","capture":{"ended":"why"}}`+"\n", line)
	back := records(t, line)[0]
	require.Equal(t, line, string(back.Line()))
	require.Equal(t, "no json", string(back.Response.Events[1].Data))
	require.Equal(t, r.Time, back.Time)
	r.Request.Header = append(r.Request.Header, tap.Field{Name: "x-api-key", Value: "sk-second"})
	require.Contains(t, string(r.Line()), `"x-api-key":"[redacted], [redacted]"`, "of two fields neither is shown")
}

// TestAForeignFileIsRead (H-TRACE-5): other forms of time and duration, bodies as strings, missing members,
// unknown ones, and lines that are none.
func TestAForeignFileIsRead(t *testing.T) {
	file := `{"timestamp":"2026-08-20T10:00:00.123456+08:00","turn":1,"duration_ms":12.5,"new":{},"request":{"method":"POST","path":"/v1/messages?beta=true","headers":{},"body":"{\"model\":\"m\"}"},"response":{"status":200,"body":{"type":"message","content":[]}}}

not json
{"turn":2}
{"request":{"method":"HEAD","path":"/"},"response":null}`
	var got []*tap.Record
	var faults []string
	for r, err := range tap.Read(strings.NewReader(file)) {
		if err != nil {
			faults = append(faults, err.Error())
			continue
		}
		got = append(got, r)
	}
	require.Len(t, got, 2)
	require.Equal(t, `{"model":"m"}`, string(got[0].Request.Body))
	require.Equal(t, 12500*time.Microsecond, got[0].Duration)
	require.Equal(t, 2026, got[0].Time.Year())
	require.Equal(t, "/", got[1].Request.Path)
	require.Zero(t, got[1].Response.Status)
	require.Len(t, faults, 2)
	require.Contains(t, faults[0], "line 3: ")
	require.Equal(t, "line 4: it has no request object, so it is no recorded call", faults[1])
}

func row(turn int, model string, tools bool, limit, messages, read, create int) *tap.Record {
	body := `{"model":"` + model + `","max_tokens":` + strconv.Itoa(limit) + `,"messages":[` + strings.TrimSuffix(strings.Repeat("{},", messages), ",") + `]`
	if tools {
		body += `,"tools":[{}]`
	}
	return &tap.Record{
		Turn:    turn,
		Request: tap.Request{Path: "/v1/messages", Body: []byte(body + "}")},
		Response: tap.Response{Status: 200, Body: []byte(`{"type":"message","model":"` + model + `","content":[{"type":"tool_use","name":"Bash"}],"stop_reason":"tool_use",` +
			`"usage":{"input_tokens":3,"cache_creation_input_tokens":` + strconv.Itoa(create) + `,"cache_read_input_tokens":` + strconv.Itoa(read) + `,"output_tokens":7}}`)},
	}
}

// TestTheCallsOfASession is the table of seed 003 (H-TRACE-3, H-TRACE-4, H-TRACE-6): two side calls, then four
// main calls that each read what the one before read and wrote.
func TestTheCallsOfASession(t *testing.T) {
	calls := []*tap.Record{
		row(1, "small", false, 1, 1, 0, 0),
		row(2, "small", false, 32, 1, 0, 0),
		row(3, "big", true, 8000, 1, 0, 27529),
		row(4, "big", true, 8000, 3, 27529, 229),
		row(5, "big", true, 8000, 5, 27758, 206),
		row(6, "big", true, 8000, 7, 27964, 424),
	}
	rows := table(calls)
	require.Equal(t, []tap.Kind{tap.Probe, tap.Side, tap.Main, tap.Main, tap.Main, tap.Main}, kinds(rows))
	require.Equal(t, []int{0, 0, 1, 2, 2, 2}, []int{rows[0].Added, rows[1].Added, rows[2].Added, rows[3].Added, rows[4].Added, rows[5].Added})
	require.Empty(t, tap.Breaks(rows))
	require.Equal(t, "turn 4  big  3 messages  status 200  stop tool_use  tools Bash  in 3  write 229  read 27529  out 7  0 ms", rows[3].String())

	calls[4] = row(5, "big", true, 8000, 5, 0, 27964)
	require.Equal(t, []string{"turn 5 read 0, want 27758"}, tap.Breaks(table(calls)))
}

// TestACallWithoutToolsIsMainWhereNoneHasThem (H-TRACE-6): a harness without tools has main calls too, and another
// endpoint is no call of the model.
func TestACallWithoutToolsIsMainWhereNoneHasThem(t *testing.T) {
	other := &tap.Record{Turn: 2, Request: tap.Request{Path: "/v1/messages/count_tokens", Body: []byte(`{"model":"m"}`)}}
	require.Equal(t, []tap.Kind{tap.Main, tap.Other}, kinds(table([]*tap.Record{row(1, "m", false, 1, 1, 0, 0), other})))
	same := []*tap.Record{row(1, "m", true, 9, 1, 0, 5), row(2, "m", false, 9, 3, 5, 1)}
	require.Equal(t, []tap.Kind{tap.Main, tap.Main}, kinds(table(same)), "the model of the main calls")
}

func table(calls []*tap.Record) []tap.Row {
	rows := make([]tap.Row, len(calls))
	for i, r := range calls {
		rows[i] = tap.RowOf(r)
	}
	return tap.Table(rows)
}

func kinds(rows []tap.Row) []tap.Kind {
	var out []tap.Kind
	for _, r := range rows {
		out = append(out, r.Kind)
	}
	return out
}
