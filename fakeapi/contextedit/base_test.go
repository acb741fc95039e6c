package contextedit

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"harnessbench/internal/prefix"
	"harnessbench/internal/wire"
)

func request(t require.TestingT, prev *wire.Request, messages ...string) *wire.Request {
	req, err := wire.Parse(prev, []byte(`{"messages":[`+strings.Join(messages, ",")+`]}`))
	require.NoError(t, err)
	return req
}

const (
	summary = `{"role":"assistant","content":[{"type":"compaction","content":"s"},{"type":"text","text":"a"}]}`
	inside  = `{"role":"assistant","content":[{"type":"text","text":"b"},{"type":"compaction","content":"s"},{"type":"text","text":"a"}]}`
	failed  = `{"role":"assistant","content":[{"type":"compaction","content":null},{"type":"text","text":"a"}]}`
	plain   = `{"role":"user","content":"u"}`
)

func TestWhatStandsBeforeTheBlockIsEmptied(t *testing.T) {
	for _, tc := range []struct {
		name  string
		sent  []string
		want  string
		named string // messages.2.content.0 of the result, as the client knows it
	}{
		{"nothing to do", []string{plain, plain}, plain + "," + plain, "messages.2.content.0"},
		{"first", []string{summary, plain}, summary + "," + plain, "messages.2.content.0"},
		{"behind messages", []string{plain, plain, summary, plain}, empty + "," + empty + "," + summary + "," + plain, "messages.2.content.0"},
		{"the last of two", []string{summary, plain, summary}, empty + "," + empty + "," + summary, "messages.2.content.0"},
		{"inside its message", []string{plain, plain, inside}, empty + "," + empty + "," + summary, "messages.2.content.1"},
		{"a failed one is none", []string{plain, failed}, plain + "," + failed, "messages.2.content.0"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			req := request(t, nil, tc.sent...)
			b := Begin(nil, req, true)
			assert.Equal(t, `{"messages":[`+tc.want+`]}`, string(b.Request.Body))
			assert.Equal(t, string(b.Request.Body) != string(req.Body), b.Changed())
			assert.Equal(t, tc.named+": bad", b.Named("messages.2.content.0: bad"))
			assert.Equal(t, "messages.12.content.0", b.Named("messages.12.content.0"))
			assert.Equal(t, req, Begin(nil, req, false).Request, "without its header there is no block")
		})
	}
}

func TestABaseDoesNotDependOnTheOneBefore(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		draw := func() string { return rapid.SampledFrom([]string{plain, summary, inside, failed}).Draw(t, "message") }
		var messages []string
		var prev *Base
		var last *wire.Request
		for range rapid.IntRange(1, 6).Draw(t, "requests") {
			if n := len(messages); n > 0 {
				messages = append([]string(nil), messages[:rapid.IntRange(0, n).Draw(t, "keep")]...)
			}
			messages = append(messages, draw(), fmt.Sprintf(`{"role":"user","content":"%d"}`, rapid.IntRange(0, 2).Draw(t, "text")))
			last = request(t, last, messages...)
			warm, cold := Begin(prev, last, true), Begin(nil, request(t, nil, messages...), true)
			require.Equal(t, string(cold.Request.Body), string(warm.Request.Body))
			require.Equal(t, []any{cold.At, cold.Shift}, []any{warm.At, warm.Shift})
			for i := range warm.Request.SharedMessages() {
				require.Equal(t, string(prev.Request.Message(i).Raw()), string(warm.Request.Message(i).Raw()), "shared with the base before")
			}
			prev = warm
		}
	})
}

func TestNoBlockHasNoPlace(t *testing.T) {
	assert.Equal(t, prefix.Place{Message: -1}, Begin(nil, request(t, nil), true).At)
}
