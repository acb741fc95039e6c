package prefix

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"harnessbench/internal/wire"
)

// long writes a conversation of so many messages of about size bytes, marked at its end: tool loops with
// code in the results, as agents have them.
func long(messages, size int) string {
	var b strings.Builder
	line := `\tif err != nil {\n\t\treturn fmt.Errorf(\"read %d: %w\", i, err)\n\t}\n`
	filler := strings.Repeat(line, max(1, size/len(line)))
	b.WriteString(`{"model":"claude-sonnet-5-5","max_tokens":1000,"system":[{"type":"text","text":"You help.","cache_control":{"type":"ephemeral"}}],"tools":[{"name":"Bash","input_schema":{"type":"object"}}],"messages":[{"role":"user","content":"go"}`)
	for i := 1; i < messages; i += 2 {
		mark := ""
		if i+2 >= messages {
			mark = `,"cache_control":{"type":"ephemeral"}`
		}
		fmt.Fprintf(&b, `,{"role":"assistant","content":[{"type":"tool_use","id":"toolu_%d","name":"Bash","input":{"command":"go test ./..."}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_%d","content":"%s"%s}]}`, i, i, filler, mark)
	}
	b.WriteString(`]}`)
	return b.String()
}

// ratio times f against json.Valid on the same bytes, in the same run.
func ratio(b *testing.B, body []byte, f func()) {
	var own, valid time.Duration
	b.SetBytes(int64(len(body)))
	for b.Loop() {
		start := time.Now()
		f()
		mid := time.Now()
		json.Valid(body)
		own, valid = own+mid.Sub(start), valid+time.Since(mid)
	}
	b.ReportMetric(float64(own)/float64(valid), "x-json.Valid")
	b.ReportMetric(float64(own.Microseconds())/float64(b.N), "own-µs/op")
}

func BenchmarkColdRenderOf4MB(b *testing.B) {
	body := []byte(long(1000, 8000))
	req, err := wire.Parse(nil, body)
	if err != nil {
		b.Fatal(err)
	}
	m := modelOf(b, req.Model())
	ratio(b, body, func() { Render(nil, req, m, Options{}) })
}

func BenchmarkOneMoreTurn(b *testing.B) {
	for _, n := range []int{100, 1000, 10_000} {
		b.Run(fmt.Sprint(n, " messages"), func(b *testing.B) {
			first, err := wire.Parse(nil, []byte(long(n, 400)))
			if err != nil {
				b.Fatal(err)
			}
			body := []byte(long(n+2, 400))
			second, err := wire.Parse(first, body)
			if err != nil {
				b.Fatal(err)
			}
			m := modelOf(b, first.Model())
			prev := Render(nil, first, m, Options{})
			b.ReportAllocs()
			ratio(b, body, func() { Render(prev, second, m, Options{}) })
		})
	}
}
