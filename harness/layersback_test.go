package harness_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"harnessbench/harness"
	"harnessbench/harness/world"
)

// Whatever the layers left out, going back to a prompt, of whatever branch, and asking it again sends what was sent when it
// was asked first: a decision stands on the paths that hold the entry it was made behind, in this process, behind a resume,
// and in a fork (H-CMP-17, H-CMP-30, H-CMP-32, H-CMP-3, H-LOG-47). Each rewind and each exit checks that the conversation
// in memory is the one of the log (H-ARCH-12).
func TestAskedAgainAPromptMeetsTheSameHistory(t *testing.T) {
	layers := map[string]func(*harness.Config){
		"none":     func(*harness.Config) {},
		"snip":     func(c *harness.Config) { c.Switches.Snip = true },
		"position": func(c *harness.Config) { c.Switches.Micro, c.Switches.MicroUnconditional = harness.MicroPosition, true },
		"cached":   func(c *harness.Config) { c.Switches.Micro, c.Switches.MicroUnconditional = harness.MicroCached, true },
		"collapse": func(c *harness.Config) { c.Switches.Collapse, c.Window, c.CompactPercent = true, 100_000, 10 },
		"snip and position": func(c *harness.Config) {
			c.Switches.Snip, c.Switches.Micro, c.Switches.MicroUnconditional = true, harness.MicroPosition, true
		},
	}
	names := []string{"none", "snip", "position", "cached", "collapse", "snip and position"}
	fired := map[string]int{}
	rapid.Check(t, func(rt *rapid.T) {
		r := newRig(t, rapid.SampledFrom([]string{plain, systems, bound, manual}).Draw(rt, "model"), answer{})
		name := rapid.SampledFrom(names).Draw(rt, "layer")
		layers[name](&r.cfg)
		fired[name] += askedAgain(t, rt, r)
	})
	for _, name := range names {
		require.Equal(t, name != "none", fired[name] > 0, "%s: the layer comes into it", name)
	}
}

// askedAgain plays turns of some rounds, goes back now and then, and compares. It tells how often a layer fired.
func askedAgain(t *testing.T, rt *rapid.T, r *rig) (fired int) {
	left := 0
	r.long(900)
	r.answer = func() answer {
		n := len(r.requests)
		var a answer
		switch {
		case r.requests[n-1].Chain == "compact":
			return summary("so far all is fine")
		case left > 0:
			left--
			a = says(thinking("t", "c2ln"), use(fmt.Sprintf("c%d", n), "Bash", ls))
		default:
			a = says(thinking("t", "c2ln"), text(fmt.Sprintf("answer %d", n)))
		}
		a.input = len(r.requests[n-1].Body) / 4
		return a
	}
	copied := false // on a model that checks it a copy leaves out what thinking the path of its origin did
	shown := func(messages []string, bare bool) string {
		joined := strings.Join(messages, "\n")
		if bare && r.cfg.Model == bound {
			joined = strings.ReplaceAll(joined, thinking("t", "c2ln")+",", "")
		}
		return joined
	}
	first := map[string][]string{} // by prompt: the messages it was asked with
	ask := func(w world.World, s *harness.Session, said string, rounds int) {
		left = rounds
		from := len(r.requests)
		r.prompt(w, s, said)
		for r.requests[from].Chain != "main" {
			from++
		}
		now := messages(t, r.requests[from].Body)
		if before, again := first[said]; again {
			require.Equal(rt, shown(before, copied), shown(now, copied), said)
		}
		first[said] = now
		require.NoError(rt, w.Sleep(time.Second))
	}
	var every []harness.Point
	id, throw, asked := "", dice(rt, 16), 0
	ops := append([]string{"ask"}, rapid.SliceOfN(rapid.SampledFrom([]string{"ask", "ask", "ask", "ask", "again", "resume", "fork"}), 5, 12).Draw(rt, "ops")...)
	for len(ops) > 0 {
		out := r.m.Run(func(w world.World) {
			s, err := harness.Start(w, r.cfg)
			if id != "" {
				s, err = harness.Resume(w, r.cfg, id)
			}
			require.NoError(rt, err)
			for len(ops) > 0 {
				op := ops[0]
				ops = ops[1:]
				switch {
				case op == "ask":
					asked++
					said := fmt.Sprintf("prompt %d", asked)
					ask(w, s, said, 4+throw(6))
					every = append(every, harness.Point{UUID: s.LastPrompt(), Text: said})
				case len(every) == 0:
				case op == "again":
					p := every[throw(len(every))]
					require.NoError(rt, s.Rewind(w, p.UUID))
					ask(w, s, p.Text, 1+throw(8))
					every = append(every, harness.Point{UUID: s.LastPrompt(), Text: p.Text})
				case op == "fork":
					require.NoError(rt, s.Fork(w, ""))
					every, copied = s.Prompts(), true
				}
				if id = s.ID(); op == "resume" && len(every) > 0 {
					break
				}
			}
			log := r.read(s.File())
			for _, kind := range []string{`"type":"snip"`, `"type":"collapse-commit"`, `"microcompact_boundary"`} {
				fired += strings.Count(log, kind)
			}
			require.NoError(rt, s.Close(w))
		})
		require.Empty(rt, out.Panic)
	}
	for _, q := range r.requests {
		legal(t, q.Body)
	}
	return fired
}
