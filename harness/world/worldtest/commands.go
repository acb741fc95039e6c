package worldtest

import (
	"io/fs"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"harnessbench/harness/world"
)

// Command lines of Commands, and how long the slow one takes.
const (
	Merged = "echo out; echo err >&2"
	Fails  = "exit 3"
	Moves  = "cd sub"
	Silent = "true"
	Slow   = "echo begun; sleep 0.4; echo ended"

	SlowTakes = 400 * time.Millisecond
)

// Commands is the contract of a machine's shell. The clock of a machine may be a real one; each machine is new and knows
// the lines above.
func Commands(t *testing.T, machine func(*testing.T) world.Machine) {
	const log = "/state/out.txt"
	in := func(name string, f func(t *testing.T, w world.World)) {
		t.Run(name, func(t *testing.T) {
			require.Equal(t, world.Outcome{}, machine(t).Run(func(w world.World) {
				require.NoError(t, w.Write("/w/sub/file", nil))
				f(t, w)
			}))
		})
	}
	exec := func(t *testing.T, w world.World, cmd world.Command) world.Exit {
		if cmd.Dir == "" {
			cmd.Dir = "/w"
		}
		exit, err := w.Exec(cmd)
		require.NoError(t, err)
		return exit
	}
	in("both outputs are one", func(t *testing.T, w world.World) {
		require.Equal(t, world.Exit{Output: "out\nerr\n", Dir: "/w"}, exec(t, w, world.Command{Line: Merged, Timeout: time.Minute}))
	})
	in("an exit code", func(t *testing.T, w world.World) {
		require.Equal(t, world.Exit{Code: 3, Dir: "/w"}, exec(t, w, world.Command{Line: Fails, Timeout: time.Minute}))
	})
	in("a command that is not there", func(t *testing.T, w world.World) {
		exit := exec(t, w, world.Command{Line: "no-such-command-here", Timeout: time.Minute})
		require.Equal(t, 127, exit.Code)
		require.Contains(t, exit.Output, "not found")
	})
	in("the directory at the end, and that of the next command", func(t *testing.T, w world.World) {
		require.Equal(t, "/w/sub", exec(t, w, world.Command{Line: Moves, Timeout: time.Minute}).Dir)
		require.Equal(t, "/w/sub", exec(t, w, world.Command{Line: Silent, Dir: "/w/sub", Timeout: time.Minute}).Dir)
	})
	in("a command with a file that ends in time leaves no file", func(t *testing.T, w world.World) {
		require.Equal(t, "begun\nended\n", exec(t, w, world.Command{Line: Slow, Timeout: time.Minute, File: log}).Output)
		_, err := w.Stat(log)
		require.ErrorIs(t, err, fs.ErrNotExist)
	})
	in("a timeout stops a command without a file", func(t *testing.T, w world.World) {
		begin := w.Now()
		exit := exec(t, w, world.Command{Line: Slow, Timeout: SlowTakes / 4})
		require.True(t, exit.Stopped)
		require.False(t, exit.Running)
		require.Less(t, w.Now().Sub(begin), SlowTakes)
	})
	in("a timeout moves a command with a file to the background", func(t *testing.T, w world.World) {
		exit := exec(t, w, world.Command{Line: Slow, Timeout: SlowTakes / 4, File: log})
		require.True(t, exit.Running)
		require.False(t, exit.Stopped)
		require.NotContains(t, content(t, w, log), "ended")
		require.NoError(t, w.Sleep(2*SlowTakes))
		require.Equal(t, "begun\nended\n", content(t, w, log))
	})
	in("a command in the background returns at once", func(t *testing.T, w world.World) {
		begin := w.Now()
		require.True(t, exec(t, w, world.Command{Line: Slow, Background: true, File: log}).Running)
		require.Less(t, w.Now().Sub(begin), SlowTakes)
		require.NotContains(t, content(t, w, log), "ended")
		require.NoError(t, w.Sleep(2*SlowTakes))
		require.Equal(t, "begun\nended\n", content(t, w, log))
	})
	in("an interrupt stops a command", func(t *testing.T, w world.World) {
		begin := w.Now()
		task := w.Go("task", func(w world.World) {
			_, err := w.Exec(world.Command{Line: Slow, Dir: "/w", Timeout: time.Minute, File: log})
			require.ErrorIs(t, err, world.ErrInterrupted)
		})
		require.NoError(t, w.Sleep(SlowTakes/4))
		task.Interrupt()
		require.NoError(t, w.Wait(task))
		require.Less(t, w.Now().Sub(begin), SlowTakes)
		_, err := w.Stat(log)
		require.ErrorIs(t, err, fs.ErrNotExist)
	})
	t.Run("the background ends with its process", func(t *testing.T) {
		m := machine(t)
		require.Equal(t, world.Outcome{}, m.Run(func(w world.World) {
			require.NoError(t, w.Write("/w/sub/file", nil))
			require.True(t, exec(t, w, world.Command{Line: Slow, Background: true, File: log}).Running)
		}))
		require.Equal(t, world.Outcome{}, m.Run(func(w world.World) {
			require.NoError(t, w.Sleep(2*SlowTakes))
			require.NotContains(t, content(t, w, log), "ended")
		}))
	})
}
