package harness

import (
	"bytes"
	"strings"
	"time"

	"harnessbench/harness/account"
	"harnessbench/harness/cachewatch"
	"harnessbench/harness/world"
	"harnessbench/internal/wire"
)

// overageHeader of an answer tells the state of the account, which may force another life of entries (H-CACHE-14).
const overageHeader = "anthropic-ratelimit-unified-overage-status"

// sending keeps what a request looks like, to be compared should its answer read less of the cache than the one before
// (H-CACHE-11). Each chain is a source of its own (H-CACHE-12).
func (s *Session) sending(at time.Time, req world.Request) {
	s.cache.Before(req.Chain, cachewatch.Request{
		At: at, Betas: strings.Split(field(req.Header, "anthropic-beta"), ","), Client: field(req.Header, "anthropic-version"),
		Plan: s.plan, Body: req.Body,
	})
}

// cached looks at what an answer read of the cache, and reports a break (H-CACHE-12); a drop that was to be expected is
// kept with its label and not reported (H-CACHE-13). An answer without usage tells nothing.
func (s *Session) cached(chain string, resp world.Response, r reply) {
	s.plan = field(resp.Header, overageHeader)
	if r.answer == nil || len(r.answer.Usage.Raw) == 0 {
		return
	}
	if s.expectCondensed(r.answer) {
		return
	}
	s.cache.Cleared(chain, clearedIn(r.answer))
	if d, dropped := s.cache.After(chain, account.Read(r.answer.Usage.Raw).Last); dropped {
		s.drops = append(s.drops, d)
		if d.Expected == "" {
			s.notice(d.String())
		}
	}
}

// clearedIn counts what an answer says that the server cleared of its prompt: results, and turns whose thinking went
// (H-CMP-86).
func clearedIn(a *wire.Answer) (n int) {
	for _, e := range a.Edits.Get("applied_edits").Elems() {
		uses, _ := e.Get("cleared_tool_uses").Int()
		turns, _ := e.Get("cleared_thinking_turns").Int()
		n += int(max(0, uses) + max(0, turns))
	}
	return n
}

// CacheDrops gives the drops of the cache since it was last asked, oldest first, those that were expected among them.
func (s *Session) CacheDrops() []cachewatch.Drop {
	out := s.drops
	s.drops = nil
	return out
}

// announceTools tells of a switch that would give the model other tools. They stay as they are in this session, for a
// change of them costs the whole cache; with the next session, /clear or a compaction they change (H-CACHE-22).
func (s *Session) announceTools(name string, before []byte) {
	if !bytes.Equal(before, s.offered().Definitions()) {
		s.notice("The switch " + name + " changes the set of tools, which would cost the whole cache: the tools of this session stay as they are. " +
			"They change with the next session, /clear or a compaction.")
	}
}
