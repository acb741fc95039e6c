package harness_test

import (
	"encoding/base64"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"harnessbench/harness"
	"harnessbench/harness/cachewatch"
	"harnessbench/harness/world"
)

// loop is a turn of n rounds, each with thinking and one call of a tool, named by a prefix and the round.
func loop(prefix string, n int, name, input string) []answer {
	var out []answer
	for i := range n {
		id := fmt.Sprint(prefix, i+1)
		out = append(out, says(thinking("t"+id, "c2ln"), use(id, name, input)))
	}
	return append(out, says(thinking("end", "c2ln"), text("Done "+prefix+".")))
}

const ls = `{"command":"ls"}`

// long makes every tool print so many characters.
func (r *rig) long(chars int) {
	r.tool = func(call world.ToolCall) (world.ToolResult, time.Duration) {
		return world.ToolResult{Output: strings.Repeat("x", chars-len(call.ID)) + call.ID}, time.Second
	}
}

// cleared are the calls whose results a request sends without their content.
func cleared(t *testing.T, body []byte) []string {
	return resultsWith(t, body, "[Old tool result content")
}

// resultsWith are the calls whose results a request sends with a content that begins so.
func resultsWith(t *testing.T, body []byte, prefix string) (ids []string) {
	for _, line := range shape(t, body) {
		for _, part := range strings.Split(line, "tool_result(")[1:] {
			id, content, _ := strings.Cut(part, " ")
			if strings.HasPrefix(content, prefix) {
				ids = append(ids, id)
			}
		}
	}
	return ids
}

// idle sleeps until a time after the newest answer in the log.
func (r *rig) idle(w world.World, s *harness.Session, since time.Duration) {
	r.t.Helper()
	var last time.Time
	for _, e := range r.entries(s.File()) {
		if e["type"] == "assistant" {
			at, err := time.Parse(time.RFC3339, e["timestamp"].(string))
			require.NoError(r.t, err)
			last = at
		}
	}
	require.NoError(r.t, w.Sleep(last.Add(since).Sub(w.Now())))
}

// micros are the boundaries of micro-compaction in a log.
func (r *rig) micros(file string) (out []map[string]any) {
	for _, e := range r.entries(file) {
		if e["subtype"] == "microcompact_boundary" {
			out = append(out, e["microcompactMetadata"].(map[string]any))
		}
	}
	return out
}

// After more than 60 minutes without an answer all but the newest five results of compactable tools go; the calls stay. A
// boundary says so, later requests and a resume repeat it, and on a bound model the thinking before it goes too (H-CMP-21,
// H-CMP-22, H-CMP-28, H-LOG-47, D1).
func TestMicroCompactionAfterAPause(t *testing.T) {
	for _, model := range []string{plain, systems, bound, manual} {
		t.Run(model, func(t *testing.T) {
			r := newRig(t, model, append(loop("a", 8, "Bash", ls), says(thinking("n", "bmV3"), text("B.")))...)
			r.long(400)
			r.session(func(w world.World, s *harness.Session) {
				r.prompt(w, s, "one")
				require.Empty(t, cleared(t, r.requests[8].Body))
				r.idle(w, s, time.Hour+time.Millisecond)
				r.prompt(w, s, "two")
				assert.Equal(t, []string{"a1", "a2", "a3"}, cleared(t, r.requests[9].Body))
				r.prompt(w, s, "three")
				m := r.micros(s.File())
				require.Len(t, m, 1)
				assert.Equal(t, "time", m[0]["trigger"])
				assert.Equal(t, []any{"a1", "a2", "a3"}, m[0]["compactedToolIds"])
				assert.InDelta(t, 3*(400+13-33)/4, m[0]["tokensSaved"], 6)
				report := strings.Join(s.Report(), "\n")
				assert.Contains(t, report, "Micro-compaction (time): 3 old tool results were cleared, about")
				assert.Equal(t, model == bound, strings.Contains(report, "the thinking before it is left out"))
			})
			before := messages(t, r.requests[9].Body)
			assert.Equal(t, before, messages(t, r.requests[10].Body)[:len(before)], "it stays so")
			old := strings.Contains(string(r.requests[9].Body), `"thinking":"ta8"`)
			assert.Equal(t, model != bound, old)
			assert.Contains(t, string(r.requests[10].Body), `"thinking":"n"`)
			assert.Contains(t, string(r.requests[9].Body), `"id":"a1"`)
			r.resumed(func(w world.World, s *harness.Session) { r.prompt(w, s, "four") })
			before = messages(t, r.requests[10].Body)
			assert.Equal(t, before, messages(t, r.requests[11].Body)[:len(before)])
			for _, q := range r.requests {
				legal(t, q.Body)
			}
		})
	}
}

// Sixty minutes to the millisecond are not more than sixty; other answers or calls beside the conversation do not count as
// a pause of it (H-CMP-22). With entries that live five minutes the cache is cold by then, so that the gap alone decides.
func TestTheGapOfAnHour(t *testing.T) {
	for _, ttl := range []string{"1h", "5m"} {
		for _, c := range []struct {
			gap  time.Duration
			want int
		}{{time.Hour, 0}, {time.Hour + time.Millisecond, 3}, {time.Hour - time.Second, 0}} {
			r := newRig(t, plain, append(loop("a", 8, "Bash", ls), says(text("B.")))...)
			r.long(400)
			r.cfg.Switches.CacheTTL = ttl
			r.session(func(w world.World, s *harness.Session) {
				r.prompt(w, s, "one")
				r.idle(w, s, c.gap)
				r.prompt(w, s, "two")
			})
			assert.Len(t, cleared(t, r.requests[9].Body), c.want, "%s, %s", ttl, c.gap)
		}
	}
}

// A firing tells the cache watch to expect a drop, so that the call behind it is labelled and not reported as a break
// (H-CMP-28, H-CACHE-13); the same drop without a firing is one.
func TestAFiringExpectsADropOfTheCache(t *testing.T) {
	for _, model := range []string{plain, systems, bound, manual} {
		for _, fires := range []bool{true, false} {
			r := newRig(t, model, loop("a", 8, "Bash", ls)...)
			r.long(400)
			r.session(func(w world.World, s *harness.Session) {
				r.prompt(w, s, "one")
				r.reading(20_000)
				r.prompt(w, s, "two")
				if fires {
					require.NoError(t, s.Set("micro.unconditional", "on"))
				}
				r.reading(3_000)
				r.prompt(w, s, "three")
				assert.Len(t, r.micros(s.File()), map[bool]int{true: 1}[fires])
				drops := s.CacheDrops()
				require.Len(t, drops, 1)
				switch {
				case fires:
					assert.Equal(t, cachewatch.Micro, drops[0].Expected)
					assert.Empty(t, breaks(s))
				case model != manual: // whose server leaves out thinking by itself
					assert.Len(t, breaks(s), 1, model)
				}
			})
		}
	}
}

// The pause before a resume counts: the first call of the new process fires (H-CMD-46).
func TestThePauseBeforeAResumeCounts(t *testing.T) {
	for _, model := range []string{plain, systems, bound, manual} {
		r := newRig(t, model, append(loop("a", 7, "Read", `{"file_path":"/w/app/a"}`), says(text("B.")))...)
		r.long(900)
		r.session(func(w world.World, s *harness.Session) {
			r.prompt(w, s, "one")
			r.idle(w, s, time.Hour+time.Second)
		})
		r.resumed(func(w world.World, s *harness.Session) { r.prompt(w, s, "two") })
		assert.Equal(t, []string{"a1", "a2"}, cleared(t, r.requests[8].Body), model)
		legal(t, r.requests[8].Body)
	}
}

// micro.mode=off never clears; a pause in which five results stand clears nothing and writes nothing (H-CMP-22).
func TestNothingIsClearedWithoutNeed(t *testing.T) {
	for name, c := range map[string]struct {
		rounds int
		mode   string
	}{"off": {8, "off"}, "five results": {5, "time"}} {
		r := newRig(t, plain, append(loop("a", c.rounds, "Bash", ls), says(text("B.")))...)
		r.long(400)
		r.cfg.Switches.Micro = c.mode
		r.session(func(w world.World, s *harness.Session) {
			r.prompt(w, s, "one")
			r.idle(w, s, 2*time.Hour)
			r.prompt(w, s, "two")
			assert.Empty(t, r.micros(s.File()), name)
		})
		assert.Empty(t, cleared(t, r.requests[c.rounds+1].Body), name)
	}
}

// A question beside the conversation keeps the cache warm, so after a pause of the conversation clearing must pay: below
// the limit nothing is cleared, not a part (H-CMP-26, H-CMP-27); an own limit of tokens is held to the token.
func TestClearingAWarmCacheMustPay(t *testing.T) {
	saved := 0
	run := func(limit string, aside bool) int {
		r := newRig(t, plain, append(loop("a", 8, "Bash", ls), says(text("B.")))...)
		r.long(400)
		r.cfg.Switches.MicroClearAtLeast = limit
		r.session(func(w world.World, s *harness.Session) {
			r.prompt(w, s, "one")
			r.idle(w, s, 50*time.Minute)
			if aside {
				_, err := s.Btw(w, "is it?")
				require.NoError(t, err)
			}
			r.idle(w, s, 70*time.Minute)
			r.prompt(w, s, "two")
			if m := r.micros(s.File()); len(m) > 0 {
				saved = int(m[0]["tokensSaved"].(float64))
			}
		})
		return len(cleared(t, r.requests[len(r.requests)-1].Body))
	}
	assert.Equal(t, 3, run("derived", false), "a cold cache")
	assert.Equal(t, 0, run("derived", true), "three of eight results are less than 65 %")
	require.Positive(t, saved)
	assert.Equal(t, 3, run(fmt.Sprint(saved), true))
	assert.Equal(t, 0, run(fmt.Sprint(saved+1), true))
	assert.Equal(t, 3, run(fmt.Sprint(saved+1), false), "what is not cached need not pay")
}

// By place, results of every tool but the last three are cleared as soon as it pays: with the derived limit in few large
// steps, with micro.unconditional at each call, which breaks the cache each time (H-CMP-20, H-CMP-26, H-CMP-27;
// bug k-prune-every-turn).
func TestClearingByPlaceWaitsUntilItPays(t *testing.T) {
	firings := func(model string, unconditional bool) (n int) {
		r := newRig(t, model, append(loop("a", 20, "Agent", `{"description":"d","prompt":"p"}`), says(text("B.")))...)
		r.long(2000)
		r.cfg.Switches.Micro, r.cfg.Switches.MicroUnconditional = "position", unconditional
		r.session(func(w world.World, s *harness.Session) {
			r.prompt(w, s, "one")
			r.prompt(w, s, "two")
			n = len(r.micros(s.File()))
		})
		for _, q := range r.requests {
			legal(t, q.Body)
		}
		return n
	}
	for _, model := range []string{plain, systems, manual} {
		few, each := firings(model, false), firings(model, true)
		assert.Greater(t, few, 0, model)
		assert.LessOrEqual(t, few, 4, model)
		assert.Equal(t, 17, each, model)
	}
	assert.Equal(t, 1, firings(bound, true), "on a bound model the clearing waits for the end of the tool loop")
}

// In the fault mode the pause is not asked for (H-CMP-27).
func TestUnconditionalClearing(t *testing.T) {
	r := newRig(t, plain, append(loop("a", 8, "Bash", ls), says(text("B.")))...)
	r.long(400)
	r.cfg.Switches.MicroUnconditional = true
	r.session(func(w world.World, s *harness.Session) {
		r.prompt(w, s, "one")
		assert.Len(t, r.micros(s.File()), 3)
	})
	assert.Equal(t, []string{"a1", "a2"}, cleared(t, r.requests[7].Body))
}

// The fault mode asks for no limit where the server clears either: results beyond those that are kept go as soon as there
// are more than twelve, and it waits where clearing a warm cache must pay (H-CMP-23, H-CMP-27).
func TestUnconditionalClearingByTheServer(t *testing.T) {
	for unconditional, want := range map[bool]int{true: 1, false: 0} {
		r := newRig(t, plain, append(loop("a", 13, "Bash", ls), says(text("B.")))...)
		r.long(40)
		r.cfg.Switches.Micro, r.cfg.Switches.MicroUnconditional = "cached", unconditional
		r.write(cwd+"/CLAUDE.md", "Use tabs.\n")
		r.session(func(w world.World, s *harness.Session) {
			r.prompt(w, s, strings.Repeat("plums ", 10))
			r.prompt(w, s, "two")
			assert.Len(t, r.micros(s.File()), want)
		})
	}
}

// What would go together with a firing stays where the firing does not come: below the limit neither a result nor an image
// is touched, and nothing is logged (H-CMP-24, H-CMP-27).
func TestBelowTheLimitImagesStay(t *testing.T) {
	png, err := base64.StdEncoding.DecodeString("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==")
	require.NoError(t, err)
	for limit, want := range map[string]int{"1000000": 0, "1": 1} {
		script := append(append(loop("p", 1, "Read", `{"file_path":"/w/app/p.png"}`), says(text("A."))), loop("a", 8, "Bash", ls)...)
		r := newRig(t, plain, append(script, says(text("B.")))...)
		require.NoError(t, r.disk.Write(cwd+"/p.png", png))
		r.tool = func(call world.ToolCall) (world.ToolResult, time.Duration) {
			return world.ToolResult{Output: strings.Repeat("x", 400), Own: call.Name == "Read"}, time.Second
		}
		r.cfg.Switches.Micro, r.cfg.Switches.MicroClearAtLeast = "position", limit
		r.session(func(w world.World, s *harness.Session) {
			for _, p := range []string{"one", "two", "three", "four"} {
				r.prompt(w, s, p)
			}
			assert.Equal(t, want > 0, len(r.micros(s.File())) > 0)
		})
		last := string(r.requests[len(r.requests)-1].Body)
		holds(t, want == 0, last, `"type":"image"`, limit)
		assert.Equal(t, want > 0, len(cleared(t, r.requests[len(r.requests)-1].Body)) > 0, limit)
	}
}

// Together with a firing images before the second-newest prompt become text, and a result that stays but is too long, as
// another writer may log it, is saved to a file; one below the length, or of Read, stays whole. Later requests and another
// process repeat it; a rewind to before the firing takes it back (H-CMP-24, H-CMP-25, H-TOOL-15).
func TestImagesAndLongResultsGoWithAFiring(t *testing.T) {
	png, err := base64.StdEncoding.DecodeString("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==")
	require.NoError(t, err)
	const over, whole = 50_001, 50_000
	for _, model := range []string{plain, systems, bound, manual} {
		t.Run(model, func(t *testing.T) {
			script := append(loop("a", 6, "Bash", ls), loop("p", 1, "Read", `{"file_path":"/w/app/p.png"}`)...)
			script = append(append(script, loop("q", 1, "Read", `{"file_path":"/w/app/q.png"}`)[0]), loop("b", 3, "Bash", ls)...)
			r := newRig(t, model, append(script, says(text("B.")))...)
			for _, name := range []string{"p.png", "q.png"} {
				require.NoError(t, r.disk.Write(cwd+"/"+name, png))
			}
			r.tool = func(call world.ToolCall) (world.ToolResult, time.Duration) {
				if call.Name == "Read" {
					return world.ToolResult{Own: true}, 0
				}
				return world.ToolResult{Output: strings.Repeat("x", 400) + call.ID}, time.Second
			}
			var file string
			r.session(func(w world.World, s *harness.Session) {
				for _, p := range []string{"one", "two", "three"} {
					r.prompt(w, s, p)
				}
				r.idle(w, s, 2*time.Hour)
				file = s.File()
			})
			require.Equal(t, 2, strings.Count(string(r.requests[len(r.requests)-1].Body), `"image/png"`))
			log := r.read(file)
			for call, n := range map[string]int{"b1": over, "b2": whole} {
				short := strings.Repeat("x", 400) + call
				log = strings.ReplaceAll(log, short, strings.Repeat("y", n-len("\n[rerun: b7]")))
			}
			require.NoError(t, r.disk.Write(file, []byte(log)))
			r.resumed(func(w world.World, s *harness.Session) {
				r.prompt(w, s, "four")
				require.Len(t, r.micros(file), 1)
				assert.Equal(t, []any{"a1", "a2", "a3", "a4", "a5", "a6"}, r.micros(file)[0]["compactedToolIds"])
				r.prompt(w, s, "five")
			})
			r.resumed(func(w world.World, s *harness.Session) { r.prompt(w, s, "six") })
			n := len(r.requests)
			saved := "/tool-results/b1.txt"
			for _, q := range r.requests[n-3:] {
				body := string(q.Body)
				assert.Equal(t, 1, strings.Count(body, `[image removed]`))
				assert.Equal(t, 1, strings.Count(body, `"image/png"`), "the one of the second-newest prompt")
				assert.Contains(t, body, saved)
				assert.Contains(t, body, strings.Repeat("y", whole-20), "50,000 characters are not too long")
				legal(t, q.Body)
			}
			for i := n - 2; i < n; i++ {
				before := messages(t, r.requests[i-1].Body)
				assert.Equal(t, before, messages(t, r.requests[i].Body)[:len(before)])
			}
			r.cfg.Switches.Micro = harness.MicroOff
			r.resumed(func(w world.World, s *harness.Session) {
				require.NoError(t, s.Rewind(w, s.Prompts()[3].UUID))
				r.prompt(w, s, "instead of four")
			})
			body := string(r.requests[len(r.requests)-1].Body)
			assert.NotContains(t, body, saved, "behind a rewind to before the firing")
			assert.Contains(t, body, strings.Repeat("y", over-20))
			assert.Equal(t, 2, strings.Count(body, `"image/png"`))
			legal(t, []byte(body))
			assert.Len(t, r.read(strings.TrimSuffix(file, ".jsonl")+saved), over)
		})
	}
}
