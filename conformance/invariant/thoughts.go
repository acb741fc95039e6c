package invariant

import (
	"fmt"

	"harnessbench/internal/model"
	"harnessbench/internal/prefix"
)

// thoughts is the register of thinking the server issued in full (block stop seen), by signature or
// redacted data.
type thoughts struct {
	issued  map[string][]*issued
	foreign map[string]bool // keys that were there when the recording began
}

// issued is one thinking block as the server made it.
type issued struct {
	key    string
	call   int
	index  int // in the answer
	model  model.Model
	fields prefix.Hash
	bind   prefix.Hash // what was before it: its binding
	before string      // key of the thinking block before it in its conversation, "" for none
	breaks int         // declared breaks before it, moves of volatile text among them
}

func newThoughts() *thoughts {
	return &thoughts{issued: map[string][]*issued{}, foreign: map[string]bool{}}
}

func (i *issued) String() string {
	return fmt.Sprintf("call %d, answer block %d: issued by %s", i.call, i.index, i.model.ID)
}

// issue registers the thinking of an answer. Its binding is that of the request, continued over the
// blocks of the answer that came before it.
func (th *thoughts) issue(c *call, a answer) {
	chain, before := c.rendered.BindEnd, ""
	for i := len(c.chain.conv.msgs) - 1; i >= 0 && before == ""; i-- {
		if m := c.chain.conv.msgs[i]; len(m.thinking) > 0 {
			before = m.thinking[len(m.thinking)-1].key
		}
	}
	maker, known := model.Lookup(a.Model)
	if !known {
		maker = c.model
	}
	for i, v := range a.Blocks {
		if kind := v.Get("type").Text(); kind == "thinking" || kind == "redacted_thinking" {
			if key := thoughtKey(v); key != "" {
				th.issued[key] = append(th.issued[key], &issued{key: key, call: c.number, index: i, model: maker,
					fields: fieldsDigest(v), bind: chain, before: before, breaks: c.breaks + c.moved})
				before = key
			}
		}
		chain = prefix.ExtendBind(chain, "assistant", v)
	}
}

// sent looks at a request before it is judged: thinking that may come from before the recording, or
// from an answer the stream does not hold, is not judged by its origin.
func (th *thoughts) sent(c *call) {
	if !c.chain.foreign && !c.chain.lost {
		return
	}
	c.chain.foreign, c.chain.lost = false, false
	for _, m := range c.chain.conv.msgs {
		for _, t := range m.thinking {
			if t.key != "" && len(th.issued[t.key]) == 0 {
				th.foreign[t.key] = true
			}
		}
	}
}

// find is the issue of a block: the one with equal fields, else any of that key, nil when there is none.
func (th *thoughts) find(t thought) *issued {
	var last *issued
	for _, i := range th.issued[t.key] {
		if i.fields == t.fields {
			return i
		}
		last = i
	}
	return last
}
