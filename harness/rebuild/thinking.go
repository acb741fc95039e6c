package rebuild

import (
	"harnessbench/harness/sessionlog"
	"harnessbench/internal/model"
)

// NoThinkingTo says up to which Order the thinking of a path is left out when reader is to go on with
// it (H-REB-36, D37): -1 for none. The model of each stretch stands in its entries. After a switch all
// thinking before it goes if the reader is bound, or cannot read some of it; never a part. Another vendor's
// thinking is read by none; any other name that is not in the table, as a gateway may give, counts as no switch.
func NoThinkingTo(path []*sessionlog.Entry, reader model.Model) int {
	last, unreadable := strange(path, reader)
	if !unreadable && !reader.Bound {
		return -1
	}
	return last
}

// UnreadableTo says the same where the request asks the server to drop what does not fit (thinking.onBreak=drop-block): a
// switch then costs only what the new model cannot read. What was left out for a model between stays so: thinking that
// was gone once is not valid where it comes back (messages-api.md 6.6).
func UnreadableTo(path []*sessionlog.Entry, reader model.Model) int {
	to, before := -1, ""
	see := func(n int, reader model.Model) {
		if last, unreadable := strange(path[:n], reader); unreadable {
			to = max(to, last)
		}
	}
	for i, e := range path {
		if e.Type != sessionlog.Assistant || e.Notice || e.Message.Model == before {
			continue
		}
		if before = e.Message.Model; i > 0 {
			if made, known := model.Lookup(before); known {
				see(i, made)
			}
		}
	}
	see(len(path), reader)
	return to
}

// strange is the Order of the last entry that another model made than reader, -1 for none; unreadable tells that reader
// cannot read some of the thinking that others made.
func strange(path []*sessionlog.Entry, reader model.Model) (last int, unreadable bool) {
	last = -1
	for _, e := range path {
		if e.Type != sessionlog.Assistant || e.Notice {
			continue
		}
		made, known := model.Lookup(e.Message.Model)
		foreign := !known && model.Foreign(e.Message.Model)
		if !known && !foreign || made.ID == reader.ID {
			continue
		}
		last = max(last, e.Order)
		for i := range e.Message.Blocks {
			if e.Message.Blocks[i].IsThinking() && (foreign || !reader.ReadsThinkingOf(made)) {
				unreadable = true
			}
		}
	}
	return last, unreadable
}

// ThinkingRefusedTo is the Order of the last entry of a path that says that the API refused the thinking before it, -1
// for none.
func ThinkingRefusedTo(path []*sessionlog.Entry) int {
	last := -1
	for _, e := range path {
		if e.Type == sessionlog.System && e.Subtype == sessionlog.ThinkingRefused {
			last = max(last, e.Order)
		}
	}
	return last
}
