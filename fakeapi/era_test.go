package fakeapi_test

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"harnessbench/fakeapi"
	"harnessbench/fakeapi/script"
)

// asOf answers one call of a tool in the form of a day.
func asOf(t *testing.T, opt fakeapi.Options, body string) fakeapi.Response {
	t.Helper()
	opt.Script = script.Script{Turns: []script.Turn{{Prompt: "go", Answers: []script.Answer{{
		Blocks: []script.Block{{Kind: "text", Text: "Running."}, {Kind: "tool_use", Name: "Bash", Input: []byte(`{"command":"ls"}`)}},
	}}}}}
	resp := fakeapi.New(opt).Handle(time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC), fakeapi.Request{
		Method: "POST", Path: "/v1/messages", Body: []byte(body),
		Header: []fakeapi.Field{{Name: "x-api-key", Value: "k"}, {Name: "anthropic-version", Value: "2023-06-01"}, {Name: "content-type", Value: "application/json"}},
	})
	return resp
}

const eraBody = `{"model":"claude-opus-4-8","max_tokens":100,"tools":[{"name":"Bash","input_schema":{"type":"object"}}],"messages":[{"role":"user","content":"go"}]}`

// keysOf lists the keys of a JSON object and of the objects in it, in the order they stand.
func keysOf(body []byte) string {
	return strings.Join(regexp.MustCompile(`"([a-z_0-9]+)":`).FindAllString(string(body), -1), "")
}

func dayOf(s string) time.Time {
	d, err := time.Parse(time.DateOnly, s)
	if err != nil {
		panic(err)
	}
	return d
}

func TestAnswersHaveTheFormOfTheirDay(t *testing.T) { // messages-api.md 1.4, 3
	const usage = `"input_tokens":`
	for _, c := range []struct {
		day        string
		has, lacks []string
	}{
		{"2024-06-01", []string{`{"id":"msg_`, `"role":"assistant","model":`}, []string{"cache_read", "service_tier", "cache_creation", "inference_geo", "caller", "stop_details", "details", "container", "diagnostics"}},
		{"2025-03-15", []string{`"cache_read_input_tokens"`}, []string{"service_tier", `"cache_creation":`, "inference_geo"}},
		{"2025-05-15", []string{`"service_tier"`}, []string{`"cache_creation":`}},
		{"2025-08-15", []string{`"cache_creation":`, `{"id":"msg_`}, []string{"inference_geo"}},
		{"2025-10-15", []string{`{"model":"claude-opus-4-8","id":"msg_`}, []string{"inference_geo"}},
		{"2026-02-15", []string{`"inference_geo"`, `"caller":`}, []string{"stop_details"}},
		{"2026-04-15", []string{`"stop_details":null`}, []string{"output_tokens_details"}},
		{"2026-05-28", []string{`"output_tokens_details"`}, []string{"container", "diagnostics"}},
		{"2026-10-01", []string{`"container":null`, `"diagnostics":null`}, nil},
	} {
		body := string(asOf(t, fakeapi.Options{AnswerAs: dayOf(c.day)}, eraBody).Body())
		require.True(t, json.Valid([]byte(body)), "%s: %s", c.day, body)
		assert.Contains(t, body, usage)
		for _, part := range c.has {
			assert.Contains(t, body, part, c.day)
		}
		for _, part := range c.lacks {
			assert.NotContains(t, body, part, c.day)
		}
	}
}

func TestWithoutADayAnswersHaveThePresentForm(t *testing.T) {
	now, latest := asOf(t, fakeapi.Options{}, eraBody), asOf(t, fakeapi.Options{AnswerAs: dayOf("2026-11-01")}, eraBody)
	assert.Equal(t, string(latest.Body()), string(now.Body()))
	assert.Greater(t, len(latest.Header), len(now.Header), "the headers of the edge come with a day alone")
}

func TestHeadersAndErrorsHaveTheFormOfTheirDay(t *testing.T) {
	names := func(day, body string) string {
		var out []string
		for _, h := range asOf(t, fakeapi.Options{AnswerAs: dayOf(day)}, body).Header {
			out = append(out, h.Name)
		}
		return strings.Join(out, " ")
	}
	assert.NotContains(t, names("2024-06-01", eraBody), "anthropic-organization-id")
	assert.NotContains(t, names("2024-06-01", eraBody), "input-tokens")
	assert.Contains(t, names("2024-06-01", eraBody), "via")
	assert.Contains(t, names("2025-03-01", eraBody), "anthropic-ratelimit-output-tokens-reset")
	assert.NotContains(t, names("2026-07-31", eraBody), "anthropic-workspace-id")
	assert.Contains(t, names("2026-08-01", eraBody), "anthropic-workspace-id")
	assert.NotContains(t, names("2026-08-01", eraBody), "via")

	bad := `{"model":"claude-opus-4-8"}`
	assert.NotContains(t, string(asOf(t, fakeapi.Options{AnswerAs: dayOf("2025-05-15")}, bad).Body()), "request_id")
	assert.Contains(t, string(asOf(t, fakeapi.Options{AnswerAs: dayOf("2025-11-15")}, bad).Body()), "request_id")
}

func TestStreamsHaveTheFormOfTheirDay(t *testing.T) {
	stream := strings.Replace(eraBody, "{", `{"stream":true,`, 1)
	end := func(day string) string {
		body := asOf(t, fakeapi.Options{AnswerAs: dayOf(day)}, stream).Body()
		_, rest, _ := bytes.Cut(body, []byte("event: message_delta"))
		return keysOf(rest)
	}
	assert.Equal(t, `"type":"delta":"stop_reason":"stop_sequence":"usage":"output_tokens":"type":`, end("2025-05-15"))
	assert.Equal(t, `"type":"delta":"stop_reason":"stop_sequence":"usage":"input_tokens":"cache_creation_input_tokens":"cache_read_input_tokens":"output_tokens":"type":`, end("2025-08-15"))
	assert.Contains(t, end("2026-10-15"), `"stop_details":"container":"usage":`)
}

func TestPlaceOfThePing(t *testing.T) { // messages-api.md 12, ping_place
	stream := strings.Replace(eraBody, "{", `{"stream":true,`, 1)
	for place, want := range map[string]string{
		"":                     "message_start content_block_start ping content_block_delta",
		fakeapi.PingAfterStart: "message_start content_block_start ping content_block_delta",
		fakeapi.PingAfterDelta: "message_start content_block_start content_block_delta ping",
		fakeapi.PingNone:       "message_start content_block_start content_block_delta content_block_stop",
	} {
		var names []string
		for _, f := range asOf(t, fakeapi.Options{PingPlace: place}, stream).Frames {
			name, _, _ := strings.Cut(strings.TrimPrefix(string(f.Data), "event: "), "\n")
			names = append(names, name)
		}
		assert.Equal(t, want, strings.Join(names[:4], " "), place)
	}
}

func TestModelsHaveTheFormOfTheirDay(t *testing.T) { // messages-api.md 1.1
	show := func(day, path string) string {
		var opt fakeapi.Options
		if day != "" {
			opt.AnswerAs = dayOf(day)
		}
		resp := fakeapi.New(opt).Handle(begin, fakeapi.Request{Method: "GET", Path: path, Header: usual})
		require.Equal(t, 200, resp.Status)
		return string(resp.Body())
	}
	const one = "/v1/models/claude-opus-4-8"
	assert.Equal(t, `"type":"id":"display_name":"created_at":`, keysOf([]byte(show("2026-04-30", one))))
	summer := show("2026-08-17", one)
	assert.Contains(t, summer, `"max_tokens":128000,"capabilities":{"batch"`)
	for _, later := range []string{"lifecycle", "server_tools", "between_tools", `"line"`} {
		assert.NotContains(t, summer, later)
		assert.Contains(t, show("", one), later)
	}
	assert.Equal(t, show("", one), show("2026-08-18", one))
	assert.NotContains(t, show("2026-04-30", "/v1/models"), "capabilities")
	assert.Contains(t, show("2026-04-30", "/v1/models"), `"has_more"`)
}
