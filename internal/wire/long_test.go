package wire

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// Long histories share their pieces from turn to turn, whatever was rewound, edited or added in between.
func TestLongArraysSharePiecesAndParseAlike(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var messages []string
		grow := func(n int) {
			for range n {
				messages = append(messages, fmt.Sprintf(`{"role":"user","content":"%d"}`, len(messages)))
			}
		}
		grow(rapid.IntRange(pieceLen-2, 3*pieceLen).Draw(t, "first"))
		prev, err := Parse(nil, []byte(`{"messages":[]}`))
		require.NoError(t, err)
		for range 4 {
			prev = requireParsesAlike(t, prev, `{"model":"m","messages":[`+strings.Join(messages, ",")+`]}`)
			switch rapid.IntRange(0, 3).Draw(t, "change") {
			case 0:
				messages = messages[:rapid.IntRange(0, len(messages)).Draw(t, "rewind")]
			case 1:
				messages[rapid.IntRange(0, len(messages)-1).Draw(t, "edit")] = `{"role":"user","content":"other"}`
			}
			grow(rapid.IntRange(1, pieceLen+3).Draw(t, "grow"))
		}
	})
}

func TestGrowthSharesWholePieces(t *testing.T) {
	body := func(n int) []byte {
		return []byte(`{"messages":[` + strings.Repeat(`{},`, n-1) + `{}]}`)
	}
	a, err := Parse(nil, body(3*pieceLen))
	require.NoError(t, err)
	b, err := Parse(a, body(3*pieceLen+5))
	require.NoError(t, err)
	c, err := Parse(b, body(3*pieceLen+9))
	require.NoError(t, err)
	require.Same(t, a.list.n.at(0), b.list.n.at(0))
	require.Same(t, b.list.n.at(2*pieceLen-1), c.list.n.at(2*pieceLen-1))
	require.Len(t, c.list.n.parts, 9)
}
