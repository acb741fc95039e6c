package invariant

import (
	"fmt"
	"strings"

	"harnessbench/internal/prefix"
)

// resends looks, on the wire alone, for a request that asks for a summary and is sent again and again as it was, though it is
// refused as too long. A person may press a button some times, so that only more than any harness may try is a fault, and
// only where nothing else is sent between.
type resends struct {
	body  prefix.Hash
	times int // it was refused as too long, one behind the other
	first int // call
}

func (o *resends) see(m *moment, t *tally) {
	switch {
	case m.call == nil:
	case m.Event.Request != nil:
		if m.call.digestOfBody() != o.body {
			*o = resends{body: m.call.digestOfBody(), first: m.call.number}
		}
		if o.times > maxHeadCuts {
			t.broken(fmt.Sprintf("unchanged %d", o.first), fmt.Sprintf("call %d asks for a summary in the same bytes as call %d", m.call.number, o.first),
				fmt.Sprintf("%d such requests before it were refused as too long", o.times))
		}
	case m.Event.Response != nil:
		if m.call.digestOfBody() != o.body {
			return
		}
		if o.times++; !tooLong(m.Event.Response) || !m.call.wantsSummary() {
			*o = resends{}
			return
		}
		t.occasion()
	}
}

// wantsSummary tells whether the newest words of a request ask for a summary.
func (c *call) wantsSummary() bool {
	n := c.req.MessageCount()
	if n == 0 || c.req.Message(n-1).Role() != "user" {
		return false
	}
	blocks := c.req.Message(n - 1).Blocks()
	if len(blocks) == 0 {
		return false
	}
	words := strings.ToLower(blocks[len(blocks)-1].TextValue().Text())
	return strings.Contains(words, "summar") || strings.Contains(words, "compact")
}
