package fakeapi_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"harnessbench/fakeapi"
	"harnessbench/fakeapi/fault"
)

// An error event before message_start leaves nothing in the cache; one behind it leaves what was written
// (messages-api.md 5.4).
func TestAnErrorBeforeTheAnswerBeginsWritesNoEntry(t *testing.T) {
	for at, read := range map[string]bool{"after_headers": false, "event content_block_start": true} {
		t.Run(at, func(t *testing.T) {
			f, err := fault.Parse("error_event,call=1,at=" + at)
			require.NoError(t, err)
			s := fakeapi.New(fakeapi.Options{Faults: []fault.Fault{f}})
			body := obj{"model": "claude-sonnet-5", "max_tokens": 50, "stream": true, "messages": []any{obj{"role": "user",
				"content": []any{obj{"type": "text", "text": strings.Repeat("word ", 3000), "cache_control": obj{"type": "ephemeral"}}}}}}
			require.Contains(t, string(messages(t, s, body).Body()), "event: error")
			again := answerOf(t, laterAs(t, s, 1, body))
			assert.Equal(t, read, again.Usage.CacheRead > 0)
		})
	}
}

// The two error bodies that do not have the API's envelope can be played (api-verdicts-notes.md 1, messages-api.md 1.2).
func TestErrorBodiesOfTheEdge(t *testing.T) {
	for text, want := range map[string]string{
		"refuse,status=403,body=edge,type=forbidden,message=Request not allowed": `{"error":{"type":"forbidden","message":"Request not allowed"}}`,
		"refuse,status=401,body=unnamed,message=API key is invalid.":             `{"type":"error","error":{"type":"authentication_error","message":"API key is invalid."},"request_id":null}`,
	} {
		f, err := fault.Parse(text)
		require.NoError(t, err)
		resp := messages(t, fakeapi.New(fakeapi.Options{Faults: []fault.Fault{f}}), obj{"model": "claude-sonnet-5", "max_tokens": 5, "messages": []any{obj{"role": "user", "content": "hi"}}})
		assert.Equal(t, want, string(resp.Body()))
		for _, h := range resp.Header {
			assert.NotEqual(t, "request-id", h.Name)
		}
	}
}
