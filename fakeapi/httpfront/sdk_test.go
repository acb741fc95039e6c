package httpfront_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/anthropics/anthropic-sdk-go/v2"
	"github.com/anthropics/anthropic-sdk-go/v2/option"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"harnessbench/fakeapi"
	"harnessbench/fakeapi/httpfront"
	"harnessbench/fakeapi/script"
)

func call(thinking, command string) script.Answer {
	return script.Answer{Blocks: []script.Block{
		{Kind: "thinking", Text: thinking}, {Kind: "text", Text: "Running it."},
		{Kind: "tool_use", Name: "Bash", Input: []byte(`{"command":"` + command + `"}`)},
	}}
}

// rounds are three tool rounds under one prompt.
var rounds = script.Script{Turns: []script.Turn{{Prompt: "which test fails?", Answers: []script.Answer{
	call("run the tests first", "make test"), call("look closer", "go test -v"), call("read the test", "cat login_test.go"),
	{Blocks: []script.Block{{Kind: "thinking", Text: "clear now"}, {Kind: "text", Text: "TestLogin fails."}}},
}}}}

// spy counts the messages of each request on its way in.
func spy(next http.Handler, counts *[]int) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		var req struct{ Messages []json.RawMessage }
		if json.Unmarshal(body, &req) == nil {
			*counts = append(*counts, len(req.Messages))
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		next.ServeHTTP(w, r)
	})
}

// TestTheGoSDKRunsAToolLoop is a real client: one prompt, three tool rounds, four streamed calls with thinking. Each
// call reads from the cache exactly what the one before read and wrote.
func TestTheGoSDKRunsAToolLoop(t *testing.T) {
	for _, tc := range []struct {
		model    anthropic.Model
		thinking anthropic.ThinkingConfigParamUnion
		thoughts int // answers that think: without interleaving only the first of a turn
	}{
		{"claude-sonnet-5-5", anthropic.ThinkingConfigParamUnion{}, 4},
		{"claude-haiku-4-5", anthropic.ThinkingConfigParamOfEnabled(2048), 1},
	} {
		t.Run(string(tc.model), func(t *testing.T) {
			var counts []int
			srv := httptest.NewServer(spy(httpfront.New(fakeapi.New(fakeapi.Options{Script: rounds, Seed: 3}), httpfront.Options{}), &counts))
			defer srv.Close()
			client := anthropic.NewClient(option.WithBaseURL(srv.URL), option.WithAPIKey("test-key"), option.WithMaxRetries(0))
			mark := anthropic.NewCacheControlEphemeralParam()
			params := anthropic.MessageNewParams{
				Model: tc.model, MaxTokens: 4096, Thinking: tc.thinking,
				System: []anthropic.TextBlockParam{{Text: strings.Repeat("You read before you write. ", 1200), CacheControl: mark}},
				Tools: []anthropic.ToolUnionParam{{OfTool: &anthropic.ToolParam{Name: "Bash", InputSchema: anthropic.ToolInputSchemaParam{
					Properties: map[string]any{"command": map[string]any{"type": "string"}}}}}},
			}
			last := anthropic.NewTextBlock("which test fails?")
			var before int64
			thoughts := 0
			for n := range 4 {
				*last.GetCacheControl() = mark
				params.Messages = append(params.Messages, anthropic.NewUserMessage(last))
				stream := client.Messages.NewStreaming(context.Background(), params)
				var m anthropic.Message
				for stream.Next() {
					require.NoError(t, m.Accumulate(stream.Current()))
				}
				require.NoError(t, stream.Err(), "call %d", n+1)
				u := m.Usage
				assert.Equal(t, before, u.CacheReadInputTokens, "call %d reads what the one before read and wrote", n+1)
				assert.Positive(t, u.CacheCreationInputTokens)
				assert.Positive(t, u.InputTokens)
				before = u.CacheReadInputTokens + u.CacheCreationInputTokens
				params.Messages = append(params.Messages, m.ToParam())
				*last.GetCacheControl() = anthropic.CacheControlEphemeralParam{}
				for _, b := range m.Content {
					switch v := b.AsAny().(type) {
					case anthropic.ThinkingBlock:
						thoughts++
						assert.NotEmpty(t, v.Signature)
					case anthropic.ToolUseBlock:
						last = anthropic.NewToolResultBlock(v.ID, "--- FAIL: TestLogin", false)
					}
				}
				want := anthropic.StopReasonToolUse
				if n == 3 {
					want = anthropic.StopReasonEndTurn
				}
				assert.Equal(t, want, m.StopReason)
			}
			assert.Equal(t, []int{1, 3, 5, 7}, counts)
			assert.Equal(t, tc.thoughts, thoughts)
		})
	}
}
