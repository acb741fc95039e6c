package sessionlog

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// filler is n bytes of entries of ordinary length, each the child of the one before, from a number on.
func filler(n, from int, parent string) (file []byte, last string) {
	text := Quote(string(bytes.Repeat([]byte("what a tool printed "), 100)))
	for i := from; len(file) < n; i++ {
		e := Entry{Type: User, Typed: true, UUID: fmt.Sprint("u", i), Parent: parent, Time: "2026-11-30T09:00:00.000Z", Message: Message{Text: text}}
		parent = e.UUID
		file = append(file, e.Encode(Envelope{Session: "s", Cwd: "/w"})...)
	}
	return file, parent
}

// BenchmarkLoad: a whole file. architecture.md 7 gives a full load at least 300 MB/s; beside it stands what a search for
// the line feeds of the same bytes takes in the same run.
func BenchmarkLoad(b *testing.B) {
	file, _ := filler(8<<20, 0, "")
	b.SetBytes(int64(len(file)))
	b.ReportAllocs()
	for b.Loop() {
		l := Load(file)
		if path, _ := l.Path(l.Leaf()); len(path) != len(l.Entries) {
			b.Fatal("path is not whole")
		}
	}
	took := b.Elapsed() / time.Duration(b.N)
	b.ReportMetric(float64(len(file))/took.Seconds()/300e6, "x-300MB/s")
}

// BenchmarkLateBoundary: a file of 1 GB whose last boundary stands 8 MB before its end, on disk. architecture.md 7 gives
// its resume three times what reading the tail takes; the tail by itself, read and parsed, is measured in the same run.
func BenchmarkLateBoundary(b *testing.B) {
	const size, late = 1 << 30, 8 << 20
	name := filepath.Join(b.TempDir(), "log.jsonl")
	out, err := os.Create(name)
	if err != nil {
		b.Fatal(err)
	}
	defer out.Close()
	piece, last := filler(16<<20, 0, "")
	for at := 0; at < size-late; at += len(piece) {
		if _, err := out.Write(piece); err != nil {
			b.Fatal(err)
		}
	}
	bound := Entry{Type: System, Subtype: "compact_boundary", UUID: "b", Logical: last}
	sum := Entry{Type: User, UUID: "m", Parent: "b", Summary: true, Message: Message{Text: Quote("so far")}}
	tail := append(bound.Encode(Envelope{Session: "s"}), sum.Encode(Envelope{Session: "s"})...)
	tail = append(tail, Restated(State{Title: "t"}, "b", "s")...)
	more, _ := filler(late, 1<<30, "m")
	tail = append(tail, more...)
	if _, err := out.Write(tail); err != nil {
		b.Fatal(err)
	}
	info, err := out.Stat()
	if err != nil {
		b.Fatal(err)
	}
	in, err := os.Open(name)
	if err != nil {
		b.Fatal(err)
	}
	defer in.Close()
	read := func(offset int64, n int) ([]byte, error) {
		data := make([]byte, n)
		got, err := in.ReadAt(data, offset)
		if got == n {
			err = nil
		}
		return data[:got], err
	}
	resume := func() {
		l, err := LoadTail(read, info.Size(), false)
		if err != nil || !l.Partial {
			b.Fatal("not read from the tail: ", err)
		}
		if path, _ := l.Path(l.Leaf()); len(path) != len(l.Entries) {
			b.Fatal("path is not whole")
		}
	}
	alone := time.Duration(1 << 62)
	for range 5 {
		from := time.Now()
		data, err := read(info.Size()-int64(len(tail)), len(tail))
		if err != nil {
			b.Fatal(err)
		}
		l := Load(data)
		l.Path(l.Leaf())
		alone = min(alone, time.Since(from))
	}
	b.SetBytes(int64(len(tail)))
	for b.Loop() {
		resume()
	}
	b.ReportMetric(float64(b.Elapsed())/float64(b.N)/float64(alone), "x-tail")
}
