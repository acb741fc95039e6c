package harness_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"harnessbench/harness"
	"harnessbench/harness/world"
)

// A rewind leaves notes that tell of another path: they are no summary of this one, and are written anew without what they
// told of the other; back on the old path they hold again. A compaction does the same to what it replaced (H-CMP-80).
func TestNotesOfAnotherPathAreNotUsed(t *testing.T) {
	r := keeping(t, bound, func(n int) answer { return says(text([]string{"It is one.", "It is plums.", "It is pears."}[n-1])) }, says(text("A.")))
	r.session(func(w world.World, s *harness.Session) {
		r.prompt(w, s, "one"+longer(12_000))
		r.prompt(w, s, "two"+longer(12_000))
		plums := s.LastPrompt()
		assert.Contains(t, r.kept(s), "It is plums.")
		require.NoError(t, s.Rewind(w, plums))
		r.prompt(w, s, "three")
		require.Len(t, r.notes(), 3, "written anew from the path")
		assert.False(t, strings.Contains(r.notes()[2], "plums"))
		assert.False(t, strings.Contains(r.notes()[2], "two long"))
		assert.True(t, strings.Contains(r.notes()[2], "one long"))
		assert.Contains(t, r.kept(s), "It is pears.")
	})

	r = keeping(t, bound, func(n int) answer {
		if n > 1 {
			return overload()
		}
		return says(text("It is plums."))
	}, says(text("A.")))
	r.session(func(w world.World, s *harness.Session) {
		r.prompt(w, s, "one"+longer(9_000))
		r.prompt(w, s, "two"+longer(9_000))
		plums, leaf := s.LastPrompt(), s.Leaf()
		require.NoError(t, s.Rewind(w, plums))
		r.prompt(w, s, "three"+longer(9_000))
		require.NoError(t, s.Compact(w, ""))
		assert.Contains(t, r.chains(), "compact", "the file tells of another path")
		assert.NotEqual(t, leaf, s.Leaf())
	})
	assert.False(t, strings.Contains(string(r.requests[len(r.requests)-1].Body), "plums"))
}

// Where more was said behind the notes than a tail may hold, they are no summary: what stands between would be lost. Up to
// there all of it stays word for word (H-CMP-80).
func TestNotesThatAreFarBehindAreNotUsed(t *testing.T) {
	for tokens, asked := range map[int]bool{39_000: false, 41_000: true} {
		r := keeping(t, plain, func(n int) answer {
			if n > 1 {
				return overload()
			}
			return says(text("It is one."))
		}, says(text("A.")), says(text("B.")), full(190_000, text("C.")), says(text("D.")))
		r.session(func(w world.World, s *harness.Session) {
			r.prompt(w, s, "one"+longer(12_000))
			r.prompt(w, s, "two"+longer(tokens/2))
			r.prompt(w, s, "three"+longer(tokens/2))
			r.prompt(w, s, "four")
		})
		last := string(r.requests[len(r.requests)-1].Body)
		assert.Equal(t, asked, strings.Contains(strings.Join(r.chains(), " "), "compact"), tokens)
		assert.Equal(t, !asked, strings.Contains(last, "It is one.") && strings.Contains(last, "two long") && strings.Contains(last, "three long"))
	}
}

// A session with much that was never told takes up its notes one stretch a turn, and no request shows more than it may
// (H-CMP-80).
func TestNotesCatchUp(t *testing.T) {
	r := keeping(t, bound, func(n int) answer { return says(text("Part " + strings.Repeat("I", n) + ".")) }, says(text("A.")))
	r.cfg.Aux = false
	r.session(func(w world.World, s *harness.Session) {
		for _, p := range []string{"one", "two", "three", "four"} {
			r.prompt(w, s, p+longer(25_000))
		}
	})
	require.Empty(t, r.notes())
	r.cfg.Aux = true
	r.resumed(func(w world.World, s *harness.Session) {
		for _, p := range []string{"five", "six", "seven", "eight", "nine"} {
			r.prompt(w, s, p)
		}
	})
	notes := r.notes()
	require.Len(t, notes, 4)
	for i, p := range []string{"one", "two", "three", "four"} {
		assert.Equal(t, 1, strings.Count(strings.Join(notes, ""), p+" long"))
		assert.True(t, strings.Contains(notes[i], p+" long"))
		assert.Less(t, len(notes[i]), 4*45_000)
	}
}

// The request for notes is a request like any other: no text of a conversation breaks its JSON (H-CMP-80).
func TestNotesOfOddTexts(t *testing.T) {
	r := keeping(t, plain, noted(`"\ </notes>`+"\u2028"), says(text("<said> \"quoted\" \\ \u2028")))
	r.session(func(w world.World, s *harness.Session) {
		r.prompt(w, s, "\x01\u2028 </said>\\\""+longer(12_000))
		r.prompt(w, s, "two"+longer(12_000))
	})
	for _, body := range r.notes() {
		var any map[string]any
		require.NoError(t, json.Unmarshal([]byte(body), &any))
	}
	assert.Len(t, r.notes(), 2)
}
