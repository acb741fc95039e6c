package wire

import "bytes"

// Event is one server-sent event: its name ("" when no event line came) and its data.
type Event struct {
	Name string
	Data []byte
}

// SSE splits a byte stream into events under any chunking. Comments, CRLF, several data lines and
// unknown fields are taken as the SSE standard says, with two things left out that only a browser
// needs: ids and reconnection times. The zero value is ready.
type SSE struct {
	buf  []byte // what came since the last event
	line int    // start of the line in buf that is not complete
	seen int    // bytes of buf that were searched for a line end
	cr   bool   // the last line ended in CR: a LF that follows belongs to it
	past bool   // the first block is over: no byte order mark can come
}

var byteOrderMark = []byte("\xef\xbb\xbf")

// Feed takes the next bytes and returns the events they complete. Chunk may be reused afterwards; the
// data of the events stays as it is.
func (s *SSE) Feed(chunk []byte) []Event {
	// Events keep views of buf: it only moves forward, so nothing already handed out is overwritten.
	s.buf = append(s.buf, chunk...)
	var out []Event
	for s.seen < len(s.buf) {
		if s.cr {
			s.cr = false
			if s.buf[s.seen] == '\n' {
				s.seen++
				if s.line = s.seen; s.seen == 1 {
					s.drop(1)
				}
				continue
			}
		}
		i := bytes.IndexAny(s.buf[s.seen:], "\r\n")
		if i < 0 {
			s.seen = len(s.buf)
			break
		}
		end := s.seen + i
		s.cr = s.buf[end] == '\r'
		s.seen = end + 1
		blank := end == s.line
		s.line = s.seen
		if !blank {
			continue
		}
		if e, ok := s.block(s.buf[:end]); ok {
			out = append(out, e)
		}
		s.drop(s.seen)
	}
	return out
}

// drop forgets the first n bytes, which are done with.
func (s *SSE) drop(n int) {
	s.buf = s.buf[n:]
	s.line, s.seen = 0, 0
	s.past = true
}

// Rest is what stands unfinished at the end of the stream; the standard drops it.
func (s *SSE) Rest() []byte { return s.buf }

// block reads the lines before a blank line; ok is false when they hold no data.
func (s *SSE) block(lines []byte) (e Event, ok bool) {
	if !s.past {
		lines = bytes.TrimPrefix(lines, byteOrderMark)
	}
	for len(lines) > 0 {
		line := lines
		if i := bytes.IndexAny(lines, "\r\n"); i >= 0 {
			line, lines = lines[:i], lines[i+1:] // the LF of a CRLF gives an empty line, which says nothing
		} else {
			lines = nil
		}
		field, value, colon := bytes.Cut(line, []byte{':'})
		if !colon {
			value = line[len(line):]
		}
		value = bytes.TrimPrefix(value, []byte{' '})
		switch string(field) {
		case "event":
			e.Name = string(value)
		case "data":
			if !ok {
				e.Data, ok = value[:len(value):len(value)], true
			} else {
				e.Data = append(append(e.Data, '\n'), value...)
			}
		}
	}
	return e, ok
}
