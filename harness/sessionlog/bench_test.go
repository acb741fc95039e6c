package sessionlog

import (
	"bytes"
	"fmt"
	"testing"
)

// BenchmarkLoad: a whole file. architecture.md 7 gives a full load at least 300 MB/s.
func BenchmarkLoad(b *testing.B) {
	var file []byte
	text := Quote(string(bytes.Repeat([]byte("what a tool printed "), 100)))
	parent := ""
	for i := 0; len(file) < 8<<20; i++ {
		e := Entry{Type: User, UUID: fmt.Sprint("u", i), Parent: parent, Time: "2026-11-30T09:00:00.000Z", Message: Message{Text: text}}
		parent = e.UUID
		file = append(file, e.Encode(Envelope{Session: "s", Cwd: "/w"})...)
	}
	b.SetBytes(int64(len(file)))
	b.ReportAllocs()
	for b.Loop() {
		l := Load(file)
		if path, _ := l.Path(l.Leaf()); len(path) != len(l.Entries) {
			b.Fatal("path is not whole")
		}
	}
	b.ReportMetric(float64(len(file))*float64(b.N)/b.Elapsed().Seconds()/300e6, "x-300MB/s")
}
