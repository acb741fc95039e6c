package harness_test

import (
	"harnessbench/harness/world"
)

// hook calls before ahead of every port call, with its running number from 1.
type hook struct {
	n      int
	before func(n int, op, detail string)
	after  func(n int, op, detail string)
}

func (h *hook) Before(op world.Op, detail string) {
	h.n++
	if h.before != nil {
		h.before(h.n, op, detail)
	}
}

func (h *hook) After(op world.Op, detail string, _ error) {
	if h.after != nil {
		h.after(h.n, op, detail)
	}
}

// nth calls f before the n-th call of op.
func nth(op string, n int, f func()) *hook {
	return &hook{before: func(_ int, o, _ string) {
		if o != op {
			return
		}
		if n--; n == 0 {
			f()
		}
	}}
}
