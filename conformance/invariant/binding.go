package invariant

import (
	"fmt"

	"harnessbench/internal/prefix"
)

// loosened is a thinking block of a request that does not stand where it was made.
type loosened struct {
	key         string // names the fault
	msg, index  int
	fact, other string
}

// loose lists the thinking blocks of a request to a bound model whose binding is broken, in order. Where the server may drop
// them, those are left out that were made before a declared break or before volatile text moved (D1), all in a request that
// begins otherwise than the conversation by its nature, and all where nothing says what declares a break: a summary in the
// place of messages is one that a harness may make so (invariants.md 5). What that costs is for CACHE-1.
// tested: the request held thinking of which the binding is known.
func (th *thoughts) loose(c *call, told bool) (out []loosened, tested bool) {
	if !c.model.Bound {
		return nil, false
	}
	drop := c.req.Get("thinking").Get("block_binding").Get("prefix_mismatch_behavior").Text() == "drop_block"
	before, known := "", true
	next := blockFinder(&c.rendered.Blocks)
	for i, msg := range c.chain.conv.msgs {
		for _, t := range msg.thinking {
			made := th.find(t)
			if t.key == "" || made == nil || !made.model.Bound {
				before, known = t.key, false
				continue
			}
			tested = true
			exempt := drop && (!told || c.apart || made.breaks < c.breaks+c.moved)
			here := c.at(i, t.index)
			if b := next(i, t.index); b != nil && b.Bind != made.bind && !exempt {
				out = append(out, loosened{"bind " + t.key, i, t.index, here + ": thinking behind another conversation than it was made in", made.String()})
			}
			if known && before != "" && made.before != before && !exempt {
				out = append(out, loosened{"gap " + t.key, i, t.index,
					fmt.Sprintf("%s: thinking directly behind that with %s", here, short(before)), gapFact(th, made)})
			}
			before, known = t.key, true
		}
	}
	return out, tested
}

// loosens tells whether the change from base to next that shows first at block k of next broke the
// binding of thinking that stands there or behind.
func loosens(base, next *call, k int) bool {
	at := next.rendered.Blocks.At(k)
	for _, l := range next.loose {
		behind := at.Level != prefix.Messages || l.msg > at.Message || l.msg == at.Message && l.index >= at.Index
		if behind && !base.broke(l.key) {
			return true
		}
	}
	return false
}

// broke tells whether a fault showed in this request already.
func (c *call) broke(key string) bool {
	for _, l := range c.loose {
		if l.key == key {
			return true
		}
	}
	return false
}

// gapFact says what stood before the block when it was made.
func gapFact(register *thoughts, made *issued) string {
	if made.before == "" {
		return made.String() + ", when no thinking was sent before it"
	}
	fact := fmt.Sprintf("%s, directly behind the thinking with %s", made, short(made.before))
	if b := register.issued[made.before]; len(b) > 0 {
		fact += fmt.Sprintf(" (call %d, answer block %d)", b[len(b)-1].call, b[len(b)-1].index)
	}
	return fact
}

// blockFinder finds rendered blocks of messages by message and index, asked for in rising order.
func blockFinder(blocks *prefix.Blocks) func(msg, index int) *prefix.Block {
	n := 0
	return func(msg, index int) *prefix.Block {
		for ; n < blocks.Len(); n++ {
			if b := blocks.At(n); b.Level == prefix.Messages && (b.Message > msg || b.Message == msg && b.Index >= index) {
				if b.Message == msg && b.Index == index {
					return b
				}
				return nil
			}
		}
		return nil
	}
}

// leaves tells that volatile text of the base is gone from the next request or stands elsewhere in it, which is a declared
// break where it goes so (D1). Memory that says something else, in front of everything, is none.
func leaves(base, next *call) bool {
	if base == nil || !next.moves || !volatileMoved(base, next) {
		return false
	}
	i := firstDifference(base.rendered, next.rendered)
	if i >= next.rendered.Blocks.Len() {
		return true
	}
	now := next.rendered.Blocks.At(i)
	return now.Message != 0 || now.Index != 0 || !next.isReminder(now)
}

// apart tells a request for a summary that cannot begin as the conversation does: it goes without tools where the run says
// so (H-CMP-46), or old rounds were cut from it when it was refused as too long (H-CMP-54).
func (x *compactions) apart(c *call) bool {
	if c.chain.name != "compact" {
		return false
	}
	return x.options["compact.request"] == "no-tools" && len(offered(c)) == 0 || x.open != nil && x.open.tooLong > 0
}
