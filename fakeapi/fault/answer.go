package fault

import "time"

// Answer is a whole answer on its way out.
type Answer struct {
	Status int // 0: no answer comes; Broken says why, at the time of the last frame
	Header []Field
	Frames []Frame
	// Broken is how the connection ends, "" for a clean end: refused, unreachable, timeout or reset.
	Broken string
	// Pauses are the waits that belong to the fault; the times of the frames hold them already.
	Pauses []Pause
}

// Field is a header field, name in lower case.
type Field struct{ Name, Value string }

// Frame is a piece of the body and when it leaves, counted from the start of the request. A streamed answer comes
// with one event a frame.
type Frame struct {
	After time.Duration
	Data  []byte
}

// Pause is a wait directly before a frame, by index; an index behind the last is a wait before the end.
type Pause struct {
	Frame int
	For   time.Duration
}

// Ways in which a connection breaks.
const (
	Refused     = "refused"     // nobody listens
	Unreachable = "unreachable" // the name has no address
	TimedOut    = "timeout"     // nothing came in time
	WasReset    = "reset"       // the peer let go
)

// wait puts a pause before frame i: everything from there on comes later.
func (a *Answer) wait(i int, d time.Duration) {
	if d <= 0 {
		return
	}
	for j := i; j < len(a.Frames); j++ {
		a.Frames[j].After += d
	}
	a.Pauses = append(a.Pauses, Pause{i, d})
}

// at is when frame i leaves, or the end.
func (a *Answer) at(i int) time.Duration {
	switch {
	case i < len(a.Frames):
		return a.Frames[i].After
	case len(a.Frames) > 0:
		return a.Frames[len(a.Frames)-1].After
	}
	return 0
}

// insert puts frames before frame i and moves the pauses behind it.
func (a *Answer) insert(i int, frames ...Frame) {
	out := make([]Frame, 0, len(a.Frames)+len(frames))
	out = append(append(append(out, a.Frames[:i]...), frames...), a.Frames[i:]...)
	a.Frames = out
	for j := range a.Pauses {
		if a.Pauses[j].Frame >= i {
			a.Pauses[j].Frame += len(frames)
		}
	}
}

// truncate keeps the first i frames and n bytes of the next.
func (a *Answer) truncate(i, n int) {
	if i < len(a.Frames) && n > 0 {
		f := a.Frames[i]
		f.Data = f.Data[:min(n, len(f.Data))]
		a.Frames = append(a.Frames[:i:i], f)
		return
	}
	a.Frames = a.Frames[:min(i, len(a.Frames)):min(i, len(a.Frames))]
	kept := a.Pauses[:0]
	for _, p := range a.Pauses {
		if p.Frame <= len(a.Frames) {
			kept = append(kept, p)
		}
	}
	a.Pauses = kept
}

// replace puts frames in place of frame i.
func (a *Answer) replace(i int, frames ...Frame) {
	rest := append([]Frame(nil), a.Frames[i+1:]...)
	a.Frames = append(append(a.Frames[:i:i], frames...), rest...)
	for j := range a.Pauses {
		if a.Pauses[j].Frame > i {
			a.Pauses[j].Frame += len(frames) - 1
		}
	}
}

// header sets a field.
func (a *Answer) header(name, value string) {
	out := append([]Field(nil), a.Header...)
	for i := range out {
		if out[i].Name == name {
			out[i].Value = value
			a.Header = out
			return
		}
	}
	a.Header = append(out, Field{name, value})
}

// without takes a field out.
func (a *Answer) without(name string) {
	var out []Field
	for _, f := range a.Header {
		if f.Name != name {
			out = append(out, f)
		}
	}
	a.Header = out
}
