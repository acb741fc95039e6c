package wire

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestMembersByPlaceAreThoseOfTheWalk(t *testing.T) {
	v, err := ParseValue([]byte(`{"a":1,"\u0062":[2],"a":{"c":3}}`))
	require.NoError(t, err)
	i := 0
	for name, m := range v.Members() {
		assert.Equal(t, name, string(v.NameAt(i)))
		assert.Equal(t, m.Raw(), v.MemberAt(i).Raw())
		i++
	}
	assert.Equal(t, 3, i)
	for _, at := range []int{-1, 3} {
		assert.Nil(t, v.NameAt(at))
		assert.False(t, v.MemberAt(at).Exists())
	}
	list := v.Get("b")
	assert.False(t, list.MemberAt(0).Exists())
	assert.Nil(t, list.NameAt(0))
}
