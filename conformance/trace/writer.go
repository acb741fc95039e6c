package trace

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// Writer writes a trace as JSON Lines: one event a line, the run event first. What it writes is
// readable by Reader event by event, so a run that is cut short leaves a usable file.
type Writer struct {
	out   *bufio.Writer
	enc   *json.Encoder
	last  int // Seq of the newest event
	wrote bool
}

// NewWriter makes a writer. Nothing is written before the first event.
func NewWriter(w io.Writer) *Writer {
	out := bufio.NewWriterSize(w, 64<<10)
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(false)
	return &Writer{out: out, enc: enc}
}

// Write writes one event. Keys in the headers of requests and responses are redacted in what is
// written; the event itself stays as it is. An event that a Reader would refuse is an error and
// nothing is written: a first event that is not the run of this version, a Seq that does not rise,
// a Kind that does not name the part that is set.
func (w *Writer) Write(e Event) error {
	if err := follows(e, w.wrote, w.last); err != nil {
		return fmt.Errorf("trace: event %d: %w", e.Seq, err)
	}
	if err := w.enc.Encode(redacted(e)); err != nil {
		return fmt.Errorf("trace: event %d (%s): %w", e.Seq, e.Kind, err)
	}
	w.last, w.wrote = e.Seq, true
	return nil
}

// Flush hands everything written so far to the underlying writer.
func (w *Writer) Flush() error { return w.out.Flush() }

// follows checks what holds between an event and the ones before it.
func follows(e Event, begun bool, last int) error {
	kinds := e.parts()
	if len(kinds) != 1 {
		return fmt.Errorf("an event holds exactly one part, this one holds %d %v", len(kinds), kinds)
	}
	if e.Kind != kinds[0] {
		return fmt.Errorf("kind is %q, but the part that is set is %q", e.Kind, kinds[0])
	}
	switch {
	case !begun && e.Kind != KindRun:
		return fmt.Errorf("a trace begins with its run event, this one with %q", e.Kind)
	case !begun && e.Run.Version != Version:
		return fmt.Errorf("trace version %d; this program knows version %d", e.Run.Version, Version)
	case begun && e.Kind == KindRun:
		return errors.New("a second run event; one trace holds one run")
	case begun && e.Seq <= last:
		return fmt.Errorf("seq %d after seq %d; it must rise", e.Seq, last)
	}
	return nil
}

// parts names the parts that are set, in the order of the fields.
func (e Event) parts() []Kind {
	var kinds []Kind
	add := func(set bool, k Kind) {
		if set {
			kinds = append(kinds, k)
		}
	}
	add(e.Run != nil, KindRun)
	add(e.Op != nil, KindOp)
	add(e.Request != nil, KindRequest)
	add(e.Response != nil, KindResponse)
	add(e.Log != nil, KindLog)
	add(e.Tool != nil, KindTool)
	add(e.File != nil, KindFile)
	add(e.Notice != nil, KindNotice)
	add(e.Fault != nil, KindFault)
	add(e.Leaf != nil, KindLeaf)
	add(e.Twin != nil, KindTwin)
	add(e.End != nil, KindEnd)
	return kinds
}
