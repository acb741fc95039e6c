package wire

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func parse(t testing.TB, text string) Value {
	t.Helper()
	v, err := ParseValue([]byte(text))
	require.NoError(t, err)
	return v
}

func TestAValueKeepsItsSpan(t *testing.T) {
	doc := ` {"a": [1, -2.5e3 ,"x\u00e9\ud83d\ude00"], "b" : {"c":null, "d":true}, "\u0061":false}`
	v := parse(t, doc)
	assert.Equal(t, 1, v.Offset())
	assert.Equal(t, 3, v.Len())
	d := v.Get("b").Get("d")
	assert.Equal(t, "true", doc[d.Offset():d.Offset()+len(d.Raw())])
	assert.Equal(t, "false", string(v.Get("a").Raw()), "the last of equal names wins, however it is spelled")

	var names []string
	for name, m := range v.Members() {
		names = append(names, name)
		assert.Equal(t, string(m.Raw()), doc[m.Offset():m.Offset()+len(m.Raw())])
	}
	assert.Equal(t, []string{"a", "b", "a"}, names)
	for _, first := range v.Members() {
		assert.Equal(t, "xé😀", first.At(2).Text())
		assert.Equal(t, `"x\u00e9\ud83d\ude00"`, string(first.At(2).Raw()))
		f, ok := first.At(1).Float()
		assert.True(t, ok)
		assert.InDelta(t, -2500, f, 0)
		break
	}
}

func TestAnAbsentValueAnswersAbsent(t *testing.T) {
	var v Value
	for _, v := range []Value{v, v.Get("x"), v.At(0), parse(t, `[1]`).At(1), parse(t, `[1]`).At(-1), parse(t, `{"a":1}`).At(0), parse(t, `"s"`).Get("a")} {
		assert.False(t, v.Exists())
		assert.Zero(t, v.Kind())
		assert.Zero(t, v.Len())
		assert.Empty(t, v.Text())
		assert.False(t, v.IsNull())
		_, ok := v.Int()
		assert.False(t, ok)
		_, ok = v.Bool()
		assert.False(t, ok)
		for range v.Elems() {
			t.Error("an element of nothing")
		}
		for range v.Members() {
			t.Error("a member of nothing")
		}
	}
}

func TestDecodingOfScalars(t *testing.T) {
	for text, want := range map[string]int64{"0": 0, "-0": 0, "17": 17, "-9223372036854775808": -1 << 63} {
		n, ok := parse(t, text).Int()
		assert.True(t, ok, text)
		assert.Equal(t, want, n, text)
	}
	for _, text := range []string{"1.0", "1e3", "9223372036854775808", `"1"`, "true", "null"} {
		_, ok := parse(t, text).Int()
		assert.False(t, ok, text)
	}
	_, ok := parse(t, "1e999").Float()
	assert.False(t, ok)
	for text, want := range map[string]string{
		`"\"\\\/\b\f\n\r\t"`:         "\"\\/\b\f\n\r\t",
		`"\ud800"`:                   "\ufffd",
		`"\ud800\ud83d\ude00"`:       "\ufffd😀",
		`"\ude00x\uD83D\u0041"`:      "\ufffdx\ufffdA",
		`"` + strings.Repeat("é", 9): "",
	} {
		v, err := ParseValue([]byte(text))
		if want == "" {
			assert.Error(t, err)
			continue
		}
		assert.Equal(t, want, v.Text(), text)
	}
}

func TestSyntaxErrorsSayWhere(t *testing.T) {
	for _, c := range []struct {
		text              string
		offset, line, col int
		msg               string
	}{
		{"", 0, 1, 1, "the data ends where a value is due"},
		{"{\n \"é\": ,}", 9, 2, 7, "found ',' where a value is due"},
		{`{"a":1,}`, 7, 1, 8, "found '}' where a member name is due"},
		{`{"a" 1}`, 5, 1, 6, "found '1' where a colon is due"},
		{`[1,]`, 3, 1, 4, "found ']' where a value is due"},
		{`[1 2]`, 3, 1, 4, "found '2' where a comma or the end of the array is due"},
		{`{"a":1`, 6, 1, 7, "the data ends where a comma or the end of the object is due"},
		{`"abc`, 4, 1, 5, "the data ends inside a string"},
		{"\"a\tb\"", 2, 1, 3, `control character '\t' in a string must be escaped`},
		{"\"a\xffb\"", 2, 1, 3, "invalid UTF-8 in a string"},
		{"\"\xed\xa0\x80\"", 1, 1, 2, "invalid UTF-8 in a string"},
		{`"\x"`, 2, 1, 3, `found 'x' where an escape (one of "\/bfnrtu) is due`},
		{`"\u12g4"`, 5, 1, 6, `found 'g' where a hexadecimal digit of a \u escape is due`},
		{`01`, 1, 1, 2, "more data after the value"},
		{`-`, 1, 1, 2, "the data ends where a digit is due"},
		{`1.e`, 2, 1, 3, "found 'e' where a digit is due"},
		{`nul`, 3, 1, 4, "the data ends where the literal null is due"},
		{"\xef\xbb\xbf{}", 0, 1, 1, `found '\ufeff' where a value is due`},
		{strings.Repeat("[", 1001), 1000, 1, 1001, "nested deeper than 1000 levels"},
	} {
		_, err := ParseValue([]byte(c.text))
		assert.Equal(t, &SyntaxError{c.offset, c.line, c.col, c.msg}, err, "%.30q", c.text)
	}
	_, err := ParseValue([]byte(strings.Repeat("[", 1000) + strings.Repeat("]", 1000)))
	assert.NoError(t, err)
	assert.EqualError(t, &SyntaxError{3, 1, 4, "x"}, "not JSON at line 1, column 4 (byte 3): x")
}
