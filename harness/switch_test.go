package harness_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"harnessbench/harness"
	"harnessbench/harness/world"
)

// thoughts tells for each answer in the messages of a request whether thinking stands in it.
func thoughts(t *testing.T, body []byte) string {
	var b strings.Builder
	for _, line := range shape(t, body) {
		switch {
		case strings.HasPrefix(line, "assistant: thinking"):
			b.WriteString("T")
		case strings.HasPrefix(line, "assistant:"):
			b.WriteString("-")
		}
	}
	return b.String()
}

// After a switch of the model all thinking before it goes, or none: all, when the new model checks what stands before
// its thinking, or cannot read some of what is there. The model of each stretch is read from its entries, so that a
// rewind across a switch brings the thinking back (H-REB-36, D37, bug t-cross-model-signature).
func TestThinkingBeforeAModelSwitch(t *testing.T) {
	for _, c := range []struct{ first, second, after, back string }{
		{bound, plain, "--", "--T"},    // Sonnet 4.6 cannot read Sonnet 5.5; back again, the stretch between is not its own
		{plain, systems, "TT", "TTT"},  // Sonnet 5 reads 4.6 and checks nothing
		{plain, bound, "--", "--T"},    // bound
		{systems, bound, "--", "--T"},  // bound
		{systems, plain, "--", "--T"},  // 4.6 cannot read 5
		{manual, systems, "TT", "TTT"}, // reads it
	} {
		t.Run(c.first+" to "+c.second, func(t *testing.T) {
			r := newRig(t, c.first, says(thinking("hm", "c2ln"), text("A.")))
			r.session(func(w world.World, s *harness.Session) {
				r.prompt(w, s, "one")
				r.prompt(w, s, "two")
				require.NoError(t, s.SetModel(w, c.second, ""))
				r.prompt(w, s, "three")
				third := s.LastPrompt()
				r.prompt(w, s, "four")
				require.NoError(t, s.Rewind(w, third))
				require.NoError(t, s.SetModel(w, c.first, ""))
				r.prompt(w, s, "other")
			})
			assert.Equal(t, "T", thoughts(t, r.requests[1].Body))
			assert.Equal(t, c.second, modelOf(t, r.requests[2].Body))
			assert.Equal(t, c.after, thoughts(t, r.requests[2].Body))
			assert.Equal(t, c.back, thoughts(t, r.requests[3].Body), "the new model's own stays")
			assert.Equal(t, "TT", thoughts(t, r.requests[4].Body), "the path holds no switch any more")
			for _, q := range r.requests {
				legal(t, q.Body)
			}
			var body string
			r.resumed(func(w world.World, s *harness.Session) {
				assert.Equal(t, c.first, s.Model())
				r.prompt(w, s, "resumed")
				body = string(r.requests[5].Body)
			})
			assert.Equal(t, "TTT", thoughts(t, []byte(body)))
		})
	}
}

// A switch between two turns of which the second made nothing is no break; messages a model does not take are left out
// while it is in use (D37).
func TestAModelSwitchLeavesOutWhatTheModelDoesNotTake(t *testing.T) {
	r := newRig(t, bound, says(thinking("hm", "c2ln"), text("A.")))
	r.cfg.Switches.InjectTime = true
	r.session(func(w world.World, s *harness.Session) {
		r.prompt(w, s, "one")
		require.NoError(t, s.SetModel(w, plain, ""))
		require.NoError(t, s.SetModel(w, bound, ""))
		r.prompt(w, s, "two")
		require.NoError(t, s.SetModel(w, plain, ""))
		r.prompt(w, s, "three")
		require.NoError(t, s.SetModel(w, systems, ""))
		r.prompt(w, s, "four")
	})
	assert.Equal(t, "T", thoughts(t, r.requests[1].Body), "no other model has answered")
	systems := func(i int) int { return strings.Count(string(r.requests[i].Body), `"role":"system"`) }
	assert.Equal(t, []int{1, 2, 0, 3}, []int{systems(0), systems(1), systems(2), systems(3)})
	assert.Contains(t, r.shape(2)[4], "text(The current time is 2026) text(three)")
	for _, q := range r.requests {
		legal(t, q.Body)
	}
}

// The other ways at a break: drop-block sends all thinking that the model can read and asks the server to drop what does not
// fit, from the first call on; server does not change what a switch leaves out (thinking.onBreak, D1).
func TestWaysToStayLegalAtABreak(t *testing.T) {
	const block = `"thinking":{"type":"adaptive","block_binding":{"prefix_mismatch_behavior":"drop_block"}}`
	story := func(onBreak, first, second string) *rig {
		r := newRig(t, first, says(thinking("hm", "c2ln"), text("A.")))
		r.cfg.Switches.OnBreak = onBreak
		r.session(func(w world.World, s *harness.Session) {
			r.prompt(w, s, "one")
			require.NoError(t, s.SetModel(w, second, ""))
			r.prompt(w, s, "two")
			r.prompt(w, s, "three")
		})
		return r
	}
	betas := func(r *rig, i int) string {
		for _, f := range r.requests[i].Header {
			if f.Name == "anthropic-beta" {
				return f.Value
			}
		}
		return ""
	}
	r := story("drop-block", systems, bound)
	assert.NotContains(t, string(r.requests[0].Body), "block_binding", "that model checks nothing")
	assert.NotContains(t, betas(r, 0), "thinking-binding")
	assert.Contains(t, string(r.requests[1].Body), block)
	assert.Contains(t, betas(r, 1), "thinking-binding-controls-2026-08-01")
	assert.Equal(t, []string{"T", "TT"}, []string{thoughts(t, r.requests[1].Body), thoughts(t, r.requests[2].Body)})

	assert.Equal(t, "-T", thoughts(t, story("server", bound, plain).requests[2].Body), "it reads none of it")
	assert.Equal(t, "-T", thoughts(t, story("server", systems, bound).requests[2].Body), "it could read it, and would check it")
	assert.Equal(t, "-T", thoughts(t, story("drop", bound, plain).requests[2].Body))
	assert.NotContains(t, string(story("drop", systems, bound).requests[1].Body), "block_binding")
}

// What a model cannot read is left out from its first request on, whatever thinking.onBreak says (D37, H-REB-36): behind a
// switch, a fallback in the middle of a turn, and a resume on another model. What it can read goes out under drop-block
// alone, and what was left out once does not come back with the model that made it.
func TestNoModelIsSentThinkingItCannotRead(t *testing.T) {
	for _, c := range []struct{ first, second, drop, block, back string }{
		{bound, plain, "-T", "-T", "-TT"}, {bound, systems, "-T", "-T", "-TT"}, {bound, manual, "-T", "-T", "-TT"},
		{systems, plain, "-T", "-T", "TTT"}, {systems, manual, "-T", "-T", "TTT"}, // which checks nothing
		{plain, bound, "-T", "TT", "---"}, {systems, bound, "-T", "TT", "---"}, {manual, bound, "-T", "TT", "---"}, {plain, systems, "TT", "TT", "---"},
	} {
		for _, onBreak := range []string{"drop", "drop-block", "server"} {
			want := map[string]string{"drop": c.drop, "drop-block": c.block, "server": c.drop}[onBreak]
			why := c.first + " to " + c.second + ", " + onBreak
			r := newRig(t, c.first, says(thinking("hm", "c2ln"), text("A.")))
			r.cfg.Switches.OnBreak = onBreak
			r.session(func(w world.World, s *harness.Session) {
				r.prompt(w, s, "one")
				require.NoError(t, s.SetModel(w, c.second, ""))
				r.prompt(w, s, "two")
				r.prompt(w, s, "three")
				require.NoError(t, s.SetModel(w, c.first, ""))
				r.prompt(w, s, "four")
			})
			assert.Equal(t, want[:1], thoughts(t, r.requests[1].Body), why)
			assert.Equal(t, want, thoughts(t, r.requests[2].Body), why)
			if onBreak == "drop-block" {
				assert.Equal(t, c.back, thoughts(t, r.requests[3].Body), why+", and back")
			}

			r = newRig(t, c.first, says(thinking("hm", "c2ln"), use("a", "Bash", ls)), overload(), overload(), overload(), says(thinking("k", "c2ln"), text("A.")))
			r.cfg.Switches.OnBreak, r.cfg.Fallback = onBreak, c.second
			r.session(func(w world.World, s *harness.Session) { r.prompt(w, s, "one") })
			require.Equal(t, c.second, modelOf(t, r.requests[4].Body), why)
			assert.Equal(t, want[:1], thoughts(t, r.requests[4].Body), why+" as a fallback")

			r = newRig(t, c.first, says(thinking("hm", "c2ln"), text("A.")))
			r.cfg.Switches.OnBreak = onBreak
			r.session(func(w world.World, s *harness.Session) { r.prompt(w, s, "one") })
			r.cfg.Model, r.cfg.ModelGiven = c.second, true
			r.resumed(func(w world.World, s *harness.Session) { r.prompt(w, s, "two") })
			assert.Equal(t, want[:1], thoughts(t, r.requests[1].Body), why+" resumed")
		}
	}
}

// A change of the option in mid-session holds from the next call on, and what is in memory is what the log gives
// (H-ARCH-12).
func TestTheWayAtABreakMayChange(t *testing.T) {
	r := newRig(t, systems, says(thinking("hm", "c2ln"), text("A.")))
	r.session(func(w world.World, s *harness.Session) {
		r.prompt(w, s, "one")
		require.NoError(t, s.SetModel(w, bound, ""))
		require.NoError(t, s.Set("thinking.onBreak", "drop-block"))
		r.prompt(w, s, "two")
		assert.Error(t, s.Set("thinking.onBreak", "pray"))
	})
	assert.Equal(t, "T", thoughts(t, r.requests[1].Body))
}
