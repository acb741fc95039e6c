package real_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// two begins a session in one process and resumes it in two.
func two(b *bed) (first, second *process) {
	require.False(b.t, b.whole(job{Model: model, Seed: 1}, "round 1"))
	first = b.start(job{Model: model, Seed: 2, Resume: true})
	second = b.start(job{Model: model, Seed: 3, Resume: true})
	first.answered() // both stand at the same leaf before either writes
	second.answered()
	return first, second
}

// together looks at what two processes left: nothing is lost; each process told of the other, once; a later process
// resumes one branch with everything on it, and says that there are two.
func together(t *testing.T, b *bed, prompts int) {
	kept(t, b)
	require.Equal(t, 2, strings.Count(strings.Join(b.notices, "\n"), "concurrent_writer: "), "once a process: %q", b.notices)
	require.Empty(t, b.twice())

	b.notices = nil
	before := len(b.bodies)
	require.False(t, b.whole(job{Model: model, Seed: 4, Resume: true}, still))
	require.Len(t, b.notices, 1)
	require.Contains(t, b.notices[0], "concurrent_writer: two branches of the log grew side by side")
	require.Len(t, b.bodies, before+1)
	from := map[string]int{}
	for n := range prompts {
		for _, who := range []string{"first", "second"} {
			from[who] += strings.Count(b.bodies[before], fmt.Sprintf(`"%s %d"`, who, n))
		}
	}
	require.ElementsMatch(t, []int{0, prompts}, []int{from["first"], from["second"]}, "one branch, whole")
	kept(t, b)
}

// kept looks that every acknowledged line stands in the file, whole and once, and nothing else. The order is that of the
// writes, which the acknowledgements need not have.
func kept(t *testing.T, b *bed) {
	file, data := b.log()
	lines := map[string]int{}
	for l := range bytes.Lines(data) {
		lines[string(l)]++
	}
	for l := range bytes.Lines(b.logged[file]) {
		require.Equal(t, 1, lines[string(l)], "an acknowledged line is lost: %s", l)
	}
	require.Len(t, data, len(b.logged[file]), "something else stands there")
}

// TestTwoProcessesTakeTurns: two real processes write to one session by turns; nothing is lost on disk, both branches grow,
// the hazard is reported (H-LOG-87, H-CMD-47, bug l-two-writers).
func TestTwoProcessesTakeTurns(t *testing.T) {
	b := newBed(t)
	first, second := two(b)
	for n := range 3 {
		first.say(fmt.Sprint("first ", n))
		first.answered()
		second.say(fmt.Sprint("second ", n))
		second.answered()
	}
	require.False(t, first.end())
	require.False(t, second.end())
	together(t, b, 3)
}

// TestTwoProcessesAtOnce is the same without waiting for each other, but for a last prompt each: whatever the scheduler
// did before, both have then written behind the other.
func TestTwoProcessesAtOnce(t *testing.T) {
	const prompts = 10
	b := newBed(t)
	first, second := two(b)
	for n := range prompts {
		first.say(fmt.Sprint("first ", n))
		second.say(fmt.Sprint("second ", n))
	}
	for range prompts {
		first.answered()
		second.answered()
	}
	first.say(fmt.Sprint("first ", prompts))
	first.answered()
	second.say(fmt.Sprint("second ", prompts))
	second.answered()
	require.False(t, first.end())
	require.False(t, second.end())
	together(t, b, prompts+1)
}
