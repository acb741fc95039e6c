package contextedit

import (
	"encoding/base64"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"harnessbench/internal/prefix"
)

func TestASignatureSaysWhatWasSealed(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := NewSigner(rapid.Uint64().Draw(t, "seed"), "org")
		hash := func(name string) prefix.Hash { return hashOf(rapid.String().Draw(t, name)) }
		l := seal{bound: rapid.Bool().Draw(t, "bound"), role: 'u', content: hash("content"), tools: hash("tools"),
			opaque: hash("opaque"), head: hash("head"), end: hash("end")}
		sig := s.encode(l)
		got, ok := s.open(sig)
		require.True(t, ok)
		require.Equal(t, l, got)

		raw, err := base64.StdEncoding.DecodeString(sig)
		require.NoError(t, err)
		raw[rapid.IntRange(0, len(raw)-1).Draw(t, "byte")] ^= byte(rapid.IntRange(1, 255).Draw(t, "flip"))
		_, ok = s.open(base64.StdEncoding.EncodeToString(raw))
		require.False(t, ok)
		_, ok = s.open(sig[:rapid.IntRange(0, len(sig)-1).Draw(t, "cut")])
		require.False(t, ok)
		_, ok = s.open(sig + "\n")
		require.False(t, ok)
	})
	sig := NewSigner(1, "org").encode(seal{})
	_, ok := NewSigner(1, "other").open(sig)
	assert.False(t, ok, "another organisation")
	_, ok = NewSigner(2, "org").open(sig)
	assert.False(t, ok, "another seed")
}

func TestToolChangesAreComparedByWhatTheySay(t *testing.T) {
	same := hashOfJSON([]byte(`[{"type":"tool_removal","tool":{"name":"a","type":"tool_reference"}}]`))
	assert.Equal(t, same, hashOfJSON([]byte(`[ {"tool":{"type":"tool_reference","name":"a"}, "type":"tool_removal"} ]`)))
	assert.NotEqual(t, same, hashOfJSON([]byte(`[{"type":"tool_addition","tool":{"name":"a","type":"tool_reference"}}]`)))
	assert.Equal(t, hashOfJSON([]byte(`[]`)), hashOfJSON(nil))
	assert.Equal(t, hashOfJSON([]byte(`[]`)), hashOfJSON([]byte(`null`)))
}
