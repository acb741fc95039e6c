package harness

import (
	"strings"
	"time"

	"harnessbench/harness/world"
)

// A resumed session that was idle for longer and is larger than this is offered a summary first (H-CMD-45).
const (
	offerAfter = time.Hour
	offerAbove = 100_000 // tokens
)

// OffersSummary tells whether to ask the user of a session that was just resumed: go on with a summary, which is Compact
// first, or as it is (H-CMD-45). It is false where the user wants never to be asked, for a process without a user, and
// once the session has gone on.
func (s *Session) OffersSummary(w world.World) bool {
	if s.cfg.NoSummaryOffer || strings.HasPrefix(s.cfg.Entrypoint, "sdk") {
		return false
	}
	newest := s.log.Find(s.leaf)
	if newest == nil || s.leaf != s.resumedAt {
		return false
	}
	at, err := time.Parse(time.RFC3339, newest.Time)
	return err == nil && w.Now().Sub(at) > offerAfter && s.estimate() > offerAbove
}
