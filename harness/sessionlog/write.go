package sessionlog

// Appender is the part of the disk the writer needs: one write at the end of a file.
type Appender interface {
	Append(path string, data []byte) error
}

// Writer appends to one session file, a line a write (H-LOG-80).
type Writer struct {
	File string
	Envelope

	torn bool // the file may end inside a line
}

// NewWriter writes to a file whose present bytes are given.
func NewWriter(file string, env Envelope, present []byte) *Writer {
	return &Writer{File: file, Envelope: env, torn: len(present) > 0 && present[len(present)-1] != '\n'}
}

// Append writes one line, its line feed included. A file that ends inside a line, torn by a crash or by
// a write that failed, first gets a line feed (H-LOG-82). After an error the line must not be used as a
// parent (H-LOG-81).
func (w *Writer) Append(disk Appender, line []byte) error {
	if w.torn {
		if err := disk.Append(w.File, []byte{'\n'}); err != nil {
			return err
		}
		w.torn = false
	}
	if err := disk.Append(w.File, line); err != nil {
		w.torn = true
		return err
	}
	return nil
}
