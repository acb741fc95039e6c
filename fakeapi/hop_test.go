package fakeapi

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"harnessbench/internal/model"
	"harnessbench/internal/wire"
)

// What an entry of fallbacks leaves out is the request's as far as its model takes that, else the model's own default;
// null is the default (SDK BetaFallbackParam).
func TestWhatAFallbackTakesOverFromTheRequest(t *testing.T) {
	for _, tc := range []struct{ name, model, request, entry, want string }{
		{"nothing said", "claude-opus-5", `{}`, `{}`, `{}`},
		{"max_tokens of the request", "claude-opus-5", `{"max_tokens":5}`, `{"max_tokens":null}`, `{"max_tokens":5}`},
		{"max_tokens of its own", "claude-opus-5", `{"max_tokens":5}`, `{"max_tokens":7}`, `{"max_tokens":7}`},
		{"thinking it has", "claude-opus-4-6", `{"thinking":{"type":"enabled","budget_tokens":1024}}`, `{}`, `{"thinking":{"type":"enabled","budget_tokens":1024}}`},
		{"thinking it has not", "claude-opus-4-8", `{"thinking":{"type":"enabled","budget_tokens":1024}}`, `{}`, `{}`},
		{"the display of thinking it has not", "claude-opus-5", `{"thinking":{"type":"enabled","budget_tokens":1024,"display":"omitted"}}`, `{}`,
			`{"thinking":{"type":"adaptive","display":"omitted"}}`},
		{"thinking of its own", "claude-opus-5", `{"thinking":{"type":"adaptive"}}`, `{"thinking":{"type":"disabled"}}`, `{"thinking":{"type":"disabled"}}`},
		{"null for thinking", "claude-opus-4-8", `{"thinking":{"type":"adaptive"}}`, `{"thinking":null}`, `{}`},
		{"between tools to one that can be switched off", "claude-opus-4-8", `{"thinking":{"type":"between_tools"}}`, `{}`, `{"thinking":{"type":"disabled"}}`},
		{"between tools to one that cannot", "claude-opus-5-5", `{"thinking":{"type":"between_tools"}}`, `{}`, `{}`},
		{"an effort it has", "claude-opus-4-6", `{"output_config":{"effort":"max"}}`, `{}`, `{"output_config":{"effort":"max"}}`},
		{"an effort it has not", "claude-opus-4-6", `{"output_config":{"effort":"xhigh","format":{"a":1}}}`, `{}`, `{"output_config":{"format":{"a":1}}}`},
		{"field by field", "claude-opus-5", `{"output_config":{"effort":"low","format":{"a":1},"task_budget":{"b":2}}}`, `{"output_config":{"effort":"max","format":null}}`,
			`{"output_config":{"effort":"max","task_budget":{"b":2}}}`},
		{"null for output_config", "claude-opus-5", `{"output_config":{"effort":"low"}}`, `{"output_config":null}`, `{}`},
		{"fast where it may", "claude-opus-5-5", `{"speed":"fast"}`, `{}`, `{"speed":"fast"}`},
		{"fast where it may not", "claude-sonnet-5", `{"speed":"fast"}`, `{}`, `{}`},
		{"null for speed", "claude-opus-5-5", `{"speed":"fast"}`, `{"speed":null}`, `{}`},
		{"speed of its own", "claude-opus-5-5", `{"speed":"fast"}`, `{"speed":"standard"}`, `{"speed":"standard"}`},
		{"everything else", "claude-opus-5", `{"system":"s","fallbacks":[1],"stream":true,"model":"x"}`, `{}`, `{"system":"s","stream":true}`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			req, err := wire.Parse(nil, []byte(tc.request))
			require.NoError(t, err)
			entry, err := wire.ParseValue([]byte(`{"model":"` + tc.model + `",` + tc.entry[1:]))
			if tc.entry == "{}" {
				entry, err = wire.ParseValue([]byte(`{"model":"` + tc.model + `"}`))
			}
			require.NoError(t, err)
			m, known := model.Lookup(tc.model)
			require.True(t, known)
			want, err := wire.ParseValue([]byte(tc.want))
			require.NoError(t, err)
			assert.JSONEq(t, string(with(want, []setting{{"model", []byte(`"` + tc.model + `"`)}})), string(substitute(req, entry, m)))
		})
	}
}
