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

// In the teaching profile too nothing is compacted unasked where that is switched off, and nothing at all where no
// compaction is wanted; only then a refusal is no reason for one either (H-CMP-40, H-CMP-60). The nearest right case
// compacts.
func TestNothingIsCompactedUnaskedInTheTeachingProfile(t *testing.T) {
	for name, c := range map[string]struct {
		set          func(*harness.Config)
		auto, reacts bool
	}{
		"nothing":         {func(*harness.Config) {}, true, true},
		"the switch":      {func(c *harness.Config) { c.Switches.NoAuto = true }, false, true},
		"none of its own": {func(c *harness.Config) { c.NoAutoCompact = true }, false, true},
		"none at all":     {func(c *harness.Config) { c.NoCompact = true }, false, false},
	} {
		r := taughtRig(t, plain, 10, says(text("A.")))
		c.set(&r.cfg)
		r.answer = func() answer {
			if r.requests[len(r.requests)-1].Chain == "compact" {
				return says(text("S"))
			}
			return says(text("A."))
		}
		r.session(func(w world.World, s *harness.Session) {
			r.prompt(w, s, strings.Repeat("y", 210_000))
			report := fmt.Sprint(s.Report())
			assert.Equal(t, c.auto, strings.Contains(report, "[auto compact]"), name)
			if c.auto {
				assert.Equal(t, []string{"compact", "main"}, r.chains(), name)
			} else {
				assert.Equal(t, []string{"main"}, r.chains(), name)
			}
			begun := len(r.requests)
			inner := r.answer
			r.answer = func() answer {
				if len(r.requests) == begun+1 {
					return tooLarge(400, "prompt is too long: 210000 tokens > 200000 maximum")
				}
				return inner()
			}
			out := r.prompt(w, s, "two")
			report = fmt.Sprint(s.Report())
			assert.Equal(t, c.reacts, strings.Contains(report, "[reactive compact]"), name)
			want := map[bool]string{true: harness.Completed, false: harness.PromptTooLong}[c.reacts]
			assert.Equal(t, want, out.Reason, name)
			for _, q := range r.requests { // the user is told, the model is not (H-CMP-56)
				holds(t, false, string(q.Body), "[auto compact]", name)
				holds(t, false, string(q.Body), "[reactive compact]", name)
			}
		})
	}
}

// No summary is asked for whose list could not be written to a transcript before: by no way, and the list stays as it was
// (H-CMP-51, H-CMP-65). Behind a tool that compacted nothing the other calls are run (H-CMP-55).
func TestWithoutATranscriptNothingIsSummarised(t *testing.T) {
	for way, first := range map[string]answer{
		"auto":     says(text("A.")),
		"tool":     says(use("y", "compact", `{"focus":"f"}`), use("z", "bash", ls)),
		"reactive": tooLarge(400, "prompt is too long: 210000 tokens > 200000 maximum"),
	} {
		r := taughtRig(t, plain, 10, first, says(text("B.")))
		r.write(cwd+"/.transcripts", "a file stands in the directory's place")
		r.session(func(w world.World, s *harness.Session) {
			size := map[string]int{"auto": 210_000}[way]
			out := r.prompt(w, s, "one"+strings.Repeat("y", size))
			assert.Equal(t, way == "reactive", out.Reason == harness.PromptTooLong, way)
			assert.Equal(t, way != "tool", strings.Contains(fmt.Sprint(s.Report()), "compact: transcript:"), way)
		})
		assert.NotContains(t, r.chains(), "compact", way)
		if way == "tool" {
			assert.Contains(t, string(r.requests[1].Body), "compact: transcript:")
			assert.Equal(t, []string{"z"}, r.ran)
		}
	}
}

// Before the tool compact has the list summarised it is on disk (H-CMP-51); what the model wants of the summary stands
// between the guard and the reminder (H-CMP-47). The calls of the next answer are run, and what the model thought in front
// of the other list is not sent to one that checks (H-CMP-55, D1).
func TestWhatTheToolCompactLeaves(t *testing.T) {
	for _, model := range everyModel {
		r := taughtRig(t, model, 50, append(rounds(2), says(thinking("t", "c2ln"), use("y", "compact", `{"focus":"the names"}`)),
			says(text("It was plums.")), says(thinking("n", "bmV3"), use("v", "bash", ls)), says(text("B.")))...)
		r.session(func(w world.World, s *harness.Session) {
			r.prompt(w, s, "one")
			assert.Equal(t, harness.Completed, r.prompt(w, s, "two").Reason, model)
		})
		assert.Equal(t, []string{"a1", "a2", "v"}, r.ran, model)
		words := lastText(t, r.requests[4].Body)
		assert.True(t, strings.HasPrefix(words, "CRITICAL: Respond with TEXT ONLY. Do NOT call any tools."), words)
		assert.True(t, strings.HasSuffix(words, "the names\n\nREMINDER: no tool calls. Plain text."), words)
		transcripts := r.transcripts()
		require.Len(t, transcripts, 1, model)
		assert.Contains(t, r.read(transcripts[0]), `"id":"a2"`, model)
		holds(t, model != bound, string(r.requests[5].Body), `"thinking":"t"`, model)
	}
}

// The snip of the teaching profile puts its placeholder into a list of 51 messages from which it takes none; from then on it
// snips before each call, its own placeholder among what goes, so that no placeholder tells of all that is gone: the number
// stays that of the messages since (H-CMP-16).
func TestTheSnipForgetsWhatItTook(t *testing.T) {
	r := taughtRig(t, plain, 50, append(rounds(40), says(text("B.")))...)
	r.session(func(w world.World, s *harness.Session) { r.prompt(w, s, "one") })
	holds(t, false, string(r.requests[24].Body), "[snipped ", "49 messages")
	holds(t, true, string(r.requests[25].Body), "[snipped 0 messages from conversation middle]", "51 messages")
	for i := 26; i <= 40; i++ {
		_, rest, _ := strings.Cut(string(r.requests[i].Body), "[snipped ")
		number, _, _ := strings.Cut(rest, " ")
		assert.Contains(t, []string{"2", "3", "4"}, number, "request %d", i)
	}
}
