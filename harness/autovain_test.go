package harness_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"harnessbench/harness"
	"harnessbench/harness/world"
)

// Where front and newest prompt alone reach the threshold no summary can help: none is tried while that prompt is the
// newest, which is said once in the turn, nothing counts as a failure, and the next turn compacts (H-CMP-39, H-CMP-63). A
// prompt that leaves room is compacted for in its turn, and where it does not help there that is a failure.
func TestACompactionThatCannotHelpIsNotTried(t *testing.T) {
	call := func(id string) answer { return full(70_000, use(id, "Bash", ls)) }
	for _, model := range []string{plain, systems, bound, manual} {
		r := newRig(t, model, says(text("Hi.")), call("a"), call("b"), call("c"), call("d"), full(70_000, text("A.")),
			summary("plums"), says(text("B.")), full(70_000, text("C.")), summary("pears"), says(text("D.")))
		r.cfg.Window = 100_000
		r.session(func(w world.World, s *harness.Session) {
			r.prompt(w, s, "hello")
			r.prompt(w, s, strings.Repeat("word", 66_000))
			report := strings.Join(s.Report(), "\n")
			assert.Equal(t, 1, strings.Count(report, "The newest prompt alone fills the context"), model)
			r.prompt(w, s, "and now")
			r.prompt(w, s, "and then")
			r.prompt(w, s, "last")
			assert.Len(t, r.boundaries(s.File()), 2)
		})
		want := "main main main main main main compact main main compact main"
		assert.Equal(t, want, strings.Join(r.chains(), " "), model)

		r = newRig(t, model, says(text("Hi.")), call("a"), summary("plums"), full(70_000, text("A.")))
		r.cfg.Window = 100_000
		r.session(func(w world.World, s *harness.Session) {
			r.prompt(w, s, "hello")
			r.prompt(w, s, strings.Repeat("word", 50_000))
			assert.Len(t, r.boundaries(s.File()), 1)
			assert.NotContains(t, strings.Join(s.Report(), "\n"), "The newest prompt alone")
		})
		assert.Equal(t, "main main compact main", strings.Join(r.chains(), " "), model)
	}
}

// Where such a call would hardly fit either, a summary that makes it a good deal shorter is asked for all the same, by an
// estimate that may be high; one that would gain next to nothing is not (H-CMP-39, H-CMP-40).
func TestACallThatWouldNotFitIsMadeShorter(t *testing.T) {
	for _, model := range everyModel {
		for _, tc := range []struct {
			before int // tokens of the conversation; the threshold is 67,000, and from 77,000 on a call would hardly fit
			want   string
		}{
			{30_000, "main compact main"},
			{8_000, "main main"}, // with the prompt 79,000, of which 71,000 stay
			{3_000, "main main"},
		} {
			r := newRig(t, model, full(tc.before, text(lengthy)), says(text("B.")))
			r.cfg.Window = 100_000
			r.answer = func() answer {
				switch n := len(r.requests); {
				case n == 1:
					return full(tc.before, text(lengthy))
				case r.requests[n-1].Chain == "compact":
					return summary("plums")
				}
				return says(text("B."))
			}
			r.session(func(w world.World, s *harness.Session) {
				r.prompt(w, s, "hello")
				r.prompt(w, s, strings.Repeat("word", 66_000))
			})
			assert.Equal(t, tc.want, strings.Join(r.chains(), " "), "%s %d", model, tc.before)
		}
	}
}

// What the server counted says how far the estimate of what stays is off, also where it is too high: the emergency is not
// given up for it (H-CMP-60).
func TestAHighEstimateDoesNotGiveUp(t *testing.T) {
	r := newRig(t, manual, full(100_000, text(lengthy)), summary(" "),
		tooLarge(400, "prompt is too long: 245000 tokens > 200000 maximum"), summary("plums"), says(text("B.")))
	r.session(func(w world.World, s *harness.Session) {
		r.prompt(w, s, strings.Repeat("page", 120_000))
		out := r.prompt(w, s, strings.Repeat("word", 175_000))
		assert.Equal(t, harness.Completed, out.Reason)
	})
	assert.Equal(t, "main compact main compact main", strings.Join(r.chains(), " "))
}

// With compact.keepRecent=20 fewer stay where the newest twenty would reach over a summary of the server's: those behind
// it, word for word, with their thinking where the model does not check it, and once each (H-CMP-74, H-CMP-83).
func TestRecentMessagesBehindAServersSummary(t *testing.T) {
	for _, model := range []string{plain, systems, bound} {
		r := newRig(t, model, says(text("A.")), condensed(`"All of it."`), says(thinking("hm", "c2ln"), text("B.")), says(text("C.")), summary("plums"), says(text("D.")))
		r.cfg.Switches.CompactServer, r.cfg.Switches.KeepRecent = true, true
		r.session(func(w world.World, s *harness.Session) {
			r.prompt(w, s, "one")
			r.prompt(w, s, "two")
			r.prompt(w, s, "three")
			require.NoError(t, s.Compact(w, ""))
			r.prompt(w, s, "four")
		})
		ask, last := string(r.requests[4].Body), string(r.requests[5].Body)
		holds(t, true, ask, "All of it.")
		holds(t, false, ask, `"text":"three"`, "what stays is not summarised")
		for _, want := range []string{"plums", `"text":"B."`, `"text":"three"`, `"text":"C."`, `"text":"four"`} {
			assert.Equal(t, 1, strings.Count(last, want), "%s: %s", model, want)
		}
		holds(t, false, last, "All of it.")
		legal(t, r.requests[5].Body)
		r.resumed(func(w world.World, s *harness.Session) { r.prompt(w, s, "five") })
		was, now := messages(t, r.requests[5].Body), messages(t, r.requests[6].Body)
		assert.Equal(t, was, now[:len(was)], model)
	}
}

// A call that is refused as too long right behind a compaction, with no answer between, is not compacted for again; the
// user is told what helps (H-CMP-60, CMP-3).
func TestARefusalBehindACompactionSaysWhatHelps(t *testing.T) {
	r := newRig(t, manual, says(text(lengthy)), summary("plums"), tooLarge(400, "prompt is too long: 245000 tokens > 200000 maximum"),
		summary("pears"), says(text("B.")))
	r.session(func(w world.World, s *harness.Session) {
		r.prompt(w, s, "one")
		require.NoError(t, s.Compact(w, ""))
		assert.Equal(t, harness.PromptTooLong, r.prompt(w, s, "two"+lengthy).Reason)
		assert.Contains(t, strings.Join(s.Report(), "\n"), "too long although it was just compacted, and it is not compacted again before an answer")
		require.NoError(t, s.Compact(w, ""))
		assert.Equal(t, harness.Completed, r.prompt(w, s, "three").Reason)
	})
	assert.Equal(t, "main compact main compact main", strings.Join(r.chains(), " "))
}
