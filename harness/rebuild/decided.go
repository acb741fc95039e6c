package rebuild

import "harnessbench/harness/sessionlog"

// decided repeats a decision about an entry: what was left out is not sent, and once for all of it stands a text. It
// reports whether the entry itself is left out.
func (c *Conversation) decided(e *sessionlog.Entry) bool {
	text, _, hidden := c.stand(e)
	if text != nil {
		c.openUser()
		c.user.add(textPiece(text))
	}
	return hidden
}
