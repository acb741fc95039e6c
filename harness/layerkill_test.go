package harness_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"harnessbench/harness"
	"harnessbench/harness/world"
)

// A process killed before or after any port call of a firing leaves a log that resumes: the next requests are legal, each
// holds the one before, and no decision is half there (H-CMP-3, H-LOG-80).
func TestKillInALayer(t *testing.T) {
	for name, c := range map[string]struct {
		set  func(*harness.Config)
		turn func() []answer
		sign string // of the firing, in the log
	}{
		"micro": {func(*harness.Config) {}, func() []answer { return loop("a", 8, "Bash", ls) }, "microcompact_boundary"},
		"snip":  {func(c *harness.Config) { c.Switches.Snip = true }, func() []answer { return loop("a", 24, "Bash", ls) }, `"type":"snip"`},
		"collapse": {func(c *harness.Config) { c.Switches.Collapse, c.Window = true, 100_000 }, func() []answer {
			return filled(6, 70_000)
		}, "collapse-commit"},
		"teaching": {taughtConfig, func() []answer { return rounds(6) }, "Done a."},
		"teaching auto": {taughtConfig, func() []answer {
			return []answer{says(thinking("t", "c2ln"), text(strings.Repeat("y", 200_000)))}
		}, `"B."`},
	} {
		for _, model := range []string{plain, bound} {
			t.Run(name+" "+model, func(t *testing.T) {
				for _, after := range []bool{false, true} {
					for n, killed := 1, true; killed; n++ {
						killed = killInFiring(t, model, n, after, c.set, c.turn(), c.sign)
					}
				}
			})
		}
	}
}

func taughtConfig(c *harness.Config) { c.Switches.Profile = harness.ProfileTeaching }

// killInFiring kills at the n-th port call of the turn in which a layer fires; false when there was none.
func killInFiring(t *testing.T, model string, n int, after bool, set func(*harness.Config), turn []answer, sign string) bool {
	r := newRig(t, model, turn...)
	r.answer = func() answer {
		switch {
		case r.next < len(turn):
			return turn[r.next]
		case r.requests[len(r.requests)-1].Chain == "compact":
			return summary("plums")
		}
		return says(thinking("n", "bmV3"), text("B."))
	}
	r.long(8000)
	r.chunks = 1
	set(&r.cfg)
	h := &hook{}
	armed, seen := false, 0
	at := func() {
		if armed {
			if seen++; seen == n {
				r.m.Kill()
			}
		}
	}
	h.before = func(int, string, string) {
		if !after {
			at()
		}
	}
	h.after = func(int, string, string) {
		if after {
			at()
		}
	}
	out := r.m.Run(func(w world.World) {
		w = world.Hooked(w, h)
		s, err := harness.Start(w, r.cfg)
		require.NoError(t, err)
		r.prompt(w, s, "one")
		require.NoError(t, w.Sleep(2*time.Hour))
		armed = true
		r.prompt(w, s, "two")
		armed = false
		require.NoError(t, s.Close(w))
	})
	require.Empty(t, out.Panic)
	if !out.Killed {
		require.Contains(t, r.logText(), sign)
		return false
	}
	from := len(r.requests)
	r.resumed(func(w world.World, s *harness.Session) {
		r.prompt(w, s, "after the crash")
		r.prompt(w, s, "and again")
	})
	for _, q := range r.requests {
		legal(t, q.Body)
	}
	var main []string
	for _, q := range r.requests[from:] {
		if q.Chain != "main" {
			continue
		}
		now := messages(t, q.Body)
		for i := range main {
			require.Equal(t, main[i], now[i], "killed at %d", n)
		}
		main = now
	}
	return true
}
