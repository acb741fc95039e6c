package harness_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"harnessbench/harness"
	"harnessbench/harness/compact"
	"harnessbench/harness/sessionlog"
	"harnessbench/harness/world"
)

// All that a compaction of the harness brings back stands behind a summary of the server's too, once each: what the
// restorers have, the prompt, and text that was typed while the turn ran (H-CMP-84, H-CMP-77, H-CMP-78).
func TestAllOfItComesBackBehindAServersSummary(t *testing.T) {
	for _, model := range []string{plain, systems, bound} {
		r := newRig(t, model, says(use("c1", "Bash", ls)), condensed(`"All of it."`), says(text("Done.")))
		r.cfg.Switches.CompactServer = true
		r.cfg.Restorers = []harness.Restorer{standIn{m: compact.Material{
			Announced: []sessionlog.Attach{announced("deferred_tools_delta", "TOOLS"), announced("agent_listing_delta", "AGENTS")},
			Started:   []string{"HOOK"}, Plan: &compact.Plan{Path: "/p", Text: "PLAN"}, Skills: []compact.Skill{{Name: "pears", Text: "SKILL"}},
		}}}
		r.session(func(w world.World, s *harness.Session) {
			out, err := s.Prompt(world.Hooked(w, nth(string(world.OpTool), 1, func() { s.Queue("also the pears") })), "one")
			assert.NoError(t, err)
			assert.Equal(t, harness.Completed, out.Reason)
		})
		behind := strings.Join(messages(t, r.requests[2].Body), "\n")
		for _, want := range []string{"All of it.", `"TOOLS"`, `"AGENTS"`, `"HOOK"`, "PLAN", "SKILL", `"text":"one"`, "also the pears"} {
			assert.Equal(t, 1, strings.Count(behind, want), "%s: %s", model, want)
		}
		legal(t, r.requests[2].Body)
	}
}

// The teaching profile restores nothing (H-CMP-75), and goes on with a text of the harness behind a pause of the server's
// (H-CMP-84).
func TestACompactionPauseGoesOnInTheTeachingProfile(t *testing.T) {
	r := taughtRig(t, plain, 10, stopped("compaction", `{"type":"compaction","content":"sum"}`), says(text("Hi.")))
	r.session(func(w world.World, s *harness.Session) {
		assert.Equal(t, harness.Completed, r.prompt(w, s, "one").Reason)
	})
	sent := r.shape(1)
	assert.Contains(t, sent[len(sent)-1], "user: text(The earlier part of this)")
}

// A summary that comes closes the breaker of the server's compactions: failures count in a row (H-CMP-63).
func TestAServersSummaryBeginsTheCountAnew(t *testing.T) {
	failed := condensed("null")
	r := newRig(t, bound, failed, failed, condensed(`"S"`), says(text("A.")), failed, failed, says(text("B.")), failed, says(text("C.")))
	r.cfg.Switches.CompactServer = true
	r.session(func(w world.World, s *harness.Session) {
		for _, prompt := range []string{"one", "two", "three"} {
			r.prompt(w, s, prompt)
		}
	})
	assert.Len(t, r.requests, 9)
	for i, q := range r.requests[4:] {
		assert.Equal(t, i < 4, strings.Contains(managed(t, q.Body), "compact_20260112"), "request %d", 4+i)
	}
}
