package account

import "harnessbench/internal/wire"

// Usage is the tokens of one call or step, in parts that do not overlap (H-LOG-28).
type Usage struct{ Input, Write5m, Write1h, Read, Output int }

// Context is the size of the call's context (H-ACC-10).
func (u Usage) Context() int { return u.Input + u.Write5m + u.Write1h + u.Read }

// Uncached is the part of the context that was worked through anew (H-ACC-10).
func (u Usage) Uncached() int { return u.Input + u.Write5m + u.Write1h }

func (u Usage) plus(o Usage) Usage {
	return Usage{u.Input + o.Input, u.Write5m + o.Write5m, u.Write1h + o.Write1h, u.Read + o.Read, u.Output + o.Output}
}

// Call is what one API call used, from its usage object.
type Call struct {
	// Last is the step whose context the conversation now has: the last one that made the answer, not a
	// compaction the server ran before it (messages-api.md 3).
	Last Usage
	// steps are what is paid for, with a model where it is another than the call's.
	steps []step
}

type step struct {
	model string
	Usage
}

// Output is the output of all steps, which says which of several records of one call is the final one
// (H-LOG-27).
func (c Call) Output() int {
	n := 0
	for _, s := range c.steps {
		n += s.Output
	}
	return n
}

// Steps are the parts that are paid for, each by itself.
func (c Call) Steps() []Usage {
	out := make([]Usage, len(c.steps))
	for i, s := range c.steps {
		out[i] = s.Usage
	}
	return out
}

// Read reads a usage object. What is missing or of a wrong type counts as 0; no object gives an empty call.
//
// A call of several steps, such as a server-side compaction and the answer after it, is paid by step: the counts
// at the top leave the compaction out (H-CMP-85).
func Read(raw []byte) Call {
	v, err := wire.ParseValue(raw)
	if err != nil || v.Kind() != '{' {
		return Call{}
	}
	if v.Get("iterations").Len() == 0 {
		u := readUsage(v)
		return Call{u, []step{{"", u}}}
	}
	c := Call{Last: readUsage(v)}
	for _, it := range v.Get("iterations").Elems() {
		u := readUsage(it)
		c.steps = append(c.steps, step{it.Get("model").Text(), u})
		if t := it.Get("type").Text(); t == "message" || t == "fallback_message" {
			c.Last = u
		}
	}
	return c
}

// readUsage reads one set of counts. A write that no lifetime is named for has the shorter one, unless all that
// is named has the longer.
func readUsage(v wire.Value) Usage {
	count := func(v wire.Value) int {
		n, _ := v.Int()
		return int(max(n, 0))
	}
	u := Usage{
		Input:   count(v.Get("input_tokens")),
		Write5m: count(v.Get("cache_creation").Get("ephemeral_5m_input_tokens")),
		Write1h: count(v.Get("cache_creation").Get("ephemeral_1h_input_tokens")),
		Read:    count(v.Get("cache_read_input_tokens")),
		Output:  count(v.Get("output_tokens")),
	}
	if rest := count(v.Get("cache_creation_input_tokens")) - u.Write5m - u.Write1h; rest > 0 {
		if u.Write1h > 0 && u.Write5m == 0 {
			u.Write1h += rest
		} else {
			u.Write5m += rest
		}
	}
	return u
}
