package worldtest

import (
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"harnessbench/harness/world"
)

// toolCalls are the ports of tools, commands, the user and chance.
var toolCalls = []situation{
	{"a call that is left to its own way runs it in its fiber, at once", func(t *testing.T, s *stage) {
		s.toolGives.Own = true
		begin := s.Now()
		s.run(t, func(w world.World) {
			res, err := w.RunTool(world.ToolCall{ID: "toolu_1", Name: "Read", Own: func() (world.ToolResult, error) {
				require.NoError(t, w.Sleep(time.Second))
				return world.ToolResult{Output: "own"}, nil
			}})
			require.NoError(t, err)
			require.Equal(t, world.ToolResult{Output: "own"}, res)
			fault := errors.New("no disk")
			_, err = w.RunTool(world.ToolCall{ID: "toolu_2", Name: "Read", Own: func() (world.ToolResult, error) {
				return world.ToolResult{}, fault
			}})
			require.ErrorIs(t, err, fault)
		})
		require.GreaterOrEqual(t, s.Now().Sub(begin), time.Second)
		require.Len(t, s.toolRuns, 2, "the runner was asked first")
	}},
	{"an interrupt reaches a call inside an own way", func(t *testing.T, s *stage) {
		s.toolGives.Own, s.toolTakes = true, 0
		s.run(t, func(w world.World) {
			task := w.Go("task", func(w world.World) {
				_, err := w.RunTool(world.ToolCall{ID: "toolu_1", Name: "Bash", Own: func() (world.ToolResult, error) {
					return world.ToolResult{}, w.Sleep(time.Hour)
				}})
				require.ErrorIs(t, err, world.ErrInterrupted)
			})
			require.NoError(t, w.Sleep(time.Second))
			task.Interrupt()
			require.NoError(t, w.Wait(task))
		})
	}},
	{"an answer of the world's own leaves the own way unused", func(t *testing.T, s *stage) {
		s.run(t, func(w world.World) {
			res, err := w.RunTool(world.ToolCall{ID: "toolu_1", Name: "Read", Own: func() (world.ToolResult, error) {
				panic("the own way was taken")
			}})
			require.NoError(t, err)
			require.Equal(t, world.ToolResult{Output: "ran Read", Exit: 2}, res)
		})
	}},
	{"a call without an own way that is left to it comes back as it is", func(t *testing.T, s *stage) {
		s.toolGives.Own = true
		s.run(t, func(w world.World) {
			res, err := w.RunTool(world.ToolCall{ID: "toolu_1", Name: "Skill"})
			require.NoError(t, err)
			require.True(t, res.Own)
		})
	}},
	{"a command runs for its time and gives what came of it", func(t *testing.T, s *stage) {
		begin := s.Now()
		s.run(t, func(w world.World) {
			exit, err := w.Exec(world.Command{Line: "make", Dir: "/w", Timeout: time.Minute})
			require.NoError(t, err)
			require.Equal(t, world.Exit{Output: "ran make", Code: 3, Dir: "/w/below"}, exit)
		})
		require.Equal(t, 3*time.Second, s.Now().Sub(begin))
	}},
	{"the user answers, and takes time for it", func(t *testing.T, s *stage) {
		s.run(t, func(w world.World) {
			a, err := w.Approve(world.ToolCall{ID: "toolu_1", Name: "Read"})
			require.NoError(t, err)
			require.Equal(t, world.Approval{Allow: true}, a)
			begin := w.Now()
			a, err = w.Approve(world.ToolCall{ID: "toolu_2", Name: "Bash"})
			require.NoError(t, err)
			require.Equal(t, world.Approval{Feedback: "not Bash"}, a)
			require.Equal(t, 3*time.Second, w.Now().Sub(begin))
		})
	}},
	{"random numbers do not repeat, also not in the next process", func(t *testing.T, s *stage) {
		seen := map[uint64]bool{}
		for range 2 {
			s.run(t, func(w world.World) {
				for range 100 {
					n := w.Random()
					require.False(t, seen[n])
					seen[n] = true
				}
			})
		}
	}},
}
