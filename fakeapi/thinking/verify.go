package thinking

import (
	"slices"
	"sort"

	"harnessbench/fakeapi/validate"
	"harnessbench/internal/model"
	"harnessbench/internal/prefix"
	"harnessbench/internal/wire"
)

// Policy is how the account and the request stand to the prefix check of bound models (messages-api.md 6.6).
type Policy struct {
	Enforced bool // a mismatch counts; otherwise it is let through
	Drop     bool // block_binding.prefix_mismatch_behavior is drop_block: leave the block out instead of refusing
	Trust    bool // blocks that this server did not make are taken as true ones, of which nothing is known: recorded traffic
	Controls bool // the beta of block_binding was sent: the refusal need not name it
}

// Reasons of a block that does not enter the prompt, or of a mismatch let through.
const (
	OtherOrganization = "organization_binding_mismatch"
	OtherModel        = "model_binding_mismatch"
	OtherPrefix       = "prefix_binding_mismatch"
)

// Transformation is one thinking block that the check left out (Allowed false) or let through although its
// prefix changed (Allowed true).
type Transformation struct {
	Path    string
	Message int
	Index   int // of the block in its message
	Reason  string
	Allowed bool
}

// Verified is the outcome of a request that passed.
type Verified struct {
	rendered *prefix.Rendered
	policy   Policy
	last     *checked // newest thinking block
}

// checked is one thinking block and, through it, those before; a later request of the conversation shares them.
type checked struct {
	before *checked
	change *change // what became of this or the nearest earlier block of which there is something to tell
	block  int     // in the rendering
	id     prefix.Hash
	by     string // id of the model that thought, "" when nothing is known
	broken bool   // the chain is broken from here on
	lost   bool   // the block cannot enter any prompt of this account
}

// link is the newest block up to c that a model takes into its prompt, nil for none: what its next one comes
// after. A block that it does not take is no link, since the client may leave it out.
func (c *checked) link(m model.Model) *checked {
	for ; c != nil; c = c.before {
		if c.lost || c.broken {
			continue
		}
		if c.by == m.ID {
			return c
		}
		if by, known := model.Lookup(c.by); !known || m.ReadsThinkingOf(by) {
			return c
		}
	}
	return nil
}

type change struct {
	before *change
	Transformation
}

// Transformations lists what was left out or let through, in request order.
func (v *Verified) Transformations() []Transformation {
	var out []Transformation
	if v.last == nil {
		return nil
	}
	for c := v.last.change; c != nil; c = c.before {
		out = append(out, c.Transformation)
	}
	slices.Reverse(out)
	return out
}

// Last is the identity of the newest thinking block of the request that entered the prompt, zero when there is
// none: what the next one comes after.
func (v *Verified) Last() prefix.Hash {
	if c := v.last.link(v.rendered.Model); c != nil {
		return c.id
	}
	return prefix.Hash{}
}

// Verify checks every thinking block of a rendering. prev, which may be nil, is the outcome for an earlier
// request of the conversation, shared the number of leading messages whose bytes are those of that request;
// the result does not depend on them.
func (s *Signer) Verify(prev *Verified, shared int, r *prefix.Rendered, p Policy) (*Verified, *validate.Fault) {
	v := &Verified{rendered: r, policy: p}
	latest := latestTurn(r.Request)
	turn := turnOrder{}
	for i, b := range r.Blocks.From(v.takeOver(prev, min(shared, latest.first))) {
		if b.Level != prefix.Messages || b.Type != "thinking" && b.Type != "redacted_thinking" {
			if b.Type == "tool_use" && latest.holds(b) && !turn.call(b) {
				return nil, modified(turn.newest)
			}
			continue
		}
		c := &checked{before: v.last, block: i}
		if v.last != nil {
			c.change, c.broken = v.last.change, v.last.broken
		}
		if fault := s.check(v, c, b, latest.holds(b), &turn); fault != nil {
			return nil, fault
		}
		v.last = c
	}
	return v, nil
}

// takeOver keeps the outcome for the first shared messages and returns the first block to check. The messages of
// the latest assistant turn are always checked: more is asked of them.
func (v *Verified) takeOver(prev *Verified, shared int) int {
	r := v.rendered
	if prev == nil || prev.policy != v.policy || prev.rendered.Model.ID != r.Model.ID {
		return 0
	}
	k := sort.Search(r.Blocks.Len(), func(i int) bool {
		b := r.Blocks.At(i)
		return b.Level == prefix.Messages && b.Message >= shared
	})
	if k == 0 || k > prev.rendered.Blocks.Len() {
		return 0
	}
	// the place is compared too: a deferred tool is in no chain and yet moves the blocks behind it
	if a, b := prev.rendered.Blocks.At(k-1), r.Blocks.At(k-1); a.Bind != b.Bind || a.Level != b.Level || a.Message != b.Message || a.Index != b.Index {
		return 0
	}
	v.last = prev.last
	for v.last != nil && v.last.block >= k {
		v.last = v.last.before
	}
	return k
}

// check checks one thinking block; strict when it stands in the latest turn.
func (s *Signer) check(v *Verified, c *checked, b *prefix.Block, strict bool, order *turnOrder) *validate.Fault {
	r := v.rendered
	sig, text, hidden := sealedIn(r.Value(b), b.Type)
	c.id = HashOf(sig)
	seal, ok := s.Open(sig)
	if !ok || seal.Redacted != hidden {
		if v.policy.Trust {
			return nil
		}
		return invalidSeal(b)
	}
	if text != "" && !seal.Omitted && HashOf(text) != seal.Text {
		if strict {
			return modified(b)
		}
		return invalidSeal(b)
	}
	if strict && !order.next(b, seal) {
		return modified(b)
	}
	c.by = seal.Model
	if reason := s.unreadable(r.Model, seal); reason != "" {
		c.lost = reason == OtherOrganization
		c.tell(b, reason, false)
		return nil
	}
	producer, _ := model.Lookup(seal.Model)
	if r.Model.Bound && producer.Bound {
		link := c.before.link(producer)
		mismatch := seal.Bind != b.Bind || link != nil && seal.Before != link.id
		if v.policy.Enforced {
			c.broken = c.broken || mismatch
		} else if mismatch {
			c.tell(b, OtherPrefix, true)
		}
		if c.broken && !v.policy.Drop {
			return boundElsewhere(b, v.policy.Controls)
		}
	}
	if c.broken {
		c.tell(b, OtherPrefix, false)
	}
	return nil
}

// tell books what becomes of the block.
func (c *checked) tell(b *prefix.Block, reason string, allowed bool) {
	c.change = &change{c.change, Transformation{b.Path(), b.Message, b.Index, reason, allowed}}
}

// sealedIn is the signature of a block, or the data of a redacted one, and the text it shows.
func sealedIn(v wire.Value, typ string) (sig, text string, redacted bool) {
	if typ == "redacted_thinking" {
		return v.Get("data").Text(), "", true
	}
	return v.Get("signature").Text(), v.Get("thinking").Text(), false
}

// unreadable is why the block cannot be read at all; such a block is dropped without a word (6.6).
func (s *Signer) unreadable(reader model.Model, seal Seal) string {
	producer, known := model.Lookup(seal.Model)
	switch {
	case known && producer.AccountBound && seal.Account != s.account:
		return OtherOrganization
	case !known || !reader.ReadsThinkingOf(producer):
		return OtherModel
	}
	return ""
}

// turn is the latest assistant turn: the run of assistant messages at or nearest the end.
type turn struct {
	first, last int
}

func latestTurn(req *wire.Request) turn {
	n := req.MessageCount()
	t := turn{first: n, last: -1}
	for i := n - 1; i >= 0; i-- {
		m := req.Message(i)
		if m.Role() != "assistant" {
			if t.last >= 0 {
				break
			}
			continue
		}
		if t.last < 0 {
			t.last = i
		}
		t.first = i
	}
	return t
}

func (t turn) holds(b *prefix.Block) bool { return b.Message >= t.first && b.Message <= t.last }

// turnOrder follows the thinking blocks of the latest turn: those of one answer begin with its first and leave
// none out (6.5). One that is missing behind the others is missed at the next tool call of the message, which the
// answer made after it; without such a call it cannot be told from an answer that was cut. None at all is what a
// client that keeps no thinking sends, and degrades.
type turnOrder struct {
	answer prefix.Hash
	want   int
	newest *prefix.Block
	gap    int // of its seal, less the calls since
}

// call takes up a tool call; false when a thinking block of the answer had to come before it.
func (o *turnOrder) call(b *prefix.Block) bool {
	if o.newest == nil || o.newest.Message != b.Message {
		return true
	}
	if o.gap > 1 {
		o.gap--
		return true
	}
	return o.gap == 0
}

func (o *turnOrder) next(b *prefix.Block, s Seal) bool {
	o.newest, o.gap = b, s.Gap
	if s.Answer != o.answer {
		o.answer, o.want = s.Answer, 0
	}
	ok := s.Ordinal == o.want
	o.want++
	return ok
}
