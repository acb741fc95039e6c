package thinking

import (
	"encoding/base64"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"harnessbench/internal/model"
	"harnessbench/internal/prefix"
	"harnessbench/internal/tokens"
)

func TestASignatureSaysWhatWasSealed(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		by := rapid.SampledFrom(model.All()).Draw(t, "model")
		s := NewSigner(rapid.Uint64().Draw(t, "seed"), "org")
		hash := func(name string) prefix.Hash { return HashOf(rapid.String().Draw(t, name)) }
		seal := Seal{Bind: hash("bind"), Text: hash("text"), Before: hash("before"), Answer: hash("answer"),
			Weight: tokens.WeightsOf([]byte(rapid.String().Draw(t, "thought"))), Omitted: rapid.Bool().Draw(t, "omitted"), Ordinal: rapid.IntRange(0, 255).Draw(t, "ordinal"), Gap: rapid.IntRange(0, maxGap).Draw(t, "gap")}
		sig := s.Sign(seal, by)
		got, ok := s.Open(sig)
		require.True(t, ok)
		seal.Model, seal.Account = by.ID, HashOf("org")
		require.Equal(t, seal, got)

		raw, err := base64.StdEncoding.DecodeString(sig)
		require.NoError(t, err)
		i := rapid.IntRange(0, len(raw)-1).Draw(t, "byte")
		raw[i] ^= byte(rapid.IntRange(1, 255).Draw(t, "flip"))
		_, ok = s.Open(base64.StdEncoding.EncodeToString(raw))
		require.False(t, ok, "byte %d", i)
		_, ok = s.Open(sig[:rapid.IntRange(0, len(sig)-1).Draw(t, "cut")])
		require.False(t, ok)
	})
}

func TestWhatIsNoSignatureIsNotOpened(t *testing.T) {
	s := NewSigner(1, "org")
	good := s.Sign(Seal{}, model.Model{ID: "m"})
	for _, sig := range []string{"", "bad", "=", "EgA=", "CAQS", "CAQ=", good + "A", good + "\n", " " + good, strings.Repeat("A", 1000)} {
		_, ok := s.Open(sig)
		assert.False(t, ok, "%q", sig)
	}
	_, ok := NewSigner(2, "org").Open(good)
	assert.False(t, ok, "another seed")
}
