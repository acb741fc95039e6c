package httpfront

import "bytes"

// pad appends a frame, and in an event's data line 0 to 15 blanks before the last brace. A ping is never
// padded, nor is what is no event (messages-api.md 4).
func (f *front) pad(out, frame []byte) []byte {
	end := len(frame) - len("}\n\n")
	if f.opt.Plain || end < 0 || string(frame[end:]) != "}\n\n" || !bytes.HasPrefix(frame, []byte("event: ")) || bytes.HasPrefix(frame, []byte("event: ping\n")) {
		return append(out, frame...)
	}
	const blanks = "               "
	out = append(out, frame[:end]...)
	out = append(out, blanks[:f.padding.IntN(len(blanks)+1)]...)
	return append(out, frame[end:]...)
}
