package fakeapi_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"harnessbench/fakeapi"
	"harnessbench/fakeapi/script"
)

func TestAStreamByteForByte(t *testing.T) {
	said := script.Script{Turns: []script.Turn{{Prompt: "which test fails?", Answers: []script.Answer{
		{Blocks: []script.Block{
			{Kind: "thinking", Text: "run the tests first"},
			{Kind: "text", Text: "Running the tests, all of them."},
			{Kind: "tool_use", Name: "Bash", Input: []byte(`{"command":"make \"test\""}`)},
		}},
	}}}}
	s := fakeapi.New(fakeapi.Options{Script: said, Seed: 1})
	body := `{"model":"claude-sonnet-5-5","max_tokens":1000,"stream":true,"tools":[{"name":"Bash","input_schema":{"type":"object"}}],"messages":[{"role":"user","content":"which test fails?"}]}`
	resp := s.Handle(begin, fakeapi.Request{Method: "POST", Path: "/v1/messages", Header: usual, Body: []byte(body)})
	require.Equal(t, 200, resp.Status, "%s", resp.Body())
	a := assemble(t, resp)
	usage := fmt.Sprintf(`"input_tokens":%d,"cache_creation_input_tokens":0,"cache_read_input_tokens":0,`, a.Usage.Input)
	want := `event: message_start
data: {"type":"message_start","message":{"model":"claude-sonnet-5-5","id":"` + a.ID + `","type":"message","role":"assistant","content":[],"container":null,"stop_reason":null,"stop_sequence":null,"stop_details":null,"usage":{` + usage + `"cache_creation":{"ephemeral_5m_input_tokens":0,"ephemeral_1h_input_tokens":0},"output_tokens":1,"service_tier":"standard","inference_geo":"global"},"diagnostics":null}}

event: content_block_start
data: {"type":"content_block_start","index":0,"content_block":{"type":"thinking","thinking":"","signature":""}}

event: ping
data: {"type": "ping"}

event: content_block_delta
data: {"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":""}}

event: content_block_delta
data: {"type":"content_block_delta","index":0,"delta":{"type":"signature_delta","signature":"` + a.Blocks[0].Get("signature").Text() + `"}}

event: content_block_stop
data: {"type":"content_block_stop","index":0}

event: content_block_start
data: {"type":"content_block_start","index":1,"content_block":{"type":"text","text":""}}

event: content_block_delta
data: {"type":"content_block_delta","index":1,"delta":{"type":"text_delta","text":"Running the tests, all o"}}

event: content_block_delta
data: {"type":"content_block_delta","index":1,"delta":{"type":"text_delta","text":"f them."}}

event: content_block_stop
data: {"type":"content_block_stop","index":1}

event: content_block_start
data: {"type":"content_block_start","index":2,"content_block":{"type":"tool_use","id":"` + a.Blocks[2].Get("id").Text() + `","name":"Bash","input":{},"caller":{"type":"direct"}}}

event: content_block_delta
data: {"type":"content_block_delta","index":2,"delta":{"type":"input_json_delta","partial_json":""}}

event: content_block_delta
data: {"type":"content_block_delta","index":2,"delta":{"type":"input_json_delta","partial_json":"{\"command\":\""}}

event: content_block_delta
data: {"type":"content_block_delta","index":2,"delta":{"type":"input_json_delta","partial_json":"make \\\"test\\"}}

event: content_block_delta
data: {"type":"content_block_delta","index":2,"delta":{"type":"input_json_delta","partial_json":"\"\"}"}}

event: content_block_stop
data: {"type":"content_block_stop","index":2}

event: message_delta
data: {"type":"message_delta","delta":{"stop_reason":"tool_use","stop_sequence":null,"stop_details":null,"container":null},"usage":{` + usage + fmt.Sprintf(`"output_tokens":%d,"output_tokens_details":{"thinking_tokens":%d}`, resp.View.Usage.Output, thinkingTokens(t, a.Usage.Raw)) + `}}

event: message_stop
data: {"type":"message_stop"}

`
	assert.Equal(t, want, string(resp.Body()))
	for id, prefix := range map[string]string{a.ID: "msg_01", resp.View.RequestID: "req_01", a.Blocks[2].Get("id").Text(): "toolu_01"} {
		assert.True(t, strings.HasPrefix(id, prefix), id)
		assert.Len(t, id, len(prefix)+22)
	}
}

func thinkingTokens(t require.TestingT, usage []byte) int {
	var u struct {
		Details struct {
			Thinking int `json:"thinking_tokens"`
		} `json:"output_tokens_details"`
	}
	require.NoError(t, json.Unmarshal(usage, &u))
	return u.Details.Thinking
}

func TestAMessageByteForByte(t *testing.T) {
	s := fakeapi.New(fakeapi.Options{})
	body := `{"model":"claude-haiku-4-5","max_tokens":1000,"messages":[{"role":"user","content":"hello"}]}`
	resp := s.Handle(begin, fakeapi.Request{Method: "POST", Path: "/v1/messages?beta=true", Header: usual, Body: []byte(body)})
	require.Equal(t, 200, resp.Status, "%s", resp.Body())
	id := decode(t, resp.Body())["id"].(string)
	out := resp.View.Usage.Output
	assert.Equal(t, `{"model":"claude-haiku-4-5-20251001","id":"`+id+`","type":"message","role":"assistant","content":[{"type":"text","text":"`+fakeapi.FixedText+`"}],"container":null,"stop_reason":"end_turn","stop_sequence":null,"stop_details":null,"usage":{"input_tokens":8,"cache_creation_input_tokens":0,"cache_read_input_tokens":0,"cache_creation":{"ephemeral_5m_input_tokens":0,"ephemeral_1h_input_tokens":0},"output_tokens":`+fmt.Sprint(out)+`,"service_tier":"standard","inference_geo":"not_available"},"diagnostics":null}`, string(resp.Body()))
	assert.Equal(t, fakeapi.FirstByte+time.Duration(out)*fakeapi.PerToken, resp.Frames[0].After)
}

// Equal seeds give equal ids, so the streamed and the whole answer to one request can be compared block by block.
func TestAStreamAssemblesToTheWholeMessage(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		word := rapid.StringN(0, 40, 80)
		var answers []script.Answer
		for range rapid.IntRange(1, 4).Draw(t, "answers") {
			var a script.Answer
			for range rapid.IntRange(1, 4).Draw(t, "blocks") {
				b := script.Block{Kind: rapid.SampledFrom([]string{"text", "thinking", "tool_use"}).Draw(t, "kind")}
				if b.Kind == "tool_use" {
					b.Name = "Bash"
					b.Input, _ = json.Marshal(rapid.MapOfN(word, word, 0, 3).Draw(t, "input"))
				} else {
					b.Text = "x" + word.Draw(t, "text")
				}
				a.Blocks = append(a.Blocks, b)
			}
			a.Blocks = append(a.Blocks, script.Block{Kind: "tool_use", Name: "Bash", Input: []byte(`{}`)})
			answers = append(answers, a)
		}
		opt := fakeapi.Options{Seed: rapid.Uint64().Draw(t, "seed"), Script: script.Script{Turns: []script.Turn{{Prompt: "go", Answers: answers}}}}
		model := rapid.SampledFrom([]string{"claude-haiku-4-5", "claude-sonnet-4-6", "claude-sonnet-5", "claude-sonnet-5-5"}).Draw(t, "model")
		plain, stream := newChat(t, fakeapi.New(opt), model), newChat(t, fakeapi.New(opt), model)
		stream.body["stream"] = true
		next := []obj{text("go")}
		for range answers {
			p, q := plain.ask(next...), stream.ask(clone(next)...)
			require.Equal(t, p.ID, q.ID)
			require.Equal(t, p.Model, q.Model)
			require.Equal(t, p.StopReason, q.StopReason)
			require.Equal(t, p.Usage.Total(), q.Usage.Total())
			require.Equal(t, p.Usage.Output, q.Usage.Output)
			require.Equal(t, len(p.Blocks), len(q.Blocks))
			for i := range p.Blocks {
				require.Equal(t, string(p.Blocks[i].Raw()), string(q.Blocks[i].Raw()))
			}
			require.Equal(t, plain.last.View, stream.last.View)
			next = nil
			for _, b := range p.Blocks {
				if b.Get("type").Text() == "tool_use" {
					next = append(next, obj{"type": "tool_result", "tool_use_id": b.Get("id").Text(), "content": "done"})
				}
			}
		}
	})
}

func clone(blocks []obj) []obj {
	var out []obj
	for _, b := range blocks {
		c := obj{}
		for k, v := range b { // any order: a copy
			c[k] = v
		}
		out = append(out, c)
	}
	return out
}

func TestFramesComeInOrderAndEndWithTheLastToken(t *testing.T) {
	said := story
	said.Turns = append([]script.Turn(nil), story.Turns...)
	said.Turns[0].Answers = append([]script.Answer(nil), said.Turns[0].Answers...)
	said.Turns[0].Answers[0].Latency = 3 * time.Second
	c := newChat(t, fakeapi.New(fakeapi.Options{Script: said}), "claude-sonnet-5-5")
	c.body["stream"] = true
	c.ask(text("which test fails?"))
	frames := c.last.Frames
	assert.Equal(t, 3*time.Second, frames[0].After)
	for i := 1; i < len(frames); i++ {
		assert.GreaterOrEqual(t, frames[i].After, frames[i-1].After)
	}
	assert.Equal(t, 3*time.Second+time.Duration(c.last.View.Usage.Output)*fakeapi.PerToken, frames[len(frames)-1].After)
}

func TestHeadersOfAnAnswerAndOfARefusal(t *testing.T) {
	s := fakeapi.New(fakeapi.Options{Keys: []string{"good"}})
	send := func(key, path, body string) fakeapi.Response {
		return s.Handle(begin, fakeapi.Request{Method: "POST", Path: path, Body: []byte(body), Header: []fakeapi.Field{
			{Name: "anthropic-version", Value: "2023-06-01"}, {Name: "x-api-key", Value: key}}})
	}
	hello := `{"model":"claude-sonnet-5-5","max_tokens":10,"messages":[{"role":"user","content":"hello"}]}`
	for _, tc := range []struct {
		name    string
		resp    fakeapi.Response
		status  int
		has     map[string]string
		hasnt   []string
		message string
	}{
		{"accepted", send("good", "/v1/messages", hello), 200, map[string]string{
			"content-type": "application/json", "anthropic-ratelimit-tokens-limit": "2400000",
			"anthropic-ratelimit-input-tokens-limit": "2000000", "anthropic-ratelimit-output-tokens-limit": "400000",
			"anthropic-ratelimit-requests-reset": "2026-10-01T12:00:00Z",
		}, []string{"x-should-retry", "retry-after"}, ""},
		{"bad body", send("good", "/v1/messages", `{"model":"claude-sonnet-5-5"}`), 400,
			map[string]string{"x-should-retry": "false"}, []string{"anthropic-ratelimit-tokens-limit"}, "messages: Field required"},
		{"wrong key", send("bad", "/v1/messages", hello), 401, map[string]string{"x-should-retry": "false"},
			[]string{"anthropic-organization-id", "anthropic-workspace-id"}, "invalid x-api-key"},
		{"unknown path", send("good", "/v1/message", hello), 404, map[string]string{"x-should-retry": "false"}, nil, "Not Found"},
		{"unknown model", send("good", "/v1/messages", strings.Replace(hello, "sonnet-5-5", "sonnet-9", 1)), 404, nil, nil, "model: claude-sonnet-9"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			assert.Equal(t, tc.status, tc.resp.Status)
			got := map[string]string{}
			for _, h := range tc.resp.Header {
				got[h.Name] = h.Value
			}
			assert.Equal(t, tc.resp.View.RequestID, got["request-id"])
			for name, value := range tc.has { // any order: each is a check of its own
				assert.Equal(t, value, got[name], name)
			}
			for _, name := range tc.hasnt {
				assert.NotContains(t, got, name)
			}
			if tc.message != "" {
				assert.Equal(t, tc.message, errorText(t, tc.resp))
				assert.NotEmpty(t, tc.resp.View.Rule)
				assert.Contains(t, string(tc.resp.Body()), `"request_id":"`+tc.resp.View.RequestID+`"}`)
			}
		})
	}
}

func TestABodyOverTheLimitIsRefusedByTheEdge(t *testing.T) {
	s := fakeapi.New(fakeapi.Options{})
	resp := s.Handle(begin, fakeapi.Request{Method: "POST", Path: "/v1/messages", Body: make([]byte, 32<<20+1)})
	assert.Equal(t, 413, resp.Status)
	assert.Equal(t, `{"error":{"type":"request_too_large","message":"Request exceeds the maximum size"}}`, string(resp.Body()))
	resp = s.Handle(begin, fakeapi.Request{Method: "POST", Path: "/v1/messages", Body: make([]byte, 32<<20)})
	assert.Equal(t, 401, resp.Status)
}
