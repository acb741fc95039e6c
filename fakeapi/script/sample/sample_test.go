package sample

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"harnessbench/internal/wire"
)

// TestSchemasOfEveryForm: what is drawn is what the schema takes, with any seed.
func TestSchemasOfEveryForm(t *testing.T) {
	for _, schema := range []string{
		`{}`, `true`, `{"type":"null"}`, `{"type":["null","integer"]}`, `{"const":{"a":1}}`, `{"enum":[1,"b",null]}`,
		`{"type":"string","pattern":"^[A-Z]{3}-[0-9]+(\\.x|y)?$"}`, `{"type":"string","minLength":40,"maxLength":42}`, `{"type":"string","maxLength":2}`,
		`{"type":"string","format":"date-time"}`, `{"type":"string","format":"uuid"}`, `{"type":"string","format":"unheard-of"}`,
		`{"type":"integer","minimum":5,"maximum":5}`, `{"type":"integer","exclusiveMinimum":5,"exclusiveMaximum":7}`, `{"type":"number","multipleOf":0.5,"minimum":0.3}`,
		`{"type":"integer","multipleOf":7,"maximum":-1}`, `{"type":"number","exclusiveMinimum":0,"exclusiveMaximum":0.5}`,
		`{"type":"array","minItems":3,"uniqueItems":true,"items":{"enum":[1,2,3]}}`, `{"type":"array","prefixItems":[{"type":"string"},{"type":"integer"}],"items":false,"minItems":2,"maxItems":2}`,
		`{"type":"object","required":["a","b"],"properties":{"a":{"type":"string"}},"additionalProperties":{"type":"integer"}}`,
		`{"type":"object","minProperties":2,"additionalProperties":{"type":"boolean"}}`,
		`{"oneOf":[{"type":"object","properties":{"kind":{"const":"a"},"n":{"type":"integer"}},"required":["kind","n"]},{"type":"object","properties":{"kind":{"const":"b"}},"required":["kind"]}]}`,
		`{"allOf":[{"type":"object","properties":{"a":{"type":"string"}},"required":["a"]},{"properties":{"b":{"type":"integer"}},"required":["b"]}]}`,
		`{"$ref":"#/$defs/node","$defs":{"node":{"type":"object","properties":{"value":{"type":"string"},"next":{"anyOf":[{"$ref":"#/$defs/node"},{"type":"null"}]}},"required":["value","next"]}}}`,
		`{"$schema":"http://json-schema.org/draft-07/schema#","type":"object","properties":{"file_path":{"type":"string","description":"d"}},"required":["file_path"],"additionalProperties":false}`,
	} {
		v, err := wire.ParseValue([]byte(schema))
		require.NoError(t, err)
		for seed := range uint64(20) {
			out, ok := Value(v, rand.New(rand.NewPCG(seed, 1)))
			require.True(t, ok, "%s: %s", schema, out)
			again, _ := Value(v, rand.New(rand.NewPCG(seed, 1)))
			require.Equal(t, out, again)
		}
	}
}

// TestWhatNothingSatisfies: no value, no hang, no load of anything.
func TestWhatNothingSatisfies(t *testing.T) {
	for _, schema := range []string{
		`false`, `{"type":"object","required":["a"],"properties":{"a":false}}`, `{"$ref":"https://example.com/schema.json"}`, `{"$ref":"#/$defs/none"}`,
		`{"type":7}`, `"text"`, `{"type":"string","pattern":"("}`, `{"enum":[]}`,
		`{"$ref":"#"}`, `{"allOf":[{"$ref":"#"}],"type":"integer","maximum":1,"minimum":2}`,
	} {
		v, err := wire.ParseValue([]byte(schema))
		require.NoError(t, err)
		out, ok := Value(v, rand.New(rand.NewPCG(1, 1)))
		if ok {
			require.NotEmpty(t, out, schema)
		}
	}
}

// TestTheKeywordThatStandsInTheWayIsNamed: as a place in the schema; nothing is named where a value is drawn.
func TestTheKeywordThatStandsInTheWayIsNamed(t *testing.T) {
	for schema, want := range map[string]string{ // any order: each is a test of its own
		`false`: "#", `{"type":"string","not":{}}`: "#/not", `{"type":"integer","minimum":2,"maximum":1}`: "#/minimum",
		`{"type":"object","properties":{"a":{"type":7}}}`: "#/properties/a/type", `{"type":"string","pattern":"("}`: "#/pattern",
		`{"$ref":"#/$defs/none"}`: "$ref #/$defs/none", `{"$ref":"#none"}`: "$ref #none", `{"$ref":"https://example.com/s"}`: "$ref https://example.com/s",
		`{"type":"string"}`: "", `{"type":"object","properties":null,"required":null}`: "",
	} {
		v, err := wire.ParseValue([]byte(schema))
		require.NoError(t, err)
		require.Equal(t, want, Obstacle(v, rand.New(rand.NewPCG(1, 1))), schema)
	}
}
