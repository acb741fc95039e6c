package harness_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"harnessbench/harness"
	"harnessbench/harness/world"
)

// A fork copies the path to a new file under a new id. No byte of the source changes, whichever of the two goes on; the
// fork's first request equals the one the source would have sent (H-CMD-50, H-CMD-53, H-CMD-54, H-CMD-55, H-REB-46, D6).
// bug l-branch-resurrects-rewound, l-fork-reuses-uuids.
func TestForkThenContinueInBoth(t *testing.T) {
	for _, model := range []string{plain, systems, bound, manual} {
		for _, style := range []string{"remap", "preserve"} {
			for _, process := range []string{"same", "new"} {
				t.Run(model+" "+style+" "+process, func(t *testing.T) {
					r := newRig(t, model, says(thinking("hm", "c2ln"), text("A.")))
					r.cfg.Switches.Fork = style
					r.cfg.Switches.InjectTime = true
					var source, copied, before string
					r.session(func(w world.World, s *harness.Session) {
						r.asked(w, s, "one", "taken back")
						require.NoError(t, s.Rewind(w, s.LastPrompt()))
						r.asked(w, s, "two", "three")
						require.NoError(t, s.Set("inject.time", "off"))
						r.cfg.Switches.InjectTime = false
						source, before = s.ID(), r.read(s.File())
						if process == "new" { // both are new processes then, and learn what changed on disk
							require.NoError(t, r.disk.Write(cwd+"/CLAUDE.md", []byte("Use blanks.\n")))
							return
						}
						require.NoError(t, s.Fork(w, ""))
						copied = s.ID()
						r.prompt(w, s, "next")
					})
					if process == "new" {
						r.process(func(w world.World) {
							s, err := harness.ForkOf(w, r.cfg, source, "")
							require.NoError(t, err)
							copied = s.ID()
							r.prompt(w, s, "next")
							require.NoError(t, s.Close(w))
						})
					}
					require.NotEqual(t, source, copied)
					dir := configDir + "/projects/-w-app/"
					assert.Equal(t, before, r.read(dir+source+".jsonl"))
					fork := r.read(dir + copied + ".jsonl")
					assert.NotContains(t, fork, "taken back")
					r.process(func(w world.World) {
						s, err := harness.Resume(w, r.cfg, source)
						require.NoError(t, err)
						r.prompt(w, s, "next")
						require.NoError(t, s.Close(w))
					})
					n := len(r.requests)
					a, b := messages(t, r.requests[n-2].Body), messages(t, r.requests[n-1].Body)
					assert.Equal(t, b, a)
					assert.Equal(t, front(r.requests[n-1].Body), front(r.requests[n-2].Body))
					assert.Equal(t, fork, r.read(dir+copied+".jsonl"))

					var chained []string
					for _, e := range r.entries(dir + copied + ".jsonl") {
						from, _ := e["forkedFrom"].(map[string]any)
						if from == nil {
							continue
						}
						assert.Equal(t, source, from["sessionId"])
						assert.Equal(t, style == "preserve", from["messageUuid"] == e["uuid"])
						assert.Equal(t, copied, e["sessionId"])
						chained = append(chained, e["uuid"].(string))
					}
					assert.NotEmpty(t, chained)
				})
			}
		}
	}
}

// A copy is titled as its source with a mark, or as it is told; snapshots of files stay behind, so there is no undo
// across the fork; its last entry is of now (H-CMD-51).
func TestTitleAndCheckpointsOfAFork(t *testing.T) {
	r := editing(t, plain, nil)
	r.session(func(w world.World, s *harness.Session) {
		p := r.turn(w, s, "one", writes("a", cwd+"/f", "v1"))
		require.NoError(t, s.SetTitle(w, "Plums"))
		require.NoError(t, s.SetMode(w, harness.ModeAcceptEdits))
		require.NoError(t, s.Fork(w, ""))
		assert.Equal(t, "Plums (fork)", s.Title())
		assert.Equal(t, harness.ModeAcceptEdits, s.Mode())
		_, err := s.RewindTo(w, p, harness.RestoreCode)
		require.Error(t, err, "the prompt has another id here")
		for _, point := range s.Prompts() {
			assert.False(t, point.Code)
			restored, err := s.RewindTo(w, point.UUID, harness.RestoreCode)
			require.NoError(t, err)
			assert.Empty(t, restored.Files)
		}
		assert.Equal(t, "v1", r.read(cwd+"/f"))
		require.NoError(t, s.Fork(w, " Pears "))
		assert.Equal(t, "Pears", s.Title())
		assert.Empty(t, snapshots(t, r.read(s.File())))
		entries := r.entries(s.File())
		last := entries[len(entries)-1]["timestamp"].(string)
		assert.Equal(t, w.Now().UTC().Format("2006-01-02T15:04:05.000Z"), last)
	})
	r.process(func(w world.World) {
		s, err := harness.Resume(w, r.cfg, "Pears")
		require.NoError(t, err)
		assert.Equal(t, harness.ModeAcceptEdits, s.Mode())
	})
}

// Forks of a compacted session, also of one with parts that were kept, send what the source sends; nothing from before
// the boundary is copied (H-CMD-50, H-CMD-53, H-LOG-46).
func TestForkOfACompactedSession(t *testing.T) {
	for _, model := range []string{plain, bound} {
		for _, action := range []string{"whole", harness.SummarizeFrom, harness.SummarizeUpTo} {
			r := newRig(t, model, says(thinking("hm", "c2ln"), text("A.")))
			r.session(func(w world.World, s *harness.Session) {
				p := r.asked(w, s, "one", "two", "three")
				r.answer = func() answer { r.answer = nil; return summary("s") }
				if action == "whole" {
					require.NoError(t, s.Compact(w, ""))
				} else {
					_, err := s.RewindTo(w, p[1], action)
					require.NoError(t, err)
				}
				r.prompt(w, s, "four")
				_, err := s.Btw(w, "where?")
				require.NoError(t, err)
				require.NoError(t, s.Fork(w, ""))
				s.ForgetBtw()
				_, err = s.Btw(w, "where?")
				require.NoError(t, err)
				assert.Equal(t, string(r.requests[5].Body), string(r.requests[6].Body), "%s", action)
				for _, e := range r.entries(s.File()) {
					if logical := e["logicalParentUuid"]; logical != nil {
						assert.Contains(t, r.read(s.File()), `"uuid":"`+logical.(string)+`"`)
					}
				}
				r.prompt(w, s, "five")
			})
			r.resumed(func(w world.World, s *harness.Session) { r.prompt(w, s, "six") })
			five, six := messages(t, r.requests[7].Body), messages(t, r.requests[8].Body)
			assert.Equal(t, five, six[:len(five)], "%s", action)
			legal(t, r.requests[8].Body)
		}
	}
}

// There must be something to copy, and the disk must take it; otherwise the session goes on as it was.
func TestAForkThatCannotBe(t *testing.T) {
	r := newRig(t, bound, says(thinking("t", "c2ln"), text("A.")))
	full := false
	r.process(func(w world.World) {
		w = fullDisk{w, &full}
		s, err := harness.Start(w, r.cfg)
		require.NoError(t, err)
		require.ErrorContains(t, s.Fork(w, ""), "no conversation")
		r.prompt(w, s, "one")
		id, before := s.ID(), r.read(s.File())
		full = true
		require.Error(t, s.Fork(w, ""))
		full = false
		assert.Equal(t, id, s.ID())
		assert.Equal(t, before, r.read(s.File()))
		r.prompt(w, s, "two")
		require.NoError(t, s.Close(w))
	})
	assert.Len(t, r.shape(1), 3)
}

// A path that goes on behind a missing parent is copied as far as it reaches, by a fork and with a question that is kept
// (H-LOG-84, H-CMD-50, H-CMD-53, H-CMD-65).
func TestABridgedPathIsCopiedWhole(t *testing.T) {
	r := newRig(t, plain, says(text("A.")))
	r.cfg.Switches.Dangling = harness.DanglingBridge
	line := func(uuid, parent, text string) string {
		return fmt.Sprintf(`{"type":"user","uuid":%q,"parentUuid":%q,"message":{"role":"user","content":%q}}`, uuid, parent, text)
	}
	r.put("-w-app", sid1, promptLine("u1", "2026-01-01T00:00:00.000Z", "one", ""), line("u2", "gone", "two"))
	want := "user: text(The project keeps instru) text(one) text(two)"
	r.resumed(func(w world.World, s *harness.Session) {
		_, err := s.Btw(w, "is it?")
		require.NoError(t, err)
		require.NoError(t, s.KeepBtw(w))
		require.NoError(t, s.Fork(w, ""))
		r.prompt(w, s, "three")
	})
	assert.Equal(t, []string{want + " text(three)*"}, r.shape(1))
	for _, id := range r.sessions() {
		r.process(func(w world.World) {
			s, err := harness.Resume(w, r.cfg, id)
			require.NoError(t, err)
			r.prompt(w, s, "more")
			assert.True(t, strings.HasPrefix(r.shape(len(r.requests) - 1)[0], want), "%q", r.shape(len(r.requests)-1))
			require.NoError(t, s.Close(w))
		})
	}
	assert.Len(t, r.sessions(), 3)
}

// A path with a result beside it that stands last in the file is copied with its own leaf, not with that result as the leaf
// (H-CMD-50, H-CMD-53, H-CMD-65, H-REB-3, H-REB-5).
func TestAForkStandsWhereItsSourceStood(t *testing.T) {
	r := newRig(t, plain, says(text("A.")))
	r.put("-w-app", sid1, promptLine("u1", "2026-01-01T00:00:00.000Z", "one", ""),
		`{"type":"assistant","uuid":"a1","parentUuid":"u1","message":{"id":"m1","role":"assistant","model":"claude-sonnet-4-6",`+
			`"content":[{"type":"tool_use","id":"c1","name":"Read","input":{}}]}}`,
		`{"type":"user","uuid":"u2","parentUuid":"a1","message":{"role":"user","content":"two"}}`,
		`{"type":"assistant","uuid":"a2","parentUuid":"u2","message":{"id":"m2","role":"assistant","model":"claude-sonnet-4-6",`+
			`"content":[{"type":"text","text":"B."}]}}`,
		`{"type":"user","uuid":"r1","parentUuid":"a1","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"c1","content":"r"}]}}`,
		`{"type":"last-prompt","leafUuid":"a2","explicit":true}`)
	var before, after []string
	r.resumed(func(w world.World, s *harness.Session) {
		assert.Equal(t, "a2", s.Leaf())
		_, err := s.Btw(w, "is it?")
		require.NoError(t, err)
		before = messages(t, r.requests[0].Body)
		require.NoError(t, s.KeepBtw(w))
		s.ForgetBtw()
		require.NoError(t, s.Fork(w, ""))
		_, err = s.Btw(w, "is it?")
		require.NoError(t, err)
		after = messages(t, r.requests[1].Body)
		r.prompt(w, s, "three")
	})
	assert.Equal(t, before, after)
	assert.Contains(t, before[len(before)-2], "B.")
	for _, id := range r.sessions() { // the source, the fork, and the question that was kept
		r.process(func(w world.World) {
			s, err := harness.Resume(w, r.cfg, id)
			require.NoError(t, err)
			r.prompt(w, s, "more")
			assert.Equal(t, before[:len(before)-1], messages(t, r.requests[len(r.requests)-1].Body)[:len(before)-1])
			require.NoError(t, s.Close(w))
		})
	}
	assert.Len(t, r.sessions(), 3)
}
