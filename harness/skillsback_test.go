package harness_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"harnessbench/harness"
	"harnessbench/harness/compact"
	"harnessbench/harness/world"
)

// Behind each compaction, the user's, the harness's and the server's, skills of all restorers come back in their order: of
// each the first 5,000 tokens, and of all of them as many as 25,000 hold (H-CMP-72).
func TestSkillsComeBackBehindEachCompaction(t *testing.T) {
	body := func(letter string, tokens int) string { return strings.Repeat(letter, 4*tokens) }
	restorers := []harness.Restorer{
		standIn{m: compact.Material{Skills: []compact.Skill{{Name: "first", Text: body("V", 5_001)}, {Name: "second", Text: body("W", 5_000)}}}},
		standIn{},
		standIn{m: compact.Material{Skills: []compact.Skill{{Name: "third", Text: body("X", 5_000)}, {Name: "fourth", Text: body("Y", 5_000)},
			{Name: "fifth", Text: body("Z", 5_000)}, {Name: "sixth", Text: "little"}}}},
	}
	for name, c := range map[string]struct {
		script []answer
		do     func(r *rig, w world.World, s *harness.Session)
	}{
		"/compact": {[]answer{says(text(body("a", 30_000))), summary("s"), says(text("B."))}, func(r *rig, w world.World, s *harness.Session) {
			require.NoError(t, s.Compact(w, ""))
			r.prompt(w, s, "two")
		}},
		"auto":   {[]answer{full(167_000, text("A.")), summary("s"), says(text("B."))}, func(r *rig, w world.World, s *harness.Session) { r.prompt(w, s, "two") }},
		"server": {[]answer{says(text("A.")), condensed(`"s"`), says(text("B."))}, func(r *rig, w world.World, s *harness.Session) { r.prompt(w, s, "two") }},
	} {
		r := newRig(t, bound, c.script...)
		r.cfg.Restorers, r.cfg.Window, r.cfg.Switches.CompactServer = restorers, 200_000, name == "server"
		r.session(func(w world.World, s *harness.Session) {
			r.prompt(w, s, "one")
			c.do(r, w, s)
		})
		require.Equal(t, 3, len(r.chains()), name)
		sent := string(r.requests[2].Body)
		at := 0
		for i, skill := range []string{"first", "second", "third", "fourth", "fifth"} {
			begin := strings.Index(sent[at:], "The skill "+skill+" was invoked")
			require.GreaterOrEqual(t, begin, 0, "%s: %s", name, skill)
			at += begin
			holds(t, true, sent[at:], body(string("VWXYZ"[i]), 5_000), name)
		}
		assert.False(t, strings.Contains(sent, body("V", 5_001)), name)
		assert.Equal(t, 1, strings.Count(sent, "The rest of this skill is left out here."), name)
		holds(t, false, sent, "The skill sixth", name)
	}
}
