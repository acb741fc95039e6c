package harness

import (
	"fmt"
	"path"
	"strconv"

	"harnessbench/harness/tool"
	"harnessbench/harness/world"
)

// finished is a call with its result, before the result is logged.
type finished struct {
	call   *pendingCall
	raw    tool.Raw
	result tool.Result
	kept   bool // the disk did not take it
}

// spill keeps the results of a batch within their limits: each one by itself, then those of the whole answer together,
// the longest first (H-TOOL-71, D4). earlier is how many characters the answer's batches before have; they are logged,
// and what was decided about them stands (H-REB-63). The entry of a spilled result holds the text that stands for it, so
// that every later request repeats it; the file is there before the entry (H-TOOL-74).
func (s *Session) spill(w world.World, batch []finished, earlier int) (total int) {
	total = earlier
	for i := range batch {
		f := &batch[i]
		if f.call.TooLong(&f.result) {
			s.persist(w, f)
		}
		total += f.result.Chars()
	}
	for total > tool.MaxMessageChars {
		longest := longest(batch)
		if longest == nil {
			break
		}
		before := longest.result.Chars()
		s.persist(w, longest)
		total += longest.result.Chars() - before
	}
	return total
}

// longest is the longest result that may be spilled and gets shorter by it, the first of equal ones; nil for none.
func longest(batch []finished) (found *finished) {
	for i := range batch {
		f := &batch[i]
		if f.kept || !f.call.Spillable(&f.result) || f.result.Chars() <= minSpill {
			continue
		}
		if found == nil || f.result.Chars() > found.result.Chars() {
			found = f
		}
	}
	return found
}

// minSpill is a length in characters below which a spill would save nothing: that of a preview and what stands around it.
const minSpill = 3000

// persist saves a result beside the log and puts the place in its stead (H-TOOL-70, H-TOOL-72). A disk that does not
// take the file leaves the result whole, with a notice: the session goes on (H-LOG-88).
func (s *Session) persist(w world.World, f *finished) {
	full := f.result.Full
	if full == "" {
		full = f.result.Text
	}
	name := f.call.ID
	if f.call.Name == tool.BashName {
		name = shortID(w)
	}
	file := path.Join(s.resultsDir(), name+".txt")
	if err := w.Replace(file, []byte(full)); err != nil {
		f.kept = true
		s.notice(fmt.Sprintf("the long result of call %s could not be saved and stays whole: %v", f.call.ID, err))
		return
	}
	f.call.Persist(&f.result, f.raw, full, file)
}

// shortID is a name of 9 characters for a spilled output or a background task (H-TOOL-72, H-ARCH-21).
func shortID(w world.World) string {
	const digits = "00000000"
	n := strconv.FormatUint(w.Random()%(36*36*36*36*36*36*36*36), 36)
	return "b" + digits[len(n):] + n
}
