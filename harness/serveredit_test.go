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

// condensed is an answer of nothing but a summary that the server wrote.
func condensed(summary string) answer {
	return stopped("compaction", fmt.Sprintf(`{"type":"compaction","content":%s}`, summary))
}

func compactsAt(tokens int) string {
	return fmt.Sprintf(`{"type":"compact_20260112","trigger":{"type":"input_tokens","value":%d},"pause_after_compaction":true}`, tokens)
}

// The server is asked in each main request to compact, from 150,000 tokens or the client's own threshold where that is
// lower, never below 50,000, and the header is there from the first call on (H-CMP-82). A model that cannot is not asked,
// and neither is any where the switch is off.
func TestTheServerIsAskedToCompact(t *testing.T) {
	for _, c := range []struct {
		model           string
		window, percent int
		on              bool
		want            int
	}{
		{plain, 0, 0, true, 150_000}, {bound, 0, 0, true, 150_000}, {systems, 100_000, 0, true, 67_000},
		{bound, 100_000, 20, true, 50_000}, {manual, 0, 0, true, 0}, {bound, 0, 0, false, 0},
	} {
		r := newRig(t, c.model, says(text("A.")))
		r.cfg.Switches.CompactServer, r.cfg.Window, r.cfg.CompactPercent = c.on, c.window, c.percent
		r.session(func(w world.World, s *harness.Session) {
			r.prompt(w, s, "one")
			_, err := s.Btw(w, "beside?")
			require.NoError(t, err)
		})
		if c.want == 0 {
			assert.Empty(t, managed(t, r.requests[0].Body))
			assert.NotContains(t, betas(r.requests[0]), "compact-")
			continue
		}
		assert.Equal(t, `{"edits":[`+compactsAt(c.want)+`]}`, managed(t, r.requests[0].Body))
		assert.Equal(t, `{"edits":[]}`, managed(t, r.requests[1].Body), "a question beside the conversation compacts nothing")
		assert.Contains(t, betas(r.requests[0]), "compact-2026-01-12")
		assert.Equal(t, betas(r.requests[0]), betas(r.requests[1]))
	}
}

// Who wants no compaction at all asks no server for one either, and nobody does in the teaching profile, whose layers stand
// in its place; who only wants none of the harness's own does (H-CMP-82, H-CMP-87).
func TestWhoWantsNoCompactionAsksNoServer(t *testing.T) {
	for name, c := range map[string]struct {
		set  func(*harness.Config)
		asks bool
	}{
		"the switch":       {func(*harness.Config) {}, true},
		"none of its own":  {func(c *harness.Config) { c.NoAutoCompact = true }, true},
		"none at all":      {func(c *harness.Config) { c.NoCompact = true }, false},
		"teaching profile": {func(c *harness.Config) { c.Switches.Profile = harness.ProfileTeaching }, false},
	} {
		r := newRig(t, bound, says(text("A.")))
		r.cfg.Switches.CompactServer = true
		c.set(&r.cfg)
		r.session(func(w world.World, s *harness.Session) { r.prompt(w, s, "one") })
		assert.Equal(t, c.asks, strings.Contains(string(r.requests[0].Body), "compact_20260112"), name)
		assert.Equal(t, c.asks, strings.Contains(betas(r.requests[0]), "compact-2026-01-12"), name)
	}
}

// Behind a summary of the server's the harness says once what would be lost, memory and files as they are now and the
// prompt word for word, and sends nothing that stands before the summary, not after a resume either (H-CMP-83, H-CMP-84,
// H-CMP-71, H-CMP-73, H-CMP-78). A Read of a file that was shown before shows it again.
func TestBehindAServersSummary(t *testing.T) {
	for _, model := range []string{plain, systems, bound} {
		t.Run(model, func(t *testing.T) {
			read := `{"file_path":"/w/app/a.txt"}`
			r := newRig(t, model,
				says(thinking("t", "c2ln"), use("c1", "Read", read)), says(text("It says x.")),
				says(thinking("u", "c2ln"), use("c2", "Bash", ls)), condensed(`"All of it."`), says(thinking("v", "c2ln"), use("c3", "Read", read)), says(text("Done.")))
			require.NoError(t, r.disk.Write(cwd+"/a.txt", []byte("x\n")))
			r.cfg.Switches.CompactServer = true
			r.session(func(w world.World, s *harness.Session) {
				r.prompt(w, s, "one")
				require.NoError(t, w.Write(cwd+"/CLAUDE.md", []byte("Use blanks.\n")))
				assert.Equal(t, "completed", r.prompt(w, s, "two").Reason)
				assert.Contains(t, s.Report(), "The server compacted the conversation.")
			})
			r.resumed(func(w world.World, s *harness.Session) { r.prompt(w, s, "three") })
			require.Len(t, r.requests, 7)
			behind := string(r.requests[4].Body)
			at := strings.Index(behind, `"messages":`)
			for _, want := range []string{"All of it.", "was condensed", "Use blanks.", "1\\tx", `"text":"two"`} {
				assert.Equal(t, 1, strings.Count(behind[at:], want), want)
			}
			for _, gone := range []string{"Use tabs.", `"text":"one"`, "It says x.", `"c2"`} {
				assert.NotContains(t, behind[at:], gone)
			}
			assert.Contains(t, string(r.requests[5].Body), `\tx`, "it is read again")
			assert.NotContains(t, fmt.Sprint(messages(t, r.requests[5].Body)), "unchanged")
			for i := 5; i < 7; i++ {
				before := messages(t, r.requests[i-1].Body)
				assert.Equal(t, before[:len(before)-1], messages(t, r.requests[i].Body)[:len(before)-1])
				legal(t, r.requests[i].Body)
			}
		})
	}
}

// A process that dies behind the server's summary has the prompt's turn taken up, and what is lost brought back, by the
// next one (H-CMP-84).
func TestAKillBehindAServersSummary(t *testing.T) {
	r := newRig(t, bound, says(text("A.")), condensed(`"All of it."`), says(text("Done.")))
	r.cfg.Switches.CompactServer = true
	r.session(func(w world.World, s *harness.Session) {
		r.prompt(w, s, "one")
		r.check = func(req world.Request) {
			if len(r.requests) == 3 {
				r.m.Kill()
			}
		}
		r.prompt(w, s, "two")
	})
	r.check = nil
	r.resumed(func(w world.World, s *harness.Session) {
		out, err := s.Rerun(w)
		require.NoError(t, err)
		assert.Equal(t, "completed", out.Reason)
	})
	last := string(r.requests[len(r.requests)-1].Body)
	assert.Equal(t, 1, strings.Count(last, "was condensed"))
	assert.Contains(t, last, `"text":"two"`)
	assert.NotContains(t, last, `"text":"one"`)
}

// What the dead process did not bring back stands before the prompt that the next one is given, which is the newest input
// (H-CMP-78, H-CMP-84).
func TestWhatIsBroughtBackStandsBeforeANewPrompt(t *testing.T) {
	for _, model := range everyModel {
		r := newRig(t, model, says(text("A.")), condensed(`"All of it."`), says(text("Done.")))
		r.cfg.Switches.CompactServer = true
		r.session(func(w world.World, s *harness.Session) {
			r.prompt(w, s, "one")
			r.check = func(req world.Request) {
				if len(r.requests) == 3 {
					r.m.Kill()
				}
			}
			r.prompt(w, s, "two")
		})
		r.check = nil
		r.resumed(func(w world.World, s *harness.Session) { r.prompt(w, s, "three") })
		last := string(r.requests[len(r.requests)-1].Body)
		was, two, three := strings.Index(last, "was condensed"), strings.Index(last, `"text":"two"`), strings.Index(last, `"text":"three"`)
		assert.True(t, 0 < was && was < two && two < three, "%s: %d %d %d", model, was, two, three)
		legal(t, []byte(last))
	}
}

// A block without a summary is not sent back and counts as a failure; after three in a row the server is not asked any
// more, before a cooldown is over (H-CMP-83, H-CMP-63). The client does not compact in its place (H-CMP-87).
func TestAServerThatCannotCompact(t *testing.T) {
	r := newRig(t, bound, condensed("null"), condensed("null"), condensed("null"), full(960_000, text("A.")), full(970_000, text("B.")))
	r.cfg.Switches.CompactServer, r.cfg.Switches.Cooldown = true, "1h"
	r.session(func(w world.World, s *harness.Session) {
		assert.Equal(t, "completed", r.prompt(w, s, "one").Reason)
		report := strings.Join(s.Report(), "\n")
		assert.Equal(t, 3, strings.Count(report, "The server could not compact the conversation."))
		assert.Contains(t, report, "After 3 failures in a row it is not asked again for 1h0m0s; /compact may still do it.")
		r.prompt(w, s, "two")
		r.idle(w, s, 2*time.Hour)
		r.prompt(w, s, "three")
	})
	for i, q := range r.requests {
		assert.Equal(t, i < 3 || i == 5, strings.Contains(managed(t, q.Body), "compact_20260112"), "request %d", i)
		assert.NotContains(t, string(q.Body), `"content":null`)
		assert.Equal(t, "main", q.Chain)
	}
	assert.Equal(t, messages(t, r.requests[0].Body), messages(t, r.requests[3].Body))
}

// A summary of the server's that comes begins the count of its failures anew: the server is asked on (H-CMP-83, H-CMP-63).
func TestASummaryOfTheServersEndsItsFailures(t *testing.T) {
	r := newRig(t, bound, condensed("null"), condensed("null"), condensed(`"S"`), says(text("A.")), condensed("null"), condensed("null"), says(text("B.")))
	r.cfg.Switches.CompactServer = true
	r.session(func(w world.World, s *harness.Session) {
		r.prompt(w, s, "one")
		r.prompt(w, s, "two")
		assert.NotContains(t, strings.Join(s.Report(), ""), "it is not asked again")
	})
	require.Len(t, r.chains(), 7)
	holds(t, true, managed(t, r.requests[6].Body), "compact_20260112")
}

// What stands before a summary of the server's is no matter of the layers: its results are none that could be cleared, its
// tokens are none of the estimate, and where a request for a summary is too long, what is left out of it is part of what was
// sent (H-CMP-83, H-CMP-21, H-CMP-38, H-CMP-54).
func TestWhatIsNotSentIsNoMatterOfTheLayers(t *testing.T) {
	for _, model := range []string{plain, systems, bound} {
		script := append(loop("a", 8, "Bash", ls), condensed(`"All of it."`))
		r := newRig(t, model, append(script, says(text("B.")), says(text("C.")), says(text("D.")))...)
		r.long(400)
		r.cfg.Switches.CompactServer = true
		var calls int
		r.session(func(w world.World, s *harness.Session) {
			r.prompt(w, s, "one")
			r.prompt(w, s, "two")
			r.idle(w, s, 2*time.Hour)
			r.prompt(w, s, "three")
			assert.Empty(t, r.micros(s.File()), model)
			r.prompt(w, s, "four")
			calls = len(r.requests)
			refused := 0
			r.answer = func() answer {
				if refused++; refused <= 2 {
					return tooLarge(400, "prompt is too long")
				}
				return summary("plums")
			}
			require.NoError(t, s.Compact(w, ""), model)
		})
		require.Equal(t, calls+3, len(r.requests), model)
		for i := calls + 1; i < calls+3; i++ {
			assert.Less(t, len(r.requests[i].Body), len(r.requests[i-1].Body), "%s: request %d leaves more out", model, i)
		}
	}
}

// With server compaction on, the client does not compact at its threshold, micro-compaction goes on, and /compact is
// still the client's own (H-CMP-87).
func TestTheClientLeavesItToTheServer(t *testing.T) {
	for on, want := range map[bool][]string{true: {"main", "main"}, false: {"main", "compact", "main"}} {
		r := newRig(t, bound, full(967_000, text("A.")), says(text("<summary>S</summary>")), says(text("B.")))
		r.cfg.Switches.CompactServer = on
		r.session(func(w world.World, s *harness.Session) {
			r.prompt(w, s, "one")
			r.prompt(w, s, "two")
		})
		assert.Equal(t, want, r.chains())
	}
}

// The bill is the sum of the steps: what the summary cost stands in no count at the top (H-CMP-85).
func TestAServersSummaryIsPaidFor(t *testing.T) {
	usage := `{"input_tokens":0,"output_tokens":0,"iterations":[{"type":"compaction","input_tokens":60000,"output_tokens":500}]}`
	var raw map[string]any
	require.NoError(t, json.Unmarshal([]byte(usage), &raw))
	r := newRig(t, bound, says(text("A.")))
	r.session(func(w world.World, s *harness.Session) { r.prompt(w, s, "one") })
	line := fmt.Sprintf(`{"type":"assistant","uuid":"%s","parentUuid":null,"timestamp":"2026-11-30T09:00:00.000Z","message":{"id":"m","role":"assistant","model":"%s",`+
		`"content":[{"type":"compaction","content":"S"}],"stop_reason":"compaction","usage":%s}}`, "11111111-1111-4111-8111-111111111111", bound, usage)
	file := configDir + "/projects/-w-app/22222222-2222-4222-8222-222222222222.jsonl"
	require.NoError(t, r.disk.Write(file, []byte(line+"\n")))
	r.process(func(w world.World) {
		s, err := harness.Resume(w, r.cfg, "22222222-2222-4222-8222-222222222222")
		require.NoError(t, err)
		u := s.Totals().Models[0].Usage
		assert.Equal(t, 60_000, u.Input)
		assert.Equal(t, 500, u.Output)
		r.prompt(w, s, "go on")
		assert.Contains(t, betas(r.requests[1]), "compact-2026-01-12", "the block needs its header whatever the switch")
	})
}

// Behind a summary of the server's the conversation has the size of what is sent, also where the answer that holds it reports
// nothing but what the summary cost (H-CMP-83, H-CMP-38, H-CMP-85).
func TestTheSizeBehindAServersSummary(t *testing.T) {
	r := newRig(t, bound, summary("s"))
	var log strings.Builder
	for i, m := range []string{
		`"type":"user","message":{"role":"user","content":"one"}`,
		`"type":"assistant","message":{"id":"m1","role":"assistant","model":"` + bound + `","content":[{"type":"text","text":"A."}],"stop_reason":"end_turn","usage":{"input_tokens":90000,"output_tokens":9}}`,
		`"type":"user","message":{"role":"user","content":"two"}`,
		`"type":"assistant","message":{"id":"m2","role":"assistant","model":"` + bound + `","content":[{"type":"compaction","content":"All of it."}],"stop_reason":"compaction","usage":` +
			`{"input_tokens":0,"output_tokens":0,"iterations":[{"type":"compaction","input_tokens":90000,"output_tokens":500}]}}`,
	} {
		parent := "null"
		if i > 0 {
			parent = fmt.Sprintf(`"11111111-1111-4111-8111-%012d"`, i-1)
		}
		fmt.Fprintf(&log, `{"uuid":"11111111-1111-4111-8111-%012d","parentUuid":%s,"timestamp":"2026-11-30T09:00:0%d.000Z",%s}`+"\n", i, parent, i, m)
	}
	require.NoError(t, r.disk.Write(configDir+"/projects/-w-app/22222222-2222-4222-8222-222222222222.jsonl", []byte(log.String())))
	r.process(func(w world.World) {
		s, err := harness.Resume(w, r.cfg, "22222222-2222-4222-8222-222222222222")
		require.NoError(t, err)
		require.NoError(t, s.Compact(w, ""))
		b := r.boundaries(s.File())
		require.Len(t, b, 1)
		assert.Less(t, b[0]["compactMetadata"].(map[string]any)["preTokens"], 20_000.0)
	})
}

// With thinking.keep=last-turn and thinking.onBreak=server the server leaves out earlier thinking, as the first of its
// edits; the payload keeps it (H-CMP-86, D1).
func TestTheServerClearsThinking(t *testing.T) {
	r := newRig(t, bound, says(thinking("first", "c2ln"), text("A.")), says(thinking("second", "c2ln"), text("B.")))
	r.cfg.Switches.OnBreak, r.cfg.Switches.ThinkingKeep, r.cfg.Switches.CompactServer = "server", "last-turn", true
	r.session(func(w world.World, s *harness.Session) {
		r.prompt(w, s, "one")
		r.prompt(w, s, "two")
	})
	want := `{"edits":[{"type":"clear_thinking_20251015","keep":{"type":"thinking_turns","value":1}},` + compactsAt(150_000) + `]}`
	assert.Equal(t, want, managed(t, r.requests[1].Body))
	assert.Contains(t, string(r.requests[1].Body), `"thinking":"first"`)
}

// A conversation that is back at its size at once after each summary of the server's ends the turn, with no further call
// (H-CMP-64); an answer that calls tools between them is no help, three answers are.
func TestAServersSummariesThatDoNotHelp(t *testing.T) {
	r := newRig(t, bound, condensed(`"S"`))
	r.cfg.Switches.CompactServer = true
	r.session(func(w world.World, s *harness.Session) {
		out := r.prompt(w, s, "one")
		assert.Equal(t, "rapid_refill_breaker", out.Reason)
		assert.ErrorContains(t, out.Err, "Autocompact is thrashing: 3 times in a row the conversation was back at 150000 tokens")
		assert.Len(t, r.requests, 4)
	})
	calls := 0
	call := func() answer { calls++; return says(use(fmt.Sprint("c", calls), "Bash", ls)) }
	r = newRig(t, bound, condensed(`"S"`), call(), call(), call(), condensed(`"T"`), call(), call(), call(), condensed(`"U"`), call(), call(),
		call(), condensed(`"V"`), says(text("Done.")))
	r.cfg.Switches.CompactServer = true
	r.session(func(w world.World, s *harness.Session) { assert.Equal(t, "completed", r.prompt(w, s, "one").Reason) })
}
