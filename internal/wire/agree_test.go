package wire

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// plain decodes a value through its accessors, in the shapes of encoding/json.
func plain(v Value) any {
	switch v.Kind() {
	case '{':
		m := map[string]any{}
		for name := range v.Members() {
			m[name] = plain(v.Get(name))
		}
		return m
	case '[':
		list := []any{}
		for _, e := range v.Elems() {
			list = append(list, plain(e))
		}
		return list
	case '"':
		return v.Text()
	case '0':
		return json.Number(v.Raw())
	case 't', 'f':
		b, _ := v.Bool()
		return b
	}
	return nil
}

// decoded is what encoding/json makes of the bytes.
func decoded(t require.TestingT, data []byte) any {
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	var v any
	require.NoError(t, d.Decode(&v), "%.80s", data)
	return v
}

// tooDeep tells whether valid JSON nests beyond our limit.
func tooDeep(data []byte) bool {
	depth := 0
	d := json.NewDecoder(bytes.NewReader(data))
	for {
		t, err := d.Token()
		if err != nil {
			return false
		}
		switch t {
		case json.Delim('{'), json.Delim('['):
			if depth++; depth > maxDepth {
				return true
			}
		case json.Delim('}'), json.Delim(']'):
			depth--
		}
	}
}

// requireAgreement holds our reading against encoding/json's, which lets invalid UTF-8 through and
// nests deeper.
func requireAgreement(t require.TestingT, data []byte) {
	v, err := ParseValue(data)
	require.Equal(t, json.Valid(data) && utf8.Valid(data) && !tooDeep(data), err == nil, "%q: %v", data, err)
	if err != nil {
		require.LessOrEqual(t, err.(*SyntaxError).Offset, len(data))
		return
	}
	require.Equal(t, string(bytes.Trim(data, " \n\t\r")), string(v.Raw()))
	require.Equal(t, decoded(t, data), plain(v))
}

var oddTexts = []string{
	"", " ", "{", "}", "[", "]", "\"", "\\", "nul", "nulll", "truefalse", "tru", "-", "-0", "-01", "00", "0.", ".5", "1.5", "1e", "1e+", "1e+5", "1E-05", "1.e3", "+1", "NaN",
	"[1,]", "[,1]", "[1 2]", "[1,2] 3", "{\"a\"}", "{\"a\":}", "{\"a\":1,}", "{,}", "{1:2}", "{\"a\":1 \"b\":2}", "{\"a\":1,\"a\":{\"b\":2}}",
	`"\u12"`, `"\u12G4"`, `"\uD83D\uDE00"`, `"\uD83D\uD83D\uDE00"`, `"\uDE00"`, `"\u0000"`, `"\x"`, `"\'"`, "\"\x00\"", "\"\x1f\"", "\"\x7f\"", "\"\t\"", "'a'",
	"\"\xff\"", "\"\xc0\x80\"", "\"\xed\xa0\x80\"", "\"\xf4\x90\x80\x80\"", "\"\xf0\x9f\x98\x80\"", "\"\xe2\x82\"", "\"1234567\xff\"", "\"12345678\"", "\"1234567\\\"\"",
	"\u00a01", "\f1", "\v1", "\xef\xbb\xbf1", "/*c*/1", "1\n", "\r\n\t 1", "[\n]", "{\r}", "[[],{},\"\",0,null,true,false]",
}

func TestValidityIsThatOfTheStandardLibrary(t *testing.T) {
	for _, text := range oddTexts {
		requireAgreement(t, []byte(text))
		requireAgreement(t, []byte("["+text+"]"))
		requireAgreement(t, []byte(`{"a":`+text+`}`))
	}
	for _, n := range []int{maxDepth, maxDepth + 1} {
		requireAgreement(t, []byte(strings.Repeat("[", n)+strings.Repeat("]", n)))
		requireAgreement(t, []byte(strings.Repeat(`{"a":`, n)+"1"+strings.Repeat("}", n)))
	}
	rapid.Check(t, func(t *rapid.T) {
		data := []byte(genBlank(t) + genValue(t, 4))
		requireAgreement(t, data)
		if len(data) == 0 {
			return
		}
		at := rapid.IntRange(0, len(data)-1).Draw(t, "at")
		requireAgreement(t, data[:at])
		data[at] = rapid.Byte().Draw(t, "byte")
		requireAgreement(t, data)
	})
}

// FuzzParse looks for text on which we and encoding/json disagree, and for a hint that changes a result.
func FuzzParse(f *testing.F) {
	for i, text := range oddTexts {
		f.Add([]byte(`{"messages":[`+oddTexts[(i+1)%len(oddTexts)]+`]}`), []byte(text))
		f.Add([]byte(`{"messages":[1,"a",{"role":"user"}]}`), []byte(`{"messages":[1,"a",`+text+`]}`))
	}
	f.Fuzz(func(t *testing.T, before, after []byte) {
		requireAgreement(t, after)
		if prev, err := Parse(nil, before); err == nil {
			requireParsesAlike(t, prev, string(after))
		}
	})
}

// FuzzAssemble looks for streams that bring splitter or assembler down.
func FuzzAssemble(f *testing.F) {
	var whole []byte
	for _, e := range events(streamed(`{"type":"text","text":""}`, `{"type":"text_delta","text":"x"}`)...) {
		whole = append(append(append(whole, "event: "+e.Name+"\ndata: "...), e.Data...), "\n\n"...)
	}
	f.Add(whole, uint8(7))
	f.Fuzz(func(t *testing.T, stream []byte, size uint8) {
		var one, many SSE
		want := one.Feed(stream)
		assert.Equal(t, want, feed(&many, stream, func(left int) int { return min(left, int(size)+1) }))
		var a Assembler
		for _, e := range want {
			_ = a.Event(e)
		}
		for _, b := range a.Answer().Blocks {
			requireAgreement(t, b.Raw())
		}
	})
}
