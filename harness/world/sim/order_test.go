package sim_test

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"harnessbench/harness/world"
	"harnessbench/harness/world/sim"
)

// trace runs fibers with these keys, started in this order, that all write at the same instants, and
// gives the order of the writes.
func trace(seed uint64, keys ...string) []string {
	disk := sim.NewDisk()
	sim.New(sim.Config{Seed: seed, Disk: disk}).Run(func(w world.World) {
		var started []world.Task
		for _, key := range keys {
			started = append(started, w.Go(key, func(w world.World) {
				for i := range 3 {
					// A whole second, counted from the start of the run, so that all are due at once.
					_ = w.Sleep(time.Second - time.Duration(w.Now().Nanosecond()))
					_ = w.Append("/log", fmt.Appendf(nil, "%s%d ", key, i))
				}
			}))
		}
		for _, t := range started {
			_ = w.Wait(t)
		}
	})
	data, err := disk.Read("/log")
	if err != nil {
		panic(err)
	}
	return strings.Fields(string(data))
}

// first is the first round of a trace: everybody's write 0.
func first(trace []string) []string {
	return slices.DeleteFunc(slices.Clone(trace), func(s string) bool { return !strings.HasSuffix(s, "0") })
}

func TestSameSeedSameOrder(t *testing.T) {
	want := trace(3, "a", "b", "c", "d")
	for _, procs := range []int{1, 2, 4} {
		before := runtime.GOMAXPROCS(procs)
		require.Equal(t, want, trace(3, "a", "b", "c", "d"))
		runtime.GOMAXPROCS(before)
	}
}

func TestSeedsGiveOtherOrders(t *testing.T) {
	seen := map[string]bool{}
	for seed := range uint64(200) {
		seen[strings.Join(first(trace(seed, "a", "b", "c")), "")] = true
	}
	require.Len(t, seen, 6, "every order of three fibers comes up")
}

func TestOrderDoesNotDependOnWhoWasStartedFirst(t *testing.T) {
	for seed := range uint64(50) {
		require.Equal(t, trace(seed, "a", "b", "c"), trace(seed, "c", "a", "b"))
	}
}

func TestOneMoreFiberLeavesTheOrderOfTheOthers(t *testing.T) {
	for seed := range uint64(50) {
		with := slices.DeleteFunc(trace(seed, "a", "x", "b", "c"), func(s string) bool { return s[0] == 'x' })
		require.Equal(t, trace(seed, "a", "b", "c"), with)
	}
}

// program is a random tree of fibers that use all ports.
type program struct {
	key      string
	steps    []int
	children []program
}

func programs(depth int) *rapid.Generator[program] {
	return rapid.Custom(func(t *rapid.T) program {
		p := program{steps: rapid.SliceOfN(rapid.IntRange(0, 6), 0, 6).Draw(t, "steps")}
		if depth > 0 {
			p.children = rapid.SliceOfN(programs(depth-1), 0, 3).Draw(t, "children")
		}
		for i := range p.children {
			p.children[i].key = fmt.Sprint("child", i)
		}
		return p
	})
}

func (p program) run(w world.World) {
	var tasks []world.Task
	for _, c := range p.children {
		tasks = append(tasks, w.Go(c.key, c.run))
	}
	for _, step := range p.steps {
		switch step {
		case 0:
			_ = w.Sleep(time.Second)
		case 1:
			_ = w.Append("/log", []byte(w.UUID()+"\n"))
		case 2:
			if resp, err := w.Call(world.Request{Method: "POST", Path: "/v1/messages"}); err == nil {
				_, _ = resp.Body.Next(w)
				resp.Body.Close()
			}
		case 3:
			_, _ = w.RunTool(world.ToolCall{Name: "Bash"})
		case 4:
			for _, t := range tasks {
				t.Interrupt()
			}
		case 5:
			_, _ = w.ReadFile("/log")
		case 6:
			_ = w.Replace("/state", []byte(w.Now().String()))
		}
	}
	for _, t := range tasks {
		for w.Wait(t) != nil { // an interrupt frees the waiting, not the task
			continue
		}
	}
}

// recording is a run's port calls in order, killed at call number kill (0: not).
type recording struct {
	m     *sim.Machine
	kill  int
	calls []string
}

func (r *recording) Before(op, detail string) {
	r.calls = append(r.calls, "before "+op+" "+detail+" "+r.m.Now().String())
	if len(r.calls) == r.kill {
		r.m.Kill()
	}
}

func (r *recording) After(op, detail string, err error) {
	r.calls = append(r.calls, fmt.Sprint("after ", op, " ", detail, " ", r.m.Now(), " ", err))
	if len(r.calls) == r.kill {
		r.m.Kill()
	}
}

type instant struct{}

func (instant) Handle(time.Time, world.Request) sim.Exchange {
	return sim.Exchange{Status: 200, Frames: []sim.Frame{{After: time.Second, Data: []byte("x")}, {After: time.Minute}}}
}

func (instant) Run(time.Time, world.ToolCall) (world.ToolResult, time.Duration) {
	return world.ToolResult{}, time.Second
}

func (p program) record(seed uint64, kill int) (world.Outcome, []string, *sim.Disk) {
	m := sim.New(sim.Config{Seed: seed, Server: instant{}, Tools: instant{}})
	r := &recording{m: m, kill: kill}
	out := m.Run(func(w world.World) { p.run(world.Hooked(w, r)) })
	return out, r.calls, m.Disk()
}

func TestAnyProgramRunsTheSameTwiceAndDiesAtAnyCall(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := programs(2).Draw(t, "program")
		seed := rapid.Uint64().Draw(t, "seed")
		out, calls, disk := p.record(seed, 0)
		require.Equal(t, world.Outcome{}, out)
		_, again, diskAgain := p.record(seed, 0)
		require.Equal(t, calls, again)
		require.Equal(t, disk, diskAgain)
		if len(calls) > 0 {
			kill := rapid.IntRange(1, len(calls)).Draw(t, "kill")
			out, killed, _ := p.record(seed, kill)
			require.Equal(t, world.Outcome{Killed: true}, out)
			require.Equal(t, calls[:kill], killed, "the same up to the kill, and nothing after it")
		}
	})
}
