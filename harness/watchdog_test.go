package harness_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"harnessbench/harness"
	"harnessbench/harness/world"
	"harnessbench/harness/world/sim"
)

// slow is an answer whose frames from the n-th on are late: every so often an event without content comes in between.
func slow(n int, event string, every, lasts time.Duration) answer {
	e := stream("msg_slow", bound, says(text("Hi.")))
	frames := append([]sim.Frame(nil), e.Frames[:n]...)
	at := time.Duration(0)
	if n > 0 {
		at = frames[n-1].After
	}
	for t := every; t < lasts; t += every {
		frames = append(frames, sim.Frame{After: at + t, Data: []byte(event)})
	}
	for i, f := range e.Frames[n:] {
		frames = append(frames, sim.Frame{After: at + lasts + time.Duration(i)*100*time.Millisecond, Data: f.Data})
	}
	e.Frames = frames
	return answer{exchange: &e}
}

const (
	ping   = "event: ping\ndata: {\"type\": \"ping\"}\n\n"
	bare   = "data: {\"type\": \"ping\"}\n\n"
	status = "event: status\ndata: {\"type\":\"status\",\"status\":\"working\"}\n\n"
)

// A server that reads a long prompt shows by pings that it lives: it is waited for, before the message starts and in its
// middle, as long as silences and stretches without content stay below their limits (STREAM-5; bug
// s-ping-blind-watchdog).
func TestALivingStreamIsWaitedFor(t *testing.T) {
	for name, a := range map[string]answer{
		"pings before the message":       slow(0, ping, 15*time.Second, 200*time.Second),
		"pings behind the start":         slow(1, ping, 15*time.Second, 200*time.Second),
		"pings without a name":           slow(1, bare, 15*time.Second, 200*time.Second),
		"comments of a proxy":            slow(1, ": alive\n\n", 15*time.Second, 200*time.Second),
		"a silence just short enough":    slow(3, ping, 90*time.Second, 90*time.Second),
		"no content just long enough":    slow(3, ping, 60*time.Second, 5*time.Minute),
		"a first byte just early enough": slow(0, ping, 90*time.Second, 100*time.Second),
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, bound, a)
			out, heard, _ := listened(r, "one")
			assert.Equal(t, harness.Outcome{Reason: "completed", Text: "Hi."}, out)
			assert.Len(t, r.requests, 1)
			assert.Empty(t, heard.retries)
		})
	}
}

// A stream that brings signs of life and nothing else is given up at the cap for content, one that is silent at that for
// silence; both are tried again with the same bytes (STREAM-5, H-LOOP-45; bug s-status-keeps-watchdog-alive).
func TestAStreamWithoutContentIsGivenUp(t *testing.T) {
	for name, c := range map[string]struct {
		a     answer
		after time.Duration // of the request
		fault string
	}{
		"statuses for long":   {slow(1, status, 20*time.Second, 40*time.Minute), 5*time.Minute + 100*time.Millisecond, "the stream brought no content for 5m0s"},
		"pings for long":      {slow(1, ping, 15*time.Second, 40*time.Minute), 5*time.Minute + 100*time.Millisecond, "the stream brought no content for 5m0s"},
		"bare pings for long": {slow(1, bare, 15*time.Second, 40*time.Minute), 5*time.Minute + 100*time.Millisecond, "the stream brought no content for 5m0s"},
		"pings before a start": {slow(0, ping, 15*time.Second, 40*time.Minute), 5 * time.Minute,
			"the stream brought no content for 5m0s"},
		"silence behind text": {slow(2, "", time.Hour, 40*time.Minute), 90*time.Second + 200*time.Millisecond,
			"the server sent nothing for 1m30s: nothing came for too long"},
		"silence before the headers": {slow(0, "", time.Hour, 40*time.Minute), 90 * time.Second,
			"the API could not be reached: the server sent nothing for 1m30s: nothing came for too long"},
	} {
		t.Run(name, func(t *testing.T) {
			var gone []time.Duration
			c.a.exchange.Cancelled = func(after time.Duration) { gone = append(gone, after) }
			r := newRig(t, bound, c.a, says(text("Hi.")))
			out, heard, entries := listened(r, "one")
			assert.Equal(t, harness.Outcome{Reason: "completed", Text: "Hi."}, out)
			require.Len(t, r.requests, 2)
			assert.Equal(t, string(r.requests[0].Body), string(r.requests[1].Body))
			assert.Equal(t, []time.Duration{c.after}, gone)
			require.Len(t, heard.retries, 1)
			assert.Equal(t, c.fault, heard.retries[0].Message)
			assert.Len(t, ofType(entries, "assistant", ""), 1, "nothing of the stream that was given up")
		})
	}
}

// A connection that stays open behind a whole answer takes nothing away from it.
func TestSilenceBehindTheAnswerIsNoFault(t *testing.T) {
	e := stream("msg_1", bound, says(text("Hi.")))
	e.Frames = append(e.Frames, sim.Frame{After: 24 * time.Hour})
	r := newRig(t, bound, answer{exchange: &e})
	out, heard, _ := listened(r, "one")
	assert.Equal(t, harness.Outcome{Reason: "completed", Text: "Hi."}, out)
	assert.Empty(t, heard.retries)
}

// An interrupt while nothing comes ends the turn, and is no fault (H-LOOP-22).
func TestAnInterruptWhileNothingComes(t *testing.T) {
	r := newRig(t, bound, slow(2, "", time.Hour, 40*time.Minute), says(text("Hi.")))
	r.session(func(w world.World, s *harness.Session) {
		user := w.Go("user", func(w world.World) {
			require.NoError(t, w.Sleep(30*time.Second))
			s.Interrupt()
		})
		assert.Equal(t, "interrupted", r.prompt(w, s, "one").Reason)
		require.NoError(t, w.Wait(user))
	})
	assert.Len(t, r.requests, 1)
}

// What a try that failed said of its usage is no part of the context (STREAM-7; bug s-usage-counted-twice-on-fallback).
func TestUsageOfAFailedTryIsNoContext(t *testing.T) {
	heavy := stream("msg_cut", bound, says(text("Hi.")))
	heavy.Frames = append([]sim.Frame(nil), heavy.Frames[:2]...)
	heavy.Frames[0].Data = []byte(fmt.Sprintf("event: message_start\ndata: %s\n\n", `{"type":"message_start","message":{"id":"msg_cut","type":"message",`+
		`"role":"assistant","model":"claude-sonnet-5-5","content":[],"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":100000,"output_tokens":1}}}`))
	heavy.Err = errors.New("reset")
	with, without := "", ""
	for _, script := range [][]answer{{{exchange: &heavy}, says(text("Hi."))}, {says(text("Hi."))}} {
		r := newRig(t, bound, script...)
		r.session(func(w world.World, s *harness.Session) {
			r.prompt(w, s, "one")
			with, without = without, s.ContextReport(w)
		})
		assert.NotContains(t, r.logText(), "100000")
	}
	assert.Equal(t, with, without)
}
