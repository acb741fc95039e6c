package validate_test

import (
	"encoding/json"
	"strings"
	"testing"

	"harnessbench/fakeapi/validate"
	"harnessbench/internal/wire"
)

// BenchmarkColdBodyOfSmallMessages compares the parse and the rules of a body that was never seen with
// json.Valid on it: 1 MB of messages of about 100 bytes.
func BenchmarkColdBodyOfSmallMessages(b *testing.B) {
	var messages []string
	for i := 0; i < 10_000; i++ {
		role := [2]string{"user", "assistant"}[i%2]
		messages = append(messages, `{"role":"`+role+`","content":[{"type":"text","text":"a short message of a conversation"}]}`)
	}
	body := []byte(`{"model":"claude-haiku-4-5","max_tokens":64,"messages":[` + strings.Join(messages[:9_999], ",") + `]}`)
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
