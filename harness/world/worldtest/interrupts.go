package worldtest

import (
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"harnessbench/harness/world"
)

// waits are the interruptible calls.
var waits = []struct {
	name string
	at   time.Duration // since the fiber's start, an instant at which it is parked in the call
	// call makes the call; prepare, when there is one, comes before the interrupt.
	prepare func(t *testing.T, w world.World) world.Body
	call    func(w world.World, b world.Body, other world.Task) error
}{
	{"sleep", 1500 * time.Millisecond, nil, func(w world.World, _ world.Body, _ world.Task) error { return w.Sleep(time.Hour) }},
	{"wait", 1500 * time.Millisecond, nil, func(w world.World, _ world.Body, other world.Task) error { return w.Wait(other) }},
	{"call", 500 * time.Millisecond, nil, func(w world.World, _ world.Body, _ world.Task) error {
		_, err := w.Call(request())
		return err
	}},
	{"read", 1500 * time.Millisecond, open, func(w world.World, b world.Body, _ world.Task) error {
		_, err := drain(w, b)
		return err
	}},
	{"tool", 1500 * time.Millisecond, nil, func(w world.World, _ world.Body, _ world.Task) error {
		_, err := w.RunTool(world.ToolCall{ID: "toolu_1", Name: "Bash"})
		return err
	}},
	{"exec", 1500 * time.Millisecond, nil, func(w world.World, _ world.Body, _ world.Task) error {
		_, err := w.Exec(world.Command{Line: "make", Dir: "/"})
		return err
	}},
	{"approve", 1500 * time.Millisecond, nil, func(w world.World, _ world.Body, _ world.Task) error {
		_, err := w.Approve(world.ToolCall{ID: "toolu_1", Name: "Bash"})
		return err
	}},
}

var interrupts = func() []situation {
	var all []situation
	for _, x := range waits {
		all = append(all, situation{"while parked in " + x.name, func(t *testing.T, s *stage) {
			s.run(t, func(w world.World) {
				other := w.Go("other", sleeper(5*time.Second, func() {}))
				task := w.Go("task", func(w world.World) {
					var b world.Body
					if x.prepare != nil {
						b = x.prepare(t, w)
					}
					parked := w.Now()
					require.ErrorIs(t, x.call(w, b, other), world.ErrInterrupted)
					require.Less(t, w.Now().Sub(parked), 2*time.Second, "the interrupt frees the call")
					before := w.Now()
					require.NoError(t, w.Sleep(time.Second), "one interrupt frees one call")
					require.Equal(t, time.Second, w.Now().Sub(before))
				})
				require.NoError(t, w.Sleep(x.at))
				task.Interrupt()
				require.NoError(t, w.Wait(task))
				require.False(t, other.Done(), "the task waited for runs on")
				require.NoError(t, w.Wait(other))
			})
		}})
		all = append(all, situation{"before " + x.name, func(t *testing.T, s *stage) {
			s.run(t, func(w world.World) {
				other := w.Go("other", sleeper(5*time.Second, func() {}))
				var task world.Task
				task = w.Go("task", func(w world.World) {
					var b world.Body
					if x.prepare != nil {
						b = x.prepare(t, w)
					}
					for task == nil { // the starter may not have got its handle yet
						require.NoError(t, w.Sleep(0))
					}
					reached, ran := len(s.requests), len(s.toolRuns)
					task.Interrupt()
					require.NoError(t, w.Append(file, []byte("x\n")), "disk calls are not interruptible")
					before := w.Now()
					require.ErrorIs(t, x.call(w, b, other), world.ErrInterrupted)
					require.Equal(t, before, w.Now())
					require.Len(t, s.requests, reached, "nothing was sent")
					require.Len(t, s.toolRuns, ran, "nothing was run")
					require.NoError(t, w.Sleep(time.Second), "one interrupt frees one call")
				})
				require.NoError(t, w.Wait(task))
				require.NoError(t, w.Wait(other))
			})
			if x.name == "read" {
				require.Equal(t, []time.Duration{time.Second}, s.cancelled, "the rest is given up all the same")
			}
		}})
	}
	return append(all,
		situation{"two interrupts free two calls", func(t *testing.T, s *stage) {
			s.run(t, func(w world.World) {
				task := w.Go("task", func(w world.World) {
					require.ErrorIs(t, w.Sleep(time.Hour), world.ErrInterrupted)
					require.ErrorIs(t, w.Sleep(time.Hour), world.ErrInterrupted)
					require.NoError(t, w.Sleep(time.Second))
				})
				require.NoError(t, w.Sleep(time.Second))
				task.Interrupt()
				task.Interrupt()
				require.NoError(t, w.Wait(task))
			})
		}},
		situation{"an ended task ignores it", func(t *testing.T, s *stage) {
			s.run(t, func(w world.World) {
				task := w.Go("task", func(world.World) {})
				require.NoError(t, w.Wait(task))
				task.Interrupt()
				require.NoError(t, w.Wait(task))
				require.NoError(t, w.Sleep(time.Second))
			})
		}},
		situation{"only the task meant is freed", func(t *testing.T, s *stage) {
			s.run(t, func(w world.World) {
				other := w.Go("other", func(w world.World) { require.NoError(t, w.Sleep(5*time.Second)) })
				task := w.Go("task", func(w world.World) {
					child := w.Go("child", func(w world.World) { require.NoError(t, w.Sleep(4*time.Second)) })
					require.ErrorIs(t, w.Wait(child), world.ErrInterrupted)
					require.NoError(t, w.Wait(child))
				})
				require.NoError(t, w.Sleep(time.Second))
				task.Interrupt()
				require.NoError(t, w.Wait(task))
				require.NoError(t, w.Wait(other))
			})
		}},
		situation{"who stopped waiting for a task is not woken by its end", func(t *testing.T, s *stage) {
			s.run(t, func(w world.World) {
				short := w.Go("short", sleeper(5*time.Second, func() {}))
				long := w.Go("long", sleeper(time.Hour, func() {}))
				task := w.Go("task", func(w world.World) {
					require.ErrorIs(t, w.Wait(short), world.ErrInterrupted)
					require.NoError(t, w.Wait(long))
					require.True(t, long.Done())
				})
				require.NoError(t, w.Sleep(time.Second))
				task.Interrupt()
				require.NoError(t, w.Wait(task))
			})
		}},
		situation{"from inside the port call of the task itself", func(t *testing.T, s *stage) {
			for _, when := range []string{"before", "after"} {
				var task world.Task
				h := &hook{}
				h.on = func(at, op, _ string, _ error) {
					if at == when && op == world.OpTool {
						task.Interrupt()
					}
				}
				s.run(t, func(w world.World) {
					w = world.Hooked(w, h)
					task = w.Go("task", func(w world.World) {
						require.NoError(t, w.Sleep(time.Second))
						_, err := w.RunTool(world.ToolCall{Name: "Bash"})
						require.Equal(t, when == "before", errors.Is(err, world.ErrInterrupted))
						require.Equal(t, when == "after", errors.Is(w.Sleep(0), world.ErrInterrupted))
						require.NoError(t, w.Sleep(0))
					})
					require.NoError(t, w.Wait(task))
				})
			}
			require.Len(t, s.toolRuns, 1, "the run interrupted before its start did not take place")
		}},
		situation{"an interrupted call is cancelled at the server", func(t *testing.T, s *stage) {
			s.run(t, func(w world.World) {
				task := w.Go("task", func(w world.World) {
					_, err := w.Call(request())
					require.ErrorIs(t, err, world.ErrInterrupted)
				})
				require.NoError(t, w.Sleep(500*time.Millisecond))
				task.Interrupt()
				require.NoError(t, w.Wait(task))
			})
			require.Equal(t, []time.Duration{500 * time.Millisecond}, s.cancelled)
		}},
		situation{"an interrupted read gives up the rest", func(t *testing.T, s *stage) {
			s.run(t, func(w world.World) {
				task := w.Go("task", func(w world.World) {
					b := open(t, w)
					text, err := drain(w, b)
					require.Equal(t, "one ", text)
					require.ErrorIs(t, err, world.ErrInterrupted)
					_, err = b.Next(w)
					require.ErrorIs(t, err, world.ErrClosed)
					b.Close()
				})
				require.NoError(t, w.Sleep(1500*time.Millisecond))
				task.Interrupt()
				require.NoError(t, w.Wait(task))
			})
			require.Equal(t, []time.Duration{1500 * time.Millisecond}, s.cancelled)
		}},
	)
}()

// hook notes the port calls it sees and does something at one of them.
type hook struct {
	on   func(at, op, detail string, err error)
	seen []string
}

func (h *hook) Before(op, detail string) {
	h.seen = append(h.seen, "before "+op)
	if h.on != nil {
		h.on("before", op, detail, nil)
	}
}

func (h *hook) After(op, detail string, err error) {
	h.seen = append(h.seen, "after "+op)
	if h.on != nil {
		h.on("after", op, detail, err)
	}
}
