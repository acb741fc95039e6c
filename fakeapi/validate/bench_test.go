package validate_test

import (
	"encoding/json"
	"strconv"
	"strings"
	"testing"

	"harnessbench/fakeapi/validate"
	"harnessbench/internal/wire"
)

// BenchmarkColdBody compares the parse and the rules of a body that was never seen with json.Valid on it: 1 MB of
// messages of about 100 bytes, of text alone and of tool calls with their results.
func BenchmarkColdBody(b *testing.B) {
	text, calls := make([]string, 0, 10_000), make([]string, 0, 10_000)
	for i := range 5_000 {
		text = append(text, `{"role":"user","content":[{"type":"text","text":"a short message of a conversation"}]}`,
			`{"role":"assistant","content":[{"type":"text","text":"a short answer in a conversation"}]}`)
		id := `"toolu_` + strconv.Itoa(i) + `"`
		calls = append(calls, `{"role":"assistant","content":[{"type":"tool_use","id":`+id+`,"name":"Read","input":{"path":"a/b/c.go"}}]}`,
			`{"role":"user","content":[{"type":"tool_result","tool_use_id":`+id+`,"content":"a line of a file"}]}`)
	}
	for _, c := range []struct {
		name     string
		messages []string
	}{{"text", text[:9_999]}, {"calls", calls}} {
		body := []byte(`{"model":"claude-haiku-4-5","max_tokens":64,"messages":[` + strings.Join(c.messages, ",") + `]}`)
		b.Run(c.name, func(b *testing.B) { coldBody(b, body) })
	}
}

func coldBody(b *testing.B, body []byte) {
	h := usual("")
	b.Run("json.Valid", func(b *testing.B) {
		b.SetBytes(int64(len(body)))
		for b.Loop() {
			if !json.Valid(body) {
				b.Fatal("not JSON")
			}
		}
	})
	b.Run("parse", func(b *testing.B) {
		b.SetBytes(int64(len(body)))
		for b.Loop() {
			if _, err := wire.Parse(nil, body); err != nil {
				b.Fatal(err)
			}
		}
	})
	req, err := wire.Parse(nil, body)
	if err != nil {
		b.Fatal(err)
	}
	b.Run("rules", func(b *testing.B) {
		b.SetBytes(int64(len(body)))
		b.ReportAllocs()
		for b.Loop() {
			if _, f := validate.Check(nil, req, h); f != nil {
				b.Fatal(f)
			}
		}
	})
}
