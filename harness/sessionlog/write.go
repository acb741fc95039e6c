package sessionlog

// Appender is the part of the disk the writer needs: one write at the end of a file.
type Appender interface {
	Append(path string, data []byte) error
}

// Writer appends to one session file, a line a write (H-LOG-80). It never writes anywhere but at the end (H-LOG-11).
type Writer struct {
	File string
	Envelope

	size int64 // of the file after the last write of this writer, -1 when a write failed
	torn bool  // the file may end inside a line
}

// NewWriter writes to a file of which the size in bytes is known, and whether it ends inside a line; one that does not
// exist yet has none of both.
func NewWriter(file string, env Envelope, size int64, torn bool) *Writer {
	return &Writer{File: file, Envelope: env, size: size, torn: torn}
}

// Torn tells bytes that end inside a line (H-LOG-82).
func Torn(data []byte) bool { return len(data) > 0 && data[len(data)-1] != '\n' }

// Append writes one line, its line feed included. A file that ends inside a line, torn by a crash or by
// a write that failed, first gets a line feed (H-LOG-82). After an error the line must not be used as a
// parent (H-LOG-81).
func (w *Writer) Append(disk Appender, line []byte) error {
	if w.torn {
		if err := w.put(disk, []byte{'\n'}); err != nil {
			return err
		}
		w.torn = false
	}
	return w.put(disk, line)
}

func (w *Writer) put(disk Appender, data []byte) error {
	if err := disk.Append(w.File, data); err != nil {
		w.size, w.torn = -1, true
		return err
	}
	if w.size >= 0 {
		w.size += int64(len(data))
	}
	return nil
}

// Foreign tells how many bytes somebody else wrote, from the size the file has now: less than none when some are gone
// (H-LOG-87). It is asked before an append; what is written between the question and the append is seen by the next.
// After a write of this writer that failed it cannot be told, and is 0.
func (w *Writer) Foreign(size int64) int64 {
	if w.size < 0 {
		return 0
	}
	return size - w.size
}

// Large tells a file that is read from its tail (H-LOG-89).
func (w *Writer) Large() bool { return w.size > LargeFile }

// Accept takes the file as it is now for what the writer left.
func (w *Writer) Accept(size int64, torn bool) { w.size, w.torn = size, torn }
