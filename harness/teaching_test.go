package harness_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"harnessbench/harness"
	"harnessbench/harness/world"
	"harnessbench/harness/world/sim"
)

// taughtRig is a rig of the teaching profile, whose tools print so many characters.
func taughtRig(t *testing.T, model string, chars int, script ...answer) *rig {
	r := newRig(t, model, script...)
	r.cfg.Switches.Profile = harness.ProfileTeaching
	r.long(chars)
	return r
}

// rounds are n rounds of one call of bash, and the answer that ends the turn.
func rounds(n int) []answer { return loop("a", n, "bash", ls) }

// transcripts are the names of the transcripts on the disk.
func (r *rig) transcripts() (out []string) {
	for _, f := range r.disk.Files() {
		if strings.HasPrefix(f, cwd+"/.transcripts/transcript_") && strings.HasSuffix(f, ".jsonl") {
			out = append(out, f)
		}
	}
	return out
}

var everyModel = []string{plain, systems, bound, manual}

// In the teaching profile all results but the last three are cleared before each call, the list is changed in memory and
// the log is not; on a bound model this waits for the turn's end, since the thinking behind a cleared result goes with it,
// while the one before it stays. Each request is legal (H-CMP-3, H-CMP-5, H-CMP-20, H-LOOP-52, D1).
func TestMicroCompactsEachCallInTheTeachingProfile(t *testing.T) {
	for _, model := range everyModel {
		t.Run(model, func(t *testing.T) {
			r := taughtRig(t, model, 200, append(rounds(6), says(text("B.")))...)
			r.session(func(w world.World, s *harness.Session) {
				r.prompt(w, s, "one")
				r.prompt(w, s, "two")
				assert.NotContains(t, r.read(s.File()), "Earlier tool result")
				assert.Empty(t, r.micros(s.File()))
			})
			for i, q := range r.requests {
				want := max(0, min(i, 6)-3)
				if model == bound && i < 7 {
					want = 0
				}
				assert.Equal(t, want, strings.Count(string(q.Body), "[Earlier tool result compacted. Re-run if needed.]"), "request %d", i)
				legal(t, q.Body)
			}
			assert.Contains(t, string(r.requests[5].Body), `"thinking":"ta2"`, "none of the open turn's is lost")
			assert.Contains(t, string(r.requests[7].Body), `"thinking":"ta1"`)
			assert.Equal(t, model != bound, strings.Contains(string(r.requests[7].Body), `"thinking":"ta2"`))
			r.resumed(func(w world.World, s *harness.Session) { r.prompt(w, s, "three") })
			last := r.requests[len(r.requests)-1].Body
			assert.Equal(t, 3, strings.Count(string(last), "[Earlier tool result compacted."), "another process applies the layers anew")
			legal(t, last)
		})
	}
}

// A result that is saved was never sent, so the thinking in front of it stays, on a bound model too (H-CMP-10, D1).
func TestTheBudgetCostsNoThinkingInTheTeachingProfile(t *testing.T) {
	for _, model := range everyModel {
		r := taughtRig(t, model, 200_001, append(rounds(1)[:1], says(text("B.")))...)
		r.session(func(w world.World, s *harness.Session) { r.prompt(w, s, "one") })
		assert.Contains(t, string(r.requests[1].Body), "Full output saved to", model)
		assert.Contains(t, string(r.requests[1].Body), `"thinking":"ta1"`, model)
		legal(t, r.requests[1].Body)
	}
}

// What another process sent is not in the log, so a bound model gets none of the thinking that was made there (D1).
func TestAResumeSendsNoThinkingToABoundModelInTheTeachingProfile(t *testing.T) {
	for _, model := range everyModel {
		r := taughtRig(t, model, 10, says(thinking("a", "YQ=="), text("A.")), says(thinking("b", "Yg=="), text("B.")), says(text("C.")))
		r.session(func(w world.World, s *harness.Session) {
			r.prompt(w, s, "one")
			r.prompt(w, s, "two")
		})
		assert.Contains(t, string(r.requests[1].Body), `"thinking":"a"`, "%s: nothing changed", model)
		r.resumed(func(w world.World, s *harness.Session) { r.prompt(w, s, "three") })
		last := string(r.requests[2].Body)
		assert.Equal(t, model != bound, strings.Contains(last, `"thinking":"b"`), "%s\n%s", model, last)
		legal(t, r.requests[2].Body)
	}
}

// More than fifty messages are snipped before each call, and again at the next one; the finding: each time the request
// keeps no more than the first messages of the one before, so the cache is written anew each time (H-CMP-15, H-CMP-16). On a
// bound model it waits for the turn's end (H-LOOP-52).
func TestSnipBreaksTheCacheEachCallInTheTeachingProfile(t *testing.T) {
	for _, model := range everyModel {
		t.Run(model, func(t *testing.T) {
			r := taughtRig(t, model, 50, append(rounds(40), says(text("B.")))...)
			r.session(func(w world.World, s *harness.Session) {
				r.prompt(w, s, "one")
				for range 15 {
					r.prompt(w, s, "more")
				}
			})
			kept, from := 0, 26 // from 53 messages on
			if model == bound {
				assert.NotContains(t, string(r.requests[40].Body), " messages from conversation middle]")
				from = 41
			}
			for i := from; i <= from+14; i++ {
				body := string(r.requests[i].Body)
				assert.Contains(t, body, " messages from conversation middle]")
				assert.LessOrEqual(t, counted(t, r.requests[i].Body), 52)
				before, now := messages(t, r.requests[i-1].Body), messages(t, r.requests[i].Body)
				same := 0
				for same < len(before) && before[same] == now[same] {
					same++
				}
				if same > 4 {
					kept++
				}
				legal(t, r.requests[i].Body)
			}
			assert.Zero(t, kept, "calls that kept more than the head")
		})
	}
}

// A list of more than 50,000 estimated tokens is written to a transcript and replaced by one message, the newest prompt
// included; nothing is restored. Three failures in a row end it, and the user is told of each firing (H-CMP-39, H-CMP-51,
// H-CMP-52, H-CMP-56, H-CMP-63, H-CMP-75).
func TestAutoCompactsInTheTeachingProfile(t *testing.T) {
	for _, model := range everyModel {
		t.Run(model, func(t *testing.T) {
			r := taughtRig(t, model, 10, says(text("A.")), says(text("The goal is plums.")), says(thinking("n", "bmV3"), text("B.")), says(text("C.")))
			r.session(func(w world.World, s *harness.Session) {
				r.prompt(w, s, "one")
				r.prompt(w, s, strings.Repeat("y", 200_000))
				assert.Contains(t, s.Report(), "[auto compact]")
				r.prompt(w, s, "three")
			})
			assert.Equal(t, []string{"main", "compact", "main", "main"}, r.chains())
			assert.Contains(t, string(r.requests[1].Body), "important findings")
			assert.Equal(t, []string{`{"role":"user","content":[{"type":"text","text":"[Compacted]\n\nThe goal is plums."}]}`}, messages(t, r.requests[2].Body))
			assert.Equal(t, 3, counted(t, r.requests[3].Body))
			require.Len(t, r.transcripts(), 1)
			lines := strings.Split(strings.TrimSpace(r.read(r.transcripts()[0])), "\n")
			assert.Len(t, lines, 3)
			assert.Contains(t, lines[2], "yyyy")
			for _, q := range r.requests {
				legal(t, q.Body)
			}
		})
	}
	bad := says(text("<summary> </summary>"))
	r := taughtRig(t, plain, 10, bad, says(text("A.")), bad, says(text("B.")), bad, says(text("C.")), says(text("D.")))
	r.session(func(w world.World, s *harness.Session) {
		r.prompt(w, s, strings.Repeat("y", 210_000))
		for range 3 {
			r.prompt(w, s, "more")
		}
	})
	assert.Equal(t, []string{"compact", "main", "compact", "main", "compact", "main", "main"}, r.chains())
}

// A call refused as too long is made once more behind a summary and the last five messages, once in a turn; the second
// refusal ends it (H-CMP-60, H-CMP-61, H-CMP-56).
func TestReactiveCompactInTheTeachingProfile(t *testing.T) {
	tooLong := answer{exchange: &sim.Exchange{Status: 400, Frames: []sim.Frame{{Data: []byte(
		`{"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long: 210000 tokens > 200000 maximum"}}`)}}}}
	for _, model := range everyModel {
		t.Run(model, func(t *testing.T) {
			r := taughtRig(t, model, 50, append(append(rounds(5)[:5], tooLong, says(text("S"))), says(thinking("n", "bmV3"), text("B.")))...)
			r.session(func(w world.World, s *harness.Session) {
				out := r.prompt(w, s, "one")
				assert.Equal(t, harness.Completed, out.Reason)
				assert.Contains(t, s.Report(), "[reactive compact]")
			})
			sent := r.shape(7)
			assert.Equal(t, "user: text([Reactive compact]||S)", strings.ReplaceAll(sent[0], "\n", "|"))
			assert.Len(t, sent, 7, "the summary and six: the first of five would be a result without its call")
			assert.Len(t, r.transcripts(), 1)
			for _, q := range r.requests {
				legal(t, q.Body)
			}
		})
	}
	r := taughtRig(t, plain, 50, says(text("A.")), tooLong, says(text("S")), tooLong, says(text("never")))
	r.session(func(w world.World, s *harness.Session) {
		r.prompt(w, s, "one")
		out := r.prompt(w, s, "two")
		assert.Equal(t, harness.PromptTooLong, out.Reason)
		assert.Len(t, r.requests, 4)
	})
}

// The tool compact has the history summarised; its own message stays behind the summary with all results, calls behind it
// in the same answer are not run, and the loop goes on (H-CMP-55).
func TestTheToolCompact(t *testing.T) {
	for _, model := range everyModel {
		t.Run(model, func(t *testing.T) {
			three := says(thinking("t", "c2ln"), use("x", "bash", ls), use("y", "compact", `{"focus":"the names"}`), use("z", "bash", ls))
			r := taughtRig(t, model, 50, append(rounds(2), three, says(text("It was plums.")), says(thinking("n", "bmV3"), text("B.")))...)
			r.session(func(w world.World, s *harness.Session) {
				r.prompt(w, s, "one")
				out := r.prompt(w, s, "two")
				assert.Equal(t, harness.Completed, out.Reason)
			})
			assert.Contains(t, string(r.requests[4].Body), "the names")
			assert.Equal(t, []string{"a1", "a2", "x"}, r.ran)
			sent := messages(t, r.requests[5].Body)
			require.Len(t, sent, 3)
			assert.Equal(t, `{"role":"user","content":[{"type":"text","text":"[Compacted]\n\nIt was plums."}]}`, sent[0])
			assert.Contains(t, sent[2], `"tool_use_id":"y","content":"[Compacted. History summarized.]"`)
			assert.Contains(t, sent[2], "this call was not run")
			for _, q := range r.requests {
				legal(t, q.Body)
			}

			// The finding in the source's own listing: without the message of the call its result is an orphan.
			var orphan strings.Builder
			fmt.Fprintf(&orphan, `{"model":%q,"messages":[%s,%s]}`, model, sent[0], sent[2])
			assert.Equal(t, []string{"x", "y", "z"}, orphans(t, []byte(orphan.String())))
			assert.Empty(t, orphans(t, r.requests[5].Body))
		})
	}
}

// orphans are the results of a request that have no call in the message before.
func orphans(t *testing.T, body []byte) (ids []string) {
	called := map[string]bool{}
	for _, line := range shape(t, body) {
		for _, part := range strings.Split(line, " tool_")[1:] {
			kind, rest, _ := strings.Cut(part, "(")
			id := strings.FieldsFunc(rest, func(r rune) bool { return r == ' ' || r == ')' })[0]
			if kind == "use" {
				called[id] = true
			} else if !called[id] {
				ids = append(ids, id)
			}
		}
	}
	return ids
}

// A read of a file whose earlier result was cleared returns it again: the teaching profile knows no shortcut for files it
// has shown (H-CMP-20).
func TestReadsAreNeverShortInTheTeachingProfile(t *testing.T) {
	r := taughtRig(t, plain, 10, append(loop("a", 2, "read_file", `{"path":"/w/app/a"}`), says(text("B.")))...)
	require.NoError(t, r.disk.Write(cwd+"/a", []byte("plums\n")))
	r.tool = func(world.ToolCall) (world.ToolResult, time.Duration) { return world.ToolResult{Own: true}, 0 }
	r.session(func(w world.World, s *harness.Session) { r.prompt(w, s, "one") })
	assert.Equal(t, 2, strings.Count(string(r.requests[2].Body), `1\tplums`))
}

// In the teaching profile a text that is due for a moment stands at the end (H-REB-57), and on a bound model in its prompt,
// where it stays while the turn goes on: the thinking of the loop comes back as it was (H-LOOP-52, H-INJ-42, D1). With the
// next turn it is gone, and what was made behind it too.
func TestVolatileTextInTheTeachingProfile(t *testing.T) {
	for _, model := range everyModel {
		r := taughtRig(t, model, 50, append(rounds(5), says(text("B.")))...)
		r.cfg.Switches.InjectTime = true
		r.session(func(w world.World, s *harness.Session) {
			r.prompt(w, s, "one")
			r.prompt(w, s, "two")
		})
		for i, q := range r.requests {
			legal(t, q.Body)
			sent, at := r.shape(i), len(r.shape(i))-1
			if model == bound && i < 6 {
				at = 0
			}
			assert.Contains(t, sent[at], "text(The current time is", "%s", model)
			assert.Equal(t, 1, strings.Count(string(q.Body), "The current time is"), "%s", model)
			thoughts := i
			if model == bound && i == 6 {
				thoughts = 0
			}
			assert.Equal(t, thoughts, strings.Count(string(q.Body), `"type":"thinking",`), "%s %d", model, i)
		}
	}
}
