package harness

import (
	"fmt"
	"path"
	"strconv"

	"harnessbench/harness/sessionlog"
	"harnessbench/harness/tool"
	"harnessbench/harness/world"
)

// finished is a call with its result.
type finished struct {
	call   *pendingCall
	raw    tool.Raw
	result tool.Result
	logged bool // its entry is written
	kept   bool // the disk did not take it
}

// spill keeps results within their limits before they are sent: each one by itself, then those of one answer together,
// the longest first (H-TOOL-71, D4). What is spilled here stays so in every later request, and the file is there before
// the log says so (H-TOOL-74): the entry of the result holds the text that stands for it, or, when the entry of an earlier
// batch is written already, a record does (H-LOG-73, H-REB-63).
func (s *Session) spill(w world.World, answer []finished) error {
	if s.taught() {
		return nil // the budget of its pipeline does that (H-CMP-11)
	}
	total := 0
	for i := range answer {
		f := &answer[i]
		if !f.logged && f.call.TooLong(&f.result) {
			s.persist(w, f)
		}
		total += f.result.Chars()
	}
	for total > tool.MaxMessageChars {
		f := longest(answer)
		if f == nil {
			return nil
		}
		before := f.result.Chars()
		s.persist(w, f)
		total += f.result.Chars() - before
		if f.logged && !f.kept {
			if err := s.replaced(w, f); err != nil {
				return err
			}
		}
	}
	return nil
}

// replaced logs that another text stands for a result whose entry is written; it stays so (H-CMP-14).
func (s *Session) replaced(w world.World, f *finished) error {
	text := f.result.Whole()
	if err := s.write(w, sessionlog.Replacement(s.id, "", f.call.ID, text)); err != nil {
		return err
	}
	s.log.Decisions.Replace("", f.call.ID, sessionlog.Quote(text))
	s.sized = nil
	if s.reads != nil {
		s.reads.forget(f.call.ID)
	}
	return nil
}

// longest is the longest result that may be spilled and gets shorter by it, the first of equal ones; nil for none.
func longest(answer []finished) (found *finished) {
	for i := range answer {
		f := &answer[i]
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
