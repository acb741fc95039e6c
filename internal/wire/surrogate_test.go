package wire

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestHalfASurrogatePairIsRefusedWhereItsOtherHalfIsDue(t *testing.T) {
	for _, c := range []struct {
		text   string
		offset int
		line   int
		column int
		msg    string
	}{
		{`{"a":"\ud83d b"}`, 12, 1, 13, "no low surrogate in string"},
		{`{"a":"\uD83D"}`, 12, 1, 13, "no low surrogate in string"},
		{`{"a":"\ud83d\n"}`, 12, 1, 13, "no low surrogate in string"},
		{`{"a":"\ud83d\\ude00"}`, 12, 1, 13, "no low surrogate in string"},
		{`{"a":"\ud83d\ud83d"}`, 12, 1, 13, "invalid low surrogate in string"},
		{`{"a":"\ud83d\u0041"}`, 12, 1, 13, "invalid low surrogate in string"},
		{`{"a":"\ude00\ud83d"}`, 6, 1, 7, "invalid high surrogate in string"},
		{`{"\udfff":1}`, 2, 1, 3, "invalid high surrogate in string"},
		{`{"a":"\\\ud83d"}`, 14, 1, 15, "no low surrogate in string"},
		{"{\"é\":1,\n\"a\":\"\\ud83d\"}", 20, 2, 12, "no low surrogate in string"},
		{`{"a":"\ud83d","b":nul}`, 12, 1, 13, "no low surrogate in string"},
		{`{"a":"\ud83d"`, 12, 1, 13, "no low surrogate in string"},
	} {
		_, err := ParseWhole(nil, []byte(c.text))
		assert.Equal(t, &SyntaxError{c.offset, c.line, c.column, c.msg}, err, c.text)
	}
	for _, text := range []string{`{"a":"\ud83d\ude00"}`, `{"a":"\uD83D\uDE00\uD83D\uDE00"}`, `{"a":"\\ud83d"}`, `{"a":"\\\\ude00"}`,
		`{"a":"\ud7ff\ue000"}`, `{"a":"\\u"}`, `{"a":"\u00e9"}`} {
		_, err := ParseWhole(nil, []byte(text))
		assert.NoError(t, err, text)
	}
}

func TestTheFirstFaultOfABodyIsReported(t *testing.T) {
	for text, msg := range map[string]string{
		`{"a":nul,"b":"\ud83d"}`: "the literal null",
		`{"a":"\ud8`:             "the data ends inside a string",
		`{"a":"\ud83d\ude`:       "the data ends inside a string",
		`{"a":"\ud83d`:           "the data ends inside a string",
	} {
		_, err := ParseWhole(nil, []byte(text))
		assert.ErrorContains(t, err, msg, text)
	}
}

// A request that goes on from another is looked at whole, whatever the other one held.
func TestHalfAPairIsFoundInWhatWasTakenOver(t *testing.T) {
	first := []byte(`{"messages":[{"role":"user","content":"\ud83d"}]}`)
	prev, err := Parse(nil, first)
	require.NoError(t, err)
	next := strings.Replace(string(first), `]}`, `,{"role":"assistant","content":"x"}]}`, 1)
	_, err = ParseWhole(prev, []byte(next))
	assert.ErrorContains(t, err, "no low surrogate in string")
}

// Halves of pairs become U+FFFD, whole pairs and everything else stay; what a request refuses is what is replaced.
func TestHalvesOfPairsAreReplaced(t *testing.T) {
	for text, want := range map[string]string{
		`"plain é \u00e9"`:            `"plain é \u00e9"`,
		`"\ud83d\ude00"`:              `"\ud83d\ude00"`,
		`"\\ud83d"`:                   `"\\ud83d"`,
		`"\ud83d"`:                    `"\ufffd"`,
		`"\ude00\ud83d"`:              `"\ufffd\ufffd"`,
		`"\ud83d\ud83d\ude00\ud83dx"`: `"\ufffd\ud83d\ude00\ufffdx"`,
		`"\\\ud83d\u0041"`:            `"\\\ufffd\u0041"`,
		``:                            ``,
	} {
		got := Wellformed([]byte(text))
		assert.Equal(t, want, string(got), text)
		assert.Nil(t, loneSurrogate(got))
	}
}
