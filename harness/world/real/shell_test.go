package real_test

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"harnessbench/harness/world"
	"harnessbench/harness/world/real"
	"harnessbench/harness/world/worldtest"
)

func shellMachine(t *testing.T) (m *real.Machine, root string) {
	root = t.TempDir()
	shell, err := real.NewBash(root)
	require.NoError(t, err)
	m, err = real.New(real.Config{Root: root, BaseURL: "http://api.test", IDs: rand.NewPCG(1, 2), Shell: shell})
	require.NoError(t, err)
	return m, root
}

func TestCommands(t *testing.T) {
	worldtest.Commands(t, func(t *testing.T) world.Machine {
		m, _ := shellMachine(t)
		return m
	})
}

// What only a shell of this computer can show: a fresh process for each command, with nothing of ours in sight, the end
// of all that a stopped command started, and a child that holds the output open (H-TOOL-25).
func TestRealCommands(t *testing.T) {
	m, root := shellMachine(t)
	require.NoError(t, os.MkdirAll(filepath.Join(root, "w"), 0o700))
	require.Equal(t, world.Outcome{}, m.Run(func(w world.World) {
		exec := func(line string, timeout time.Duration) world.Exit {
			exit, err := w.Exec(world.Command{Line: line, Dir: "/w", Timeout: timeout})
			require.NoError(t, err)
			return exit
		}
		require.Equal(t, "", exec("export X=1", time.Minute).Output)
		require.Equal(t, "unset 0\n", exec(`echo "${X-unset}" $#`, time.Minute).Output)
		require.Equal(t, world.Exit{Output: "a'b\n", Code: 4, Dir: "/w"}, exec(`echo "a'b"; (exit 4)`, time.Minute))
		require.Equal(t, 128+15, exec("kill -TERM $$", time.Minute).Code)
		require.Equal(t, "", exec("cd /", time.Minute).Dir, "outside of the machine's root")
		require.NotZero(t, exec("echo 'open", time.Minute).Code)

		begin := time.Now()
		require.Equal(t, "started\n", exec("sleep 30 & echo started", time.Minute).Output)
		require.True(t, exec("sleep 0.5 && touch late & wait", 100*time.Millisecond).Stopped)
		require.Less(t, time.Since(begin), 10*time.Second)
		require.NoError(t, w.Sleep(700*time.Millisecond))
		_, err := w.Stat("/w/late")
		require.Error(t, err, "children of a stopped command are stopped, too")

		_, err = w.Exec(world.Command{Line: "true", Dir: "/nowhere"})
		require.ErrorContains(t, err, "could not be started in /nowhere")
	}))
}

// When a process has ended nothing of its background is left, not even a file beside its output.
func TestNothingOfTheBackgroundIsLeft(t *testing.T) {
	m, _ := shellMachine(t)
	scratch := t.TempDir()
	t.Setenv("TMPDIR", scratch)
	require.Equal(t, world.Outcome{}, m.Run(func(w world.World) {
		require.NoError(t, w.Write("/w/file", nil))
		for range 5 {
			exit, err := w.Exec(world.Command{Line: "sleep 30", Dir: "/w", Background: true, File: "/out"})
			require.NoError(t, err)
			require.True(t, exit.Running)
		}
	}))
	left, err := os.ReadDir(scratch)
	require.NoError(t, err)
	require.Empty(t, left)
}

// Files of the user's have mode 0644 when new and keep the mode they have; ours have 0600.
func TestModes(t *testing.T) {
	m, root := shellMachine(t)
	mode := func(name string) os.FileMode {
		info, err := os.Stat(filepath.Join(root, name))
		require.NoError(t, err)
		return info.Mode().Perm()
	}
	require.Equal(t, world.Outcome{}, m.Run(func(w world.World) {
		require.NoError(t, w.Write("/w/script", []byte("x")))
		require.NoError(t, w.Append("/w/log", []byte("x")))
		require.NoError(t, w.Replace("/w/state", []byte("x")))
		require.Equal(t, []os.FileMode{0o644, 0o600, 0o600}, []os.FileMode{mode("w/script"), mode("w/log"), mode("w/state")})
		require.NoError(t, os.Chmod(filepath.Join(root, "w/script"), 0o755))
		require.NoError(t, w.Write("/w/script", []byte("y")))
		require.Equal(t, os.FileMode(0o755), mode("w/script"))
	}))
}
