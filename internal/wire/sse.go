package wire

// Event is one server-sent event: its name ("" when no event line came) and its data.
type Event struct {
	Name string
	Data []byte
}

// SSE splits a byte stream into events under any chunking. Comments, CRLF, several data lines and
// unknown fields are taken as the SSE standard says. The zero value is ready.
type SSE struct{ buf []byte }

// Feed takes the next bytes and returns the events they complete.
func (s *SSE) Feed(chunk []byte) []Event { panic("unbuilt") }

// Rest is what stands unfinished at the end of the stream.
func (s *SSE) Rest() []byte { return s.buf }
