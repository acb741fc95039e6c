package harness_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"harnessbench/harness"
	"harnessbench/harness/world"
	"harnessbench/harness/world/sim"
)

func summary(s string) answer {
	return says(text("<analysis>\nfirst this, then that\n</analysis>\n\n<summary>\n" + s + "\n</summary>"))
}

// entries are the lines of a log that have a uuid.
func (r *rig) entries(file string) []map[string]any {
	var out []map[string]any
	for _, e := range r.log(file) {
		if e["uuid"] != nil {
			out = append(out, e)
		}
	}
	return out
}

// A compaction asks on top of the conversation, appends a boundary and a summary and deletes nothing; the next request
// holds the summary in the place of the history, under the same system prompt and tools (H-CMD-20, H-CMD-22, H-CMP-46,
// H-CMP-52, H-CMP-70, H-LOG-42, H-LOG-44, H-ACC-13). bug l-external-compaction-undone, l-parent-in-compacted-region.
func TestCompactPutsASummaryInPlaceOfTheHistory(t *testing.T) {
	for _, model := range []string{plain, systems, bound, manual} {
		t.Run(model, func(t *testing.T) {
			r := newRig(t, model, says(thinking("hm", "c2ln"), use("a", "Bash", `{"command":"ls"}`)), says(thinking("k", "c2ln"), text("A.")),
				summary("1. Primary Request and Intent:\n   plums"), says(thinking("b", "Yg=="), text("B.")))
			var before, file, last string
			r.session(func(w world.World, s *harness.Session) {
				r.prompt(w, s, "one")
				before, file, last = r.read(s.File()), s.File(), s.Leaf()
				require.NoError(t, s.Compact(w, "mind the plums"))
				r.prompt(w, s, "two")
			})
			require.True(t, strings.HasPrefix(r.read(file), before), "what stood stands")
			ask := r.requests[2]
			assert.Equal(t, "compact", ask.Chain)
			assert.Contains(t, string(ask.Body), "mind the plums")
			sent := r.shape(2)
			assert.Equal(t, "user: text(CRITICAL: Respond with T)", sent[len(sent)-1])
			assert.Contains(t, sent[len(sent)-2], "text(A.)*", "the marker stays on the conversation")
			assert.Contains(t, string(ask.Body), `"max_tokens":20000`)
			assert.Equal(t, []string{"user: text(The project keeps instru) text(This session is being co) text(two)*"}, r.shape(3))
			assert.Equal(t, front(r.requests[1].Body), front(r.requests[3].Body))
			assert.NotContains(t, string(r.requests[3].Body), "first this", "the analysis is gone")

			added := r.entries(file)[len(strings.Split(strings.TrimSpace(before), "\n"))-1:]
			b, e := added[0], added[1]
			assert.Equal(t, "compact_boundary", b["subtype"])
			assert.Nil(t, b["parentUuid"])
			assert.Equal(t, last, b["logicalParentUuid"])
			m := b["compactMetadata"].(map[string]any)
			assert.Equal(t, "manual", m["trigger"])
			assert.Equal(t, "mind the plums", m["userContext"])
			assert.InDelta(t, 12, m["preTokens"], 0)
			assert.Greater(t, m["postTokens"], 50.0)
			assert.NotNil(t, m["usage"].(map[string]any)["output_tokens"])
			assert.Equal(t, b["uuid"], e["parentUuid"])
			assert.Equal(t, true, e["isCompactSummary"])
			content := e["message"].(map[string]any)["content"].(string)
			assert.Contains(t, content, "Summary:\n1. Primary Request and Intent:\n   plums\n\n")
			assert.True(t, strings.HasSuffix(content, "read the full transcript at: "+file))

			r.resumed(func(w world.World, s *harness.Session) { r.prompt(w, s, "three") })
			assert.Equal(t, r.shape(3)[0], strings.TrimSuffix(r.shape(4)[0], "*")+"*")
			assert.Len(t, r.shape(4), 3)
			for _, q := range r.requests {
				legal(t, q.Body)
			}
		})
	}
}

// Without history there is nothing to compact, and nothing is written or asked (H-CMD-21).
func TestCompactWithoutHistory(t *testing.T) {
	r := newRig(t, plain, says(text("A.")))
	r.session(func(w world.World, s *harness.Session) {
		require.EqualError(t, s.Compact(w, ""), "Not enough messages to compact.")
		require.ErrorIs(t, s.Compact(w, "x"), harness.ErrNothingToCompact)
		assert.Empty(t, r.requests)
		assert.Empty(t, r.sessions())
		r.prompt(w, s, "one")
		require.NoError(t, s.Clear(w))
		require.ErrorIs(t, s.Compact(w, ""), harness.ErrNothingToCompact)
	})
}

// A section `Compact instructions` of the memory file goes to the summariser (H-CMD-23), and the compaction loads the
// memory afresh (H-CMP-71).
func TestCompactTakesTheMemorysInstructions(t *testing.T) {
	for _, model := range []string{plain, bound} {
		r := newRig(t, model, says(text("A.")), summary("s"), says(text("B.")))
		require.NoError(t, r.disk.Write(cwd+"/CLAUDE.md", []byte("Use tabs.\n# Compact instructions\nKeep the test names.\n# More\nlast\n")))
		r.session(func(w world.World, s *harness.Session) {
			r.prompt(w, s, "one")
			require.NoError(t, r.disk.Write(cwd+"/CLAUDE.md", []byte("Use blanks.\n")))
			require.NoError(t, s.Compact(w, ""))
			r.prompt(w, s, "two")
		})
		assert.Contains(t, string(r.requests[1].Body), `Instructions for this summary:\nKeep the test names.\n\nREMINDER`)
		head := messages(t, r.requests[2].Body)[0]
		assert.Contains(t, head, "Use blanks.")
		assert.NotContains(t, head, "Use tabs.")
		r.resumed(func(w world.World, s *harness.Session) { r.prompt(w, s, "three") })
		assert.Equal(t, front(r.requests[2].Body), front(r.requests[3].Body))
	}
}

// A compaction that fails writes nothing to the chain but the errors of its retries and leaves the payload as it was
// (H-CMP-65, H-CMP-50, H-LOOP-45); an interrupted one writes nothing (H-CMP-66).
func TestACompactionThatFailsChangesNothing(t *testing.T) {
	overloaded := answer{exchange: &sim.Exchange{Status: 529, Frames: []sim.Frame{{Data: []byte(`{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`)}}}}
	cut := answer{exchange: &sim.Exchange{Status: 200, Frames: []sim.Frame{{Data: []byte("event: ping\ndata: {\"type\":\"ping\"}\n\n")}}}}
	for name, c := range map[string]struct {
		script []answer
		asks   int
		want   string
	}{
		"no summary":         {[]answer{says(text("<summary> </summary>"))}, 1, "no summary"},
		"a tool call alone":  {[]answer{says(use("x", "Bash", `{"command":"ls"}`))}, 1, "no text"},
		"refused":            {[]answer{{blocks: []string{text("No.")}, stop: "refusal"}}, 1, "refused"},
		"broken three times": {[]answer{cut, cut, cut}, 3, "before message_stop"},
		"broken twice":       {[]answer{cut, cut, summary("s")}, 3, ""},
		"overloaded once":    {[]answer{overloaded, summary("s")}, 2, ""},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, bound, append(append([]answer{says(thinking("t", "c2ln"), text("A."))}, c.script...), says(text("B.")))...)
			r.session(func(w world.World, s *harness.Session) {
				r.prompt(w, s, "one")
				had := len(r.entries(s.File()))
				err := s.Compact(w, "")
				assert.Len(t, r.requests, 1+c.asks)
				for _, q := range r.requests[2:] {
					assert.Equal(t, string(r.requests[1].Body), string(q.Body))
				}
				boundaries := 0
				for _, e := range r.entries(s.File())[had:] {
					if e["subtype"] == "compact_boundary" {
						boundaries++
					}
				}
				if c.want == "" {
					require.NoError(t, err)
					assert.Equal(t, 1, boundaries)
					return
				}
				require.ErrorContains(t, err, c.want)
				assert.Zero(t, boundaries)
				r.prompt(w, s, "two")
				assert.Equal(t, []string{"user: text(The project keeps instru) text(one)", "assistant: thinking text(A.)", "user: text(two)*"},
					r.shape(len(r.requests)-1))
			})
		})
	}
	r := newRig(t, plain, says(text("A.")), summary("s"), says(text("B.")))
	r.session(func(w world.World, s *harness.Session) {
		r.prompt(w, s, "one")
		before := r.read(s.File())
		hooked := world.Hooked(w, nth(world.OpRead, 1, s.Interrupt))
		require.ErrorIs(t, s.Compact(hooked, ""), world.ErrInterrupted)
		assert.Equal(t, before, r.read(s.File()))
		r.prompt(w, s, "two")
	})
}

// A log that ends inside the boundary's line, behind it, or inside the summary's line goes on with the whole history;
// from the end of the summary's line on, with the summary. A pin before the boundary holds as long (H-LOG-82, H-REB-4).
func TestATornCompactionLosesNothing(t *testing.T) {
	for _, rewound := range []bool{false, true} {
		for _, part := range []string{"whole", harness.SummarizeFrom, harness.SummarizeUpTo} {
			r := newRig(t, bound, says(thinking("t", "c2ln"), text("A.")))
			var file, before string
			r.session(func(w world.World, s *harness.Session) {
				r.prompt(w, s, "one")
				r.prompt(w, s, "two")
				if r.prompt(w, s, "three"); rewound {
					require.NoError(t, s.Rewind(w, s.LastPrompt()))
				}
				file, before = s.File(), r.read(s.File())
				r.answer = func() answer { return summary("s") }
				if part == "whole" {
					require.NoError(t, s.Compact(w, ""))
					return
				}
				points := s.Prompts()
				_, err := s.RewindTo(w, points[1].UUID, part)
				require.NoError(t, err)
			})
			r.answer = nil
			after := r.read(file)
			first := strings.Index(after[len(before):], "\n") + 1
			second := first + strings.Index(after[len(before)+first:], "\n") + 1
			whole := 7
			if rewound {
				whole = 5
			}
			for _, cut := range []int{1, first / 2, first - 1, first, first + 1, second - 2, second - 1, second} {
				require.NoError(t, r.disk.Write(file, []byte(after[:len(before)+cut])))
				r.next = 0
				r.resumed(func(w world.World, s *harness.Session) { r.prompt(w, s, "after") })
				got := r.shape(len(r.requests) - 1)
				if cut < second-1 {
					assert.Len(t, got, whole, "%s cut at %d of %d", part, cut, second)
				} else {
					assert.Contains(t, fmt.Sprint(got), "This session is being co", "%s cut at %d of %d", part, cut, second)
				}
			}
		}
	}
}

// The calls that a crash left open are answered in the log before the summary is asked for. bug p-kill-while-tool-blocks,
// t-compaction-with-thinking-fails.
func TestCompactAfterAKillInATool(t *testing.T) {
	for _, model := range []string{plain, bound, manual} {
		r := newRig(t, model, says(thinking("t", "c2ln"), use("a", "Bash", `{"command":"ls"}`)), summary("s"), says(text("B.")))
		out := r.m.Run(func(w world.World) {
			s, err := harness.Start(w, r.cfg)
			require.NoError(t, err)
			_, _ = s.Prompt(world.Hooked(w, nth(world.OpTool, 1, r.m.Kill)), "one")
		})
		require.True(t, out.Killed)
		r.resumed(func(w world.World, s *harness.Session) {
			require.NoError(t, s.Compact(w, ""))
			r.prompt(w, s, "two")
		})
		assert.Contains(t, r.shape(1)[2], "user: tool_result(a [Tool result missing due)")
		legal(t, r.requests[1].Body)
		assert.Len(t, r.shape(2), 1)
		data, err := json.Marshal(r.log(configDir + "/projects/-w-app/" + r.sessions()[0] + ".jsonl"))
		require.NoError(t, err)
		assert.Contains(t, string(data), "Tool result missing")
	}
}
