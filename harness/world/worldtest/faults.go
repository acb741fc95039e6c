package worldtest

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"harnessbench/harness/world"
)

// breakDown is a function whose name must be seen in the stack.
func breakDown(m map[string]int) { m["x"] = 1 }

var faults = []situation{
	{"a panic is reported with its stack and ends the process", func(t *testing.T, s *stage) {
		out := s.Run(func(w world.World) {
			w.Go("other", func(w world.World) {
				defer func() { _ = w.Append("/other", []byte("x")) }()
				_ = w.Sleep(time.Hour)
				panic("ran on")
			})
			task := w.Go("task", func(w world.World) {
				_ = w.Sleep(time.Second)
				breakDown(nil)
			})
			_ = w.Wait(task)
			_ = w.Append("/main", []byte("x"))
		})
		require.Contains(t, out.Panic, "fiber main/task: assignment to entry in nil map")
		require.Contains(t, out.Panic, "worldtest.breakDown faults.go:")
		require.NotContains(t, out.Panic, "0x", "addresses differ from run to run")
		out.Panic = ""
		require.Equal(t, world.Outcome{}, out)
		s.run(t, func(w world.World) {
			names, err := w.ReadDir("/")
			require.NoError(t, err)
			require.Empty(t, names, "nothing is written after the panic")
		})
	}},
	{"deferred port calls work while a panic unwinds its own fiber", func(t *testing.T, s *stage) {
		out := s.Run(func(w world.World) {
			defer func() { _ = w.Append(file, []byte("x")) }()
			panic("broken")
		})
		require.Contains(t, out.Panic, "fiber main: broken")
		s.run(t, func(w world.World) {
			_, err := w.ReadFile(file)
			require.NoError(t, err)
		})
	}},
	{"fibers left when the first has ended are named and unwound", func(t *testing.T, s *stage) {
		out := s.Run(func(w world.World) {
			for _, key := range []string{"b", "a"} {
				w.Go(key, func(w world.World) {
					defer func() { _ = w.Append("/left", []byte("x")) }()
					_ = w.Sleep(time.Hour)
					panic("ran on")
				})
			}
			_ = w.Wait(w.Go("ended", func(world.World) {}))
			_ = w.Sleep(time.Second)
		})
		require.Equal(t, world.Outcome{Left: []string{"main/a", "main/b"}}, out)
		s.run(t, func(w world.World) {
			_, err := w.ReadFile("/left")
			require.Error(t, err)
		})
	}},
	{"fibers that wait for each other are stuck", func(t *testing.T, s *stage) {
		out := s.Run(func(w world.World) {
			var b world.Task
			a := w.Go("a", func(w world.World) {
				_ = w.Sleep(time.Second)
				_ = w.Wait(b)
			})
			b = w.Go("b", func(w world.World) {
				_ = w.Wait(a)
			})
			_ = w.Wait(b)
		})
		require.Equal(t, world.Outcome{Stuck: []string{
			"deadlock: every fiber waits for another",
			"main: waits for task main/b",
			"main/a: waits for task main/b",
			"main/b: waits for task main/a",
		}}, out)
	}},
	{"fibers are stuck when the last that could have freed them has ended", func(t *testing.T, s *stage) {
		out := s.Run(func(w world.World) {
			w.Go("last", sleeper(time.Hour, func() {}))
			var b world.Task
			a := w.Go("a", func(w world.World) {
				_ = w.Sleep(time.Second)
				_ = w.Wait(b)
			})
			b = w.Go("b", func(w world.World) { _ = w.Wait(a) })
			_ = w.Wait(b)
		})
		require.Equal(t, []string{
			"deadlock: every fiber waits for another",
			"main: waits for task main/b",
			"main/a: waits for task main/b",
			"main/b: waits for task main/a",
		}, out.Stuck)
	}},
	{"an interrupt on its way keeps fibers from being stuck", func(t *testing.T, s *stage) {
		s.run(t, func(w world.World) {
			var b world.Task
			a := w.Go("a", func(w world.World) {
				_ = w.Sleep(time.Second)
				require.ErrorIs(t, w.Wait(b), world.ErrInterrupted)
			})
			b = w.Go("b", func(w world.World) {
				_ = w.Sleep(2 * time.Second)
				a.Interrupt()
				_ = w.Wait(a)
			})
			_ = w.Wait(b)
		})
	}},
	{"fibers that wait for one that will end are not stuck", func(t *testing.T, s *stage) {
		s.run(t, func(w world.World) {
			a := w.Go("a", sleeper(time.Hour, func() {}))
			b := w.Go("b", func(w world.World) { _ = w.Wait(a) })
			_ = w.Wait(b)
		})
	}},
	{"two live siblings of one key are a fault", func(t *testing.T, s *stage) {
		out := s.Run(func(w world.World) {
			w.Go("twin", sleeper(time.Second, func() {}))
			w.Go("twin", sleeper(time.Second, func() {}))
		})
		require.Contains(t, out.Panic, `fiber main starts "twin" while one of that key runs`)
	}},
	{"the handle of another fiber is a fault", func(t *testing.T, s *stage) {
		out := s.Run(func(w world.World) {
			_ = w.Wait(w.Go("child", func(world.World) { _ = w.Sleep(0) }))
		})
		require.Contains(t, out.Panic, "handle of fiber main, which is not the one running")
	}},
	{"a task of another kind is a fault", func(t *testing.T, s *stage) {
		out := s.Run(func(w world.World) { _ = w.Wait(nil) })
		require.Contains(t, out.Panic, "no task of this world")
	}},
}
