package harness_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"harnessbench/harness"
	"harnessbench/harness/world"
)

// records are the lines of one type in a log.
func (r *rig) records(file, typ string) (out []map[string]any) {
	for _, e := range r.log(file) {
		if e["type"] == typ {
			out = append(out, e)
		}
	}
	return out
}

// counted is how many messages of the user and the model a request has.
func counted(t *testing.T, body []byte) (n int) {
	for _, line := range shape(t, body) {
		if !strings.HasPrefix(line, "system:") {
			n++
		}
	}
	return n
}

// chat is n turns of one short answer, with thinking.
func chat(n int) []answer {
	var out []answer
	for range n {
		out = append(out, says(thinking("t", "c2ln"), text("So.")))
	}
	return out
}

// With the switch on, more than fifty messages are cut to thirty, whole rounds from behind the first three: one placeholder
// counts all that ever went, the record names it, the log keeps it, and later requests and a resume repeat it. The newest
// prompt stays (H-CMP-17, H-CMP-18, H-CMP-5, H-LOG-70).
func TestSnipCutsTheMiddle(t *testing.T) {
	for _, model := range []string{plain, systems, bound, manual} {
		t.Run(model, func(t *testing.T) {
			r := newRig(t, model, chat(50)...)
			r.cfg.Switches.Snip = true
			var file string
			r.session(func(w world.World, s *harness.Session) {
				for i := range 25 {
					r.prompt(w, s, "p"+string(rune('a'+i)))
				}
				file = s.File()
				require.Empty(t, r.records(file, "snip"), "49 messages")
				r.prompt(w, s, "the newest")
				require.Len(t, r.records(file, "snip"), 1, "51 messages")
				assert.Contains(t, strings.Join(s.Report(), "\n"), "Snip: 22 messages of the middle are left out")
				sent := r.requests[25].Body
				assert.Equal(t, 29, counted(t, sent))
				assert.Contains(t, r.shape(25)[4], "text([snipped 22 messages fro) text(pn)")
				assert.Contains(t, r.shape(25)[3], "assistant:", "the answer of pb")
				assert.Contains(t, string(sent), `"the newest"`)
				assert.Contains(t, string(sent), `[snipped 22 messages from conversation middle]`)
				assert.Equal(t, model != bound, strings.Contains(string(sent), `"thinking"`) && strings.Contains(string(sent), `"signature"`))
				for range 11 {
					r.prompt(w, s, "more")
				}
				require.Len(t, r.records(file, "snip"), 2)
			})
			last := r.requests[len(r.requests)-1].Body
			assert.Equal(t, 1, strings.Count(string(last), "[snipped "))
			assert.Contains(t, string(last), `[snipped 44 messages from conversation middle]`)
			r.resumed(func(w world.World, s *harness.Session) { r.prompt(w, s, "again") })
			before := messages(t, last)
			assert.Equal(t, before, messages(t, r.requests[len(r.requests)-1].Body)[:len(before)])
			for _, q := range r.requests {
				legal(t, q.Body)
			}
			assert.Equal(t, 37, strings.Count(r.read(file), `"promptSource":"typed"`)-1, "the log keeps all of them")
		})
	}
}

// The switch is off by default: nothing is cut, and there is no tool Snip (H-CMP-17).
func TestSnipIsOffByDefault(t *testing.T) {
	r := newRig(t, plain, chat(1)...)
	r.session(func(w world.World, s *harness.Session) {
		for range 30 {
			r.prompt(w, s, "p")
		}
		assert.NotContains(t, s.Tools(), "Snip")
	})
	assert.Equal(t, 59, counted(t, r.requests[29].Body))
}

// By the tool Snip the model asks for the same cut earlier; in a tool loop of a bound model, whose thinking must come
// back, it waits for the loop's end (H-CMP-17, H-LOOP-52).
func TestTheModelAsksForASnip(t *testing.T) {
	for _, model := range []string{plain, systems, bound, manual} {
		t.Run(model, func(t *testing.T) {
			script := append(chat(18), loop("a", 1, "Snip", "{}")...)
			r := newRig(t, model, append(script, chat(2)...)...)
			r.cfg.Switches.Snip = true
			r.tool = func(world.ToolCall) (world.ToolResult, time.Duration) { return world.ToolResult{Own: true}, 0 }
			r.session(func(w world.World, s *harness.Session) {
				assert.Contains(t, s.Tools(), "Snip")
				for range 20 {
					r.prompt(w, s, "p")
				}
				require.Len(t, r.records(s.File(), "snip"), 1)
			})
			at := 19 // the call behind the tool's result
			if model == bound {
				at = 20
			}
			assert.NotContains(t, string(r.requests[at-1].Body), "[snipped ")
			assert.Contains(t, string(r.requests[at].Body), "[snipped ")
			assert.LessOrEqual(t, counted(t, r.requests[at].Body), 30)
			for _, q := range r.requests {
				legal(t, q.Body)
			}
		})
	}
}
