package fakeapi_test

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"harnessbench/fakeapi"
	"harnessbench/internal/model"
	"harnessbench/internal/tokens"
)

// loop is a tool loop in which the text of each call has a size of its own: the system prompt of the first call,
// then the results. It returns the usage of every call.
func loop(t *testing.T, id string, sizes []int) []fakeapi.Usage {
	t.Helper()
	m, _ := model.Lookup(id)
	filled := func(n int) string {
		text, err := tokens.Fill(tokens.Generation(m), "", n)
		require.NoError(t, err)
		return text
	}
	s := fakeapi.New(fakeapi.Options{})
	mark := obj{"type": "ephemeral"}
	messages := []any{obj{"role": "user", "content": []any{obj{"type": "text", "text": "which test fails?", "cache_control": mark}}}}
	var out []fakeapi.Usage
	for i, n := range sizes {
		if i > 0 {
			use := fmt.Sprintf("toolu_%d", i)
			messages = append(messages,
				obj{"role": "assistant", "content": []any{obj{"type": "tool_use", "id": use, "name": "Bash", "input": obj{"command": "make test"}}}},
				obj{"role": "user", "content": []any{obj{"type": "tool_result", "tool_use_id": use, "content": filled(n), "cache_control": mark}}})
			delete(messages[2*i-2].(obj)["content"].([]any)[0].(obj), "cache_control")
		}
		body, err := json.Marshal(obj{"model": id, "max_tokens": 100, "messages": messages, "tools": []any{bash}, "system": filled(sizes[0])})
		require.NoError(t, err)
		resp := s.Handle(begin.Add(time.Duration(i)*time.Minute), fakeapi.Request{Method: "POST", Path: "/v1/messages", Header: usual, Body: body})
		require.Equal(t, 200, resp.Status, "%s", resp.Body())
		out = append(out, resp.View.Usage)
	}
	return out
}

// sized finds the sizes with which each call writes so many tokens. A text one token larger makes its call write one
// token more, so one trial is enough for each.
func sized(t *testing.T, id string, created []int) []int {
	sizes := make([]int, 0, len(created))
	for i, want := range created {
		trial := 60
		if i == 0 {
			trial = 5000 // beyond every minimum
		}
		sizes = append(sizes, trial)
		sizes[i] += want - loop(t, id, sizes)[i].Write5m
	}
	return sizes
}

// The table of a healthy loop in the seeds (harness.md H-TRACE-4), to the token: calls of 1, 3, 5 and 7 messages.
func TestTheTableOfTheSeedsHoldsToTheToken(t *testing.T) {
	created := []int{27_529, 229, 206, 424}
	for _, id := range []string{"claude-sonnet-4-6", "claude-haiku-4-5", "claude-sonnet-5", "claude-sonnet-5-5"} {
		calls := loop(t, id, sized(t, id, created))
		for i, read := range []int{0, 27_529, 27_758, 27_964} {
			assert.Equal(t, created[i], calls[i].Write5m, "%s: call %d creates", id, i+1)
			assert.Equal(t, read, calls[i].Read, "%s: call %d reads", id, i+1)
		}
	}
}

// The usage sample of the seeds: 2 fresh, 379 written, 50,803 read.
func TestTheUsageSampleOfTheSeedsHoldsToTheToken(t *testing.T) {
	const id = "claude-opus-4-8"
	m, _ := model.Lookup(id)
	ask := func(s *fakeapi.Server, at time.Duration, system, prompt int) fakeapi.Usage {
		text := func(n int) string {
			out, err := tokens.Fill(tokens.Generation(m), "", n)
			require.NoError(t, err)
			return out
		}
		mark := obj{"type": "ephemeral"}
		body, err := json.Marshal(obj{"model": id, "max_tokens": 100,
			"system":   []any{obj{"type": "text", "text": text(system), "cache_control": mark}},
			"messages": []any{obj{"role": "user", "content": []any{obj{"type": "text", "text": text(prompt), "cache_control": mark}}}}})
		require.NoError(t, err)
		resp := s.Handle(begin.Add(at), fakeapi.Request{Method: "POST", Path: "/v1/messages", Header: usual, Body: body, AtOnce: true})
		require.Equal(t, 200, resp.Status, "%s", resp.Body())
		return resp.View.Usage
	}
	second := func(system, prompt int) fakeapi.Usage {
		s := fakeapi.New(fakeapi.Options{})
		ask(s, 0, system, 30) // another prompt behind the same system prompt
		return ask(s, time.Minute, system, prompt)
	}
	first := second(2000, 100)
	system := 2000 + 50_803 - first.Read
	prompt := 100 + 379 - second(system, 100).Write5m
	assert.Equal(t, fakeapi.Usage{Input: 2, Write5m: 379, Read: 50_803, Output: first.Output}, second(system, prompt))
}
