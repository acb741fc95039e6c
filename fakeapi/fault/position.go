package fault

import (
	"fmt"
	"regexp"
	"strconv"
)

// Position is a place in an answer:
//
//	before_headers          nothing of the answer has left
//	after_headers           status and headers have left, no byte of the body
//	event 5                 behind the fifth event
//	byte 3 of event 5       behind the third byte of the fifth event
//	event message_delta     behind the first event of that name, or of that type of delta (text_delta)
//	event content_block_stop of tool_use 2
//	                        behind the second such event of a tool_use block
//	end                     behind the last event
//
// The zero Position is the default of what the fault does. In an answer that is not streamed the whole body is event 1.
type Position struct {
	word    string // before_headers, after_headers, event, end
	byteNo  int    // bytes of the event that leave; 0: the whole event
	number  int    // of the event, from 1
	name    string
	ofBlock string
}

var positionForm = regexp.MustCompile(`^(?:(before_headers|after_headers|end)|(?:byte ([1-9][0-9]{0,8}) of )?event (?:([1-9][0-9]{0,8})|([a-z_]+)(?: of ([a-z_]+))?(?: ([1-9][0-9]{0,8}))?))$`)

// ParsePosition reads a position as written above.
func ParsePosition(s string) (Position, error) {
	m := positionForm.FindStringSubmatch(s)
	if m == nil {
		return Position{}, fmt.Errorf("%q is no place in an answer; before_headers, after_headers, end, event 5, byte 3 of event 5, event message_delta or event content_block_stop of tool_use 2 are", s)
	}
	if m[1] != "" {
		return Position{word: m[1]}, nil
	}
	p := Position{word: "event", name: m[4], ofBlock: m[5], number: 1}
	for _, n := range []struct {
		digits string
		into   *int
	}{{m[2], &p.byteNo}, {m[3], &p.number}, {m[6], &p.number}} {
		if n.digits != "" {
			v, err := strconv.Atoi(n.digits) // nine digits always fit
			if err != nil {
				return Position{}, err
			}
			*n.into = v
		}
	}
	return p, nil
}

// String is the position as written.
func (p Position) String() string {
	if p.word != "event" {
		return p.word
	}
	s := "event "
	if p.byteNo > 0 {
		s = fmt.Sprintf("byte %d of event ", p.byteNo)
	}
	if p.name == "" {
		return s + strconv.Itoa(p.number)
	}
	s += p.name
	if p.ofBlock != "" {
		s += " of " + p.ofBlock
	}
	if p.number > 1 {
		s += " " + strconv.Itoa(p.number)
	}
	return s
}

// in finds the place in an answer: so many whole frames leave, then so many bytes of the next. ok is false when
// the answer has no such place.
func (p Position) in(a *Answer) (whole, bytes int, ok bool) {
	switch p.word {
	case "before_headers", "after_headers":
		return 0, 0, true
	case "end":
		return len(a.Frames), 0, true
	}
	i := p.number - 1
	if p.name != "" {
		i = -1
		n := 0
		for j, e := range read(a.Frames) {
			if (e.name == p.name || e.delta == p.name) && (p.ofBlock == "" || e.block == p.ofBlock) {
				if n++; n == p.number {
					i = j
					break
				}
			}
		}
	}
	if i < 0 || i >= len(a.Frames) {
		return 0, 0, false
	}
	if p.byteNo > 0 && p.byteNo < len(a.Frames[i].Data) {
		return i, p.byteNo, true
	}
	return i + 1, 0, true
}

// place is where in the body an event can be put in: at a boundary of events.
func (p Position) place(a *Answer) (i int, ok bool) {
	i, bytes, ok := p.in(a)
	if bytes > 0 {
		i++
	}
	return i, ok
}
