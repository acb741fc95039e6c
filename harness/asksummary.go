package harness

import (
	"crypto/sha256"
	"errors"
	"math"
	"slices"

	"harnessbench/harness/compact"
	"harnessbench/harness/rebuild"
	"harnessbench/harness/sessionlog"
	"harnessbench/harness/world"
)

// askSummary sends the request for the summary. Where it is too long, or leaves no room for a whole answer, its oldest
// rounds are left out, or long texts shortened, and it is sent again (H-CMP-54). What the harness asks by itself is not
// asked a second time in the same
// bytes once it was refused.
func (t *turn) askSummary(c cutting) (reply, error) {
	s := t.s
	ask := compact.Instructions(c.part, compact.MemorySection(s.memory), c.words)
	entries, edited, cuts := sentOf(s.cleared(c.source)), false, 0
	if c.strip {
		if stripped, any := compact.WithoutImages(s.shown(entries)); any {
			entries, edited = stripped, true
		}
	}
	if c.over > 0 {
		if shorter, ok := s.shorter(entries, edited, c.over); ok {
			entries, edited, cuts = shorter, true, 1
		}
	}
	if err := s.freeze(t.w); err != nil {
		return reply{}, err
	}
	for {
		req, err := s.summaryRequest(c, entries, edited, ask)
		if err != nil {
			return reply{}, err
		}
		this := sha256.Sum256(req.Body)
		if c.trigger == compact.Auto && this == s.auto.refused {
			return reply{}, errors.New("compact: the same request for a summary was refused before")
		}
		r, err := t.insist(req)
		full := r.fault == nil && r.answer != nil && r.answer.StopReason == stopWindow
		if err != nil || !full && (r.fault == nil || !r.lasting) {
			return r, err
		}
		if !full {
			s.auto.refused = this
		}
		if !full && r.reason != PromptTooLong || cuts == c.cuts {
			return r, nil
		}
		over := 0
		if told, most := counted(r.fault); told > most {
			// The estimate is off by more in some texts than in others: each try aims a little lower.
			sent := compact.Tokens(rebuild.Shown(entries, s.summaryOptions(edited, edited)))
			over = scaled(told-most+(cuts+1)*most/compact.AimBelow, sent+s.frontChars()/4, told)
		}
		shorter, ok := s.shorter(entries, edited, over)
		if !ok {
			return r, nil
		}
		entries, edited = shorter, true
		cuts++
	}
}

// shorter are entries with over tokens less, and edited: entries of the path, or what an earlier edit left of them.
func (s *Session) shorter(entries []*sessionlog.Entry, edited bool, over int) ([]*sessionlog.Entry, bool) {
	if !edited {
		entries = s.shown(entries)
	}
	return compact.Shorter(entries, over)
}

// shown are entries of the path as an edited request for their summary holds them: what records and boundaries hide is neither
// counted nor cut (H-CMP-54).
func (s *Session) shown(entries []*sessionlog.Entry) []*sessionlog.Entry {
	return rebuild.Shown(entries, s.summaryOptions(false, true))
}

// summaryOptions are those of a request for a summary. Edited entries are as they are to be sent, no decision is repeated
// on them; voided tells that thinking of models that check is not valid in front of them.
func (s *Session) summaryOptions(edited, voided bool) rebuild.Options {
	opt := s.options(s.log)
	if (voided || s.taught()) && s.model.Bound && !s.keepsThinking() {
		opt.NoThinkingTo = math.MaxInt
	}
	if edited {
		opt.Decisions = nil
	}
	return opt
}

// summaryRequest asks behind the entries that are to be summarised for their summary: in the very request the
// conversation would make, so that its cache is read, or without tools, which reads none (H-CMP-46) and so writes none
// either (CACHE-6). Entries that are not as they were sent, or other tools, void the thinking of models that check: it is left out as a whole.
// The list of the teaching profile is asked about as a whole alone: of a part its thinking is left out too, since nobody
// knows in front of which list it was made.
func (s *Session) summaryRequest(c cutting, entries []*sessionlog.Entry, edited bool, ask string) (world.Request, error) {
	f, isolated := s.frontOfSummary()
	if s.taught() && !edited && !isolated && c.part == (compact.Part{}) {
		body, err := s.taughtAside(f, s.live, c.volatile, nil, ask)
		return s.beside("compact", body), err
	}
	history := rebuild.Of(entries, s.summaryOptions(edited, edited || isolated))
	if len(c.volatile.Blocks) == 0 {
		history.EndTurn()
	}
	if s.forgotten(c.source) {
		history.ForgetTurn()
	}
	return s.beside("compact", history.Aside(f, c.volatile, nil, ask)), nil
}

// frontOfSummary is what a request for a summary begins with; isolated tells that it does not share the conversation's
// tools, so that thinking of models that check is not valid in it (H-CMP-46).
func (s *Session) frontOfSummary() (f rebuild.Front, isolated bool) {
	f = s.frontBeside()
	f.MaxTokens = min(s.limits().Auto.Reserve, s.model.MaxOutput)
	if isolated = s.cfg.Switches.SummaryRequest == RequestNoTools; isolated {
		f.Tools, f.Unmarked = []byte("[]"), true
	}
	return f, isolated
}

// forgotten tells that the main requests no longer hold the thinking of the newest turn of the path's begin: under
// thinking.keep=last-turn it was left out when the path went on with another turn (H-LOOP-54). A loop that was cut there
// needs none either, for the request is the user's word behind its results (messages-api.md 6.5).
func (s *Session) forgotten(begin []*sessionlog.Entry) bool {
	if s.cfg.Switches.ThinkingKeep != KeepLastTurn || s.clearsThinking() {
		return false
	}
	path, _ := s.log.Path(s.leaf)
	n := len(begin)
	if n == 0 || n >= len(path) || path[n-1] != begin[n-1] {
		return false
	}
	for i, e := range path[n:] {
		if e.Typed {
			return answeredSince(path[n+i:])
		}
	}
	return false
}

// cleared is the begin of the path with the boundaries of micro-compaction that stand behind it, so that what main requests
// hold cleared does not come back in a request about that begin (H-CMP-28, H-CMP-46, CACHE-6).
func (s *Session) cleared(begin []*sessionlog.Entry) []*sessionlog.Entry {
	out := slices.Clip(begin)
	for _, e := range s.behind(begin) {
		if e.Micro != nil {
			out = append(out, e)
		}
	}
	return out
}

// behind is what stands on the path behind entries that are its begin, or that of its part which is sent; nil for nothing.
func (s *Session) behind(begin []*sessionlog.Entry) []*sessionlog.Entry {
	path, _ := s.log.Path(s.leaf)
	for i := range path {
		if len(begin) > 0 && path[i] == begin[len(begin)-1] {
			return path[i+1:]
		}
	}
	return nil
}

// insist sends a request for a summary until it has its answer, or an error that stays. A stream that failed is asked
// for again less often than a refusal that may pass (H-CMP-50, H-LOOP-45); each retry is logged (H-LOOP-49).
func (t *turn) insist(req world.Request) (reply, error) {
	for n := 1; ; n++ {
		r := t.exchange(req)
		most := t.s.retries()
		if r.reason == StreamFault {
			most = min(most, t.s.limits().Auto.StreamRetries)
		}
		if r.fault == nil || r.lasting || n > most {
			return r, nil
		}
		if err := t.pause(r, n); errors.Is(err, world.ErrInterrupted) {
			return reply{interrupted: true}, nil
		} else if err != nil {
			return reply{}, err
		}
	}
}
