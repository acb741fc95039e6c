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
	last, all := -1, reader.Bound
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
				all = true
			}
		}
	}
	if !all {
		return -1
	}
	return last
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

// NothingReadable tells that reader can read no thinking that other models made on a path: the server drops all of it
// by itself, so that it may be sent as it is (messages-api.md 6.6, thinking.onBreak=server). What another vendor made it
// does not drop but refuse.
func NothingReadable(path []*sessionlog.Entry, reader model.Model) bool {
	for _, e := range path {
		if e.Type != sessionlog.Assistant || e.Notice {
			continue
		}
		made, known := model.Lookup(e.Message.Model)
		if foreign := !known && model.Foreign(e.Message.Model); !foreign && (!known || made.ID == reader.ID || !reader.ReadsThinkingOf(made)) {
			continue
		}
		for i := range e.Message.Blocks {
			if e.Message.Blocks[i].IsThinking() {
				return false
			}
		}
	}
	return true
}
