package main

import (
	"fmt"

	"github.com/zeebo/xxh3"

	"harnessbench/internal/wire"
)

// conversations finds the conversation that a request goes on with, among clients that say nothing about it: the one
// whose newest request it holds whole, else the one it shares most messages with. A first message alone is no
// conversation in common, and a request with one message begins one: a wrong guess would be a wrong verdict.
type conversations struct {
	newest []talk // by use, the last used last
	begun  int
}

type talk struct {
	name     string
	messages []uint64 // of the newest request, each known by what it says
	head     uint64   // its system prompt and tools, which tell equal beginnings apart
}

// keptTalks bounds the search.
const keptTalks = 64

func (c *conversations) of(body []byte) string {
	req, err := wire.Parse(nil, body)
	if err != nil {
		return "unreadable"
	}
	said := make([]uint64, req.MessageCount())
	for i := range said {
		said[i] = saying(req.Message(i))
	}
	head := xxh3.Hash(append(append([]byte(nil), req.Get("system").Raw()...), req.Get("tools").Raw()...))
	best, most := -1, 0
	for i, t := range c.newest {
		n := leading(t.messages, said)
		if len(said) < 2 || n < 2 && n < len(t.messages) || n == 0 {
			continue
		}
		fit := 4 * n
		if n == len(t.messages) {
			fit += 2
		}
		if t.head == head {
			fit++
		}
		if fit >= most {
			best, most = i, fit
		}
	}
	if best < 0 {
		c.begun++
		c.newest = append(c.newest, talk{name: fmt.Sprintf("c%d", c.begun)})
		best = len(c.newest) - 1
	}
	t := c.newest[best]
	t.messages, t.head = said, head
	c.newest = append(append(c.newest[:best:best], c.newest[best+1:]...), t)
	if len(c.newest) > keptTalks {
		c.newest = c.newest[1:]
	}
	return t.name
}

// saying knows a message by its role and its texts and ids, whatever marks it carries.
func saying(m wire.Message) uint64 {
	key := []byte(m.Role())
	for _, b := range m.Blocks() {
		key = append(append(key, 0), b.Type()...)
		key = append(append(key, 0), b.TextValue().Text()...)
		for _, name := range []string{"id", "tool_use_id", "thinking", "signature"} {
			key = append(append(key, 0), b.Get(name).Text()...)
		}
	}
	return xxh3.Hash(key)
}

func leading(a, b []uint64) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}
