package worldtest

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"harnessbench/harness/world"
)

// everything makes every kind of port call once, in a task, and notes in log what has come back.
func everything(log *[]string) func(world.World) {
	return func(w world.World) {
		note := func(op string) { *log = append(*log, op) }
		task := w.Go("task", func(w world.World) {
			// The deferred write must not reach the disk once the process is dead.
			defer func() { _ = w.Append("/deferred", []byte("x")) }()
			_, _ = w.ReadFile(file)
			note(world.OpDiskRead)
			_ = w.Append(file, []byte("line\n"))
			note(world.OpDiskAppend)
			_ = w.Replace("/replaced", []byte("whole"))
			note(world.OpDiskReplace)
			_, _ = w.ReadDir("/home")
			note(world.OpDiskReadDir)
			_, _ = w.Stat(file)
			note(world.OpDiskStat)
			_, _ = w.ReadAt(file, 0, 1)
			note(world.OpDiskReadAt)
			_ = w.Write("/written", []byte("whole"))
			note(world.OpDiskWrite)
			_ = w.Remove("/written")
			note(world.OpDiskRemove)
			_, _ = w.Resolve(file)
			note(world.OpDiskResolve)
			_, _ = w.Exec(world.Command{Line: "true", Dir: "/"})
			note(world.OpExec)
			_, _ = w.Approve(world.ToolCall{ID: "toolu_1", Name: "Bash"})
			note(world.OpApprove)
			resp, err := w.Call(request())
			note(world.OpCall)
			if err == nil {
				defer resp.Body.Close()
				_, _ = resp.Body.Next(w)
				note(world.OpRead)
			}
			_, _ = w.RunTool(world.ToolCall{ID: "toolu_1", Name: "Bash"})
			note(world.OpTool)
			_ = w.Sleep(time.Second)
			note(world.OpSleep)
			child := w.Go("child", func(world.World) {})
			note(world.OpGo)
			_ = w.Wait(child)
			note(world.OpWait)
		})
		_ = w.Wait(task)
		_ = w.Append("/end", []byte("x"))
	}
}

// ops are the calls of everything's task, in order.
var ops = []world.Op{world.OpDiskRead, world.OpDiskAppend, world.OpDiskReplace, world.OpDiskReadDir, world.OpDiskStat,
	world.OpDiskReadAt, world.OpDiskWrite, world.OpDiskRemove, world.OpDiskResolve,
	world.OpExec, world.OpApprove, world.OpCall, world.OpRead, world.OpTool, world.OpSleep, world.OpGo, world.OpWait}

// killAt kills the machine at the first call of op made by everything's task.
func killAt(s *stage, when string, op world.Op) *hook {
	h := &hook{}
	done := false
	h.on = func(at, seen, detail string, _ error) {
		mine := seen == op && (op != world.OpGo || detail == "child") && (op != world.OpWait || detail == "main/task/child")
		if at == when && mine && !done {
			done = true
			s.Kill()
		}
	}
	return h
}

func kills() []situation {
	var all []situation
	for i, op := range ops {
		for _, when := range []string{"before", "after"} {
			all = append(all, situation{when + " " + op, func(t *testing.T, s *stage) {
				var log []string
				h := killAt(s, when, op)
				out := s.Run(func(w world.World) { everything(&log)(world.Hooked(w, h)) })
				s.settle()
				require.Equal(t, world.Outcome{Killed: true}, out)
				// No call returns to the harness once the process is dead, also not the one killed after its effect.
				require.ElementsMatch(t, ops[:i], log)
				// What took effect is what came before the kill.
				took := func(x world.Op) bool {
					at := indexOf(x)
					return at < i || at == i && when == "after"
				}
				after := map[string]string{}
				require.Equal(t, world.Outcome{}, s.Run(func(w world.World) {
					for _, path := range []string{file, "/replaced", "/deferred", "/end"} {
						if data, err := w.ReadFile(path); err == nil {
							after[path] = string(data)
						}
					}
				}))
				want := map[string]string{}
				if took(world.OpDiskAppend) {
					want[file] = "line\n"
				}
				if took(world.OpDiskReplace) {
					want["/replaced"] = "whole"
				}
				require.Equal(t, want, after)
				require.Equal(t, took(world.OpCall), len(s.requests) == 1)
				require.Equal(t, took(world.OpTool), len(s.toolRuns) == 1)
			}})
		}
	}
	for _, x := range waits {
		all = append(all, situation{"while a fiber is parked in " + x.name, func(t *testing.T, s *stage) {
			out := s.Run(func(w world.World) {
				other := w.Go("other", sleeper(time.Hour, func() { panic("woke after the kill") }))
				w.Go("task", func(w world.World) {
					var b world.Body
					if x.prepare != nil {
						b = x.prepare(t, w)
					}
					err := x.call(w, b, other)
					panic(fmt.Sprint("came back from the kill: ", err))
				})
				_ = w.Sleep(x.at)
				s.Kill()
				_ = w.Sleep(time.Second)
				panic("came back from the kill")
			})
			s.settle()
			require.Equal(t, world.Outcome{Killed: true}, out)
		}})
	}
	return append(all,
		situation{"the server sees an open answer cancelled", func(t *testing.T, s *stage) {
			out := s.Run(func(w world.World) {
				open(t, w)
				_ = w.Sleep(500 * time.Millisecond)
				s.Kill()
				w.Now()
			})
			s.settle()
			require.Equal(t, world.Outcome{Killed: true}, out)
			require.Equal(t, []time.Duration{1500 * time.Millisecond}, s.cancelled)
		}},
		situation{"a task that has not begun never does", func(t *testing.T, s *stage) {
			out := s.Run(func(w world.World) {
				h := &hook{}
				h.on = func(at, _, _ string, _ error) {
					if at == "before" {
						s.Kill()
					}
				}
				world.Hooked(w, h).Go("task", func(world.World) { panic("began after the kill") })
			})
			require.Equal(t, world.Outcome{Killed: true}, out)
		}},
		situation{"without a process nothing happens", func(t *testing.T, s *stage) {
			s.Kill()
			s.run(t, func(w world.World) { require.NoError(t, w.Sleep(time.Second)) })
			s.Kill()
			s.run(t, func(w world.World) { require.NoError(t, w.Sleep(time.Second)) })
		}},
		situation{"a run without a kill makes every call", func(t *testing.T, s *stage) {
			var log []string
			h := &hook{}
			s.run(t, func(w world.World) { everything(&log)(world.Hooked(w, h)) })
			require.Equal(t, ops, log)
			count := map[string]int{}
			for _, line := range h.seen {
				count[line]++
			}
			for _, op := range ops {
				require.Positive(t, count["before "+op], op)
				require.Equal(t, count["before "+op], count["after "+op], op)
			}
		}},
	)
}

func indexOf(op world.Op) int {
	for i, x := range ops {
		if x == op {
			return i
		}
	}
	return -1
}
