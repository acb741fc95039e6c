package fit

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"harnessbench/internal/model"
	"harnessbench/internal/prefix"
	"harnessbench/internal/tokens"
	"harnessbench/internal/wire"
)

// request is a body with so many texts over several turns, with and without tools and a system prompt.
func request(t *rapid.T, id string) []byte {
	word := rapid.SampledFrom([]string{"the", "file", "internationalization", "It's", "a", "12", "Go", "x_y", "{}", "-->", "né", "aBcDe", "\n  ", "we're"})
	text := func(label string) string {
		return strings.Join(rapid.SliceOfN(word, 3, 12).Draw(t, label), " ")
	}
	body := map[string]any{"model": id, "max_tokens": 10}
	if rapid.Bool().Draw(t, "system") {
		body["system"] = text("system text")
	}
	if rapid.Bool().Draw(t, "tools") {
		body["tools"] = []any{map[string]any{"name": "t", "description": text("tool"), "input_schema": map[string]any{"type": "object"}}}
	}
	var messages []any
	for i := range 2*rapid.IntRange(0, 2).Draw(t, "turns") + 1 {
		messages = append(messages, map[string]any{"role": []string{"user", "assistant"}[i%2], "content": text("turn")})
	}
	body["messages"] = messages
	b, err := json.Marshal(body)
	require.NoError(t, err)
	return b
}

func TestASampleIsTheRequestsSize(t *testing.T) {
	for _, id := range []string{"claude-3-5-haiku-latest", "claude-sonnet-4-6", "claude-opus-4-7", "claude-sonnet-5-5"} {
		rapid.Check(t, func(t *rapid.T) {
			body := request(t, id)
			req, err := wire.Parse(nil, body)
			require.NoError(t, err)
			m, _ := model.Lookup(id)
			s := probe(req, m)
			l := tokens.Generation(m)
			var p Parameters
			copy(p[:], l.Weights[:])
			p[base], p[turn], p[system] = l.Around.Base, l.Around.Turn, l.Around.System
			assert.InDelta(t, prefix.Render(nil, req, m, prefix.Options{}).Total, s.size(p), 1.01, "%s", body)
		})
	}
}

func TestKnownCoefficientsAreFoundAgain(t *testing.T) {
	want := Published("4.7+")
	want[tokens.Word], want[tokens.Long], want[tokens.One], want[base] = 1.2, 0.4, -0.5, 8
	var samples []Sample
	for i := range 80 {
		s := Sample{ID: fmt.Sprint(i), Generation: "4.7+", Fixed: float64(10 * (i % 3))}
		for k := range s.X {
			s.X[k] = float64((i*(2*k+3) + k*k) % 17)
		}
		s.X[base] = 1
		s.Total = s.size(want)
		samples = append(samples, s)
	}
	got := Fit("4.7+", samples)
	for _, k := range []tokens.Feature{tokens.Word, tokens.Digit, tokens.Punct, tokens.NL, tokens.One} {
		assert.InDelta(t, want[k], got[k], 0.1, k.String())
	}
	f := Measure(samples, got, false)
	assert.Equal(t, 80, f.N)
	assert.Less(t, f.RMS, 0.01)
	assert.Zero(t, Measure(samples, got, true).N)
}

func TestOneOutlierDoesNotBendTheFit(t *testing.T) {
	var samples []Sample
	for i := range 40 {
		s := Sample{Generation: "4.x"}
		s.X[tokens.Word], s.X[base] = float64(10+3*i), 1
		s.Total = s.size(Published("4.x"))
		samples = append(samples, s)
	}
	samples[17].Total *= 2
	got := Fit("4.x", samples)
	assert.InDelta(t, 1.04, got[tokens.Word], 0.03)
	assert.Equal(t, 1, Measure(samples, got, false).N-Measure(samples, got, false).In10)
}

func TestFixedPointsHold(t *testing.T) {
	for _, s := range FixedPoints() {
		assert.Equal(t, s.Total, math.Round(s.size(Published("4.x"))), s.ID)
	}
}

func TestBadPairsAreNamed(t *testing.T) {
	_, err := Samples([]Pair{{ID: "one", Model: "claude-nobody", Body: []byte("{}")}})
	require.ErrorContains(t, err, `pair one: the model table has no "claude-nobody"`)
	_, err = Samples([]Pair{{ID: "two", Model: "claude-sonnet-4-6", Body: []byte("{")}})
	require.ErrorContains(t, err, "pair two: the request is no JSON")
}
