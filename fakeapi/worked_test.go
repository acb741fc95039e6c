package fakeapi_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"harnessbench/fakeapi"
	"harnessbench/fakeapi/script"
	"harnessbench/internal/model"
	"harnessbench/internal/tokens"
)

// weighing is a text of exactly n tokens.
func weighing(t require.TestingT, id string, n int) string {
	m, ok := model.Lookup(id)
	require.True(t, ok)
	s, err := tokens.Fill(tokens.Generation(m), "", n)
	require.NoError(t, err)
	return s
}

// TestTheFourTurnTable is the worked example of seed 003 (H-TRACE-4) to the token: what a loop of four calls creates
// and reads. The texts are sized so that each call adds what the table says; everything else follows.
func TestTheFourTurnTable(t *testing.T) {
	created, read := [4]int{27_529, 229, 206, 424}, [4]int{0, 27_529, 27_758, 27_964}
	for _, id := range []string{"claude-sonnet-4-5", "claude-sonnet-4-6", "claude-opus-5", "claude-sonnet-5-5"} {
		t.Run(id, func(t *testing.T) {
			call := script.Answer{Blocks: []script.Block{{Kind: "tool_use", Name: "Bash", Input: []byte(`{"command":"make test"}`)}}}
			answers := []script.Answer{call, call, call, say("", "Done.")}
			// play runs the loop with a system prompt and results of these sizes.
			play := func(sizes [4]int) (got []fakeapi.Usage) {
				c := newChat(t, fakeapi.New(fakeapi.Options{Script: script.Script{Turns: []script.Turn{{Prompt: "count the files", Answers: answers}}}}), id)
				delete(c.body, "thinking")
				c.body["system"] = []any{obj{"type": "text", "text": weighing(t, id, sizes[0]), "cache_control": mark()}}
				a := c.ask(text("count the files"))
				got = append(got, c.last.View.Usage)
				for i := 1; i < 4; i++ {
					r := result(a)
					r["content"] = weighing(t, id, sizes[i])
					a = c.ask(r)
					got = append(got, c.last.View.Usage)
				}
				return got
			}
			sizes := [4]int{20_000, 100, 100, 100}
			for i, u := range play(sizes) {
				sizes[i] += created[i] - u.Write5m
			}
			for i, u := range play(sizes) {
				assert.Equal(t, created[i], u.Write5m, "call %d creates", i+1)
				assert.Equal(t, read[i], u.Read, "call %d reads", i+1)
				assert.LessOrEqual(t, u.Input, 4, "the tail")
				assert.Positive(t, u.Input)
			}
		})
	}
}

// TestTheUsageSample is the usage of seed 000 (H-LOG-28) to the token: 2 + 379 + 50,803 = 51,184, and 372 out.
func TestTheUsageSample(t *testing.T) {
	const id = "claude-opus-5"
	play := func(before, new, out int) fakeapi.Response {
		answer := script.Script{Turns: []script.Turn{{Prompt: "the", Prefix: true, Answers: []script.Answer{say("", weighing(t, id, out))}}}}
		s := fakeapi.New(fakeapi.Options{Script: answer})
		body := obj{"model": id, "max_tokens": 4096, "tools": []any{bash}, "system": weighing(t, id, before),
			"messages": []any{obj{"role": "user", "content": []any{obj{"type": "text", "text": "the first", "cache_control": hour()}}}}}
		usage(t, at(t, s, 0, body))
		body["messages"] = []any{
			obj{"role": "user", "content": "the first"}, obj{"role": "assistant", "content": "yes"},
			obj{"role": "user", "content": []any{obj{"type": "text", "text": weighing(t, id, new), "cache_control": hour()}}},
		}
		return at(t, s, time.Minute, body)
	}
	u := usage(t, play(50_000, 300, 300))
	resp := play(50_000+50_803-u.Read, 300+379-u.Write1h, 300+372-u.Output)
	u = usage(t, resp)
	assert.Equal(t, fakeapi.Usage{Input: 2, Write1h: 379, Read: 50_803, Output: 372}, u)
	assert.Equal(t, 51_184, resp.View.Total)
	assert.Contains(t, string(resp.Body()), `"usage":{"input_tokens":2,"cache_creation_input_tokens":379,"cache_read_input_tokens":50803,"cache_creation":{"ephemeral_5m_input_tokens":0,"ephemeral_1h_input_tokens":379},"output_tokens":372`)
	m, _ := model.Lookup(id)
	assert.InDelta(t, (2*m.Price.Input+379*m.Price.Write1h+50_803*m.Price.Read+372*m.Price.Output)/1e6,
		m.Cost(model.Spent{Input: u.Input, Write1h: u.Write1h, Read: u.Read, Output: u.Output}), 1e-12)
}
