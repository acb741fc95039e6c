package validate_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"harnessbench/fakeapi/validate"
	"harnessbench/internal/wire"
)

func countable(t *testing.T, over string, betas ...string) *validate.Fault {
	body := strings.Replace(string(overlay(t, over)), `"max_tokens":64,`, "", 1)
	req, err := wire.Parse(nil, []byte(body))
	require.NoError(t, err)
	_, f := validate.CheckCount(nil, req, usual(strings.Join(betas, ",")))
	return f
}

func TestCountTokensKnowsFewerFieldsThanCreate(t *testing.T) {
	for name, value := range map[string]string{
		"stream": "true", "metadata": "{}", "stop_sequences": "[]", "temperature": "1", "top_k": "1", "top_p": "1", "service_tier": `"auto"`,
		"diagnostics": "null", "thread": `{"type":"create"}`, "fallbacks": "[]", "inference_geo": `"us"`, "container": "null", "max_tokens": "1",
	} {
		f := countable(t, `{"`+name+`":`+value+`}`, validate.ThreadBeta, "server-side-fallback-2026-07-01")
		require.NotNil(t, f, name)
		assert.Equal(t, name+": Extra inputs are not permitted", f.Message)
	}
	for name, value := range map[string]string{
		"system": `"s"`, "tools": `[{"name":"t","input_schema":{"type":"object"}}]`, "thinking": `{"type":"adaptive"}`,
		"output_config": `{"effort":"low"}`, "cache_control": `{"type":"ephemeral"}`, "tool_choice": `{"type":"none"}`,
	} {
		assert.Nil(t, countable(t, `{"`+name+`":`+value+`}`), name)
	}
	assert.Nil(t, countable(t, `{"model":"claude-haiku-4-5","thinking":{"type":"enabled","budget_tokens":2048}}`), "no max_tokens to stay below")
	assert.Equal(t, "max_tokens: Field required", func() string {
		_, f := check(t, overlay(t, `{"max_tokens":"-"}`), usual(""))
		return f.Message
	}(), "create needs it")
}

func TestCountTokensRefusesWhatOnlyAServerCanCount(t *testing.T) {
	source := func(kind, typ string) string {
		return `{"type":"` + kind + `","source":{"type":"` + typ + `","url":"https://example.com/x"}}`
	}
	search := `{"type":"web_search_20250305","name":"web_search"}`
	fetch := `{"type":"web_fetch_20250910","name":"web_fetch"}`
	for _, c := range []struct{ rule, over, beta, want string }{
		{"count.server-tools", `{"tools":[` + search + `,{"name":"t","input_schema":{"type":"object"}},` + fetch + `]}`, "",
			"Server tools are not supported in the count_tokens endpoint: web_search_20250305, web_fetch_20250910. Use the /v1/messages endpoint instead."},
		{"count.mcp-servers", `{"mcp_servers":[{"type":"url","url":"https://example.com","name":"m"}]}`, "mcp-client-2025-04-04",
			"mcp_servers: MCP servers are not supported in the count_tokens endpoint. Use the /v1/messages endpoint instead."},
		{"count.source", `{"messages":[{"role":"user","content":[{"type":"text","text":"x"},` + source("image", "url") + `]}]}`, "",
			"messages.0.content.1.image.source: 'url' sources are not supported in the count_tokens endpoint. Use the /v1/messages endpoint instead."},
	} {
		f := countable(t, c.over, c.beta)
		require.NotNil(t, f, c.rule)
		assert.Equal(t, c.want, f.Message)
		assert.Equal(t, c.rule, f.Rule)
		_, f = check(t, overlay(t, c.over), usual(c.beta))
		assert.Nil(t, f, "create takes it")
	}
	assert.Nil(t, countable(t, `{"tools":[{"type":"bash_20250124","name":"bash"}]}`), "a client tool")
	assert.Nil(t, countable(t, `{"messages":[{"role":"user","content":[`+png+`]}]}`), "an image in the body")
}
