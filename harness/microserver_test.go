package harness_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"harnessbench/harness"
	"harnessbench/harness/world"
	"harnessbench/internal/wire"
)

// managed is the field context_management of a request, "" for none.
func managed(t *testing.T, body []byte) string {
	v, err := wire.ParseValue(body)
	require.NoError(t, err)
	return string(v.Get("context_management").Raw())
}

func betas(q world.Request) (out string) {
	for _, h := range q.Header {
		if h.Name == "anthropic-beta" {
			out = h.Value
		}
	}
	return out
}

// With micro.mode=cached the payload stays as it is, thinking too, and the server is asked to clear: nothing at twelve
// results, at thirteen all but the newest five, the same ones again in every later request and after a resume. Field and
// header are there from the first request on (H-CMP-23, H-REB-45, H-CACHE-21).
func TestTheServerClearsManyResults(t *testing.T) {
	for _, model := range []string{plain, systems, bound, manual} {
		t.Run(model, func(t *testing.T) {
			r := newRig(t, model, append(loop("a", 14, "Bash", ls), says(thinking("n", "bmV3"), text("B.")))...)
			r.long(900)
			r.cfg.Switches.Micro, r.cfg.Switches.MicroClearAtLeast = "cached", "0"
			r.session(func(w world.World, s *harness.Session) {
				r.prompt(w, s, "one")
				m := r.micros(s.File())
				require.Len(t, m, 1)
				assert.Equal(t, "cached", m[0]["trigger"])
				assert.Len(t, m[0]["compactedToolIds"], 8)
				assert.Contains(t, strings.Join(s.Report(), "\n"), "were cleared by the server, about")
			})
			r.resumed(func(w world.World, s *harness.Session) { r.prompt(w, s, "two") })
			edits := func(kept int) string {
				return fmt.Sprintf(`{"edits":[{"type":"clear_tool_uses_20250919","trigger":{"type":"tool_uses","value":%d},"keep":{"type":"tool_uses","value":%[1]d}}]}`, kept)
			}
			for i, q := range r.requests {
				want := `{"edits":[]}`
				if i >= 13 { // the request behind the thirteenth result
					want = edits(5 + min(i-13, 1))
				}
				assert.Equal(t, want, managed(t, q.Body), "request %d", i)
				assert.Contains(t, betas(q), "context-management-2025-06-27")
				assert.Empty(t, cleared(t, q.Body))
				if i > 0 {
					before := messages(t, r.requests[i-1].Body)
					assert.Equal(t, before[:len(before)-1], messages(t, q.Body)[:len(before)-1], "request %d", i)
				}
				legal(t, q.Body)
			}
			assert.Contains(t, string(r.requests[15].Body), `"thinking":"ta1"`)
		})
	}
	r := newRig(t, plain, says(text("A.")))
	r.session(func(w world.World, s *harness.Session) { r.prompt(w, s, "one") })
	assert.Empty(t, managed(t, r.requests[0].Body))
	assert.NotContains(t, betas(r.requests[0]), "context-management")
}

// A session that goes on without the switch asks for what was cleared all the same: a decision is never revised (H-CMP-3).
func TestServerClearingOutlivesItsSwitch(t *testing.T) {
	r := newRig(t, plain, append(loop("a", 13, "Bash", ls), says(text("B.")))...)
	r.long(900)
	r.cfg.Switches.Micro, r.cfg.Switches.MicroClearAtLeast = "cached", "0"
	r.session(func(w world.World, s *harness.Session) { r.prompt(w, s, "one") })
	r.cfg.Switches = harness.Switches{}
	r.resumed(func(w world.World, s *harness.Session) { r.prompt(w, s, "two") })
	assert.Equal(t, managed(t, r.requests[13].Body), managed(t, r.requests[14].Body))
	assert.Contains(t, managed(t, r.requests[14].Body), "clear_tool_uses_20250919")
	assert.Contains(t, betas(r.requests[14]), "context-management-2025-06-27")
}

// On a bound model each way to stay legal holds for a clearing: the thinking before it goes; or the server is asked to drop
// what no longer fits; or the server does the clearing (thinking.onBreak, D1).
func TestClearingOnABoundModel(t *testing.T) {
	for onBreak, c := range map[string]struct {
		cleared  int
		thinking bool
		field    string
		report   string
	}{
		"drop":       {3, false, "", "the thinking before it is left out"},
		"drop-block": {3, true, "", "the server is asked to drop the thinking that no longer fits"},
		"server":     {0, true, "clear_tool_uses_20250919", "were cleared by the server"},
	} {
		t.Run(onBreak, func(t *testing.T) {
			r := newRig(t, bound, append(loop("a", 8, "Bash", ls), says(thinking("n", "bmV3"), text("B.")))...)
			r.long(400)
			r.cfg.Switches.OnBreak = onBreak
			r.session(func(w world.World, s *harness.Session) {
				r.prompt(w, s, "one")
				r.idle(w, s, 2*time.Hour)
				r.prompt(w, s, "two")
				assert.Contains(t, strings.Join(s.Report(), "\n"), c.report)
			})
			r.resumed(func(w world.World, s *harness.Session) { r.prompt(w, s, "three") })
			for _, q := range r.requests[9:] {
				assert.Len(t, cleared(t, q.Body), c.cleared)
				assert.Equal(t, c.thinking, strings.Contains(string(q.Body), `"thinking":"ta8"`))
				assert.Contains(t, managed(t, q.Body), c.field)
				assert.Equal(t, onBreak == "drop-block", strings.Contains(string(q.Body), `"drop_block"`))
			}
			assert.Contains(t, string(r.requests[10].Body), `"thinking":"n"`)
			assert.Equal(t, managed(t, r.requests[0].Body) != "", c.field != "", "the field is there from the first call on")
		})
	}
}
