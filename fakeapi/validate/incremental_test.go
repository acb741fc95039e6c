package validate_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"harnessbench/fakeapi/validate"
	"harnessbench/internal/wire"
)

// pieces are messages that are mostly legal after each other and break every rule of the conversation now and then.
func pieces(t *rapid.T, n int) string {
	id := func() string { return fmt.Sprintf("toolu_%d", rapid.IntRange(max(0, n-3), n).Draw(t, "id")) }
	use := func() string { return fmt.Sprintf(`{"type":"tool_use","id":"%s","name":"t","input":{}}`, id()) }
	result := func() string {
		mark := rapid.SampledFrom([]string{"", "", `,"cache_control":{"type":"ephemeral"}`, `,"cache_control":{"type":"ephemeral","ttl":"1h"}`}).Draw(t, "mark")
		return fmt.Sprintf(`{"type":"tool_result","tool_use_id":"%s"%s}`, id(), mark)
	}
	doc := `{"type":"document","source":{"type":"url","url":"https://example.com"}}`
	switch rapid.IntRange(0, 15).Draw(t, "piece") {
	case 0, 1:
		return u
	case 2, 3:
		return a
	case 4, 5:
		return assistant(text + "," + use())
	case 6:
		return assistant(use() + "," + use())
	case 7, 8:
		return user(result())
	case 9:
		return user(result() + "," + text + "," + result())
	case 10:
		return system(text)
	case 11:
		return `{"role":"system","content":[],"output_config":{"effort":"low"}}`
	case 12:
		return rapid.SampledFrom([]string{user(""), assistant(""), user(empty), assistant(blankT), assistant(think), system(blankT), user(png), assistant(png)}).Draw(t, "odd")
	case 13:
		return assistant(server + "," + found + "," + blankT)
	case 14:
		return user(doc + `,{"type":"text","text":"x","cache_control":{"type":"ephemeral","ttl":"1h"}}`)
	default:
		return user(`{"type":"text","text":"x","cache_control":{"type":"ephemeral"}}`)
	}
}

func TestAContinuedCheckEqualsACheckOfItsOwn(t *testing.T) {
	passed, refused := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		h := usual(effort)
		models := []string{"claude-opus-5", "claude-opus-5", "claude-haiku-4-5"}
		tops := []string{"", "", `"system":[{"type":"text","text":"s","cache_control":{"type":"ephemeral"}}],`, `"cache_control":{"type":"ephemeral"},`,
			`"tools":[{"name":"t","input_schema":{"type":"object","additionalProperties":false},"strict":true}],`, `"stream":7,`}
		var prev *validate.Checked
		var messages []string
		for turn := range rapid.IntRange(2, 14).Draw(t, "turns") {
			if prev != nil && rapid.IntRange(0, 4).Draw(t, "rewind") == 0 {
				messages = messages[:rapid.IntRange(0, len(messages)).Draw(t, "to")]
			}
			next := messages[:len(messages):len(messages)]
			for range rapid.IntRange(0, 3).Draw(t, "more") {
				next = append(next, pieces(t, len(next)))
			}
			top := rapid.SampledFrom(tops).Draw(t, "top")
			body := []byte(`{"model":"` + rapid.SampledFrom(models).Draw(t, "model") + `","max_tokens":64,` + top + `"messages":[` + strings.Join(next, ",") + `]}`)
			var before *wire.Request
			if prev != nil {
				before = prev.Request
			}
			req, err := wire.Parse(before, body)
			require.NoError(t, err)
			cold, err := wire.Parse(nil, body)
			require.NoError(t, err)
			got, gotFault := validate.Check(prev, req, h)
			want, wantFault := validate.Check(nil, cold, h)
			require.Equal(t, wantFault, gotFault, "turn %d: %s", turn, body)
			if wantFault != nil {
				refused++
				continue // a refused request is no predecessor
			}
			passed++
			require.Equal(t, want.NotJudged, got.NotJudged, "%s", body)
			messages = next
			// Keep an older predecessor now and then: two requests may continue the same one.
			if prev == nil || rapid.IntRange(0, 3).Draw(t, "keep") > 0 {
				prev = got
			} else {
				messages = sent(prev.Request)
			}
		}
	})
	// Shares, not counts: how many are drawn depends on how the tests are called.
	require.Greater(t, passed*8, passed+refused, "the generator makes too few legal requests")
	require.Greater(t, refused*8, passed+refused, "the generator makes too few illegal requests")
}

func sent(r *wire.Request) []string {
	var out []string
	for _, m := range r.Messages() {
		out = append(out, string(m.Raw()))
	}
	return out
}

// grown is a conversation of n turns with a call each.
func grown(n int) []byte {
	var b strings.Builder
	b.WriteString(`{"model":"claude-sonnet-5","max_tokens":64,"messages":[`)
	for i := range n {
		fmt.Fprintf(&b, `{"role":"user","content":"%s"},{"role":"assistant","content":[{"type":"tool_use","id":"toolu_%d","name":"t","input":{}}]},`+
			`{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_%d","content":"ok"}]},{"role":"assistant","content":"done"},`, strings.Repeat("x", 200), i, i)
	}
	b.WriteString(u + `]}`)
	return []byte(b.String())
}

func BenchmarkCheck(b *testing.B) {
	for _, turns := range []int{25, 2500} {
		first, err := wire.Parse(nil, grown(turns))
		require.NoError(b, err)
		b.Run(fmt.Sprintf("json.Valid/%d", 4*turns), func(b *testing.B) {
			b.SetBytes(int64(len(first.Body)))
			for b.Loop() {
				json.Valid(first.Body)
			}
		})
		b.Run(fmt.Sprintf("whole/%d", 4*turns), func(b *testing.B) {
			b.SetBytes(int64(len(first.Body)))
			for b.Loop() {
				_, f := validate.Check(nil, first, usual(""))
				require.Nil(b, f)
			}
		})
		known, f := validate.Check(nil, first, usual(""))
		require.Nil(b, f)
		second, err := wire.Parse(first, grown(turns+1))
		require.NoError(b, err)
		b.Run(fmt.Sprintf("next/%d", 4*turns), func(b *testing.B) {
			for b.Loop() {
				_, f := validate.Check(known, second, usual(""))
				require.Nil(b, f)
			}
		})
	}
}
