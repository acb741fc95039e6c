package harness_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"harnessbench/harness"
	"harnessbench/harness/world"
)

// With auxiliary calls on, the first main call of a new session is its third: before it come a quota probe and a topic
// classification by the small model. They stand in no log and count for the cost alone (H-ARCH-30, H-ARCH-31, H-ARCH-32).
func TestAuxiliaryCallsComeFirstAndOnce(t *testing.T) {
	script := []answer{says(text("#")), says(text(`{"isNewTopic":true,"title":"Tests"}`)), says(text("Hi.")), says(text("Hi.")), says(text("Hi."))}
	run := func(aux bool) (*rig, float64, int, int) {
		r := newRig(t, bound, script...)
		r.cfg.Aux = aux
		var cost float64
		var calls, size int
		r.session(func(w world.World, s *harness.Session) {
			assert.Equal(t, "completed", r.prompt(w, s, "which test fails?").Reason)
			r.prompt(w, s, "two")
			total := s.Totals()
			cost, calls = total.CostUSD, total.Models[0].Calls
			data, err := r.disk.Read(s.File())
			require.NoError(t, err)
			size = len(data)
			assert.NotContains(t, string(data), "haiku")
		})
		r.resumed(func(w world.World, s *harness.Session) { r.prompt(w, s, "three") })
		return r, cost, calls, size
	}
	r, cost, _, _ := run(true)
	require.Len(t, r.requests, 5)
	for i, want := range []string{"aux", "aux", "main", "main", "main"} {
		assert.Equal(t, want, r.requests[i].Chain)
		body := string(r.requests[i].Body)
		if want == "main" {
			continue
		}
		assert.True(t, strings.HasPrefix(body, `{"model":"claude-haiku-4-5","max_tokens":`))
		assert.NotContains(t, body, "tools")
		assert.NotContains(t, body, "cache_control")
	}
	assert.Contains(t, string(r.requests[0].Body), `"max_tokens":1,`)
	assert.Contains(t, string(r.requests[1].Body), `"text":"which test fails?"`)

	without, plainCost, _, _ := run(false)
	require.Len(t, without.requests, 3)
	assert.Equal(t, string(without.requests[0].Body), string(r.requests[2].Body), "the main call is the same")
	assert.Greater(t, cost, plainCost)
}

// Whatever becomes of an auxiliary call, the main call follows; an interrupt ends the turn (H-ARCH-31, H-LOOP-20).
func TestAFailedAuxiliaryCallHindersNothing(t *testing.T) {
	r := newRig(t, bound, overload(), refusal(400, "invalid_request_error", "no"), says(text("Hi.")))
	r.cfg.Aux = true
	out, heard, _ := listened(r, "one")
	assert.Equal(t, "completed", out.Reason)
	assert.Len(t, r.requests, 3)
	assert.Empty(t, heard.retries)

	r = newRig(t, bound, says(text("#")), says(text("{}")), says(text("Hi.")), says(text("Hi.")))
	r.cfg.Aux = true
	out = interruptAt(t, r, world.OpRead, 2)
	assert.Equal(t, "interrupted", out.Reason)
	for _, req := range r.requests[:len(r.requests)-1] {
		assert.Equal(t, "aux", req.Chain)
	}
}
