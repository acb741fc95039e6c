package harness_test

import (
	"encoding/base64"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"harnessbench/harness"
	"harnessbench/harness/world"
	"harnessbench/harness/world/sim"
)

func tooLarge(status int, message string) answer {
	return answer{exchange: &sim.Exchange{Status: status, Frames: []sim.Frame{{Data: fmt.Appendf(nil,
		`{"type":"error","error":{"type":"invalid_request_error","message":%q}}`, message)}}}}
}

// lengthy is a text that is longer than a summary of it, so that a compaction gains something.
var lengthy = strings.Repeat("word after word ", 100)

// holds wants a text to stand in a request, or not to, and says no more than that when it does not.
func holds(t *testing.T, want bool, body, text string, why ...any) {
	t.Helper()
	assert.Equal(t, want, strings.Contains(body, text), "%q %v", text, why)
}

// A main call that is refused as too long is made once more, behind a compaction; the next refusal ends the turn
// (H-CMP-60). Neither a shut switch nor an open breaker keeps it from being made; only a ban on all compactions does.
func TestReactiveCompactsOnceATurn(t *testing.T) {
	tooLong := tooLarge(400, "prompt is too long: 200500 tokens > 200000 maximum")
	for name, c := range map[string]struct {
		set    func(*harness.Config)
		refuse answer
		times  int
		want   []string
		reason string
	}{
		"once":           {func(*harness.Config) {}, tooLong, 1, []string{"main", "main", "compact", "main"}, harness.Completed},
		"twice":          {func(*harness.Config) {}, tooLong, 2, []string{"main", "main", "compact", "main"}, harness.PromptTooLong},
		"by its bytes":   {func(*harness.Config) {}, tooLarge(413, "Request exceeds the maximum size"), 1, []string{"main", "main", "compact", "main"}, harness.Completed},
		"the other form": {func(*harness.Config) {}, tooLarge(400, "input length and `max_tokens` exceed context limit: 200100 + 8000 > 200000, decrease input length or `max_tokens` and try again"), 1, []string{"main", "main", "compact", "main"}, harness.Completed},
		"the switch":     {func(c *harness.Config) { c.Switches.NoAuto = true }, tooLong, 1, []string{"main", "main", "compact", "main"}, harness.Completed},
		"collapsing":     {func(c *harness.Config) { c.Switches.Collapse = true }, tooLong, 1, []string{"main", "main", "compact", "main"}, harness.Completed},
		"not by itself":  {func(c *harness.Config) { c.NoAutoCompact = true }, tooLong, 1, []string{"main", "main", "compact", "main"}, harness.Completed},
		"not at all":     {func(c *harness.Config) { c.NoCompact = true }, tooLong, 1, []string{"main", "main"}, harness.PromptTooLong},
		"something else": {func(*harness.Config) {}, broken, 1, []string{"main", "main"}, harness.APIFault},
	} {
		for _, model := range []string{manual, bound} {
			t.Run(name+" "+model, func(t *testing.T) {
				r := newRig(t, model, says(text("-")))
				c.set(&r.cfg)
				refused := 0
				r.answer = func() answer {
					switch {
					case r.requests[len(r.requests)-1].Chain == "compact":
						return summary("s")
					case len(r.requests) == 1:
						return says(thinking("t", "c2ln"), text(lengthy))
					case refused < c.times:
						refused++
						return c.refuse
					}
					return says(text("B."))
				}
				r.session(func(w world.World, s *harness.Session) {
					r.prompt(w, s, "one")
					out := r.prompt(w, s, "two")
					assert.Equal(t, c.reason, out.Reason, "%v", out.Err)
					assert.Equal(t, c.want, r.chains())
					if out.Reason == harness.Completed {
						assert.Len(t, r.shape(3), 1)
						assert.Contains(t, r.shape(3)[0], "text(two)")
						require.Len(t, r.boundaries(s.File()), 1)
						assert.Equal(t, "auto", r.boundaries(s.File())[0]["compactMetadata"].(map[string]any)["trigger"])
					}
					if name == "twice" {
						assert.Equal(t, "B.", r.prompt(w, s, "three").Text, "no wedge")
					}
				})
				for _, q := range r.requests {
					legal(t, q.Body)
				}
			})
		}
	}
}

// Behind a compaction, whoever asked for it and in whatever turn, a refused call does not compact again before something
// was answered: that would summarise a summary alone (H-CMP-60, CMP-3). The nearest right case has an answer between.
func TestReactiveWaitsForAnAnswer(t *testing.T) {
	tooLong := tooLarge(400, "prompt is too long: 200500 tokens > 200000 maximum")
	for name, c := range map[string]struct {
		compact, answered bool // /compact before the refusals; an answer behind it
		want              []string
	}{
		"behind /compact":           {true, false, []string{"main", "compact", "main"}},
		"behind /compact, answered": {true, true, []string{"main", "compact", "main", "main", "compact", "main"}},
		"in the next turn":          {false, false, []string{"main", "main", "compact", "main", "main"}},
	} {
		for _, model := range []string{manual, bound} {
			t.Run(name+" "+model, func(t *testing.T) {
				r := newRig(t, model, says(text("-")))
				refuse := false
				r.answer = func() answer {
					switch {
					case r.requests[len(r.requests)-1].Chain == "compact":
						return summary("s")
					case refuse:
						return tooLong
					}
					return says(thinking("t", "c2ln"), text(lengthy))
				}
				r.session(func(w world.World, s *harness.Session) {
					r.prompt(w, s, "one")
					if c.compact {
						require.NoError(t, s.Compact(w, ""))
					}
					if c.answered {
						r.prompt(w, s, "two")
					}
					refuse = true
					assert.Equal(t, harness.PromptTooLong, r.prompt(w, s, "three").Reason)
					if !c.compact {
						assert.Equal(t, harness.PromptTooLong, r.prompt(w, s, "four").Reason)
					}
					assert.Equal(t, c.want, r.chains())
					refuse = false
					assert.Equal(t, harness.Completed, r.prompt(w, s, "go on").Reason, "the session can still be used")
				})
			})
		}
	}
}

// Inside a tool loop too the turn goes on behind the summary, with the prompt in it (H-CMP-60, H-CMP-78).
func TestReactiveInsideAToolLoop(t *testing.T) {
	for _, model := range []string{plain, systems, bound, manual} {
		r := newRig(t, model, says(thinking("t", "c2ln"), use("a", "Bash", `{"command":"ls"}`)),
			tooLarge(400, "prompt is too long: 1000500 tokens > 1000000 maximum"), summary("s"), says(text("B.")))
		r.long(4_000)
		r.session(func(w world.World, s *harness.Session) {
			out := r.prompt(w, s, "one")
			assert.Equal(t, "B.", out.Text, "%v", out.Err)
		})
		assert.Equal(t, []string{"user: text(The project keeps instru) text(This session is being co) text(one)*"}, r.shape(3))
		for _, q := range r.requests {
			legal(t, q.Body)
		}
	}
}

// Where nothing stands before the prompt, there is nothing to compact: the refusal is the end, at one call (H-CMP-60).
func TestReactiveWithoutHistory(t *testing.T) {
	r := newRig(t, manual, tooLarge(400, "prompt is too long: 200500 tokens > 200000 maximum"))
	r.session(func(w world.World, s *harness.Session) {
		assert.Equal(t, harness.PromptTooLong, r.prompt(w, s, "one").Reason)
		assert.Len(t, r.requests, 1)
	})
}

// A session that cannot become shorter ends each turn with a clear error, within a bounded number of calls, and nothing
// is written for the attempts (H-CMP-60, H-CMP-65). bug c-retry-reinjects-prompt.
func TestWhatCannotShrinkEnds(t *testing.T) {
	r := newRig(t, manual, says(text("-")))
	r.answer = func() answer {
		if len(r.requests) == 1 {
			return full(70_000, text("A."))
		}
		return tooLarge(400, "prompt is too long: 300000 tokens > 200000 maximum")
	}
	r.cfg.Window = 100_000
	r.session(func(w world.World, s *harness.Session) {
		r.prompt(w, s, "one")
		had := len(r.entries(s.File()))
		for i := range 5 {
			before := len(r.requests)
			out := r.prompt(w, s, fmt.Sprintf("two %d", i))
			assert.Contains(t, []string{harness.PromptTooLong}, out.Reason)
			require.Error(t, out.Err)
			assert.LessOrEqual(t, len(r.requests)-before, 1+1+3+1)
			assert.Empty(t, r.boundaries(s.File()))
		}
		assert.Len(t, r.entries(s.File()), had+10, "a prompt and a notice each")
	})
}

// Images are left out of what is summarised in the emergency, and so is the thinking a model would check (H-CMP-62,
// CMP-8). What the server says of the size lets the oldest rounds go before the first request, once.
// (bug c-images-inlined-in-summary)
func TestReactiveStripsImagesAndCutsTheHead(t *testing.T) {
	for _, model := range []string{plain, bound} {
		r := newRig(t, model, says(text("-")))
		r.tool = func(world.ToolCall) (world.ToolResult, time.Duration) { return world.ToolResult{Own: true}, 0 }
		require.NoError(t, r.disk.Write(cwd+"/a.png", pixels()))
		for i := range 4 {
			require.NoError(t, r.disk.Write(fmt.Sprintf("%s/f%d.txt", cwd, i), []byte(strings.Repeat(fmt.Sprintf("line of file %d\n", i), 800))))
		}
		calls := 0
		r.answer = func() answer {
			calls++
			switch {
			case r.requests[len(r.requests)-1].Chain == "compact":
				return summary("s")
			case calls == 1:
				return says(thinking("t", "c2ln"), use("img", "Read", `{"file_path":"/w/app/a.png"}`))
			case calls <= 5:
				return says(thinking("t", "c2ln"), use(fmt.Sprintf("c%d", calls), "Read", fmt.Sprintf(`{"file_path":"/w/app/f%d.txt"}`, calls-2)))
			case calls == 6:
				return tooLarge(400, "prompt is too long: 80000 tokens > 60000 maximum")
			}
			return says(text("B."))
		}
		r.session(func(w world.World, s *harness.Session) {
			assert.Equal(t, "B.", r.prompt(w, s, "one").Text)
		})
		ask := string(r.requests[6].Body)
		assert.Equal(t, "compact", r.requests[6].Chain)
		holds(t, false, ask, `"image"`)
		holds(t, model != bound, ask, `"type":"thinking",`)
		holds(t, true, ask, "line of file 3", "the newest round is there")
		holds(t, false, ask, "line of file 0", "the oldest is not")
		holds(t, true, string(r.requests[5].Body), `"image"`)
		legal(t, r.requests[6].Body)
		legal(t, r.requests[7].Body)
	}
}

// pixels is a small PNG.
func pixels() []byte {
	png, _ := base64.StdEncoding.DecodeString("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==")
	return png
}

// A request for a summary that is too long loses its oldest rounds, by as much as the server says or a fifth, at most
// three times; each is shorter than the one before (H-CMP-54, CMP-5). bug c-compact-request-too-long.
func TestTheRequestForASummaryIsMadeToFit(t *testing.T) {
	for _, model := range []string{plain, bound} {
		for refusals := 0; refusals <= 4; refusals++ {
			r := newRig(t, model, says(text("-")))
			r.answer = func() answer {
				n := len(r.requests)
				if r.requests[n-1].Chain != "compact" {
					return says(thinking("t", "c2ln"), text("answer "+strings.Repeat(fmt.Sprint(n), 400)))
				}
				if n-13 < refusals {
					return tooLarge(400, "prompt is too long")
				}
				return summary("s")
			}
			r.session(func(w world.World, s *harness.Session) {
				for i := range 12 {
					r.prompt(w, s, fmt.Sprintf("prompt %d", i))
				}
				err := s.Compact(w, "")
				assert.Len(t, r.requests, 12+min(refusals, 3)+1)
				for i := 13; i < len(r.requests); i++ {
					assert.Less(t, len(r.requests[i].Body), len(r.requests[i-1].Body))
					legal(t, r.requests[i].Body)
					if model == bound {
						holds(t, false, string(r.requests[i].Body), `"type":"thinking",`, "none or all")
					}
				}
				if refusals == 4 {
					require.ErrorContains(t, err, "prompt is too long")
					assert.Empty(t, r.boundaries(s.File()))
					return
				}
				require.NoError(t, err)
				if refusals == 1 {
					last := r.shape(13)
					assert.Contains(t, last[0], "text(prompt 2)", "two of twelve rounds went")
				}
			})
		}
	}
}

// One giant turn has no round to lose: its longest results are shortened (CMP-5). bug c-one-giant-turn.
func TestAGiantTurnIsShortened(t *testing.T) {
	r := newRig(t, plain, says(use("a", "Bash", `{"command":"ls"}`)), tooLarge(400, "prompt is too long: 60000 tokens > 50000 maximum"), summary("s"), says(text("B.")))
	r.tool = func(world.ToolCall) (world.ToolResult, time.Duration) {
		return world.ToolResult{Output: strings.Repeat("long output\n", 2_000)}, time.Second
	}
	r.session(func(w world.World, s *harness.Session) {
		assert.Equal(t, "B.", r.prompt(w, s, "one").Text)
	})
	assert.Equal(t, []string{"main", "main", "compact", "main"}, r.chains())
	assert.Less(t, len(r.requests[2].Body), len(r.requests[1].Body))
	holds(t, true, string(r.requests[2].Body), "The rest of this text is left out here")
	legal(t, r.requests[2].Body)
}

// The head of the request for an emergency's summary is cut once: before it is sent where the refusal said by how much it is
// too long, else when it is refused itself; a further refusal of it ends the attempt (H-CMP-62).
func TestTheHeadOfAnEmergencyIsCutOnce(t *testing.T) {
	for name, c := range map[string]struct {
		refusal answer
		asked   int // requests for a summary
	}{
		"it said how much": {tooLarge(400, "prompt is too long: 200500 tokens > 200000 maximum"), 1},
		"it did not":       {tooLarge(413, "Request exceeds the maximum size"), 2},
	} {
		for _, model := range everyModel {
			r := newRig(t, model, says(text("-")))
			answers := 0
			r.answer = func() answer {
				switch {
				case r.requests[len(r.requests)-1].Chain == "compact", answers >= 6:
					return c.refusal
				}
				answers++
				return says(text(strings.Repeat(lengthy, 12))) // so that the count is plausible
			}
			r.session(func(w world.World, s *harness.Session) {
				for range 6 {
					r.prompt(w, s, "one")
				}
				out := r.prompt(w, s, "two")
				assert.Equal(t, harness.PromptTooLong, out.Reason, "%s %s", name, model)
			})
			want := append(slices.Repeat([]string{"main"}, 7), slices.Repeat([]string{"compact"}, c.asked)...)
			assert.Equal(t, want, r.chains(), "%s %s", name, model)
		}
	}
}
