package rebuild

import (
	"strings"

	"harnessbench/harness/sessionlog"
)

// settle writes the open user message, its system message and an answer for good.
func (c *Conversation) settle(answer []sessionlog.Block) {
	c.rewind()
	c.writeUser(c.shown)
	c.previousTail = c.lastEligible(len(c.marks))
	c.writeAnswer(answer)
	c.done, c.sure = len(c.buf), len(c.marks)
}

// rewind takes back what may still change.
func (c *Conversation) rewind() { c.buf, c.marks = c.buf[:c.done], c.marks[:c.sure] }

// pending writes what stands behind the settled messages, to be taken back by the next rewind.
func (c *Conversation) pending() {
	c.rewind()
	kept := c.normal()
	if len(kept) == 0 {
		c.writeUser(c.system)
		return
	}
	c.writeUser(c.shown)
	c.writeAnswer(kept)
}

func (c *Conversation) writeUser(system []byte) {
	if len(c.user.calls) == 0 && len(c.user.rest) == 0 {
		return // a path cut off in its middle may begin with an answer, when there is no head
	}
	c.begin("user")
	for _, a := range c.user.calls {
		c.block(c.result(a.id), "tool_result")
	}
	for i, p := range c.user.rest {
		at := place{len(c.buf), len(c.marks)}
		c.block(p.raw, p.typ)
		if i == c.user.prompt {
			if at.offset = len(c.buf) - len(p.raw); c.prompt != nowhere {
				c.prompt = at
			}
		}
	}
	c.userEnd = len(c.buf)
	c.buf = append(c.buf, "]}"...)
	if system != nil {
		c.buf = append(append(c.buf, ','), system...)
		c.marks = append(c.marks, mark{end: len(c.buf)}) // counts as a position, bears no marker
	}
}

func (c *Conversation) writeAnswer(blocks []sessionlog.Block) {
	c.begin("assistant")
	for _, b := range blocks {
		c.block(b.Raw, b.Type)
		if b.Type == "compaction" {
			c.compaction = len(c.marks) - 1
		}
	}
	c.buf = append(c.buf, "]}"...)
}

func (c *Conversation) begin(role string) {
	if len(c.buf) > 0 {
		c.buf = append(c.buf, ',')
	}
	c.buf = append(append(append(c.buf, `{"role":"`...), role...), `","content":[`...)
}

func (c *Conversation) block(raw []byte, typ string) {
	if c.buf[len(c.buf)-1] != '[' {
		c.buf = append(c.buf, ',')
	}
	c.buf = append(c.buf, raw...)
	c.marks = append(c.marks, mark{len(c.buf), mayMark(typ)})
}

// mayMark tells the block types that take a marker (messages-api.md 5.2, H-REB-56).
func mayMark(typ string) bool {
	switch typ {
	case "text", "image", "document", "search_result", "tool_use", "tool_result", "server_tool_use", "compaction":
		return true
	}
	return strings.HasSuffix(typ, "_tool_result")
}

// lastEligible is the index of the last block before n that may bear a marker, -1 for none.
func (c *Conversation) lastEligible(n int) int {
	for i := n - 1; i >= 0; i-- {
		if c.marks[i].eligible {
			return i
		}
	}
	return -1
}
