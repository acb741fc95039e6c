package harness_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"harnessbench/harness"
	"harnessbench/harness/world"
)

// The directory carries over inside the project; outside of it the shell goes back to the project (H-TOOL-25, H-TOOL-29).
func TestTheDirectoryCarriesOver(t *testing.T) {
	r := ownRig(t)
	to, seen := "", ""
	r.shell = func(cmd world.Command) (world.Exit, time.Duration) {
		seen = cmd.Dir
		return world.Exit{Dir: to}, 0
	}
	r.session(func(w world.World, s *harness.Session) {
		for _, c := range []struct{ to, seen, note string }{
			{"/w/app/sub", "/w/app", ""},
			{"/w/app/sub", "/w/app/sub", ""},
			{"/etc", "/w/app/sub", "Shell cwd was reset to /w/app\n"},
			{"/w/application", "/w/app", "Shell cwd was reset to /w/app\n"},
			{"", "/w/app", ""},
			{"/w/app", "/w/app", ""},
		} {
			to = c.to
			got := r.result(w, s, `Bash {"command":"cd x"}`)
			assert.Equal(t, c.seen, seen)
			assert.Regexp(t, `^\(Bash completed with no output\)\n`+c.note+`\[rerun: b\d+\]$`, got)
		}
	})
	assert.Contains(t, r.logText(), `"stderr":"Shell cwd was reset to /w/app"`)
}

// A command that meets its timeout goes on in the background with a file, or is stopped (H-TOOL-29).
func TestTimeoutsMoveToTheBackground(t *testing.T) {
	r := ownRig(t)
	var asked world.Command
	r.shell = func(cmd world.Command) (world.Exit, time.Duration) {
		asked = cmd
		return world.Exit{Output: "at last\n", Dir: cmd.Dir}, 10 * time.Second
	}
	r.session(func(w world.World, s *harness.Session) {
		got := r.result(w, s, `Bash {"command":"make","timeout":3000}`)
		require.Regexp(t, `^The command took longer than 3s and goes on in the background as task b[0-9a-z]{8}\. Its output goes to `+
			`/home/u/.claude/projects/-w-app/[0-9a-f-]{36}/tool-results/b[0-9a-z]{8}\.output; look there with Read\.\n\[rerun: b1\]$`, got)
		file := asked.File
		assert.Contains(t, got, file)
		assert.Empty(t, r.content(file), "it has not ended")
		require.NoError(t, w.Sleep(10*time.Second))
		assert.Equal(t, "1\tat last", r.result(w, s, fmt.Sprintf(`Read {"file_path":%q}`, file)))

		got = r.result(w, s, `Bash {"command":"git fetch","timeout":3000}`)
		assert.Equal(t, "error: Exit code 143\nThe command was stopped: it took longer than 3s.\nat last\n[rerun: b2]", got)
		assert.Empty(t, asked.File)

		got = r.result(w, s, `Bash {"command":"make serve","run_in_background":true}`)
		assert.Regexp(t, `^The command runs in the background as task b[0-9a-z]{8}\. `, got)
		assert.Equal(t, "at last\n[rerun: b4]", r.result(w, s, `Bash {"command":"make"}`), "the default timeout is 120 s")
		assert.Equal(t, 2*time.Minute, asked.Timeout)
	})
	assert.Contains(t, r.logText(), `"backgroundTaskId":"b`)
}

// Commands go to the port of the world; what they change is not snapshotted, what Write changes is (H-TOOL-31, H-TOOL-22).
func TestChangesByCommandsAreNotSnapshotted(t *testing.T) {
	r := ownRig(t)
	r.shell = func(cmd world.Command) (world.Exit, time.Duration) {
		r.write("/w/app/by-command", "changed")
		return world.Exit{Dir: cmd.Dir}, 0
	}
	r.session(func(w world.World, s *harness.Session) {
		r.result(w, s, `Bash {"command":"touch by-command"}`)
		r.result(w, s, `Write {"file_path":"/w/app/by-tool","content":"x"}`)
	})
	assert.NotContains(t, r.logText(), `"by-command":`)
	assert.Contains(t, r.logText(), `"trackedFileBackups":{"by-tool":{"backupFileName":null`)
}

// An interrupt stops a command of the harness's own; the call is answered as rejected (H-LOOP-20).
func TestAnInterruptStopsACommand(t *testing.T) {
	r := ownRig(t)
	n := 0
	r.script = []answer{calls(&n, `Bash {"command":"make"}`), says(text("done"))}
	r.shell = func(cmd world.Command) (world.Exit, time.Duration) { return world.Exit{}, time.Hour }
	r.session(func(w world.World, s *harness.Session) {
		stop := w.Go("user", func(w world.World) {
			_ = w.Sleep(30 * time.Second)
			s.Interrupt()
		})
		out, err := s.Prompt(w, "go")
		require.NoError(t, err)
		assert.Equal(t, harness.WasInterrupted, out.Reason)
		require.NoError(t, w.Wait(stop))
		r.prompt(w, s, "and now?")
		assert.Contains(t, textOf(r.last(1)[0]), "The tool use was rejected")
	})
}

// The running number goes on after a resume, and the commands of before can be repeated (H-TOOL-27).
func TestRerunsOverAResume(t *testing.T) {
	r := ownRig(t)
	r.session(func(w world.World, s *harness.Session) {
		assert.Equal(t, "ran make\n[rerun: b1]", r.result(w, s, `Bash {"command":"make"}`))
		assert.Equal(t, "ran make\n[rerun: b2]", r.result(w, s, `Bash {"rerun":"b1"}`))
	})
	r.resumed(func(w world.World, s *harness.Session) {
		assert.Equal(t, "ran make\n[rerun: b3]", r.result(w, s, `Bash {"rerun":"b2"}`))
		assert.Equal(t, toolError("no Bash call is named b9"), r.result(w, s, `Bash {"rerun":"b9"}`))
	})
}

// A long output lies in a file before its entry is logged, and every later request shows the same text, also after a
// resume (H-TOOL-28, H-TOOL-72, H-TOOL-74, H-REB-63).
func TestLongOutputIsSpilled(t *testing.T) {
	r := ownRig(t)
	long := strings.Repeat("0123456789\n", 2800) // 30,800 characters
	r.shell = func(cmd world.Command) (world.Exit, time.Duration) { return world.Exit{Output: long, Dir: cmd.Dir}, 0 }
	n := 0
	r.script = []answer{calls(&n, `Bash {"command":"make"}`), says(text("done"))}
	r.process(func(w world.World) {
		h := &spillHook{}
		s, err := harness.Start(world.Hooked(w, h), r.cfg)
		require.NoError(t, err)
		w = world.Hooked(w, h)
		r.prompt(w, s, "go")
		got := textOf(r.last(1)[0])
		require.Regexp(t, `^<persisted-output>\nOutput too large \(30\.1KB\)\. Full output saved to: (/home/u/.claude/projects/-w-app/`+
			`[0-9a-f-]{36}/tool-results/b[0-9a-z]{8}\.txt)\n\nPreview \(first 2KB\):\n`, got)
		assert.True(t, strings.HasSuffix(got, "\n...\n</persisted-output>\n[rerun: b1]"), got)
		require.Len(t, h.order, 2, "%v", h.order)
		assert.Equal(t, long, r.content(h.order[0]))
		assert.Contains(t, got, h.order[0])
		require.NoError(t, s.Close(w))
	})
	r.resumed(func(w world.World, s *harness.Session) {
		r.script, r.next = []answer{says(text("yes"))}, 0
		r.prompt(w, s, "still there?")
		assert.Contains(t, textOf(r.last(1)[0]), "Output too large (30.1KB)")
	})
	assert.NotContains(t, r.logText(), long[:3000], "the log does not hold it a second time")
}

// spillHook notes the file of a spill and, behind it, the log write of the result that names it.
type spillHook struct{ order []string }

func (h *spillHook) Before(op world.Op, path string) {}

func (h *spillHook) After(op world.Op, path string, _ error) {
	switch {
	case op == world.OpDiskReplace && strings.Contains(path, "/tool-results/"):
		h.order = append(h.order, path)
	case op == world.OpDiskAppend && len(h.order) == 1:
		h.order = append(h.order, path)
	}
}

// The results of one answer have 200,000 characters together: the longest are spilled until they do; Read is never, and
// just as many stay (H-TOOL-71, H-TOOL-15, H-CMP-11 to H-CMP-13).
func TestResultsOfOneAnswerAreSpilledTogether(t *testing.T) {
	r := ownRig(t)
	note := len("\n[rerun: b1]")
	sizes := map[string]int{}
	r.shell = func(cmd world.Command) (world.Exit, time.Duration) {
		return world.Exit{Output: strings.Repeat("x", sizes[cmd.Line]), Dir: cmd.Dir}, 0
	}
	for _, c := range []struct {
		name    string
		sizes   []int
		spilled []bool
	}{
		{"exactly as many", []int{25_000, 25_000, 25_000, 25_000, 25_000, 25_000, 25_000, 25_000}, make([]bool, 8)},
		{"one more", []int{25_000, 25_000, 25_000, 25_001, 25_000, 25_000, 25_000, 25_000}, []bool{3: true, 7: false}},
		{"two are needed", []int{29_500, 29_500, 29_500, 30_000, 29_500, 29_500, 29_500, 29_500}, []bool{0: true, 3: true, 7: false}},
	} {
		var list []string
		for i, size := range c.sizes {
			line := fmt.Sprintf("cat f%d", i)
			sizes[line] = size - note
			list = append(list, fmt.Sprintf(`Bash {"command":%q}`, line))
		}
		n := 0
		r.script, r.next = []answer{calls(&n, list...), says(text("done"))}, 0
		r.session(func(w world.World, s *harness.Session) {
			r.prompt(w, s, "go")
			total := 0
			for i, v := range r.last(len(c.sizes)) {
				total += len(textOf(v))
				assert.Equal(t, c.spilled[i], strings.HasPrefix(textOf(v), "<persisted-output>"), "%s: %d", c.name, i)
			}
			assert.LessOrEqual(t, total, 200_000)
		})
	}
}

// Results that are exempt count in the sum and are no candidates: a Read that is the longest stays, and of errors alone
// none is spilled, however many there are (H-CMP-13, H-TOOL-15, H-TOOL-75).
func TestExemptResultsCountAndStay(t *testing.T) {
	const call, fails = `Bash {"command":"make"}`, `Bash {"command":"false"}`
	r := ownRig(t)
	r.write(cwd+"/a.txt", strings.Repeat(strings.Repeat("x", 99)+"\n", 320))
	r.shell = func(cmd world.Command) (world.Exit, time.Duration) {
		if cmd.Line == "false" {
			return world.Exit{Output: strings.Repeat("x", 20_000), Code: 1, Dir: cmd.Dir}, 0
		}
		return world.Exit{Output: strings.Repeat("y", 28_000), Dir: cmd.Dir}, 0
	}
	spilled := func(list ...string) (at []int) {
		n, total := 0, 0
		r.script, r.next = []answer{calls(&n, list...), says(text("done"))}, 0
		r.session(func(w world.World, s *harness.Session) { r.prompt(w, s, "go") })
		for i, v := range r.last(len(list)) {
			if total += len(textOf(v)); strings.HasPrefix(textOf(v), "<persisted-output>") {
				total += 28_000
				at = append(at, i)
			}
		}
		require.Greater(t, total, 200_000, "without a spill")
		return at
	}
	assert.Equal(t, []int{1}, spilled(append([]string{`Read {"file_path":"/w/app/a.txt"}`}, slices.Repeat([]string{call}, 6)...)...))
	assert.Empty(t, spilled(slices.Repeat([]string{fails}, 21)...))
}

// Calls that run one after the other: the entries of the first are written when the sum is exceeded, so that a record says
// what stands for the longest; a resume repeats it (H-TOOL-71, H-CMP-14, H-LOG-73,
// H-REB-63).
func TestEarlierBatchesAreSpilledByRecord(t *testing.T) {
	r := ownRig(t)
	sizes := []int{29_000, 29_500, 29_000, 29_000, 29_000, 29_000, 29_900}
	k := 0
	r.shell = func(cmd world.Command) (world.Exit, time.Duration) {
		k++
		return world.Exit{Output: strings.Repeat("x", sizes[k-1]), Dir: cmd.Dir}, 0
	}
	var list []string
	for range sizes {
		list = append(list, `Bash {"command":"make"}`)
	}
	n := 0
	r.script = []answer{calls(&n, list...), says(text("done")), says(text("again"))}
	spilled := func() (out []int) {
		total := 0
		for i, v := range r.last(len(sizes)) {
			total += len(textOf(v))
			if strings.HasPrefix(textOf(v), "<persisted-output>") {
				assert.True(t, strings.HasSuffix(textOf(v), fmt.Sprintf("</persisted-output>\n[rerun: b%d]", i+1)))
				out = append(out, i)
			}
		}
		assert.LessOrEqual(t, total, 200_000)
		return out
	}
	r.session(func(w world.World, s *harness.Session) {
		r.prompt(w, s, "go")
		assert.Equal(t, []int{6}, spilled(), "the last one is the longest")
	})
	k, n = 0, 0
	sizes[6] = 29_000
	r.next = 0
	r.session(func(w world.World, s *harness.Session) {
		r.prompt(w, s, "go")
		assert.Equal(t, []int{1}, spilled())
	})
	assert.Equal(t, 1, strings.Count(r.logText(), `{"type":"content-replacement","replacements":[{"tool_use_id":"toolu_2","replacement":"<persisted-output>\n`))
	before := string(r.requests[len(r.requests)-1].Body)
	r.resumed(func(w world.World, s *harness.Session) {
		r.prompt(w, s, "still there?")
		assert.Equal(t, []int{1}, spilled())
	})
	at := strings.Index(before, `"messages":`)
	end := strings.LastIndex(before, `,"cache_control"`)
	assert.Contains(t, string(r.requests[len(r.requests)-1].Body), before[at:end], "the same bytes")
}

// A disk that does not take the file leaves the result whole; the session says so and goes on (H-LOG-88).
func TestASpillThatFails(t *testing.T) {
	r := ownRig(t)
	long := strings.Repeat("0123456789\n", 2800)
	r.shell = func(cmd world.Command) (world.Exit, time.Duration) { return world.Exit{Output: long, Dir: cmd.Dir}, 0 }
	r.session(func(w world.World, s *harness.Session) {
		r.write(strings.TrimSuffix(s.File(), ".jsonl")+"/tool-results", "in the way")
		assert.Equal(t, long+"[rerun: b1]", r.result(w, s, `Bash {"command":"make"}`))
		assert.Contains(t, strings.Join(s.Report(), "\n"), "could not be saved and stays whole")
	})
}
