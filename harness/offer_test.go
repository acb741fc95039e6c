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

// A summary is offered to a session resumed after more than an hour with more than 100,000 tokens, until it goes on, and
// to nobody who wants no question or cannot answer one (H-CMD-45).
func TestSummaryIsOfferedToAnOldLargeSession(t *testing.T) {
	for name, c := range map[string]struct {
		tokens string
		idle   time.Duration
		never  bool
		sdk    bool
		want   bool
	}{
		"old and large":     {"100001", time.Hour + time.Second, false, false, true},
		"not large":         {"99991", time.Hour + time.Second, false, false, false}, // and nine of output
		"not old":           {"100001", time.Hour - time.Minute, false, false, false},
		"never to be asked": {"100001", 2 * time.Hour, true, false, false},
		"headless":          {"100001", 2 * time.Hour, false, true, false},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, plain, says(text("A.")))
			r.session(func(w world.World, s *harness.Session) {
				r.prompt(w, s, "one")
				assert.False(t, s.OffersSummary(w))
			})
			file := configDir + "/projects/-w-app/" + r.sessions()[0] + ".jsonl"
			require.NoError(t, r.disk.Write(file, []byte(strings.ReplaceAll(r.read(file), `"input_tokens":3`, `"input_tokens":`+c.tokens))))
			r.cfg.NoSummaryOffer = c.never
			if c.sdk {
				r.cfg.Entrypoint = "sdk-cli"
			}
			r.process(func(w world.World) {
				require.NoError(t, w.Sleep(c.idle))
				s, err := harness.Resume(w, r.cfg, r.sessions()[0])
				require.NoError(t, err)
				assert.Equal(t, c.want, s.OffersSummary(w))
				r.prompt(w, s, "two")
				require.NoError(t, w.Sleep(2*time.Hour))
				assert.False(t, s.OffersSummary(w))
				require.NoError(t, s.Close(w))
			})
		})
	}
}
