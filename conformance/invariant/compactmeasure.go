package invariant

import (
	"bytes"

	"harnessbench/conformance/trace"
	"harnessbench/internal/tokens"
)

// measure is how large a conversation was when an answer told so.
type measure struct {
	base *call
	size int
}

// passOn forgets but for the size of the conversation, which the next process, or the next model, goes on with.
func (x *compactions) passOn(op *trace.Op) {
	switch {
	case op.Copy:
		x.past = nil
	case x.base == nil:
	case x.size > 0 && !x.shifted && !x.refused && !x.cut:
		x.past = &measure{x.base, x.size}
	default:
		x.past = nil
	}
	x.forget()
}

// fromLine is what a write holds from the line of an entry on: bytes, and tokens.
func (x *compactions) fromLine(w *write, e *entry) (size int, weight float64) {
	at := max(0, bytes.Index(w.Data, []byte(`"uuid":"`+e.uuid+`"`)))
	own := w.Data[bytes.LastIndexByte(w.Data[:at], '\n')+1:]
	if x.base != nil {
		weight = tokens.For(x.base.model).Text(own)
	}
	return len(own), weight
}
