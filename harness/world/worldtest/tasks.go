package worldtest

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"harnessbench/harness/world"
)

// sleeper is a fiber that sleeps and notes its end.
func sleeper(d time.Duration, note func()) func(world.World) {
	return func(w world.World) {
		_ = w.Sleep(d)
		note()
	}
}

var tasks = []situation{
	{"tasks end in the order of their times and are joined in any order", func(t *testing.T, s *stage) {
		var ended []string
		begin := s.Now()
		s.run(t, func(w world.World) {
			var started []world.Task
			for _, x := range []struct {
				key  string
				last time.Duration
			}{{"slow", 3 * time.Second}, {"quick", time.Second}, {"middle", 2 * time.Second}} {
				started = append(started, w.Go(x.key, sleeper(x.last, func() { ended = append(ended, x.key) })))
			}
			for _, task := range started {
				require.NoError(t, w.Wait(task))
				require.True(t, task.Done())
				require.Equal(t, 3*time.Second, w.Now().Sub(begin), "all are over when the slowest is")
			}
		})
		require.Equal(t, []string{"quick", "middle", "slow"}, ended)
	}},
	{"several fibers wait for one task", func(t *testing.T, s *stage) {
		freed := 0
		s.run(t, func(w world.World) {
			job := w.Go("job", sleeper(time.Minute, func() {}))
			var waiters []world.Task
			for _, key := range []string{"a", "b", "c"} {
				waiters = append(waiters, w.Go(key, func(w world.World) {
					if w.Wait(job) == nil && job.Done() {
						freed++
					}
				}))
			}
			for _, x := range waiters {
				require.NoError(t, w.Wait(x))
			}
		})
		require.Equal(t, 3, freed)
	}},
	{"waiting for an ended task returns at once", func(t *testing.T, s *stage) {
		s.run(t, func(w world.World) {
			task := w.Go("job", func(world.World) {})
			require.NoError(t, w.Sleep(time.Second))
			require.True(t, task.Done())
			before := w.Now()
			require.NoError(t, w.Wait(task))
			require.NoError(t, w.Wait(task))
			require.Equal(t, before, w.Now())
		})
	}},
	{"a task starts tasks of its own", func(t *testing.T, s *stage) {
		var order []string
		s.run(t, func(w world.World) {
			outer := w.Go("outer", func(w world.World) {
				inner := w.Go("inner", func(w world.World) {
					innermost := w.Go("inner", sleeper(time.Second, func() { order = append(order, "innermost") }))
					_ = w.Wait(innermost)
					order = append(order, "inner")
				})
				_ = w.Wait(inner)
				order = append(order, "outer")
			})
			require.NoError(t, w.Wait(outer))
		})
		require.Equal(t, []string{"innermost", "inner", "outer"}, order)
	}},
	{"a task outlives the task that started it", func(t *testing.T, s *stage) {
		s.run(t, func(w world.World) {
			var orphan world.Task
			require.NoError(t, w.Wait(w.Go("parent", func(w world.World) {
				orphan = w.Go("orphan", sleeper(time.Second, func() {}))
			})))
			require.NoError(t, w.Wait(orphan))
		})
	}},
	{"a key is free again when its task has ended", func(t *testing.T, s *stage) {
		s.run(t, func(w world.World) {
			for range 3 {
				require.NoError(t, w.Wait(w.Go("turn", func(world.World) {})))
			}
		})
	}},
	{"code between port calls is not interrupted by other fibers", func(t *testing.T, s *stage) {
		inside := 0
		s.run(t, func(w world.World) {
			var started []world.Task
			for _, key := range []string{"a", "b", "c", "d"} {
				started = append(started, w.Go(key, func(w world.World) {
					for range 50 {
						inside++ // the race detector would see two at once, too
						if inside != 1 {
							panic("two fibers ran at once")
						}
						_, _ = w.UUID(), w.Now()
						inside--
						_ = w.Append(file, []byte("x\n"))
					}
				}))
			}
			for _, task := range started {
				_ = w.Wait(task)
			}
			data, err := w.ReadFile(file)
			require.NoError(t, err)
			require.Len(t, data, 4*50*2)
		})
	}},
	{"uuids are version 4 and do not repeat, also not in the next process", func(t *testing.T, s *stage) {
		seen := map[string]bool{}
		for range 2 {
			s.run(t, func(w world.World) {
				for range 100 {
					id := w.UUID()
					require.Regexp(t, `^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`, id)
					require.False(t, seen[id], "repeated: %s", id)
					seen[id] = true
				}
			})
		}
	}},
	{"time goes on from process to process", func(t *testing.T, s *stage) {
		begin := s.Now()
		for range 2 {
			s.run(t, func(w world.World) { require.NoError(t, w.Sleep(time.Hour)) })
		}
		require.Equal(t, 2*time.Hour, s.Now().Sub(begin))
	}},
}
