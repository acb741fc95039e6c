package validate_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"harnessbench/fakeapi/validate"
	"harnessbench/internal/wire"
)

// withExamples is a tool whose only property is of the first of n definitions, each of which refers to the next in the
// form given, where @ stands for its number; the last is a string.
func withExamples(n int, form, examples string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `"d%d":%s,`, i, strings.ReplaceAll(form, "@", fmt.Sprint(i+1)))
	}
	fmt.Fprintf(&b, `"d%d":{"type":"string","minLength":2}`, n)
	return `{"model":"claude-sonnet-4-6","max_tokens":9,"messages":[{"role":"user","content":"hi"}],"tools":[{"name":"t","input_schema":` +
		`{"type":"object","properties":{"p":{"$ref":"#/$defs/d0"}},"$defs":{` + b.String() + `}},"input_examples":` + examples + `}]}`
}

// A schema that doubles from one definition to the next is too much to hold examples against: the request passes with
// the examples named as not judged. Where it is small, or where an example goes no deeper, they are judged.
func TestExamplesOfASchemaThatUnfoldsBeyondMeasure(t *testing.T) {
	const twice, inside = `{"%s":[{"$ref":"#/$defs/d@"},{"$ref":"#/$defs/d@"}]}`, `{"type":"object","properties":{"a":{"$ref":"#/$defs/d@"},"b":{"$ref":"#/$defs/d@"}}}`
	form := func(name string) string { return strings.Replace(twice, "%s", name, 1) }
	for name, c := range map[string]struct {
		body   string
		judged bool
	}{
		"allOf of 60":       {withExamples(60, form("allOf"), `[{"p":"a"}]`), false},
		"anyOf of 60":       {withExamples(60, form("anyOf"), `[{"p":"a"}]`), false},
		"oneOf of 60":       {withExamples(60, form("oneOf"), `[{"p":"a"}]`), false},
		"allOf of 5":        {withExamples(5, form("allOf"), `[{"p":"a"}]`), true},
		"a chain of 20,000": {withExamples(20_000, `{"$ref":"#/$defs/d@"}`, `[{"p":"a"}]`), false},
		"a chain of 1,000":  {withExamples(1_000, `{"$ref":"#/$defs/d@"}`, `[{"p":"a"}]`), true},
		"a circle in place": {withExamples(1, `{"allOf":[{"$ref":"#/$defs/d0"}],"title":"@"}`, `[{"p":"a"}]`), false},
		"properties of 60":  {withExamples(60, inside, `[{"p":{"a":{"b":{"a":{}}}}},{"p":{"b":3}}]`), true},
	} {
		t.Run(name, func(t *testing.T) {
			req, err := wire.Parse(nil, []byte(c.body))
			require.NoError(t, err)
			checked, f := validate.Check(nil, req, usual(""))
			if c.judged {
				require.NotNil(t, f)
				assert.Equal(t, "tools.custom.input_examples.invalid", f.Rule)
				return
			}
			require.Nil(t, f)
			assert.Contains(t, checked.NotJudged, "tools.0")
		})
	}
	for _, good := range []string{withExamples(5, form("allOf"), `[{"p":"ab"}]`), withExamples(1_000, `{"$ref":"#/$defs/d@"}`, `[{"p":"ab"}]`)} {
		req, err := wire.Parse(nil, []byte(good))
		require.NoError(t, err)
		checked, f := validate.Check(nil, req, usual(""))
		require.Nil(t, f)
		assert.Empty(t, checked.NotJudged)
	}
}
