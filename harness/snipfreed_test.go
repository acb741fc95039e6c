package harness_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"harnessbench/harness"
	"harnessbench/harness/world"
)

// What a snip frees counts at the threshold at once, so that no summary is asked for where it makes enough room; also in a
// process that finds the record of one that died before the answer. Behind the next answer, which reports the shorter
// conversation, it does not count again (H-CMP-17, H-CMP-38).
func TestWhatASnipFreesCountsAtTheThreshold(t *testing.T) {
	lengthy := func(chars int) []answer {
		var script []answer
		for range 25 {
			script = append(script, says(text(strings.Repeat("x", chars))))
		}
		script[24].input = 70_000 // the threshold is 67,000
		return append(script, full(70_000, text("B.")), summary("S"), says(text("C.")))
	}
	play := func(chars int, kill bool) []string {
		r := newRig(t, plain, lengthy(chars)...)
		r.cfg.Switches.Snip, r.cfg.Window = true, 100_000
		r.check = func(world.Request) {
			if kill && len(r.requests) == 26 {
				r.m.Kill()
			}
		}
		r.m.Run(func(w world.World) {
			s, err := harness.Start(w, r.cfg)
			require.NoError(t, err)
			for range 25 {
				r.prompt(w, s, "p")
			}
			r.prompt(w, s, "the 51st message")
			require.Len(t, r.records(s.File(), "snip"), 1)
			r.prompt(w, s, "behind the next answer")
		})
		if kill {
			r.check = nil
			r.resumed(func(w world.World, s *harness.Session) { r.prompt(w, s, "again") })
		}
		return r.chains()[25:]
	}
	assert.Equal(t, []string{"main", "compact", "main"}, play(4_000, false), "eleven answers of 1,000 tokens go, and count once")
	assert.Equal(t, []string{"main", "main"}, play(4_000, true), "the call that was killed, and the one of another process")
	r := newRig(t, plain, append(lengthy(4)[:25], summary("S"), says(text("C.")))...)
	r.cfg.Switches.Snip, r.cfg.Window = true, 100_000
	r.session(func(w world.World, s *harness.Session) {
		for range 26 {
			r.prompt(w, s, "p")
		}
		require.Len(t, r.records(s.File(), "snip"), 1)
	})
	assert.Equal(t, []string{"compact", "main"}, r.chains()[25:], "what goes is too little")
}
