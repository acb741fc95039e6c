package record

import (
	"fmt"

	"github.com/zeebo/xxh3"

	"harnessbench/internal/wire"
)

// chains names conversations. A title or compaction request begins with another message, or offers no tools,
// so it is a chain of its own.
type chains struct{ names map[uint64]string }

func (c *chains) of(body []byte) string {
	req, err := wire.Parse(nil, body)
	if err != nil || req.MessageCount() == 0 {
		return "none"
	}
	h := xxh3.New()
	first := req.Message(0)
	for _, b := range first.Blocks() {
		// The beginning of a conversation is told by its texts: a marker, or string against block, changes nothing.
		_, _ = h.WriteString(b.Type() + "\x00" + b.TextValue().Text() + "\x00")
	}
	_, _ = fmt.Fprintf(h, "%s %s %v", first.Role(), req.Model(), req.Get("tools").Len() > 0)
	key := h.Sum64()
	name, known := c.names[key]
	if !known {
		name = fmt.Sprintf("chain-%d", len(c.names)+1)
		c.names[key] = name
	}
	return name
}
