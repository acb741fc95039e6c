package harness_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"harnessbench/harness"
	"harnessbench/harness/world"
)

// writes is an answer that writes a file.
func writes(id, file, content string) answer {
	return says(use(id, "Write", fmt.Sprintf(`{"file_path":%q,"content":%q}`, file, content)))
}

// editing gives a rig whose Write and Edit run on its disk, and whose Bash does what it is told.
func editing(t *testing.T, model string, bash func(r *rig, command string)) *rig {
	r := newRig(t, model, answer{})
	r.tool = func(call world.ToolCall) (world.ToolResult, time.Duration) {
		if call.Name != "Bash" {
			return world.ToolResult{Own: true}, time.Millisecond
		}
		var in struct{ Command string }
		require.NoError(t, json.Unmarshal(call.Input, &in))
		bash(r, in.Command)
		return world.ToolResult{Output: "done\n"}, time.Second
	}
	return r
}

// turn runs one prompt whose calls are given, then says that it is done.
func (r *rig) turn(w world.World, s *harness.Session, prompt string, calls ...answer) string {
	r.t.Helper()
	n := 0
	r.answer = func() answer {
		if n < len(calls) {
			n++
			return calls[n-1]
		}
		return says(text("Done."))
	}
	out := r.prompt(w, s, prompt)
	require.Equal(r.t, harness.Completed, out.Reason)
	require.Equal(r.t, len(calls), n)
	return s.LastPrompt()
}

// put writes a file of the user's, or takes it away.
func (r *rig) file(file, content string) { require.NoError(r.t, r.disk.Write(file, []byte(content))) }

func (r *rig) gone(file string) bool {
	_, err := r.disk.Read(file)
	return err != nil
}

func snapshots(t *testing.T, data string) []map[string]any {
	var out []map[string]any
	for line := range strings.Lines(data) {
		var e map[string]any
		require.NoError(t, json.Unmarshal([]byte(line), &e))
		if e["type"] == "file-history-snapshot" {
			out = append(out, e)
		}
	}
	return out
}

// Each prompt has a record of the tracked files behind it, and one more when a file is first edited in its turn; the
// bodies lie beside, named after their content (H-LOG-60, H-LOG-61, H-LOG-62, H-LOG-63, H-LOG-64, H-LOG-65, H-TOOL-22).
func TestCheckpointsStandInTheLog(t *testing.T) {
	for _, naming := range []string{"content", "path"} {
		r := editing(t, plain, nil)
		r.cfg.Switches.BackupName = naming
		r.session(func(w world.World, s *harness.Session) {
			r.file("/etc/conf", "old")
			first := r.turn(w, s, "one", writes("a", cwd+"/new.go", "v1\n"), writes("b", cwd+"/new.go", "v1b\n"))
			second := r.turn(w, s, "two", says(use("c", "Read", `{"file_path":"/etc/conf"}`)), writes("d", "/etc/conf", "new"))
			shots := snapshots(t, r.read(s.File()))
			require.Len(t, shots, 4)
			files := func(i int) map[string]any {
				return shots[i]["snapshot"].(map[string]any)["trackedFileBackups"].(map[string]any)
			}
			for i, want := range []struct {
				id     string
				update bool
				files  int
			}{{first, false, 0}, {first, true, 1}, {second, false, 1}, {second, true, 1}} {
				assert.Equal(t, want.id, shots[i]["messageId"], i)
				assert.Equal(t, want.id, shots[i]["snapshot"].(map[string]any)["messageId"], i)
				assert.Equal(t, want.update, shots[i]["isSnapshotUpdate"], i)
				assert.Len(t, files(i), want.files, i)
			}
			created := files(1)["new.go"].(map[string]any)
			assert.Nil(t, created["backupFileName"])
			assert.InDelta(t, 1, created["version"], 0)
			later := files(2)["new.go"].(map[string]any)
			assert.InDelta(t, 2, later["version"], 0)
			name := later["backupFileName"].(string)
			assert.Regexp(t, `^[0-9a-f]{16}@v2$`, name)
			assert.Equal(t, "v1b\n", r.read(configDir+"/file-history/"+s.ID()+"/"+name))
			outside := files(3)["/etc/conf"].(map[string]any)["backupFileName"].(string)
			assert.Equal(t, "old", r.read(configDir+"/file-history/"+s.ID()+"/"+outside))
			want := map[string]string{"content": "cba06b5736faf67e@v1", "path": "f929e76fe0d90e8f@v1"} // SHA-256 of "old" and of "/etc/conf"
			assert.Equal(t, want[naming], outside)
			assert.NotEqual(t, s.Leaf(), first, "the records are no part of the chain")
			require.NoError(t, s.Rewind(w, second))
		})
	}
}

// Code goes back to what it was when a prompt came: created files go, deleted ones come back, files that a command
// changed too get the bytes they had, whatever happened to the conversation (H-CMD-35, H-CMD-36). bug
// l-first-edit-snapshot-late, l-new-file-edit-not-reverted, l-restore-misses-deleted-file,
// l-code-only-restore-drops-snapshots.
func TestRestoringCode(t *testing.T) {
	bash := func(r *rig, command string) {
		switch command {
		case "rm f":
			require.NoError(r.t, r.disk.Remove(cwd+"/f"))
		case "sed -i f":
			r.file(cwd+"/f", "by bash")
		case "touch g":
			r.file(cwd+"/g", "untracked")
		}
	}
	run := func(command string) answer {
		return says(use("x"+command[:1]+command[len(command)-1:], "Bash", fmt.Sprintf(`{"command":%q}`, command)))
	}
	for _, resumed := range []bool{false, true} {
		r := editing(t, plain, bash)
		r.file(cwd+"/f", "original")
		var p [6]string
		story := func(w world.World, s *harness.Session) {
			p[1] = r.turn(w, s, "one", says(use("r", "Read", `{"file_path":"/w/app/f"}`)), writes("a", cwd+"/f", "v1"))
			p[2] = r.turn(w, s, "two", writes("b", cwd+"/f", "v2"), writes("c", cwd+"/made/new", "n1"))
			p[3] = r.turn(w, s, "three", writes("d", cwd+"/made/new", "n2"), run("sed -i f"))
			p[4] = r.turn(w, s, "four", run("rm f"), run("touch g"))
		}
		back := func(w world.World, s *harness.Session) {
			restored, err := s.RewindTo(w, p[3], harness.RestoreCode)
			require.NoError(t, err)
			assert.Equal(t, harness.Restored{Files: []string{cwd + "/f", cwd + "/made/new"}}, restored)
			assert.Equal(t, "v2", r.read(cwd+"/f"), "deleted by a command, and changed by one before")
			assert.Equal(t, "n1", r.read(cwd+"/made/new"))
			assert.Equal(t, "untracked", r.read(cwd+"/g"), "what only commands made is not touched")
			assert.Equal(t, p[4], s.LastPrompt(), "the conversation stands where it stood")

			_, err = s.RewindTo(w, p[1], harness.RestoreCode)
			require.NoError(t, err)
			assert.Equal(t, "original", r.read(cwd+"/f"))
			assert.True(t, r.gone(cwd+"/made/new"))

			_, err = s.RewindTo(w, p[4], harness.RestoreCode)
			require.NoError(t, err)
			assert.Equal(t, "by bash", r.read(cwd+"/f"), "forward again: nothing was lost")
			assert.Equal(t, "n2", r.read(cwd+"/made/new"))

			restored, err = s.RewindTo(w, p[2], harness.RestoreBoth)
			require.NoError(t, err)
			assert.Equal(t, "two", restored.Input)
			assert.Equal(t, "v1", r.read(cwd+"/f"))
			assert.True(t, r.gone(cwd+"/made/new"))
			assert.Equal(t, p[1], s.LastPrompt())
			restored, err = s.RewindTo(w, p[1], harness.RestoreConversation)
			require.NoError(t, err)
			assert.Equal(t, harness.Restored{Input: "one"}, restored)
			assert.Equal(t, "v1", r.read(cwd+"/f"), "the conversation alone")
			assert.Empty(t, s.Report())
		}
		if resumed {
			r.session(story)
			r.resumed(back)
			continue
		}
		r.session(func(w world.World, s *harness.Session) { story(w, s); back(w, s) })
	}
}

// The code of a prompt can be restored when a tracked file was edited in its turn or later; a turn of commands alone
// offers nothing (H-CMD-36, H-CMD-37).
func TestCodeIsOfferedWhereItChanged(t *testing.T) {
	r := editing(t, plain, func(r *rig, _ string) { r.file(cwd+"/f", "by bash") })
	offers := func(s *harness.Session) (out []bool) {
		for _, p := range s.Prompts() {
			out = append(out, p.Code)
		}
		return out
	}
	r.session(func(w world.World, s *harness.Session) {
		r.turn(w, s, "one", says(use("a", "Bash", `{"command":"make"}`)))
		assert.Equal(t, []bool{false}, offers(s))
		r.turn(w, s, "two", writes("b", cwd+"/new", "x"))
		r.turn(w, s, "three")
		assert.Equal(t, []bool{true, true, false}, offers(s))
	})
	r.resumed(func(_ world.World, s *harness.Session) { assert.Equal(t, []bool{true, true, false}, offers(s)) })
}

// A history that was compacted, or a branch that was left, changes nothing about the files a prompt had (H-CMD-33,
// H-CMD-35). bug l-rewind-compacted-deletes-files.
func TestRestoringCodeAcrossABoundaryAndABranch(t *testing.T) {
	r := editing(t, bound, nil)
	r.file(cwd+"/f", "v0")
	r.session(func(w world.World, s *harness.Session) {
		r.turn(w, s, "one", says(use("r", "Read", `{"file_path":"/w/app/f"}`)), writes("a", cwd+"/f", "v1"))
		r.turn(w, s, "two")
		three := r.turn(w, s, "three")
		r.answer = func() answer { return summary("s") }
		require.NoError(t, s.Compact(w, ""))
		r.turn(w, s, "five", says(use("r2", "Read", `{"file_path":"/w/app/f"}`)), writes("b", cwd+"/f", "v2"), writes("c", cwd+"/g", "new"))
		restored, err := s.RewindTo(w, three, harness.RestoreBoth)
		require.NoError(t, err)
		assert.Equal(t, "three", restored.Input)
		assert.Equal(t, "v1", r.read(cwd+"/f"))
		assert.True(t, r.gone(cwd+"/g"))

		four := r.turn(w, s, "three again", says(use("r3", "Read", `{"file_path":"/w/app/f"}`)), writes("d", cwd+"/f", "v3"))
		_, err = s.RewindTo(w, three, harness.RestoreBoth) // it stands on the branch that was left
		require.NoError(t, err)
		assert.Equal(t, "v1", r.read(cwd+"/f"))
		_, err = s.RewindTo(w, four, harness.RestoreCode)
		require.NoError(t, err)
		assert.Equal(t, "v1", r.read(cwd+"/f"))
	})
}

// Links, directories and backups that are not to be read are left alone, and counted; the rest is restored (H-CMD-37).
func TestWhatCannotBeRestoredIsSkipped(t *testing.T) {
	r := editing(t, plain, nil)
	for _, f := range []string{"symlink", "hardlink", "becomesdir", "nobackup", "good"} {
		r.file(cwd+"/d/"+f, "old "+f)
	}
	r.file(cwd+"/sub/inner", "old inner")
	r.session(func(w world.World, s *harness.Session) {
		var calls []answer
		for i, f := range []string{"d/symlink", "d/hardlink", "d/becomesdir", "d/nobackup", "d/good", "sub/inner"} {
			calls = append(calls, says(use(fmt.Sprintf("r%d", i), "Read", fmt.Sprintf(`{"file_path":"/w/app/%s"}`, f))),
				writes(fmt.Sprintf("w%d", i), cwd+"/"+f, "new"))
		}
		p := r.turn(w, s, "one", calls...)
		r.file("/elsewhere/target", "not mine")
		require.NoError(t, r.disk.Remove(cwd+"/d/symlink"))
		require.NoError(t, r.disk.Symlink("/elsewhere/target", cwd+"/d/symlink"))
		require.NoError(t, r.disk.Link(cwd+"/d/hardlink", "/elsewhere/second"))
		require.NoError(t, r.disk.Remove(cwd+"/d/becomesdir"))
		r.file(cwd+"/d/becomesdir/file", "x")
		require.NoError(t, r.disk.Remove(cwd+"/sub/inner"))
		_ = r.disk.Remove(cwd + "/sub")
		r.file("/elsewhere/inner", "not mine either")
		require.NoError(t, r.disk.Symlink("/elsewhere", cwd+"/sub"))
		for _, f := range r.disk.Files() {
			if strings.Contains(f, "/file-history/") && r.read(f) == "old nobackup" {
				require.NoError(t, r.disk.Remove(f))
			}
		}
		restored, err := s.RewindTo(w, p, harness.RestoreCode)
		require.NoError(t, err)
		assert.Equal(t, []string{cwd + "/d/good"}, restored.Files)
		assert.Equal(t, []string{cwd + "/d/becomesdir", cwd + "/d/hardlink", cwd + "/d/nobackup", cwd + "/d/symlink", cwd + "/sub/inner"}, restored.Skipped)
		assert.Equal(t, []string{"Restored the code, but skipped 5 files"}, s.Report())
		assert.Equal(t, "not mine", r.read("/elsewhere/target"))
		assert.Equal(t, "not mine either", r.read("/elsewhere/inner"))
		assert.Equal(t, "new", r.read("/elsewhere/second"))
		assert.Equal(t, "new", r.read(cwd+"/d/nobackup"))
		assert.Equal(t, "old good", r.read(cwd+"/d/good"))
	})
}

// Only the 100 newest checkpoints keep their backups, and each file its first one (H-CMD-37).
func TestOldCheckpointsLoseTheirBackups(t *testing.T) {
	r := editing(t, plain, nil)
	r.file(cwd+"/f", "v0")
	r.session(func(w world.World, s *harness.Session) {
		var p []string
		for n := range 105 {
			calls := []answer{writes(fmt.Sprintf("w%d", n), cwd+"/f", fmt.Sprintf("v%d", n+1))}
			if n == 0 {
				calls = append([]answer{says(use("r", "Read", `{"file_path":"/w/app/f"}`))}, calls...)
			}
			p = append(p, r.turn(w, s, fmt.Sprintf("prompt %d", n), calls...))
		}
		bodies := 0
		for _, f := range r.disk.Files() {
			if strings.Contains(f, "/file-history/") {
				bodies++
			}
		}
		assert.Equal(t, 101, bodies)
		back := func(i int) (string, []string) {
			restored, err := s.RewindTo(w, p[i], harness.RestoreCode)
			require.NoError(t, err)
			return r.read(cwd + "/f"), restored.Skipped
		}
		got, skipped := back(5)
		assert.Equal(t, "v5", got, "the oldest that is kept")
		assert.Empty(t, skipped)
		got, skipped = back(3)
		assert.Equal(t, "v5", got, "left alone")
		assert.Equal(t, []string{cwd + "/f"}, skipped)
		got, _ = back(0)
		assert.Equal(t, "v0", got, "the first of the file is kept")
	})
}
