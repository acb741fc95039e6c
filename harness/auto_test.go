package harness_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"harnessbench/harness"
	"harnessbench/harness/world"
	"harnessbench/harness/world/sim"
)

// full is an answer that reports so many tokens of input; its output is 9 more.
func full(input int, blocks ...string) answer {
	a := says(blocks...)
	a.input = input
	return a
}

// boundaries are the compact boundaries of a log.
func (r *rig) boundaries(file string) (out []map[string]any) {
	for _, e := range r.entries(file) {
		if e["subtype"] == "compact_boundary" {
			out = append(out, e)
		}
	}
	return out
}

// chains are the chains of the requests so far, in order.
func (r *rig) chains() (out []string) {
	for _, q := range r.requests {
		out = append(out, q.Chain)
	}
	return out
}

// The conversation is compacted before the call that would reach the threshold, to the token, and not before: the last
// answer's input and output, and a quarter of the characters since (H-CMP-35, H-CMP-37, H-CMP-38, H-CMP-39). A shut switch
// leaves it, then the turn ends 3,000 tokens below the room of an answer, to the token too (H-CMP-40).
func TestAutoFiresAtTheThreshold(t *testing.T) {
	const since = 9 + 1 // output, and the three letters of the prompt
	for name, c := range map[string]struct {
		set   func(*harness.Config)
		model string
		at    int
		ends  string // where no compaction is made
	}{
		"83.5 % of 200,000":      {func(*harness.Config) {}, manual, 167_000, ""},
		"a smaller window":       {func(c *harness.Config) { c.Window = 100_000 }, plain, 67_000, ""},
		"a larger window":        {func(c *harness.Config) { c.Window = 1_000_000 }, manual, 167_000, ""},
		"half the window":        {func(c *harness.Config) { c.CompactPercent = 50 }, manual, 100_000, ""},
		"no more than 83.5 %":    {func(c *harness.Config) { c.CompactPercent = 100 }, manual, 167_000, ""},
		"no share of the window": {func(c *harness.Config) { c.CompactPercent = 101 }, manual, 167_000, ""},
		"the switch":             {func(c *harness.Config) { c.Switches.NoAuto = true }, manual, 177_000, harness.BlockingLimit},
		"not by itself":          {func(c *harness.Config) { c.NoAutoCompact = true }, manual, 177_000, harness.BlockingLimit},
		"not at all":             {func(c *harness.Config) { c.NoCompact = true; c.Window = 100_000 }, manual, 77_000, harness.BlockingLimit},
	} {
		for _, below := range []int{0, 1} {
			r := newRig(t, c.model, full(c.at-since-below, text("A.")), summary("s"), says(text("B.")))
			if below == 1 || c.ends != "" {
				r.script = []answer{r.script[0], r.script[2]}
			}
			c.set(&r.cfg)
			r.session(func(w world.World, s *harness.Session) {
				r.prompt(w, s, "one")
				out := r.prompt(w, s, "two")
				want := map[bool][]string{true: {"main", "compact", "main"}, false: {"main", "main"}}[below == 0]
				if c.ends != "" && below == 0 {
					want = []string{"main"}
					assert.Equal(t, c.ends, out.Reason)
					require.ErrorContains(t, out.Err, fmt.Sprintf("from %d on no call is made", c.at))
				}
				assert.Equal(t, want, r.chains(), "%s, %d below", name, below)
				assert.Equal(t, strings.HasPrefix(name, "no share"), len(s.Report()) > 0, name)
				switch {
				case name == "not at all":
					require.ErrorContains(t, s.Compact(w, ""), "switched off")
				case c.ends != "" && below == 0: // the user still may
					r.script = append(r.script[:1], summary("s"))
					require.NoError(t, s.Compact(w, ""), name)
				}
			})
		}
	}
	r := newRig(t, plain, says(text("-")))
	for _, n := range []int{99_999, 1_000_001, -1} {
		r.cfg.Window = n
		r.process(func(w world.World) {
			_, err := harness.Start(w, r.cfg)
			require.ErrorContains(t, err, "want 0 for the model's own or 100000 to 1000000 tokens")
		})
	}
}

// Between two turns the new prompt is not in the request for the summary, which is the conversation's own up to there;
// it stands once, word for word, behind the summary, with what belongs to it, live and after a resume. The boundary says
// what was done; system and tools are the same (H-CMP-45, H-CMP-46, H-CMP-53, H-CMP-70, H-CMP-78, H-LOG-42, H-LOG-43, D5).
func TestAutoKeepsTheNewPrompt(t *testing.T) {
	for _, model := range []string{plain, systems, bound, manual} {
		t.Run(model, func(t *testing.T) {
			r := newRig(t, model, says(thinking("hm", "c2ln"), use("a", "Bash", `{"command":"ls"}`)), full(80_000, thinking("k", "c2ln"), text("A.")),
				summary("plums"), says(thinking("b", "Yg=="), text("B.")))
			r.cfg.Window, r.cfg.Switches.InjectTime = 100_000, true
			var file, last string
			r.session(func(w world.World, s *harness.Session) {
				r.prompt(w, s, "one")
				last = s.Leaf()
				out := r.prompt(w, s, "two")
				assert.Equal(t, harness.Completed, out.Reason)
				assert.Equal(t, "B.", out.Text)
				file = s.File()
			})
			assert.Equal(t, []string{"main", "main", "compact", "main"}, r.chains())
			asked := r.shape(2)
			assert.Equal(t, "user: text(CRITICAL: Respond with T)", asked[len(asked)-1])
			assert.NotContains(t, fmt.Sprint(asked), "text(two)")
			assert.NotContains(t, fmt.Sprint(asked), "10:00", "the new turn's volatile text is not there")
			after := string(r.requests[3].Body)
			assert.Equal(t, 1, strings.Count(after, `"text":"two"`))
			assert.Contains(t, r.shape(3)[0], "text(This session is being co)")
			assert.NotContains(t, after, `"A."`)
			assert.Contains(t, after, "The current time is", "what is due in the turn stays due")
			assert.Equal(t, front(r.requests[1].Body), front(r.requests[3].Body))

			b := r.boundaries(file)
			require.Len(t, b, 1)
			m := b[0]["compactMetadata"].(map[string]any)
			assert.Equal(t, "auto", m["trigger"])
			assert.InDelta(t, 80_010, m["preTokens"], 25)
			assert.Less(t, m["postTokens"], 500.0)
			kept := m["preservedMessages"].(map[string]any)
			uuids := kept["uuids"].([]any)
			assert.NotEqual(t, last, b[0]["logicalParentUuid"], "the prompt was logged before")
			found := false
			for _, e := range r.entries(file) {
				if e["uuid"] == uuids[0] {
					found = e["message"].(map[string]any)["content"] == "two"
				}
				if e["isCompactSummary"] == true {
					assert.Equal(t, kept["anchorUuid"], e["uuid"])
				}
			}
			assert.True(t, found, "the prompt comes first: nothing was restored")
			r.resumed(func(w world.World, s *harness.Session) { r.prompt(w, s, "three") })
			now, was := messages(t, r.requests[4].Body), messages(t, r.requests[3].Body)
			if model == plain || model == manual {
				was[0] = strings.Replace(was[0], timeBlock(was[0]), "", 1) // it stood in the prompt
			}
			assert.Equal(t, was[0], now[0])
			for _, q := range r.requests {
				legal(t, q.Body)
			}
		})
	}
}

// timeBlock is the block of T-TIME in a message, with the comma behind it.
func timeBlock(message string) string {
	at := strings.Index(message, `{"type":"text","text":"<system-reminder>\nThe current time is`)
	return message[at : at+strings.Index(message[at:], "},")+2]
}

// Inside a tool loop the prompt is in the request for the summary, which is the conversation's own, and stands behind the
// summary as well; text typed while the loop ran stands there too, once each. The loop goes on (H-CMP-78, D5, H-CMP-46,
// H-LOOP-25).
// bug c-no-check-inside-tool-loop, c-task-lost-after-compaction, c-queued-input-lost.
func TestAutoInsideAToolLoop(t *testing.T) {
	for _, model := range []string{plain, systems, bound, manual} {
		for _, place := range []string{"", "prompt", "tail"} {
			t.Run(model+place, func(t *testing.T) {
				r := newRig(t, model, says(text("Before.")), full(70_000, thinking("hm", "c2ln"), use("a", "Bash", `{"command":"ls"}`)), summary("plums"),
					says(thinking("x", "c2ln"), use("b", "Bash", `{"command":"ls"}`)), says(thinking("b", "Yg=="), text("B.")))
				r.cfg.Window = 100_000
				r.cfg.Switches.InjectTime, r.cfg.Switches.VolatilePlace = true, place
				r.session(func(w world.World, s *harness.Session) {
					r.prompt(w, s, "zero")
					hooked := world.Hooked(w, nth(world.OpTool, 1, func() { s.Queue("also the pears") }))
					out, err := s.Prompt(hooked, "one")
					require.NoError(t, err)
					assert.Equal(t, "B.", out.Text)
				})
				assert.Equal(t, []string{"main", "main", "compact", "main", "main"}, r.chains())
				ask, loop := messages(t, r.requests[2].Body), messages(t, r.requests[1].Body)
				assert.Equal(t, loop[0], ask[0], "the prefix is shared")
				if place != "tail" { // where it moves along
					assert.Equal(t, loop, ask[:len(loop)])
				}
				assert.Contains(t, strings.Join(ask, ""), "The current time is", "what is due in the turn included")
				assert.Contains(t, r.shape(2)[len(r.shape(2))-1], "tool_result(a out")
				assert.Contains(t, string(r.requests[2].Body), `"text":"one"`)
				for i := 3; i <= 4; i++ {
					assert.Equal(t, 1, strings.Count(string(r.requests[i].Body), `"text":"one"`), i)
					assert.Equal(t, 1, strings.Count(string(r.requests[i].Body), `"text":"also the pears"`), i)
					assert.NotContains(t, string(r.requests[i].Body), `"id":"a"`)
				}
				for _, q := range r.requests {
					legal(t, q.Body)
				}
			})
		}
	}
}

var broken = answer{exchange: &sim.Exchange{Status: 400, Frames: []sim.Frame{{Data: []byte(`{"type":"error","error":{"type":"invalid_request_error","message":"no"}}`)}}}}

// compact.request=no-tools asks without tools, and on a model that checks without thinking: it reads nothing of the
// cache, and so bears no breakpoint (CACHE-6), but is legal (H-CMP-46). A tool call in the answer is ignored, and fails
// where no text came.
func TestASummaryAskedWithoutTools(t *testing.T) {
	for _, model := range []string{plain, systems, bound, manual} {
		r := newRig(t, model, says(thinking("k", "c2ln"), use("a", "Bash", `{"command":"ls"}`)), full(70_000, thinking("k", "c2ln"), text("A.")),
			says(use("x", "Bash", `{"command":"ls"}`), text("<summary>plums</summary>")), says(text("B.")))
		r.cfg.Window, r.cfg.Switches.SummaryRequest = 100_000, harness.RequestNoTools
		r.session(func(w world.World, s *harness.Session) {
			r.prompt(w, s, "one")
			assert.Equal(t, "B.", r.prompt(w, s, "two").Text)
		})
		ask := string(r.requests[2].Body)
		holds(t, true, ask, `"tools":[],`)
		holds(t, model != bound, ask, `"type":"thinking",`)
		holds(t, false, ask, "cache_control")
		holds(t, true, string(r.requests[3].Body), "plums")
		holds(t, true, string(r.requests[3].Body), "cache_control")
		assert.Equal(t, front(r.requests[1].Body), front(r.requests[3].Body))
		assert.Equal(t, []string{"a"}, r.ran, "the call of the summary was not run")
		for _, q := range r.requests {
			legal(t, q.Body)
		}
	}
}

// An answer that met the output limit, or that reports more than the window holds, compacts nothing; the size counts
// alone (H-CMP-38, H-CMP-39). bug c-length-stop-triggers-compaction, c-usage-larger-than-window.
func TestOnlyTheSizeCompacts(t *testing.T) {
	for name, first := range map[string]answer{
		"cut":        {blocks: []string{text("A.")}, stop: "max_tokens", input: 14_000},
		"impossible": full(400_000, text("A.")),
	} {
		r := newRig(t, manual, first, says(text("B.")))
		r.session(func(w world.World, s *harness.Session) {
			r.prompt(w, s, "one")
			r.prompt(w, s, "two")
			assert.NotContains(t, r.chains(), "compact", name)
		})
	}
}

// A summary that leaves the conversation no shorter is no compaction: nothing of it is written (H-CMP-65). bug
// c-summary-larger-than-original.
// (bug c-summary-larger-than-original)
func TestASummaryMustBeShorter(t *testing.T) {
	r := newRig(t, bound, full(70_000, text("A.")), summary(strings.Repeat("plums ", 50_000)), says(text("B.")))
	r.cfg.Window = 100_000
	r.session(func(w world.World, s *harness.Session) {
		r.prompt(w, s, "one")
		assert.Equal(t, "B.", r.prompt(w, s, "two").Text)
		assert.Empty(t, r.boundaries(s.File()))
		assert.Contains(t, strings.Join(s.Report(), ""), "it must have less than 67000")
	})
	assert.Len(t, r.shape(2), 3)
}

// What was refused is not asked again in the same bytes: not by the emergency of a call that is too long either. bug
// c-failed-compaction-resent-unchanged.
func TestARefusedSummaryIsNotAskedForAgain(t *testing.T) {
	r := newRig(t, bound, full(70_000, text(lengthy)), broken, tooLarge(400, "prompt is too long"), says(text("B.")))
	r.cfg.Window = 100_000
	r.session(func(w world.World, s *harness.Session) {
		r.prompt(w, s, "one")
		assert.Equal(t, harness.PromptTooLong, r.prompt(w, s, "two").Reason)
		assert.Equal(t, []string{"main", "compact", "main"}, r.chains())
		assert.Contains(t, strings.Join(s.Report(), ""), "was refused before")
	})
}
