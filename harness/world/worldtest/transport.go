package worldtest

import (
	"errors"
	"io"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"harnessbench/harness/world"
	"harnessbench/harness/world/sim"
)

var transport = []situation{
	{"the request arrives as it was sent", func(t *testing.T, s *stage) {
		s.run(t, func(w world.World) {
			_, err := drain(w, open(t, w))
			require.NoError(t, err)
		})
		require.Len(t, s.requests, 1)
		got, want := s.requests[0], request()
		require.Equal(t, want.Method, got.Method)
		require.Equal(t, want.Path, got.Path)
		require.Equal(t, want.Body, got.Body)
		require.Subset(t, got.Header, want.Header)
	}},
	{"headers leave with the first chunk, chunks come at their times", func(t *testing.T, s *stage) {
		s.run(t, func(w world.World) {
			begin := w.Now()
			resp, err := w.Call(request())
			require.NoError(t, err)
			require.Equal(t, 200, resp.Status)
			require.Contains(t, resp.Header, world.Field{Name: "request-id", Value: "req_1"})
			require.Equal(t, time.Second, w.Now().Sub(begin))
			for i, want := range []string{"one ", "two ", "three"} {
				chunk, err := resp.Body.Next(w)
				require.NoError(t, err)
				require.Equal(t, want, string(chunk))
				require.Equal(t, time.Duration(i+1)*time.Second, w.Now().Sub(begin))
			}
			for range 2 {
				_, err = resp.Body.Next(w)
				require.Equal(t, io.EOF, err)
			}
			resp.Body.Close()
			require.Equal(t, 3*time.Second, w.Now().Sub(begin))
		})
		require.Empty(t, s.cancelled)
	}},
	{"a late reader finds everything there", func(t *testing.T, s *stage) {
		s.run(t, func(w world.World) {
			b := open(t, w)
			require.NoError(t, w.Sleep(time.Hour))
			before := w.Now()
			text, err := drain(w, b)
			require.NoError(t, err)
			require.Equal(t, "one two three", text)
			require.Equal(t, before, w.Now())
		})
	}},
	{"an error status has a body, too", func(t *testing.T, s *stage) {
		s.answer.Status = 529
		s.run(t, func(w world.World) {
			resp, err := w.Call(request())
			require.NoError(t, err)
			require.Equal(t, 529, resp.Status)
			text, err := drain(w, resp.Body)
			require.NoError(t, err)
			require.Equal(t, "one two three", text)
		})
	}},
	{"an answer without a body", func(t *testing.T, s *stage) {
		s.answer.Frames = nil
		s.run(t, func(w world.World) {
			_, err := open(t, w).Next(w)
			require.Equal(t, io.EOF, err)
		})
	}},
	{"no answer comes", func(t *testing.T, s *stage) {
		s.answer = sim.Exchange{Err: errors.New("connection reset"), Frames: []sim.Frame{{After: time.Second}}}
		s.run(t, func(w world.World) {
			begin := w.Now()
			resp, err := w.Call(request())
			require.Error(t, err)
			require.NotErrorIs(t, err, world.ErrInterrupted)
			require.Nil(t, resp.Body)
			require.Equal(t, time.Second, w.Now().Sub(begin))
			require.NoError(t, w.Sleep(time.Second))
		})
	}},
	{"the stream breaks off", func(t *testing.T, s *stage) {
		s.answer.Err = errors.New("connection reset")
		s.run(t, func(w world.World) {
			text, err := drain(w, open(t, w))
			require.Equal(t, "one two three", text)
			require.Error(t, err)
			require.NotErrorIs(t, err, world.ErrInterrupted)
		})
		require.Empty(t, s.cancelled)
	}},
	{"close before the end cancels at the server", func(t *testing.T, s *stage) {
		s.run(t, func(w world.World) {
			b := open(t, w)
			_, err := b.Next(w)
			require.NoError(t, err)
			require.NoError(t, w.Sleep(500*time.Millisecond))
			b.Close()
			b.Close()
			_, err = b.Next(w)
			require.ErrorIs(t, err, world.ErrClosed)
			require.NoError(t, w.Sleep(time.Hour))
		})
		require.Equal(t, []time.Duration{1500 * time.Millisecond}, s.cancelled)
	}},
	{"close when everything has left cancels nothing", func(t *testing.T, s *stage) {
		s.run(t, func(w world.World) {
			b := open(t, w)
			for range 3 {
				_, err := b.Next(w)
				require.NoError(t, err)
			}
			require.NoError(t, w.Sleep(0))
			b.Close()
			_, err := b.Next(w)
			require.ErrorIs(t, err, world.ErrClosed)
		})
		require.Empty(t, s.cancelled)
	}},
	{"patience ends while the headers are awaited", func(t *testing.T, s *stage) {
		s.run(t, func(w world.World) {
			req, begin := request(), w.Now()
			req.Patience = 900 * time.Millisecond
			_, err := w.Call(req)
			require.ErrorIs(t, err, world.ErrSilent)
			require.Equal(t, 900*time.Millisecond, w.Now().Sub(begin))
			require.NoError(t, w.Sleep(time.Hour))
		})
		require.Equal(t, []time.Duration{900 * time.Millisecond}, s.cancelled)
	}},
	{"patience begins anew with every chunk", func(t *testing.T, s *stage) {
		s.answer.Frames = append(s.answer.Frames, sim.Frame{After: 5 * time.Second, Data: []byte("late")})
		s.run(t, func(w world.World) {
			req, begin := request(), w.Now()
			req.Patience = 1500 * time.Millisecond
			resp, err := w.Call(req)
			require.NoError(t, err)
			text, err := drain(w, resp.Body)
			require.Equal(t, "one two three", text)
			require.ErrorIs(t, err, world.ErrSilent)
			require.Equal(t, 4500*time.Millisecond, w.Now().Sub(begin))
			_, err = resp.Body.Next(w)
			require.ErrorIs(t, err, world.ErrClosed)
			require.NoError(t, w.Sleep(time.Hour))
		})
		require.Equal(t, []time.Duration{4500 * time.Millisecond}, s.cancelled)
	}},
	{"patience that is just enough", func(t *testing.T, s *stage) {
		s.run(t, func(w world.World) {
			req := request()
			req.Patience = 1001 * time.Millisecond
			resp, err := w.Call(req)
			require.NoError(t, err)
			require.NoError(t, w.Sleep(time.Hour))
			text, err := drain(w, resp.Body)
			require.NoError(t, err)
			require.Equal(t, "one two three", text)
		})
		require.Empty(t, s.cancelled)
	}},
	{"a process that ends with an open answer cancels it", func(t *testing.T, s *stage) {
		s.run(t, func(w world.World) { open(t, w) })
		require.Equal(t, []time.Duration{time.Second}, s.cancelled)
	}},
	{"answers of several fibers overlap", func(t *testing.T, s *stage) {
		begin := s.Now()
		s.run(t, func(w world.World) {
			var started []world.Task
			for _, key := range []string{"a", "b", "c"} {
				started = append(started, w.Go(key, func(w world.World) {
					text, err := drain(w, open(t, w))
					require.NoError(t, err)
					require.Equal(t, "one two three", text)
				}))
			}
			for _, task := range started {
				require.NoError(t, w.Wait(task))
			}
		})
		require.Equal(t, 3*time.Second, s.Now().Sub(begin))
	}},
	{"a tool runs for its time and gives its result", func(t *testing.T, s *stage) {
		call := world.ToolCall{ID: "toolu_1", Name: "Bash", Input: []byte(`{"command":"make"}`)}
		begin := s.Now()
		s.run(t, func(w world.World) {
			res, err := w.RunTool(call)
			require.NoError(t, err)
			require.Equal(t, world.ToolResult{Output: "ran Bash", Exit: 2}, res)
		})
		require.Equal(t, 3*time.Second, s.Now().Sub(begin))
		require.Equal(t, []world.ToolCall{call}, s.toolRuns)
	}},
}
