package scenarios

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/require"
)

func compiled(t *testing.T) *jsonschema.Schema {
	t.Helper()
	data, err := Schema()
	require.NoError(t, err)
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	require.NoError(t, err)
	c := jsonschema.NewCompiler()
	require.NoError(t, c.AddResource("story.json", doc))
	s, err := c.Compile("story.json")
	require.NoError(t, err)
	return s
}

// value is the file as an editor's validator sees it.
func value(t *testing.T, text []byte) any {
	t.Helper()
	var doc any
	require.NoError(t, yaml.Unmarshal(text, &doc))
	data, err := json.Marshal(doc) // the way over YAMLToJSON spells control characters as no JSON does
	require.NoError(t, err)
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	require.NoError(t, err)
	return v
}

func TestTheSchemaTakesEveryShippedStory(t *testing.T) {
	s := compiled(t)
	all, err := LoadAll(os.DirFS("."), ".")
	require.NoError(t, err)
	for _, story := range all {
		data, err := os.ReadFile(story.File)
		require.NoError(t, err)
		require.NoError(t, s.Validate(value(t, data)), story.File)
	}
}

func TestTheSchemaRefusesWhatTheLoaderRefusesAtOnePlace(t *testing.T) {
	s := compiled(t)
	for _, tc := range badFiles {
		t.Run(tc.name, func(t *testing.T) {
			require.Error(t, s.Validate(value(t, []byte(tc.text))))
		})
	}
}

func TestTheSchemaFileIsTheOneSchemaGives(t *testing.T) {
	want, err := Schema()
	require.NoError(t, err)
	got, err := os.ReadFile("scenario.schema.json")
	require.NoError(t, err)
	require.Equal(t, string(want), string(got), "write it anew: go run ./cmd/bench schema > scenarios/scenario.schema.json")
}

func TestTheSchemaIsTheSameEveryTime(t *testing.T) {
	first, err := Schema()
	require.NoError(t, err)
	for range 20 {
		again, err := Schema()
		require.NoError(t, err)
		require.Equal(t, first, again)
	}
}

func ExampleError() {
	_, err := Load(os.DirFS("testdata"), "slip.yaml")
	fmt.Println(err)
	// Output:
	// slip.yaml:7:18: rewind to step 9, but the story has 2 steps; step 1 is the only prompt to go back to
}
