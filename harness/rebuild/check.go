package rebuild

import (
	"bytes"
	"fmt"
)

// Check compares a conversation with a second one that was fed the same entries by another way, such as
// from the log (H-ARCH-12). What was settled and found equal before is not compared again, so the cost
// is that of what is new. A difference is a fault of the harness itself.
func (c *Conversation) Check(shadow *Conversation) error {
	c.pending()
	shadow.pending()
	from := min(c.same, len(shadow.buf))
	if bytes.Equal(c.buf[from:], shadow.buf[from:]) && c.done == shadow.done {
		c.same = c.done
		return nil
	}
	at := from
	for at < len(c.buf) && at < len(shadow.buf) && c.buf[at] == shadow.buf[at] {
		at++
	}
	return fmt.Errorf("harness fault: the messages in memory and those rebuilt from the log differ at byte %d: %q against %q",
		at, around(c.buf, at), around(shadow.buf, at))
}

func around(b []byte, at int) []byte { return b[max(0, min(at, len(b))-40):min(len(b), at+40)] }

// Messages is the array of messages without markers and volatile text, as two payloads are compared (H-REB-58).
func (c *Conversation) Messages() []byte {
	c.pending()
	return append(append([]byte{'['}, c.buf...), ']')
}

// CheckAll is Check from the first byte on.
func (c *Conversation) CheckAll(shadow *Conversation) error {
	c.same = 0
	return c.Check(shadow)
}
