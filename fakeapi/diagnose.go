package fakeapi

import (
	"container/list"
	"slices"
	"strings"
	"time"

	"harnessbench/internal/prefix"
	"harnessbench/internal/tokens"
)

// fingerprints keep what requests with a diagnostics object looked like, by the id of their answer and the scope of
// their account (messages-api.md 5.10).
type fingerprints struct {
	known map[string]*list.Element
	order *list.List // of *fingerprint, newest first
}

type fingerprint struct {
	key    string
	at     time.Time
	model  string
	blocks prefix.Blocks
	other  string // the other parameters that change the prompt
}

// A fingerprint is kept for a limited time, which nobody says, and so many of them are kept at once.
const (
	fingerprintLife = time.Hour
	fingerprintMost = 1 << 12
)

func newFingerprints() *fingerprints {
	return &fingerprints{known: map[string]*list.Element{}, order: list.New()}
}

func (f *fingerprints) keep(p *fingerprint) {
	f.known[p.key] = f.order.PushFront(p)
	for f.order.Len() > fingerprintMost {
		last := f.order.Back()
		delete(f.known, last.Value.(*fingerprint).key)
		f.order.Remove(last)
	}
}

func (f *fingerprints) find(key string, now time.Time) *fingerprint {
	e := f.known[key]
	if e == nil || !now.Before(e.Value.(*fingerprint).at.Add(fingerprintLife)) {
		return nil
	}
	return e.Value.(*fingerprint)
}

// missed is why a request does not continue the one it names.
type missed struct {
	reason string // "" for no divergence
	tokens int    // -1 when the reason has none
}

// diagnose compares the request with the one it names and leaves its own fingerprint.
func (x *exchange) diagnose(a *answer) {
	asked := x.req.Get("diagnostics")
	if asked.Kind() != '{' {
		return
	}
	scope := x.account.scope() + " "
	own := &fingerprint{key: scope + a.id, at: x.now, model: x.model.ID, blocks: x.rendered.Blocks, other: x.otherParameters()}
	if id := asked.Get("previous_message_id").Text(); id != "" {
		a.missed = missed{"previous_message_not_found", -1}
		if prev := x.s.prints.find(scope+id, x.now); prev != nil {
			a.missed = x.diverges(prev, own)
		}
	}
	x.s.prints.keep(own)
}

// diverges names the earliest difference in the order model, tools, system, messages, then everything else.
func (x *exchange) diverges(prev, own *fingerprint) missed {
	if prev.model != own.model {
		return missed{"model_changed", x.estimate(0)}
	}
	for l, reason := range []string{"tools_changed", "system_changed", "messages_changed"} {
		if at, differ := differs(&prev.blocks, &own.blocks, prefix.Level(l)); differ {
			return missed{reason, x.estimate(at)}
		}
	}
	if prev.other != own.other {
		return missed{"unavailable", -1}
	}
	return missed{}
}

// differs finds the first block of a level that is not what it was; messages may go on where they ended.
func differs(a, b *prefix.Blocks, l prefix.Level) (at int, differ bool) {
	i, j := first(a, l), first(b, l)
	if n := a.Shared(b); i == j && i < n && l == prefix.Messages {
		i, j = n, n
	}
	for {
		i, j = shown(a, i), shown(b, j)
		old, now := on(a, i, l), on(b, j, l)
		switch {
		case !old && !now:
			return j, false
		case !old:
			return j, l != prefix.Messages
		case !now || a.At(i).ID != b.At(j).ID || a.At(i).Role != b.At(j).Role:
			return j, true
		}
		i, j = i+1, j+1
	}
}

// first is the index of the first block of a level or of a later one.
func first(b *prefix.Blocks, l prefix.Level) int {
	i := 0
	for i < b.Len() && b.At(i).Level < l {
		i++
	}
	return i
}

// shown passes over deferred tools, which change nothing.
func shown(b *prefix.Blocks, i int) int {
	for i < b.Len() && b.At(i).Level == prefix.Tools && !b.At(i).Shown {
		i++
	}
	return i
}

func on(b *prefix.Blocks, i int, l prefix.Level) bool { return i < b.Len() && b.At(i).Level == l }

// estimate is the rough size of the request from a block on: a token for every four bytes.
func (x *exchange) estimate(from int) int {
	n := 0
	for _, b := range x.rendered.Blocks.From(from) {
		n += len(x.rendered.Value(b).Raw())
	}
	return n / 4
}

// otherParameters are the parameters beside model, tools, system and messages that change the prompt.
func (x *exchange) otherParameters() string {
	var out []byte
	for _, name := range []string{"tool_choice", "thinking", "context_management", "output_config", "output_format"} {
		if v := x.req.Get(name); v.Exists() && !v.IsNull() {
			out = tokens.AppendSpaced(append(append(out, name...), '='), v.Raw())
		}
		out = append(out, '\n')
	}
	return string(out) + strings.Join(x.betas(), ",")
}

// betas are the active anthropic-beta values, sorted.
func (x *exchange) betas() []string {
	var out []string
	for _, b := range strings.Split(x.head.Get("anthropic-beta"), ",") {
		if b = strings.TrimSpace(b); b != "" {
			out = append(out, b)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// diagnostics appends the field of that name: null where nothing was asked, on a first turn, and where nothing
// diverges.
func (m missed) diagnostics(dst []byte) []byte {
	dst = append(dst, `,"diagnostics":`...)
	if m.reason == "" {
		return append(dst, "null"...)
	}
	dst = quote(append(dst, `{"cache_miss_reason":{"type":`...), m.reason)
	if m.tokens >= 0 {
		dst = number(append(dst, `,"cache_missed_input_tokens":`...), m.tokens)
	}
	return append(dst, "}}"...)
}
