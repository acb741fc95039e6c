package fakeapi

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"harnessbench/fakeapi/script"
)

var plainHeaders = []Field{{"anthropic-version", "2023-06-01"}, {"x-api-key", "k"}}

// post sends messages to a server; size pads the system prompt.
func post(t require.TestingT, s *Server, now time.Time, model string, size int, messages []any) Response {
	list, err := json.Marshal(messages)
	require.NoError(t, err)
	body := fmt.Appendf(nil, `{"model":%q,"max_tokens":100,"system":%q,"messages":%s}`, model, strings.Repeat("careful ", size/8)+".", list)
	return s.Handle(now, Request{Method: "POST", Path: "/v1/messages", Header: plainHeaders, Body: body})
}

// TestWhatIsRememberedChangesNoAnswer runs rewinds, edits and continuations of several conversations on a server
// that remembers requests and on one that forgets each at once.
func TestWhatIsRememberedChangesNoAnswer(t *testing.T) {
	said := script.Script{Turns: []script.Turn{{Prompt: "go", Prefix: true, Answers: []script.Answer{
		{Blocks: []script.Block{{Kind: "thinking", Text: "hm"}, {Kind: "text", Text: "Yes."}}},
	}}}}
	rapid.Check(t, func(t *rapid.T) {
		model := rapid.SampledFrom([]string{"claude-sonnet-4-5", "claude-sonnet-5", "claude-sonnet-5-5"}).Draw(t, "model")
		opt := Options{Seed: 1, Script: said}
		a, b := New(opt), New(opt)
		now := boundFrom
		var messages []any
		for range rapid.IntRange(2, 8).Draw(t, "requests") {
			now = now.Add(time.Duration(rapid.IntRange(1, 200).Draw(t, "seconds")) * time.Second)
			keep := rapid.IntRange(0, len(messages)/2).Draw(t, "keep") * 2
			if rapid.Bool().Draw(t, "continue") {
				keep = len(messages)
			}
			messages = append([]any(nil), messages[:keep]...)
			if len(messages) > 0 && rapid.IntRange(0, 4).Draw(t, "edit") == 0 {
				messages[0] = map[string]any{"role": "user", "content": "go elsewhere"}
			}
			block := map[string]any{"type": "text", "text": fmt.Sprintf("go %d", rapid.IntRange(0, 2).Draw(t, "which"))}
			if rapid.Bool().Draw(t, "mark") {
				block["cache_control"] = map[string]any{"type": "ephemeral"}
			}
			messages = append(messages, map[string]any{"role": "user", "content": []any{block}})
			size := rapid.SampledFrom([]int{3000, 3000, 3000, 3001, 200_000}).Draw(t, "system")
			x, y := post(t, a, now, model, size, messages), post(t, b, now, model, size, messages)
			b.recent = newRecent()
			require.Equal(t, x, y)
			if x.Status != 200 {
				messages = nil
				continue
			}
			var answer struct{ Content []any }
			require.NoError(t, json.Unmarshal(x.Body(), &answer))
			messages = append(messages, map[string]any{"role": "assistant", "content": answer.Content})
		}
	})
}

func TestOneConversationIsRememberedOnce(t *testing.T) {
	s := New(Options{})
	var messages []any
	for i := range 20 {
		messages = append(messages, map[string]any{"role": "user", "content": fmt.Sprintf("question %d", i)})
		require.Equal(t, 200, post(t, s, boundFrom, "claude-sonnet-5", 4000, messages).Status)
		messages = append(messages, map[string]any{"role": "assistant", "content": "answer"})
	}
	assert.Equal(t, 1, s.recent.order.Len())
	assert.Len(t, s.recent.buckets, 1)
}

func TestRememberedRequestsAreBounded(t *testing.T) {
	s := New(Options{})
	for i := range 6 {
		messages := []any{map[string]any{"role": "user", "content": fmt.Sprintf("%d %s", i, strings.Repeat("x", 3000))}}
		require.Equal(t, 200, post(t, s, boundFrom, "claude-sonnet-5", 0, messages).Status)
	}
	require.Equal(t, 6, s.recent.order.Len(), "they begin differently")
	oldest, newest := s.recent.order.Back().Value.(*turn), *s.recent.order.Front().Value.(*turn)
	s.recent.weight = maxWeight
	newest.found = 0
	s.recent.keep(nil, &newest)
	assert.LessOrEqual(t, s.recent.weight, maxWeight)
	assert.Equal(t, 6, s.recent.order.Len())
	assert.Nil(t, oldest.place, "the one not used for longest went")
	assert.NotContains(t, s.recent.buckets, oldest.keys[0])
}

func TestConversationsThatBeginAlikeShareABucket(t *testing.T) {
	s := New(Options{})
	for i := range 2 * candidates {
		messages := []any{map[string]any{"role": "user", "content": fmt.Sprintf("question %d", i)}}
		require.Equal(t, 200, post(t, s, boundFrom, "claude-sonnet-5", 4000, messages).Status)
	}
	for _, b := range s.recent.buckets { // any order: each is checked
		assert.Len(t, b, candidates)
	}
	assert.Equal(t, candidates, s.recent.order.Len(), "what no bucket holds is not kept")
}
