package fakeapi_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"harnessbench/fakeapi"
	"harnessbench/fakeapi/script"
	"harnessbench/internal/tokens"
	"harnessbench/internal/wire"

	modeltable "harnessbench/internal/model"
)

// post sends one body with beta headers.
func post(t *testing.T, s *fakeapi.Server, path string, body obj, betas ...string) fakeapi.Response {
	t.Helper()
	data, err := json.Marshal(body)
	require.NoError(t, err)
	header := usual
	if len(betas) > 0 {
		header = append(append([]fakeapi.Field(nil), usual...), fakeapi.Field{Name: "anthropic-beta", Value: strings.Join(betas, ",")})
	}
	return s.Handle(begin, fakeapi.Request{Method: "POST", Path: path, Header: header, Body: data})
}

// laterAs sends a body some minutes on, when everything before has been answered.
func laterAs(t *testing.T, s *fakeapi.Server, minutes int, body obj, betas ...string) fakeapi.Response {
	t.Helper()
	data, err := json.Marshal(body)
	require.NoError(t, err)
	header := append(append([]fakeapi.Field(nil), usual...), fakeapi.Field{Name: "anthropic-beta", Value: strings.Join(betas, ",")})
	return s.Handle(begin.Add(time.Duration(minutes)*time.Minute), fakeapi.Request{Method: "POST", Path: "/v1/messages", Header: header, Body: data})
}

func messages(t *testing.T, s *fakeapi.Server, body obj, betas ...string) fakeapi.Response {
	t.Helper()
	return post(t, s, "/v1/messages", body, betas...)
}

// accepted is the answer of a request that must be taken.
func accepted(t *testing.T, resp fakeapi.Response) obj {
	t.Helper()
	require.Equal(t, 200, resp.Status, "%s", resp.Body())
	return decode(t, resp.Body())
}

// detail is error.details.error_code of a refusal.
func detail(t *testing.T, resp fakeapi.Response) any {
	t.Helper()
	body := decode(t, resp.Body())
	d, ok := body["error"].(obj)["details"].(obj)
	require.True(t, ok, "%s", resp.Body())
	return d["error_code"]
}

// ofSize is a body of one user message whose prompt counts exactly so many tokens.
func ofSize(t *testing.T, model string, size int, more obj) obj {
	t.Helper()
	body := obj{"model": model, "max_tokens": 1000}
	for k, v := range more {
		body[k] = v
	}
	m, ok := modeltable.Lookup(model)
	require.True(t, ok)
	s := fakeapi.New(fakeapi.Options{})
	count := func(text string) int {
		probe := obj{"model": model, "messages": []any{obj{"role": "user", "content": text}}}
		return int(accepted(t, post(t, s, "/v1/messages/count_tokens", probe))["input_tokens"].(float64))
	}
	around := count("x") - 1
	for text := size - around - 2; text < size; text++ {
		filled, err := tokens.Fill(tokens.Generation(m), "Fill. ", text)
		require.NoError(t, err)
		if count(filled) == size {
			body["messages"] = []any{obj{"role": "user", "content": filled}}
			return body
		}
	}
	require.Fail(t, "no text of this size")
	return nil
}

// saying is a server that answers everything alike.
func saying(opt fakeapi.Options, blocks ...script.Block) *fakeapi.Server {
	turn := script.Turn{Prefix: true}
	for range 20 {
		turn.Answers = append(turn.Answers, script.Answer{Blocks: blocks})
	}
	opt.Script = script.Script{Turns: []script.Turn{turn}}
	return fakeapi.New(opt)
}

// answerOf reads an answer, streamed or not.
func answerOf(t *testing.T, resp fakeapi.Response) *wire.Answer {
	t.Helper()
	require.Equal(t, 200, resp.Status, "%s", resp.Body())
	if len(resp.Frames) > 1 {
		return assemble(t, resp)
	}
	a, err := wire.ParseAnswer(resp.Body())
	require.NoError(t, err)
	return a
}
