package sim_test

import (
	"testing"
	"time"

	"harnessbench/harness/world"
	"harnessbench/harness/world/sim"
)

// BenchmarkPortCall: one port call, alone (no switch of coroutines) and with a second fiber that
// takes turns with it.
func BenchmarkPortCall(b *testing.B) {
	unlimited := sim.Config{MaxEvents: 1 << 60}
	b.Run("alone", func(b *testing.B) {
		b.ReportAllocs()
		sim.New(unlimited).Run(func(w world.World) {
			for b.Loop() {
				_ = w.Sleep(0)
			}
		})
	})
	b.Run("two fibers taking turns", func(b *testing.B) {
		b.ReportAllocs()
		sim.New(unlimited).Run(func(w world.World) {
			stop := false
			other := w.Go("other", func(w world.World) {
				for !stop {
					_ = w.Sleep(time.Millisecond)
				}
			})
			for b.Loop() {
				_ = w.Sleep(time.Millisecond)
			}
			stop = true
			_ = w.Wait(other)
		})
	})
}

// BenchmarkSimulatedHour: an hour in which ten fibers wake once a second. The budget of
// architecture.md 7 for an hour of a whole session is 25 ms; this is the scheduler's share of it.
func BenchmarkSimulatedHour(b *testing.B) {
	const fibers = 10
	b.ReportAllocs()
	for b.Loop() {
		sim.New(sim.Config{}).Run(func(w world.World) {
			var tasks []world.Task
			for i := range fibers {
				tasks = append(tasks, w.Go(string(rune('a'+i)), func(w world.World) {
					for range 3600 {
						_ = w.Sleep(time.Second)
					}
				}))
			}
			for _, t := range tasks {
				_ = w.Wait(t)
			}
		})
	}
	perHour := b.Elapsed() / time.Duration(b.N)
	b.ReportMetric(float64(perHour)/float64(25*time.Millisecond), "of-budget")
}
