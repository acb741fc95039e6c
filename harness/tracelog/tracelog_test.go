package tracelog_test

import (
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"harnessbench/harness/tracelog"
	"harnessbench/harness/world"
	"harnessbench/harness/world/sim"
	"harnessbench/internal/tap"
)

var start = time.Date(2026, 11, 30, 9, 4, 5, 0, time.UTC)

// server answers each call with the next exchange.
type server []sim.Exchange

func (s *server) Handle(time.Time, world.Request) sim.Exchange {
	e := (*s)[0]
	*s = (*s)[1:]
	return e
}

func request(body string) world.Request {
	return world.Request{Method: "POST", Path: "/v1/messages", Header: []world.Field{{Name: "x-api-key", Value: "sk-secret"}}, Body: []byte(body)}
}

const message = `{"id":"msg_1","type":"message","role":"assistant","model":"m","content":[],"stop_reason":"end_turn","usage":{"input_tokens":3,"output_tokens":4}}`

func streamed() sim.Exchange {
	return sim.Exchange{Status: 200, Header: []world.Field{{Name: "request-id", Value: "req_1"}}, Frames: []sim.Frame{
		{After: time.Second, Data: []byte("event: message_start\ndata: {\"type\":\"message_start\",\"message\":" + message + "}\n\nevent: mess")},
		{After: 2 * time.Second, Data: []byte("age_stop\ndata: {\"type\":\"message_stop\"}\n\n")},
	}}
}

func drain(t *testing.T, w world.World, body string) string {
	resp, err := w.Call(request(body))
	require.NoError(t, err)
	var all []byte
	for {
		chunk, err := resp.Body.Next(w)
		all = append(all, chunk...)
		if errors.Is(err, io.EOF) {
			resp.Body.Close()
			return string(all)
		}
		require.NoError(t, err)
	}
}

func read(t *testing.T, file []byte) []*tap.Record {
	t.Helper()
	var out []*tap.Record
	for r, err := range tap.Read(strings.NewReader(string(file))) {
		require.NoError(t, err)
		out = append(out, r)
	}
	return out
}

// TestCallsAreWrittenAsTheyEnd (H-TRACE-1, H-TRACE-2, H-TRACE-3): both files stand by day and time, grow by one line
// a call, and hold no key; an answer that was given up and one that never came are records too.
func TestCallsAreWrittenAsTheyEnd(t *testing.T) {
	s := &server{streamed(), {Status: 529, Frames: []sim.Frame{{Data: []byte(`{"type":"error"}`)}}}, streamed(), {Err: errors.New("refused")}}
	m := sim.New(sim.Config{Start: start, Server: s})
	rec := tracelog.New("/w", start, "http://api")
	require.Equal(t, "/w/.traces/2026-11-30/trace_090405.jsonl", rec.Complete)
	require.Equal(t, "/w/.traces/2026-11-30/trace_090405.log", rec.Readable)
	lines := func() int {
		data, err := m.Disk().Read(rec.Readable)
		require.NoError(t, err)
		return strings.Count(string(data), "\n")
	}
	out := m.Run(func(raw world.World) {
		w := rec.Wrap(raw)
		drain(t, w, `{"model":"m","messages":[{}]}`)
		require.Equal(t, 1, lines())
		task := w.Go("other", func(w world.World) { drain(t, w, `{"model":"m"}`) })
		require.NoError(t, w.Wait(task))
		require.Equal(t, 2, lines())
		resp, err := w.Call(request(`{}`))
		require.NoError(t, err)
		_, err = resp.Body.Next(w)
		require.NoError(t, err)
		resp.Body.Close()
		require.Equal(t, 3, lines())
		_, err = w.Call(request(`{}`))
		require.ErrorContains(t, err, "refused")
	})
	require.Equal(t, world.Outcome{}, out)
	require.NoError(t, rec.Err())
	file, err := m.Disk().Read(rec.Complete)
	require.NoError(t, err)
	require.NotContains(t, string(file), "sk-secret")
	got := read(t, file)
	require.Len(t, got, 4)
	require.Equal(t, []int{1, 2, 3, 4}, []int{got[0].Turn, got[1].Turn, got[2].Turn, got[3].Turn})
	require.Equal(t, "req_1", got[0].RequestID)
	require.Equal(t, "http://api", got[0].Upstream)
	require.Equal(t, start, got[0].Time)
	require.Equal(t, tap.Request{Method: "POST", Path: "/v1/messages", Header: []tap.Field{{Name: "x-api-key", Value: "[redacted]"}}, Body: []byte(`{"model":"m","messages":[{}]}`)}, got[0].Request)
	require.Equal(t, 2*time.Second, got[0].Duration)
	require.Len(t, got[0].Response.Events, 2)
	require.Nil(t, got[0].Capture)
	require.Equal(t, `{"type":"error"}`, string(got[1].Response.Body))
	require.Equal(t, `{"ended":"given up by the client"}`, string(got[2].Capture))
	require.Zero(t, got[3].Response.Status)
	readable, err := m.Disk().Read(rec.Readable)
	require.NoError(t, err)
	require.Contains(t, string(readable), "turn 1  m  1 messages  status 200  stop end_turn  tools -  in 3  write 0  read 0  out 4  2000 ms\n")
}

// full is a world whose disk takes nothing.
type full struct{ world.World }

func (full) Append(string, []byte) error { return errors.New("no space left on device") }

// TestAFullDiskFailsNoCall (H-TRACE-1): the record is lost and told, the call is not.
func TestAFullDiskFailsNoCall(t *testing.T) {
	m := sim.New(sim.Config{Start: start, Server: &server{streamed()}})
	rec := tracelog.New("/w", start, "")
	m.Run(func(w world.World) { require.Contains(t, drain(t, rec.Wrap(full{w}), `{}`), "message_stop") })
	require.EqualError(t, rec.Err(), "trace /w/.traces/2026-11-30/trace_090405.jsonl: no space left on device")
}

// TestARecordedSessionIsPlayedAgain (H-TRACE-5): by request, then by order, each call once.
func TestARecordedSessionIsPlayedAgain(t *testing.T) {
	record := func(turn int, request, answer string) *tap.Record {
		return &tap.Record{Turn: turn, Request: tap.Request{Body: []byte(request)}, Response: tap.Response{Status: 200, Body: []byte(answer)}}
	}
	calls := []*tap.Record{record(1, "a", "first"), record(2, "b", "second"), record(3, "a", "third"), {Turn: 4}}
	m := sim.New(sim.Config{Start: start, Server: tracelog.NewReplay(calls)})
	m.Run(func(w world.World) {
		require.Equal(t, "second", drain(t, w, "b"))
		require.Equal(t, "first", drain(t, w, "x"), "an unknown request takes the next in order")
		require.Equal(t, "third", drain(t, w, "a"), "what was used is not used again")
		_, err := w.Call(request("x"))
		require.EqualError(t, err, "replay: recorded call 4 got no answer")
		_, err = w.Call(request("x"))
		require.EqualError(t, err, "replay: all 4 recorded calls are used up")
	})
}

// TestAReplayedStreamIsTheRecordedOne (H-TRACE-5, H-TRACE-4): what was recorded gives the same events again, and the
// summary shows its calls.
func TestAReplayedStreamIsTheRecordedOne(t *testing.T) {
	m := sim.New(sim.Config{Start: start, Server: &server{streamed()}})
	rec := tracelog.New("/w", start, "")
	var first string
	m.Run(func(w world.World) { first = drain(t, rec.Wrap(w), `{"model":"m","messages":[{}]}`) })
	file, err := m.Disk().Read(rec.Complete)
	require.NoError(t, err)
	calls := read(t, file)
	again := sim.New(sim.Config{Start: start, Server: tracelog.NewReplay(calls)})
	again.Run(func(w world.World) { require.Equal(t, first, drain(t, w, `{}`)) })
	require.Equal(t, "turn  messages  added  cache_create  cache_read  kind\n   1         1      1             0           0  main\n", tracelog.Summary(calls))
}
