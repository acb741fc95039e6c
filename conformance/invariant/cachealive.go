package invariant

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"time"

	"harnessbench/internal/prefix"
	"harnessbench/internal/wire"
)

// keepAlive names the chain of requests that are sent for the cache alone: so that what a conversation has stored is read
// and lives on, or to store it before it is needed. A stream may declare them by this name.
const keepAlive = "keepalive"

// idleOption is the option of a run that says how long a conversation is kept alive behind its newest request, as
// time.ParseDuration reads it.
const idleOption = "keepalive.idle"

// warmed tells a request that is sent for the cache alone whatever the stream calls its chain: it asks for no answer
// (messages-api.md 5.9), or repeats an answered request as it was and asks for one token, the older way.
func (c *chain) warmed(r *wire.Request) bool {
	most, ok := r.Get("max_tokens").Int()
	if !ok || c.alone() {
		return false
	}
	if most != 1 || c.newest == nil || c.newest.cached == 0 {
		return most == 0
	}
	before := c.newest.req
	if asked, _ := before.Get("max_tokens").Int(); asked <= 1 {
		return false
	}
	for _, name := range [...]string{"model", "system", "tools"} {
		if !bytes.Equal(before.Get(name).Raw(), r.Get(name).Raw()) {
			return false
		}
	}
	return r.MessageCount() == before.MessageCount() && r.SharedMessages() == r.MessageCount()
}

// cache9 looks at keep-alives: requests for the cache alone that begin with all that an answered request has stored. One
// that stores something for the first time is none.
type cache9 struct {
	bases bases
	waits map[*call]*poke  // have no answer yet
	last  map[*chain]*poke // newest one that was answered
}

// poke is one keep-alive.
type poke struct {
	call   *call
	named  bool          // the stream says what it is
	of     *call         // the newest request that stored what this one begins with
	origin *call         // the newest of those that was more than a keep-alive
	gap    time.Duration // since of
	timed  bool          // as long after of as that one came after what it kept alive: a timer sends them
	own    []prefix.Hash // what its last message says, where origin did not hold it
	at     int           // that message
	answer string        // id of an answer that holds something
}

func newCache9() *cache9 {
	return &cache9{bases: bases{}, waits: map[*call]*poke{}, last: map[*chain]*poke{}}
}

func (o *cache9) see(m *moment, t *tally) {
	o.bases.note(m)
	switch {
	case m.Op != nil && (m.Op.Name == "prompt" || m.Op.Name == "queue"):
		o.typed(m.Op.Text)
	case m.write != nil:
		o.logged(m.write, t)
	case m.call == nil || !cacheOfAnthropic(m):
	case m.Event.Request != nil && m.call.chain.name == keepAlive:
		if p := o.poke(m.call); p != nil {
			p.named = m.Event.Request.Chain == keepAlive
			o.waits[m.call] = p
			idle(m, p, t)
		}
	case m.Event.Request != nil && !m.call.chain.alone():
		o.sent(m.call, t)
	case m.Event.Response != nil:
		p := o.waits[m.call]
		delete(o.waits, m.call)
		if p != nil && m.answer.accepted {
			o.last[m.call.chain] = p
			kept(m, p, t)
		}
	}
}

// poke reads a keep-alive, nil where nothing is known to be stored of what it begins with.
func (o *cache9) poke(c *call) *poke {
	var of *call
	for _, b := range o.bases { // any order: the newest is one
		if b.cached > 0 && b.model.ID == c.model.ID && b.breaks == c.breaks && (of == nil || b.number > of.number) && begins(b, c) {
			of = b
		}
	}
	if of == nil {
		return nil
	}
	p := &poke{call: c, of: of, origin: of, gap: c.when - of.when}
	if before := o.last[of.chain]; before != nil && before.call == of {
		p.origin = before.origin
		p.timed = max(p.gap-before.gap, before.gap-p.gap) <= p.gap/10
	}
	msgs := c.chain.conv.msgs
	if last := len(msgs) - 1; last >= p.origin.req.MessageCount() && msgs[last].role == "user" {
		p.at = last
		for _, b := range msgs[last].blocks {
			p.own = append(p.own, b.digest)
		}
	}
	return p
}

// idle judges whether the conversation should be left alone by now.
func idle(m *moment, p *poke, t *tally) {
	most, err := time.ParseDuration(m.reading.compacts.options[idleOption])
	if rest := p.call.when - p.origin.when; err == nil && most > 0 && rest > most {
		t.report(fmt.Sprintf("idle %d", p.origin.number), C, 0,
			fmt.Sprintf("call %d keeps the cache warm, %s after call %d, the newest request of the conversation", p.call.number, rest, p.origin.number),
			fmt.Sprintf("by %s of the run it stops after %s", idleOption, most))
	}
}

// kept judges what a keep-alive read. One that comes when nothing can be there any more may be meant to store it anew,
// before it is needed; it is judged where the stream calls it a keep-alive, or a timer sends it.
func kept(m *moment, p *poke, t *tally) {
	if len(m.answer.Blocks) > 0 {
		p.answer = m.answer.ID
	}
	c, of := p.call, p.of
	late := p.gap >= of.life()
	_, settled := finds(of, c)
	others := otherSettings(of, c) || !bytes.Equal(of.req.Get("thinking").Raw(), c.req.Get("thinking").Raw())
	if late && !p.named && !p.timed || !settled && !others { // a first image or citation costs what it has to (messages-api.md 5.7)
		return
	}
	t.occasion()
	read, written := m.answer.Usage.CacheRead, m.answer.Usage.CacheCreation
	had := fmt.Sprintf("call %d had read and written %d, and call %d begins with the same blocks", of.number, of.cached, c.number)
	switch lost := min(of.cached, c.cached) - read; {
	case late && lost > 0:
		had = fmt.Sprintf("that was %s after call %d, whose entries live %s", p.gap, of.number, of.life())
	case lost > 0 && others:
		had += ", under other settings"
	case lost > 0:
	case read == 0 && written == 0:
		t.report(fmt.Sprintf("nothing %d", c.number), C, 0, fmt.Sprintf("the answer of call %d, which keeps the cache warm, reports that nothing was read and nothing written", c.number), had)
		return
	default:
		return
	}
	t.report(fmt.Sprintf("poke %d", c.number), C, min(of.cached, c.cached)-read,
		fmt.Sprintf("the answer of call %d, which keeps the cache warm, reports %d tokens read and %d written", c.number, read, written), had)
}

// pokes lists the newest keep-alive of each chain, in the order of their calls.
func (o *cache9) pokes() []*poke {
	return slices.SortedFunc(maps.Values(o.last), func(a, b *poke) int { return cmp.Compare(a.call.number, b.call.number) })
}

// typed forgets what a keep-alive says where the user says the same.
func (o *cache9) typed(text string) {
	quoted, err := json.Marshal(text)
	if err != nil {
		return
	}
	v, err := wire.ParseValue(quoted)
	if err != nil {
		return
	}
	said := blockDigest(v, true)
	for _, p := range o.pokes() {
		if slices.Contains(p.own, said) {
			p.own = nil
		}
	}
}

// sent looks for what a keep-alive said in a request of the conversation. Where it is the newest prompt there, somebody
// may have typed the same; behind a newer one it stands in the history without ever having been asked.
func (o *cache9) sent(c *call, t *tally) {
	conv := c.chain.conv
	for _, p := range o.pokes() {
		if len(p.own) == 0 || p.at >= len(conv.msgs) || !begins(p.origin, c) ||
			!slices.EqualFunc(conv.msgs[p.at].blocks, p.own, func(b block, said prefix.Hash) bool { return b.digest == said }) {
			continue
		}
		if conv.turn > p.at {
			t.report(fmt.Sprintf("history %d", p.call.number), C, 0, c.at(p.at, 0)+" stands in the conversation",
				fmt.Sprintf("call %d said it to keep the cache warm, and nobody asked it since", p.call.number))
		}
		p.own = nil
	}
}

// logged looks for the answer of a keep-alive in a session log.
func (o *cache9) logged(w *write, t *tally) {
	for _, e := range w.entries {
		for _, p := range o.pokes() {
			if e.message != "" && e.message == p.answer {
				t.report("logged "+w.file.at(e), C, 0, fmt.Sprintf("%s holds the answer of call %d", w.file.at(e), p.call.number),
					fmt.Sprintf("call %d keeps the cache warm, and belongs to no conversation", p.call.number))
			}
		}
	}
}
