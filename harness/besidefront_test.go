package harness_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"harnessbench/harness"
	"harnessbench/harness/world"
	"harnessbench/internal/wire"
)

// A request beside the conversation has the thinking parameter of the last main request, also where that went without
// because its loop begins with none: its cache is then read (H-CMP-46, H-CMP-50, H-CMD-63, CACHE-6). A turn later both
// think again.
func TestARequestBesideHasTheSettingsOfTheLast(t *testing.T) {
	setting := func(body []byte) string {
		v, err := wire.ParseValue(body)
		require.NoError(t, err)
		return string(v.Get("thinking").Raw())
	}
	const off = `{"type":"disabled"}`
	for _, profile := range []string{"", harness.ProfileTeaching} {
		for _, model := range []string{plain, systems, bound, manual} {
			r := newRig(t, model, says(thinking("hm", "c2ln"), use("a", "Bash", making)), overload(), overload(), overload(),
				says(use("b", "Bash", making)), says(text("Done.")), says(text("Aside.")), summary("plums"), says(text("Hi.")), says(text("Aside.")))
			r.cfg.Fallback, r.cfg.Switches.Profile = manual, profile
			if model == manual {
				r.cfg.Fallback = ""
				r.script = append(r.script[:1], r.script[4:]...)
			}
			r.session(func(w world.World, s *harness.Session) {
				r.prompt(w, s, "one")
				_, err := s.Btw(w, "where are we?")
				require.NoError(t, err)
				require.NoError(t, s.Compact(w, ""))
				r.prompt(w, s, "two")
				_, err = s.Btw(w, "and now?")
				require.NoError(t, err)
			})
			n := len(r.requests)
			last := setting(r.requests[n-5].Body)
			assert.Equal(t, model != manual, last == off, "%s %q: %s", model, profile, last)
			for i, want := range []string{last, last, setting(r.requests[n-2].Body), setting(r.requests[n-2].Body)} {
				assert.Equal(t, want, setting(r.requests[n-4+i].Body), "%s %q: %d of %v", model, profile, i, r.chains())
			}
			assert.NotEqual(t, off, setting(r.requests[n-1].Body))
		}
	}
}
