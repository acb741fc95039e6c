package wire

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// conversation is a request of about size bytes as a coding agent sends it: tools, prose, code with
// escapes, tool calls and results.
func conversation(size int) []byte {
	var b strings.Builder
	b.WriteString(`{"model":"claude-sonnet-5-5","max_tokens":8192,"stream":true,"system":[{"type":"text","text":"You are an agent."}],"tools":[`)
	for i := range 20 {
		fmt.Fprintf(&b, `%s{"name":"tool_%d","description":"does a thing","input_schema":{"type":"object","properties":{"path":{"type":"string"},"limit":{"type":"integer"}},"required":["path"]}}`,
			strings.Repeat(",", min(i, 1)), i)
	}
	b.WriteString(`],"messages":[{"role":"user","content":"start"}`)
	code := strings.Repeat(`func f(a int) {\n\treturn \"a\" + 1 // naïve\n}\n`, 12)
	prose := strings.Repeat("A sentence of prose that says little. ", 8)
	for i := 0; b.Len() < size; i++ {
		fmt.Fprintf(&b, `,{"role":"assistant","content":[{"type":"thinking","thinking":"%s","signature":"CAQSabc"},{"type":"text","text":"%s"},{"type":"tool_use","id":"toolu_%d","name":"tool_1","input":{"path":"/a/b","limit":%d}}]}`, prose, prose, i, i)
		fmt.Fprintf(&b, `,{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_%d","content":[{"type":"text","text":"%s"}]}]}`, i, code)
	}
	b.WriteString("]}")
	return []byte(b.String())
}

// against runs work as the benchmark and reports how many times as long it takes as a base. For the
// ratio both are measured in turns and the best turn of each counts, so that a busy machine weighs on neither.
func against(b *testing.B, name string, work, base func()) {
	b.ReportAllocs()
	for b.Loop() {
		work()
	}
	best := func(f func(), before time.Duration) time.Duration {
		start := time.Now()
		f()
		return min(time.Since(start), before)
	}
	w, o := time.Hour, time.Hour
	for range 25 {
		w, o = best(work, w), best(base, o)
	}
	b.ReportMetric(float64(w)/float64(o), name)
}

func BenchmarkColdParse4MB(b *testing.B) {
	body := conversation(4 << 20)
	b.SetBytes(int64(len(body)))
	against(b, "x-json.Valid", func() {
		if _, err := Parse(nil, body); err != nil {
			b.Fatal(err)
		}
	}, func() { json.Valid(body) })
}

func BenchmarkOneMoreTurn(b *testing.B) {
	for _, size := range []int{1 << 16, 1 << 20, 4 << 20} {
		b.Run(fmt.Sprintf("%dKB", size>>10), func(b *testing.B) {
			body := conversation(size)
			prev, err := Parse(nil, body)
			require.NoError(b, err)
			more := Apply(body, AppendElem(prev.Get("messages"), []byte(`{"role":"assistant","content":"done"},{"role":"user","content":"go on"}`)))
			same := bytes.Clone(body)
			b.SetBytes(int64(len(body)))
			against(b, "x-compare", func() {
				r, err := Parse(prev, more)
				if err != nil || r.SharedMessages() != prev.MessageCount() {
					b.Fatal(err)
				}
			}, func() { bytes.Equal(same, body) })
		})
	}
}

func BenchmarkSmallRequest(b *testing.B) {
	body := []byte(`{"model":"claude-sonnet-5-5","max_tokens":1024,"messages":[{"role":"user","content":"Which test fails?"}]}`)
	b.SetBytes(int64(len(body)))
	against(b, "x-json.Valid", func() {
		if _, err := Parse(nil, body); err != nil {
			b.Fatal(err)
		}
	}, func() { json.Valid(body) })
}

func BenchmarkStream(b *testing.B) {
	deltas := make([]string, 1000)
	for i := range deltas {
		deltas[i] = `{"type":"text_delta","text":"some words of text, "}`
	}
	var stream []byte
	for _, e := range events(streamed(`{"type":"text","text":""}`, deltas...)...) {
		stream = append(append(append(stream, "event: "+e.Name+"\ndata: "...), e.Data...), "\n\n"...)
	}
	b.SetBytes(int64(len(stream)))
	b.ReportAllocs()
	for b.Loop() {
		var s SSE
		var a Assembler
		for _, e := range s.Feed(stream) {
			if err := a.Event(e); err != nil {
				b.Fatal(err)
			}
		}
	}
}
