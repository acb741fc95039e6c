package thinking

import (
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
	blocks   []checked
}

// checked is one thinking block of the request, in order.
type checked struct {
	block  int // in the rendering
	id     prefix.Hash
	broken bool // the chain is broken from here on
	change *Transformation
}

// Transformations lists what was left out or let through, in request order.
func (v *Verified) Transformations() []Transformation {
	var out []Transformation
	for _, b := range v.blocks {
		if b.change != nil {
			out = append(out, *b.change)
		}
	}
	return out
}

// NotJudged lists the paths of redacted blocks' data, in request order: its rules are not built.
func (v *Verified) NotJudged() []string {
	var out []string
	for _, b := range v.blocks {
		if r := v.rendered.Blocks.At(b.block); r.Type == "redacted_thinking" {
			out = append(out, r.Path()+".data")
		}
	}
	return out
}

// Last is the identity of the newest thinking block of the request, zero when there is none: what the next
// one comes after.
func (v *Verified) Last() prefix.Hash {
	if len(v.blocks) == 0 {
		return prefix.Hash{}
	}
	return v.blocks[len(v.blocks)-1].id
}

// Verify checks every thinking block of a rendering. prev, which may be nil, is the outcome for an earlier
// request of the conversation, shared the number of leading messages whose bytes are those of that request;
// the result does not depend on them.
func (s *Signer) Verify(prev *Verified, shared int, r *prefix.Rendered, p Policy) (*Verified, *validate.Fault) {
	v := &Verified{rendered: r, policy: p}
	from := v.takeOver(prev, shared)
	latest := latestTurn(r.Request)
	turn := turnOrder{}
	for i := from; i < r.Blocks.Len(); i++ {
		b := r.Blocks.At(i)
		if b.Level != prefix.Messages {
			continue
		}
		switch b.Type {
		case "thinking":
			if fault := s.thinking(v, i, latest, &turn); fault != nil {
				return nil, fault
			}
		case "redacted_thinking":
			v.blocks = append(v.blocks, checked{block: i, id: HashOf(r.Value(b).Get("data").Text()), broken: v.broken()})
		}
	}
	return v, nil
}

// takeOver keeps the outcome for the messages both requests share and returns the first block to check.
// The messages of the latest assistant turn are always checked: more is asked of them.
func (v *Verified) takeOver(prev *Verified, shared int) int {
	r := v.rendered
	if prev == nil || prev.policy != v.policy || prev.rendered.Model.ID != r.Model.ID {
		return 0
	}
	shared = min(shared, latestTurn(r.Request).first)
	k := sort.Search(r.Blocks.Len(), func(i int) bool {
		return r.Blocks.At(i).Level == prefix.Messages && r.Blocks.At(i).Message >= shared
	})
	if k == 0 || k > prev.rendered.Blocks.Len() {
		return 0
	}
	// the place is compared too: a deferred tool is in no chain and yet moves the blocks behind it
	if a, b := prev.rendered.Blocks.At(k-1), r.Blocks.At(k-1); a.Bind != b.Bind || a.Level != b.Level || a.Message != b.Message || a.Index != b.Index {
		return 0
	}
	for _, b := range prev.blocks {
		if b.block >= k {
			break
		}
		v.blocks = append(v.blocks, b)
	}
	return k
}

func (v *Verified) broken() bool { return len(v.blocks) > 0 && v.blocks[len(v.blocks)-1].broken }

// thinking checks one thinking block.
func (s *Signer) thinking(v *Verified, i int, latest turn, order *turnOrder) *validate.Fault {
	r := v.rendered
	b := r.Blocks.At(i)
	value := r.Value(b)
	sig, text := value.Get("signature").Text(), value.Get("thinking").Text()
	seal, ok := s.Open(sig)
	if !ok {
		return invalidSignature(b)
	}
	inLatest := b.Message >= latest.first && b.Message <= latest.last
	if text != "" && !seal.Omitted && HashOf(text) != seal.Text {
		if inLatest {
			return modified(b)
		}
		return invalidSignature(b)
	}
	if inLatest && latest.open && !order.next(seal) {
		return modified(b)
	}
	c := checked{block: i, id: HashOf(sig), broken: v.broken()}
	if reason := s.unreadable(r.Model, seal); reason != "" {
		c.change = &Transformation{Path: b.Path(), Message: b.Message, Index: b.Index, Reason: reason}
		v.blocks = append(v.blocks, c)
		return nil
	}
	producer, _ := model.Lookup(seal.Model)
	if r.Model.Bound && producer.Bound {
		gap := len(v.blocks) > 0 && seal.Before != v.blocks[len(v.blocks)-1].id
		if v.policy.Enforced {
			c.broken = c.broken || gap || seal.Bind != b.Bind
		} else if gap || seal.Bind != b.Bind {
			c.change = &Transformation{b.Path(), b.Message, b.Index, OtherPrefix, true}
		}
		if c.broken && !v.policy.Drop {
			return boundElsewhere(b)
		}
	}
	if c.broken {
		c.change = &Transformation{b.Path(), b.Message, b.Index, OtherPrefix, false}
	}
	v.blocks = append(v.blocks, c)
	return nil
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
	open        bool // it calls tools, so its thinking must come back whole (6.5)
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
		for _, b := range m.Blocks() {
			t.open = t.open || b.Type() == "tool_use"
		}
	}
	return t
}

// turnOrder follows the thinking blocks of the open turn: those of one answer begin with its first and leave
// none out. Missing ones at the end cannot be told from an answer that was cut.
type turnOrder struct {
	answer prefix.Hash
	want   int
}

func (o *turnOrder) next(s Seal) bool {
	if s.Answer != o.answer {
		o.answer, o.want = s.Answer, 0
	}
	ok := s.Ordinal == o.want
	o.want++
	return ok
}
