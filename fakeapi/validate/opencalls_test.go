package validate

import (
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
)

// Calls are open until as many answers of their id came, in whatever order, and the states kept on the way stay what
// they were.
func TestServerCallsAreOpenUntilTheyAreAnswered(t *testing.T) {
	const n = 97
	var c conversation
	for i := range n {
		c.opens(serverCall{id: strconv.Itoa(i)})
	}
	c.opens(serverCall{id: "5", name: "again"})
	var kept []openCalls
	for i := range n {
		kept = append(kept, c.open.fork())
		id := strconv.Itoa(i * 31 % n)
		assert.True(t, c.closes(id), id)
	}
	assert.Equal(t, []serverCall{{id: "5", name: "again"}}, c.open.left())
	assert.False(t, c.closes("6"))
	for i, o := range kept {
		assert.Len(t, o.left(), n+1-i)
	}
	resumed := conversation{state: state{open: kept[n-1]}}
	assert.True(t, resumed.closes(strconv.Itoa((n-1)*31%n)))
	assert.True(t, resumed.closes("5"))
	assert.False(t, resumed.closes("5"))
	assert.Empty(t, resumed.open.left())
}
