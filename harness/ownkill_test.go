package harness_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"harnessbench/harness"
	"harnessbench/harness/world"
)

// A process that is killed before any of its port calls, in the middle of the tools' own ways: what is on the disk
// resumes, each result names a file that is there, an edit is whole or not made, and the next edit of the file works
// (H-TOOL-74, H-TOOL-22; bug p-kill-while-tool-blocks).
func TestKillsInsideOwnWays(t *testing.T) {
	calls := 1
	for n := 1; n <= calls; n++ {
		calls = max(calls, killOwn(t, n))
	}
	require.Greater(t, calls, 40)
}

func killOwn(t *testing.T, n int) (made int) {
	r := ownRig(t)
	r.write("/w/app/a.go", "one\n")
	r.shell = func(cmd world.Command) (world.Exit, time.Duration) {
		return world.Exit{Output: strings.Repeat("x", 35_000), Dir: cmd.Dir}, time.Second
	}
	k := 0
	r.script = []answer{
		calls(&k, `Read {"file_path":"/w/app/a.go"}`, `Read {"file_path":"/w/app/CLAUDE.md"}`),
		calls(&k, `Edit {"file_path":"/w/app/a.go","old_string":"one","new_string":"two"}`, `Bash {"command":"make"}`,
			`Bash {"command":"make","timeout":100}`, `Write {"file_path":"/w/app/b.go","content":"b"}`),
		says(text("done")),
	}
	h := &hook{before: func(i int, _, _ string) {
		if i == n {
			r.m.Kill()
		}
	}, after: func(int, string, string) {}}
	out := r.m.Run(func(w world.World) {
		w = world.Hooked(w, h)
		s, err := harness.Start(w, r.cfg)
		require.NoError(t, err)
		r.prompt(w, s, "go")
		require.NoError(t, s.Close(w))
	})
	require.Empty(t, out.Panic)
	if !out.Killed {
		return h.n
	}
	require.Contains(t, []string{"one\n", "two\n"}, r.content("/w/app/a.go"))
	if len(r.sessions()) == 0 {
		return h.n + 1
	}
	r.made = 100
	r.resumed(func(w world.World, s *harness.Session) {
		r.result(w, s, `Read {"file_path":"/w/app/a.go"}`)
		now := strings.TrimSuffix(r.content("/w/app/a.go"), "\n")
		got := r.result(w, s, `Edit {"file_path":"/w/app/a.go","old_string":"`+now+`","new_string":"three"}`)
		assert.True(t, strings.HasPrefix(got, "Updated /w/app/a.go. The changed"), "call %d: %s", n, got)
		for _, file := range r.savedTo(r.logText()) {
			_ = r.content(file)
		}
	})
	for _, q := range r.requests {
		legal(t, q.Body)
	}
	return h.n + 1
}

// savedTo is the files that spilled results in a log name.
func (r *rig) savedTo(log string) (files []string) {
	for _, part := range strings.Split(log, "Full output saved to: ")[1:] {
		file, _, _ := strings.Cut(part, `\n`)
		files = append(files, file)
	}
	return files
}
