package invariant

import (
	"fmt"
	"unicode/utf8"
)

// taughtThreshold is the size above which the teaching profile compacts, in tokens of four characters, whatever the model
// is (H-CMP-39). taughtDoubt is the part of it, in percent, within which this judge does not say on which side a list is.
const (
	taughtThreshold = 50_000
	taughtDoubt     = 5
	taughtTail      = 47 // messages that a list which lost its middle still has at its end (H-CMP-15)
)

// taughtSize is what the messages of a request have by the count of the teaching profile, without text of the newest turn
// alone.
func (c *call) taughtSize() int {
	chars := 0
	for i, msg := range c.chain.conv.msgs {
		for k, b := range c.req.Message(i).Blocks() {
			if !msg.blocks[k].reminder || i != len(c.chain.conv.msgs)-1 {
				chars += utf8.RuneCount(b.Raw())
			}
		}
	}
	return chars / 4
}

// taughtEarly judges a compaction of the teaching profile that nobody asked for.
func (o *cmp2) taughtEarly(m *moment, t *tally) {
	t.occasion()
	o.taught = true
	if n := m.call.taughtSize(); n < taughtThreshold*(100-taughtDoubt)/100 {
		t.broken(fmt.Sprintf("early %d", m.call.number), fmt.Sprintf("call %d asks for a summary that no command wants, of %d tokens", m.call.number, n),
			fmt.Sprintf("the teaching profile has its threshold at %d", taughtThreshold))
	}
}

// taughtLate judges a main request of the teaching profile that left without a compaction before it.
func (o *cmp2) taughtLate(m *moment, x *compactions, t *tally) {
	n := m.call.taughtSize()
	if x.off() || n <= taughtThreshold*(100+taughtDoubt)/100 || x.refused {
		return
	}
	t.occasion()
	if !o.taught && o.failures < maxFailures {
		t.broken(fmt.Sprintf("late %d", m.call.number), fmt.Sprintf("call %d was sent with %d tokens, and no compaction was tried before it", m.call.number, n),
			fmt.Sprintf("the teaching profile has its threshold at %d", taughtThreshold))
	}
}
