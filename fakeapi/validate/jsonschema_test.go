package validate_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// The metaschema that is written out must say what the library says of the published one.
func TestSchemasAreJudgedAsTheLibraryDoes(outer *testing.T) {
	t := outer
	meta, err := jsonschema.NewCompiler().Compile("https://json-schema.org/draft/2020-12/schema")
	require.NoError(t, err)
	words := []string{"type", "required", "enum", "properties", "$defs", "items", "additionalProperties", "anyOf", "not", "prefixItems",
		"minLength", "maxItems", "minimum", "exclusiveMaximum", "multipleOf", "uniqueItems", "title", "format", "default", "examples",
		"dependentRequired", "dependencies", "contains", "const", "x-own", "readOnly"}
	value := rapid.Custom(func(t *rapid.T) any { return aValue(t, words, 3) })
	rapid.Check(t, func(t *rapid.T) {
		schema := map[string]any{"type": "object", "properties": map[string]any{"p": value.Draw(t, "schema")}}
		raw, err := json.Marshal(schema)
		require.NoError(t, err)
		doc, err := jsonschema.UnmarshalJSON(strings.NewReader(string(raw)))
		require.NoError(t, err)
		_, f := check(outer, overlay(outer, `{"tools":[{"name":"t","input_schema":`+string(raw)+`}]}`), usual(""))
		require.Equal(t, meta.Validate(doc) == nil, f == nil, string(raw))
	})
}

// aValue is something that may stand in a schema, rightly or not.
func aValue(t *rapid.T, words []string, depth int) any {
	kinds := 5
	if depth > 0 {
		kinds = 8
	}
	switch rapid.IntRange(0, kinds).Draw(t, "kind") {
	case 0:
		return rapid.Bool().Draw(t, "bool")
	case 1:
		return rapid.SampledFrom([]any{0, 1, -1, 2.5, 3.0}).Draw(t, "number")
	case 2, 3:
		return rapid.SampledFrom([]string{"object", "string", "null", "strng", "a"}).Draw(t, "word")
	case 4:
		return nil
	case 5:
		return []any{}
	case 6:
		var out []any
		for range rapid.IntRange(0, 3).Draw(t, "items") {
			out = append(out, aValue(t, words, depth-1))
		}
		return out
	default:
		out := map[string]any{}
		for range rapid.IntRange(0, 3).Draw(t, "members") {
			out[rapid.SampledFrom(words).Draw(t, "keyword")] = aValue(t, words, depth-1)
		}
		return out
	}
}
