package harness_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"harnessbench/harness"
	"harnessbench/harness/compact"
	"harnessbench/harness/sessionlog"
	"harnessbench/harness/world"
)

// standIn is a restorer in the place of skills, plan mode, hooks and agents.
type standIn struct {
	m   compact.Material
	err error
}

func (s standIn) Restore(world.World) (compact.Material, error) { return s.m, s.err }

func announced(typ, text string) sessionlog.Attach {
	return sessionlog.Attach{Type: typ, Texts: [][]byte{sessionlog.Quote(text)}}
}

// reader is a rig whose model reads and writes files and then reports so many tokens.
func reader(t *testing.T, model string, size int, list ...string) *rig {
	r := newRig(t, model, says(text("-")))
	r.cfg.Window = 100_000
	r.tool = func(world.ToolCall) (world.ToolResult, time.Duration) { return world.ToolResult{Own: true}, 0 }
	r.answer = func() answer {
		n := len(r.requests)
		switch {
		case r.requests[n-1].Chain == "compact":
			return summary("s")
		case n <= len(list):
			name, input, _ := strings.Cut(list[n-1], " ")
			return says(thinking("t", "c2ln"), use(fmt.Sprint("c", n), name, input))
		case n == len(list)+1:
			return full(size, thinking("t", "c2ln"), text("A."))
		}
		return says(text("B."))
	}
	return r
}

func read(name string) string { return fmt.Sprintf(`Read {"file_path":"/w/app/%s"}`, name) }

// Behind the summary stand, in this order, what restorers announce and hooks say (before it), the plan, skills, the
// files read last as they are now, the newest first, and then the new prompt; in the log between summary and prompt. The
// memory file, the plan and files that are gone are passed over. A resume sends the same (H-CMP-45, H-CMP-71 to H-CMP-73,
// H-CMP-77, H-INJ-50, H-REB-18).
func TestMaterialComesBack(t *testing.T) {
	for _, model := range []string{plain, systems, bound, manual} {
		t.Run(model, func(t *testing.T) {
			r := reader(t, model, 70_000, read("old.txt"), read("a.txt"), read("gone.txt"), read("CLAUDE.md"), read("plan.md"), read("big.txt"),
				`Write {"file_path":"/w/app/new.txt","content":"new"}`, read("a.txt"), read("data.bin"))
			for _, name := range []string{"old.txt", "a.txt", "gone.txt", "plan.md"} {
				r.write(cwd+"/"+name, "text of "+name+"\n")
			}
			r.write(cwd+"/big.txt", strings.Repeat("0123456789\n", 3_000))
			r.write(cwd+"/data.bin", "text\n")
			r.cfg.Restorers = []harness.Restorer{
				standIn{m: compact.Material{Announced: []sessionlog.Attach{announced("deferred_tools_delta", "TOOLS"), announced("agent_listing_delta", "AGENTS")},
					Started: []string{"HOOK"}}},
				standIn{m: compact.Material{Plan: &compact.Plan{Path: cwd + "/plan.md", Text: "PLAN"}, Skills: []compact.Skill{{Name: "pears", Text: "SKILL"}}}},
			}
			var file string
			r.session(func(w world.World, s *harness.Session) {
				r.prompt(w, s, "one")
				require.NoError(t, r.disk.Remove(cwd+"/gone.txt"))
				r.write(cwd+"/a.txt", "text of today\n")
				r.write(cwd+"/data.bin", "\xff\xfe")
				r.write(cwd+"/CLAUDE.md", "Use blanks.\n")
				assert.Equal(t, "B.", r.prompt(w, s, "two").Text)
				file = s.File()
			})
			first := messages(t, r.requests[len(r.requests)-1].Body)[0]
			at := 0
			for _, part := range []string{"Use blanks.", `"TOOLS"`, `"AGENTS"`, `"HOOK"`, "This session is being continued", "PLAN", "SKILL",
				`{\"file_path\":\"/w/app/a.txt\"}`, `1\ttext of today`, `{\"file_path\":\"/w/app/new.txt\"}`, `1\tnew`, "The file /w/app/big.txt was read",
				`{\"file_path\":\"/w/app/old.txt\"}`, `1\ttext of old.txt`, `"text":"two"`} {
				i := strings.Index(first[at:], part)
				require.GreaterOrEqual(t, i, 0, "%s not behind %d of %s", part, at, first[max(0, at-100):])
				at += i
			}
			for _, not := range []string{"gone.txt", "Use tabs.", "data.bin", "0123456789", `file_path\":\"/w/app/plan.md`} {
				holds(t, false, first, not)
			}
			r.resumed(func(w world.World, s *harness.Session) { r.prompt(w, s, "three") })
			assert.Equal(t, first, messages(t, r.requests[len(r.requests)-1].Body)[0])
			legal(t, r.requests[len(r.requests)-1].Body)
			listed := r.boundaries(file)[0]["compactMetadata"].(map[string]any)["preservedMessages"].(map[string]any)["uuids"].([]any)
			assert.Len(t, listed, 10, "nine that came back, and the prompt")
		})
	}
}

// /compact brings the same back, with nothing kept behind it; a second one brings the files back though none was read
// since (H-CMP-45, H-CMP-73).
func TestMaterialComesBackTwice(t *testing.T) {
	r := reader(t, bound, 10, read("a.txt"), read("b.txt"))
	r.write(cwd+"/a.txt", "apples\n")
	r.write(cwd+"/b.txt", "pears\n")
	r.session(func(w world.World, s *harness.Session) {
		r.prompt(w, s, "one")
		require.NoError(t, s.Compact(w, ""))
		r.prompt(w, s, "two")
		after := messages(t, r.requests[len(r.requests)-1].Body)[0]
		assert.Less(t, strings.Index(after, "pears"), strings.Index(after, "apples"))
		require.NoError(t, s.Compact(w, ""))
		r.prompt(w, s, "three")
		again := messages(t, r.requests[len(r.requests)-1].Body)[0]
		assert.Equal(t, strings.Replace(after, `"two"`, `"three"`, 1), again)
		r.answer, r.made = nil, 50
		assert.Equal(t, "error: <tool_use_error>File has not been read yet. Read it first before writing to it.</tool_use_error>",
			r.result(w, s, `Write {"file_path":"/w/app/a.txt","content":"x"}`), "what was read is forgotten (H-TOOL-14)")
	})
}

// Behind each /compact what is to be announced is announced once, before the summary; restorers that have nothing leave
// nothing (H-CMP-77).
func TestAnnouncementsComeBackBehindEachCompaction(t *testing.T) {
	r := reader(t, bound, 10)
	r.cfg.Restorers = []harness.Restorer{standIn{}, standIn{m: compact.Material{
		Announced: []sessionlog.Attach{announced("deferred_tools_delta", "TOOLS"), announced("mcp_instructions_delta", "MCP"), announced("agent_listing_delta", "AGENTS")},
	}}}
	r.session(func(w world.World, s *harness.Session) {
		r.prompt(w, s, "one")
		for range 2 {
			require.NoError(t, s.Compact(w, ""))
			r.prompt(w, s, "next")
			first := messages(t, r.requests[len(r.requests)-1].Body)[0]
			for _, text := range []string{`"TOOLS"`, `"MCP"`, `"AGENTS"`} {
				require.Equal(t, 1, strings.Count(first, text), text)
				assert.Less(t, strings.Index(first, text), strings.Index(first, "This session is being continued"))
			}
		}
	})
	r = reader(t, bound, 10)
	r.cfg.Restorers = []harness.Restorer{standIn{}}
	r.session(func(w world.World, s *harness.Session) {
		r.prompt(w, s, "one")
		require.NoError(t, s.Compact(w, ""))
		for _, e := range r.entries(s.File()) {
			assert.NotEqual(t, "attachment", e["type"])
		}
	})
}

// What is restored gives way where it would bring the size back to the threshold, the files first; a restorer that
// fails makes the compaction fail and leaves the payload (H-CMP-65, CMP-3).
func TestMaterialGivesWay(t *testing.T) {
	r := reader(t, manual, 66_000+1_000, read("a.txt"))
	r.write(cwd+"/a.txt", "apples\n")
	r.cfg.Restorers = []harness.Restorer{standIn{m: compact.Material{Plan: &compact.Plan{Path: "/p", Text: strings.Repeat("plan\n", 50_000)}}}}
	r.session(func(w world.World, s *harness.Session) {
		r.prompt(w, s, "one")
		r.prompt(w, s, "two")
	})
	body := string(r.requests[len(r.requests)-1].Body)
	holds(t, false, body, "apples")
	holds(t, true, body, "This session is being continued")
	holds(t, len(body) > 250_000, body, "The plan in /p is active")

	r = reader(t, manual, 70_000)
	r.cfg.Restorers = []harness.Restorer{standIn{err: errors.New("no plan today")}}
	r.session(func(w world.World, s *harness.Session) {
		r.prompt(w, s, "one")
		assert.Equal(t, "B.", r.prompt(w, s, "two").Text)
		assert.Empty(t, r.boundaries(s.File()))
		assert.Contains(t, strings.Join(s.Report(), ""), "no plan today")
	})
}

// With compact.keepRecent=20 the newest messages stay behind the summary, whole pairs of them, and files they show are
// not restored; on a model that checks, their thinking goes (H-CMP-74, H-LOG-45, D1).
func TestRecentMessagesStay(t *testing.T) {
	for _, model := range []string{plain, systems, bound, manual} {
		for _, inLoop := range []bool{false, true} {
			t.Run(fmt.Sprint(model, inLoop), func(t *testing.T) {
				var list []string
				for i := range 14 {
					list = append(list, read(fmt.Sprintf("f%d.txt", i)))
				}
				r := reader(t, model, 70_000, list...)
				r.cfg.Switches.KeepRecent = true
				for i := range 14 {
					r.write(fmt.Sprintf("%s/f%d.txt", cwd, i), fmt.Sprintf("file %d\n", i))
				}
				inner := r.answer
				r.answer = func() answer {
					a := inner()
					if inLoop && len(r.requests) == 14 {
						a.input = 70_000
					}
					return a
				}
				var meta map[string]any
				r.session(func(w world.World, s *harness.Session) {
					r.prompt(w, s, "one")
					if !inLoop {
						r.prompt(w, s, "two")
					}
					require.Len(t, r.boundaries(s.File()), 1)
					meta = r.boundaries(s.File())[0]["compactMetadata"].(map[string]any)
				})
				sent := r.requests[len(r.requests)-1]
				legal(t, sent.Body)
				body := string(sent.Body)
				stays := model != bound || !inLoop // a loop may not go on without its thinking
				holds(t, stays, body, `"id":"c14"`)
				holds(t, false, body, `"id":"c3"`)
				holds(t, inLoop, body, `"text":"one"`)
				if stays {
					assert.Equal(t, 1, strings.Count(body, "file 13"), "shown by its result alone")
					assert.Equal(t, 1, strings.Count(body, `1\tfile 2`), "brought back")
				}
				holds(t, model != bound, body, `"type":"thinking",`)
				assert.Contains(t, meta, "preservedMessages")
				r.resumed(func(w world.World, s *harness.Session) { r.prompt(w, s, "three") })
				now := messages(t, r.requests[len(r.requests)-1].Body)
				was := messages(t, sent.Body)
				assert.Equal(t, was[:len(was)-1], now[:len(was)-1])
			})
		}
	}
}

// A file that was read in a round that a snip left out since is one of those read last all the same (H-CMP-17, H-CMP-73).
func TestWhatWasReadInASnippedRoundComesBack(t *testing.T) {
	for _, model := range everyModel {
		script := []answer{says(text("A.")), says(text("B.")), says(use("c1", "Read", `{"file_path":"/w/app/plums.txt"}`)), says(text("C."))}
		for range 23 {
			script = append(script, says(text("So.")))
		}
		r := newRig(t, model, append(script, summary("s"), says(text("D.")))...)
		r.cfg.Switches.Snip = true
		r.tool = func(world.ToolCall) (world.ToolResult, time.Duration) { return world.ToolResult{Own: true}, 0 }
		r.write(cwd+"/plums.txt", "a basket of plums\n")
		r.session(func(w world.World, s *harness.Session) {
			for range 26 {
				r.prompt(w, s, "one")
			}
			require.Len(t, r.records(s.File(), "snip"), 1)
			holds(t, false, string(r.requests[len(r.requests)-1].Body), "a basket of plums", model)
			require.NoError(t, s.Compact(w, ""))
			r.prompt(w, s, "two")
		})
		holds(t, true, string(r.requests[len(r.requests)-1].Body), "a basket of plums", model)
	}
}
