package validate

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"harnessbench/internal/wire"
)

// definitions are n definitions, of which the one numbered i holds the references that to names.
func definitions(n int, to func(i int) []int) (names []string, refs map[string][]string) {
	refs = map[string][]string{}
	for i := range n {
		names = append(names, strconv.Itoa(i))
		for _, k := range to(i) {
			refs[names[i]] = append(refs[names[i]], strconv.Itoa(k))
		}
	}
	return names, refs
}

// The walk looks into each definition once, however they hang together: four times as many take four times the steps.
func TestCirclesAreLookedForInLinearTime(t *testing.T) {
	for name, to := range map[string]func(n int) func(i int) []int{
		"chain": func(n int) func(int) []int {
			return func(i int) []int {
				if i+1 == n {
					return nil
				}
				return []int{i + 1}
			}
		},
		"chain backwards": func(int) func(int) []int {
			return func(i int) []int {
				if i == 0 {
					return nil
				}
				return []int{i - 1}
			}
		},
		"two ways from each": func(n int) func(int) []int {
			return func(i int) []int {
				if i+2 >= n {
					return nil
				}
				return []int{i + 1, i + 2}
			}
		},
		"all to the last": func(n int) func(int) []int {
			return func(i int) []int {
				if i+1 == n {
					return nil
				}
				return []int{n - 1}
			}
		},
	} {
		for _, n := range []int{5_000, 20_000} {
			names, refs := definitions(n, to(n))
			steps := 0
			circle := findCircle(names, func(name string) []string { steps++; return refs[name] })
			assert.Nil(t, circle, name)
			assert.Equal(t, n, steps, name)
		}
	}
}

// A circle is found wherever the walk meets it, and named from where it closes.
func TestACircleIsNamed(t *testing.T) {
	for want, refs := range map[string]map[string][]string{
		"":                 {"a": {"b", "c"}, "b": {"d"}, "c": {"d"}, "d": {"elsewhere"}},
		"a -> a":           {"a": {"a"}},
		"a -> b -> a":      {"a": {"b"}, "b": {"a"}},
		"b -> c -> b":      {"a": {"b"}, "b": {"c"}, "c": {"b"}},
		"c -> d -> c":      {"a": {"b"}, "b": {}, "c": {"b", "d"}, "d": {"b", "c"}},
		"b -> d -> c -> b": {"a": {"b"}, "b": {"d"}, "c": {"b"}, "d": {"c"}},
	} {
		got := findCircle([]string{"a", "b", "c", "d"}, func(name string) []string { return refs[name] })
		assert.Equal(t, want, strings.Join(got, " -> "))
	}
}

// A chain of 20,000 definitions is judged, and a circle through all of them is still seen (messages-api.md 2.7).
func TestALongChainOfDefinitions(t *testing.T) {
	chain := func(last string) wire.Value {
		var b strings.Builder
		const n = 20_000
		for i := range n - 1 {
			fmt.Fprintf(&b, `"d%d":{"$ref":"#/$defs/d%d"},`, i, i+1)
		}
		fmt.Fprintf(&b, `"d%d":%s`, n-1, last)
		req, err := wire.Parse(nil, []byte(`{"$defs":{`+b.String()+`}}`))
		require.NoError(t, err)
		return req.Root
	}
	assert.Nil(t, compile(chain(`{"type":"string"}`), "at"))
	f := compile(chain(`{"$ref":"#/$defs/d3"}`), "at")
	require.NotNil(t, f)
	assert.Equal(t, "grammar.circular", f.Rule)
	assert.True(t, strings.HasPrefix(f.Message, "at: Invalid schema: Circular reference detected in schema definitions: d3 -> d4 -> "))
	assert.Contains(t, f.Message, " -> d19999 -> d3. Self-referencing or mutually-referencing definitions are not supported.")
}

// Definitions of the two lists that bear one name are two.
func TestDefinitionsOfOneName(t *testing.T) {
	req, err := wire.Parse(nil, []byte(`{"$defs":{"a":{"$ref":"#/definitions/a"}},"definitions":{"a":{"type":"string"}}}`))
	require.NoError(t, err)
	assert.Empty(t, circleOf(req.Root))
	req, err = wire.Parse(nil, []byte(`{"$defs":{"a":{"$ref":"#/definitions/a"}},"definitions":{"a":{"$ref":"#/$defs/a"}}}`))
	require.NoError(t, err)
	assert.Equal(t, "a -> a -> a", circleOf(req.Root))
}
