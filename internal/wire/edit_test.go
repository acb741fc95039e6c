package wire

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestEditsTouchTheirOwnSpanOnly(t *testing.T) {
	set := func(name, raw string) func(Value) Splice {
		return func(v Value) Splice { return SetMember(v, name, []byte(raw)) }
	}
	remove := func(name string) func(Value) Splice { return func(v Value) Splice { return RemoveMember(v, name) } }
	add := func(raw string) func(Value) Splice { return func(v Value) Splice { return AppendElem(v, []byte(raw)) } }
	for _, c := range []struct {
		situation string
		doc       string
		edit      func(Value) Splice
		want      string
	}{
		{"set in the middle", ` {"a": 1 , "b" :2,"c":3} `, set("b", "[]"), ` {"a": 1 , "b" :[],"c":3} `},
		{"add behind the last", `{"a": 1 }`, set("b", "2"), `{"a": 1,"b":2 }`},
		{"add to an empty object", `{ }`, set("b", "2"), `{"b":2 }`},
		{"a name that needs escapes", `{}`, set("q\"\n", "2"), `{"q\"\n":2}`},
		{"a name that is no UTF-8", `{}`, set("\xff", "2"), "{\"\ufffd\":2}"},
		{"set the last of equal names", `{"a":1,"a":2}`, set("a", "3"), `{"a":1,"a":3}`},
		{"set a name spelled with escapes", `{"\u0061":1}`, set("a", "3"), `{"\u0061":3}`},
		{"remove the first", `{ "a": 1, "b": 2}`, remove("a"), `{ "b": 2}`},
		{"remove the middle", `{"a":1 , "b":2 , "c":3}`, remove("b"), `{"a":1 , "c":3}`},
		{"remove the last", `{"a":1 , "b":2 }`, remove("b"), `{"a":1 }`},
		{"remove the only one", `{ "a":1 }`, remove("a"), `{  }`},
		{"remove what is not there", `{"a":1}`, remove("b"), `{"a":1}`},
		{"remove equal names", `{"a":1,"b":2,"a":3,"c":4}`, remove("a"), `{"b":2,"c":4}`},
		{"remove equal names, one of them last", `{"b":2,"a":1,"c":4, "a":3,"a":5}`, remove("a"), `{"b":2,"c":4}`},
		{"remove all", `{"a":1,"a":3}`, remove("a"), `{}`},
		{"append", `[1, 2 ]`, add("3"), `[1, 2,3 ]`},
		{"append to an empty array", `[ ]`, add("3"), `[3 ]`},
		{"replace", ` 1 `, func(v Value) Splice { return Replace(v, []byte("null")) }, ` null `},
		{"set a member of no object", `[1]`, set("a", "1"), `[1]`},
		{"remove a member of no object", `"a"`, remove("a"), `"a"`},
		{"append to no array", `{}`, add("1"), `{}`},
	} {
		t.Run(c.situation, func(t *testing.T) {
			got := string(Apply([]byte(c.doc), c.edit(parse(t, c.doc))))
			assert.Equal(t, c.want, got)
			parse(t, got)
		})
	}
}

func TestEditsOfSeveralPlacesAreOneCopy(t *testing.T) {
	doc := `{"a":{"x":1},"b":[1],"c":3}`
	v := parse(t, doc)
	got := Apply([]byte(doc), SetMember(v, "d", []byte("4")), RemoveMember(v.Get("a"), "x"), AppendElem(v.Get("b"), []byte("2")), SetMember(v, "e", []byte("5")))
	assert.Equal(t, `{"a":{},"b":[1,2],"c":3,"d":4,"e":5}`, string(got))
	assert.Equal(t, `{"a":{"x":1},"b":[1],"c":3}`, doc)
	assert.Equal(t, doc, string(Apply([]byte(doc))))
	assert.Panics(t, func() { Apply([]byte(doc), Replace(v, nil), RemoveMember(v, "a")) })
	assert.Panics(t, func() { Apply([]byte("{}"), Splice{1, 9, nil}) })
}

func TestAnEditIsSeenAndNothingElseChanges(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		doc := genObject(t, 3)
		v, err := ParseValue([]byte(doc))
		require.NoError(t, err)
		name := rapid.SampledFrom(genNames).Draw(t, "name")

		out, err := ParseValue(Apply([]byte(doc), SetMember(v, name, []byte(`"new"`))))
		require.NoError(t, err)
		require.Equal(t, "new", out.Get(name).Text())
		out, err = ParseValue(Apply([]byte(doc), RemoveMember(v, name)))
		require.NoError(t, err)
		require.False(t, out.Get(name).Exists())
		var want, got []string
		for n, m := range v.Members() {
			if n != name {
				want = append(want, n, string(m.Raw()))
			}
		}
		for n, m := range out.Members() {
			got = append(got, n, string(m.Raw()))
		}
		require.Equal(t, want, got)
	})
}
