package sim_test

import (
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"harnessbench/harness/world"
	"harnessbench/harness/world/sim"
)

func TestEndlessPortCallsAreALivelock(t *testing.T) {
	m := sim.New(sim.Config{Start: start, MaxEvents: 1000})
	out := m.Run(func(w world.World) {
		task := w.Go("poller", func(w world.World) {
			for {
				_ = w.Append("/log", []byte("x"))
			}
		})
		_ = w.Wait(task)
	})
	require.Equal(t, world.Outcome{Stuck: []string{
		"livelock: more than 1000 port calls in one run",
		"main: waits for task main/poller",
		"main/poller: runs, last call disk.append /log",
	}}, out)
	require.Equal(t, start, m.Now())
}

func TestALoopOverTheClockIsALivelock(t *testing.T) {
	out := sim.New(sim.Config{Start: start, MaxEvents: 1000}).Run(func(w world.World) {
		for w.Now().Before(start.Add(time.Second)) {
			continue
		}
	})
	require.Equal(t, "livelock: more than 1000 port calls in one run", out.Stuck[0])
}

func TestEndlessTimeIsALivelock(t *testing.T) {
	m := sim.New(sim.Config{Start: start, MaxTime: time.Hour})
	for range 2 { // the limit is each run's own
		out := m.Run(func(w world.World) {
			w.Go("timer", func(w world.World) {
				for {
					_ = w.Sleep(7 * time.Minute)
				}
			})
			_ = w.Sleep(24 * time.Hour)
		})
		require.Equal(t, world.Outcome{Stuck: []string{
			"livelock: more than 1h0m0s of virtual time in one run",
			"main: sleep, until 24h0m0s after the start of the run",
			"main/timer: sleep, until 1h3m0s after the start of the run",
		}}, out)
	}
	require.Equal(t, world.Outcome{}, m.Run(func(w world.World) { _ = w.Sleep(time.Hour) }))
}

func TestASleepOfCenturiesIsALivelockToo(t *testing.T) {
	out := sim.New(sim.Config{Start: start}).Run(func(w world.World) { _ = w.Sleep(1<<63 - 1) })
	require.Equal(t, "livelock: more than 720h0m0s of virtual time in one run", out.Stuck[0])
}

func TestNoCoroutineIsLeft(t *testing.T) {
	before := runtime.NumGoroutine()
	for range 50 {
		m := sim.New(sim.Config{})
		m.Run(func(w world.World) {
			for _, key := range []string{"a", "b", "c"} {
				w.Go(key, func(w world.World) { _ = w.Sleep(time.Hour) })
			}
			_ = w.Sleep(time.Second)
			m.Kill()
		})
	}
	require.LessOrEqual(t, runtime.NumGoroutine(), before)
}

// A failing assertion in a fiber ends the goroutine that called Run, as it does in any test.
func TestAGoroutineThatEndsInsideAFiberUnwindsTheOthers(t *testing.T) {
	before := runtime.NumGoroutine()
	unwound, returned := false, false
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		sim.New(sim.Config{}).Run(func(w world.World) {
			w.Go("other", func(w world.World) {
				defer func() { unwound = true }()
				_ = w.Sleep(time.Hour)
			})
			task := w.Go("task", func(w world.World) {
				_ = w.Sleep(time.Second)
				runtime.Goexit()
			})
			_ = w.Wait(task)
		})
		returned = true
	}()
	<-ended
	require.True(t, unwound)
	require.False(t, returned)
	for runtime.NumGoroutine() > before {
		runtime.Gosched()
	}
}

func TestOneProcessAtATime(t *testing.T) {
	m := sim.New(sim.Config{})
	out := m.Run(func(world.World) { m.Run(func(world.World) {}) })
	require.Contains(t, out.Panic, "processes run one after the other")
}

func TestAMachineWithoutServerAndTools(t *testing.T) {
	require.Equal(t, world.Outcome{}, sim.New(sim.Config{}).Run(func(w world.World) {
		_, err := w.Call(world.Request{})
		require.ErrorContains(t, err, "refused")
		res, err := w.RunTool(world.ToolCall{Name: "Bash"})
		require.NoError(t, err)
		require.Equal(t, world.ToolResult{Output: "no tool named Bash", IsError: true}, res)
	}))
}
