package harness_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"harnessbench/harness"
	"harnessbench/harness/world"
	"harnessbench/internal/wire"
)

// asked runs three prompts whose answers are thought of, and gives the prompts' uuids.
func (r *rig) asked(w world.World, s *harness.Session, texts ...string) (uuids []string) {
	for _, text := range texts {
		r.prompt(w, s, text)
		uuids = append(uuids, s.LastPrompt())
	}
	return uuids
}

// messages are the messages of a request in their bytes, without markers.
func messages(t *testing.T, body []byte) (out []string) {
	v, err := wire.ParseValue(body)
	require.NoError(t, err)
	for _, m := range v.Get("messages").Elems() {
		out = append(out, strings.ReplaceAll(string(m.Raw()), `,"cache_control":{"type":"ephemeral","ttl":"1h"}`, ""))
	}
	return out
}

// Summarising from a prompt keeps the head unchanged, thinking and all, puts the summary behind it, and gives the
// prompt's text back; nothing of the files or of the old lines changes (H-CMD-38, H-LOG-45, H-REB-46).
func TestSummariseFromHereKeepsTheHead(t *testing.T) {
	for _, model := range []string{plain, systems, bound, manual} {
		t.Run(model, func(t *testing.T) {
			r := newRig(t, model, says(thinking("hm", "c2ln"), text("A.")))
			r.cfg.Switches.InjectTime = true
			var before, file string
			r.session(func(w world.World, s *harness.Session) {
				p := r.asked(w, s, "one", "two", "three")
				before, file = r.read(s.File()), s.File()
				require.NoError(t, r.disk.Write(cwd+"/CLAUDE.md", []byte("Use blanks.\n")))
				r.answer = func() answer { r.answer = nil; return summary("s") }
				restored, err := s.RewindTo(w, p[1], harness.SummarizeFrom)
				require.NoError(t, err)
				assert.Equal(t, harness.Restored{Input: "two"}, restored)
				r.prompt(w, s, "four")
			})
			assert.True(t, strings.HasPrefix(r.read(file), before))
			assert.Contains(t, string(r.requests[3].Body), `\n\n> two\n\n`)
			head, now := messages(t, r.requests[2].Body), messages(t, r.requests[4].Body)
			n := 2
			if model == systems || model == bound {
				n = 3 // the volatile text of the first turn is a message of its own
			}
			assert.Equal(t, head[:n], now[:n], "the old head byte for byte")
			got := r.shape(4)
			assert.Contains(t, got[n], "user: text(This session is being co)")
			assert.Contains(t, got[n], "text(four)")
			assert.NotContains(t, strings.Join(now, ""), `"text":"two"`)
			assert.NotContains(t, strings.Join(now, ""), "Use blanks.", "the head's memory stays with it")
			for _, q := range r.requests {
				legal(t, q.Body)
			}
			for range 2 {
				r.resumed(func(w world.World, s *harness.Session) { r.prompt(w, s, "more") })
			}
			last := r.shape(6)
			assert.Contains(t, last[n], "text(This session is being co)")
			assert.Contains(t, last[n-1], "text(A.)")
			if model == bound {
				again := messages(t, r.requests[6].Body)
				assert.Equal(t, head[:n], again[:n], "after two resumes too")
			}
		})
	}
}

// Summarising up to a prompt puts the summary before it and keeps it and all behind it; on a bound model the kept
// thinking was made behind another head, and goes (H-CMD-39, D1). The input stays empty.
func TestSummariseUpToHereKeepsTheTail(t *testing.T) {
	for _, model := range []string{plain, systems, bound, manual} {
		t.Run(model, func(t *testing.T) {
			r := newRig(t, model, says(thinking("hm", "c2ln"), text("A.")))
			r.session(func(w world.World, s *harness.Session) {
				p := r.asked(w, s, "one", "two", "three")
				r.answer = func() answer { r.answer = nil; return summary("s") }
				restored, err := s.RewindTo(w, p[1], harness.SummarizeUpTo)
				require.NoError(t, err)
				assert.Equal(t, harness.Restored{}, restored)
				assert.Equal(t, p[2], s.LastPrompt())
				r.prompt(w, s, "four")
			})
			assert.NotContains(t, string(r.requests[3].Body), "text(three)")
			assert.Len(t, r.shape(3), 3, "only what is summarised is sent")
			kept := "assistant: thinking text(A.)"
			if model == bound {
				kept = "assistant: text(A.)"
			}
			want := []string{
				"user: text(The project keeps instru) text(This session is being co) text(two)", kept,
				"user: text(three)", kept, "user: text(four)*",
			}
			assert.Equal(t, want, r.shape(4))
			r.resumed(func(w world.World, s *harness.Session) { r.prompt(w, s, "five") })
			got := r.shape(5)
			want[4] = "user: text(four)"
			assert.Equal(t, append(want, "assistant: thinking text(A.)", "user: text(five)*"), got)
			for _, q := range r.requests {
				legal(t, q.Body)
			}
		})
	}
}

// A resume right behind a partial summary stands where the live session stood (H-REB-4).
func TestAPartialSummaryOutlivesItsProcess(t *testing.T) {
	for _, action := range []string{harness.SummarizeFrom, harness.SummarizeUpTo} {
		for _, killed := range []bool{false, true} {
			r := newRig(t, bound, says(thinking("hm", "c2ln"), text("A.")))
			var leaf string
			var live []string
			out := r.m.Run(func(w world.World) {
				s, err := harness.Start(w, r.cfg)
				require.NoError(t, err)
				p := r.asked(w, s, "one", "two", "three")
				r.answer = func() answer { r.answer = nil; return summary("s") }
				_, err = s.RewindTo(w, p[1], action)
				require.NoError(t, err)
				leaf = s.Leaf()
				_, err = s.Btw(w, "where do we stand?")
				require.NoError(t, err)
				live = r.shape(4)
				if killed {
					r.m.Kill()
				}
				require.NoError(t, s.Close(w))
			})
			require.Equal(t, killed, out.Killed)
			r.resumed(func(w world.World, s *harness.Session) {
				assert.Equal(t, leaf, s.Leaf())
				_, err := s.Btw(w, "where do we stand?")
				require.NoError(t, err)
			})
			got := r.shape(5)
			assert.Equal(t, live, got, "%s", action)
		}
	}
}

// What a bound model's head was sent with is on disk before the boundary that keeps it: a kill right behind the summary
// costs no thinking (H-REB-46, H-CMD-38).
func TestAKillBehindAPartialSummaryCostsNoThinking(t *testing.T) {
	r := newRig(t, bound, says(thinking("hm", "c2ln"), text("A.")))
	out := r.m.Run(func(w world.World) {
		s, err := harness.Start(w, r.cfg)
		require.NoError(t, err)
		p := r.asked(w, s, "one", "two")
		r.answer = func() answer { r.answer = nil; return summary("s") }
		_, err = s.RewindTo(w, p[1], harness.SummarizeFrom)
		require.NoError(t, err)
		r.m.Kill()
		require.NoError(t, s.Close(w))
	})
	require.True(t, out.Killed)
	r.resumed(func(w world.World, s *harness.Session) { r.prompt(w, s, "three") })
	assert.Equal(t, "assistant: thinking text(A.)", r.shape(3)[1])
}

// What is to be summarised must be in the payload, and there must be something (H-CMD-21, H-CMD-38, H-CMD-39). A refusal
// changes nothing.
func TestPartialSummariesThatCannotBe(t *testing.T) {
	r := newRig(t, plain, says(text("A.")))
	r.session(func(w world.World, s *harness.Session) {
		p := r.asked(w, s, "one", "two")
		before := r.read(s.File())
		_, err := s.RewindTo(w, p[0], harness.SummarizeUpTo)
		require.ErrorIs(t, err, harness.ErrNothingToCompact)
		_, err = s.RewindTo(w, "nowhere", harness.SummarizeFrom)
		require.ErrorContains(t, err, `"nowhere"`)
		_, err = s.RewindTo(w, p[0], "undo")
		require.ErrorContains(t, err, `"undo" is no action`)
		assert.Equal(t, before, r.read(s.File()))
		assert.Len(t, r.requests, 2)
		require.NoError(t, s.Rewind(w, p[1]))
		r.prompt(w, s, "three")
		_, err = s.RewindTo(w, p[1], harness.SummarizeFrom)
		require.ErrorContains(t, err, "not in the current context")
	})
}

// A summary may be made of everything from the first prompt on, of a conversation that begins with a summary, and of
// parts that a boundary kept before (H-CMD-38, H-CMD-39). bug p-two-compactions-inner-kept.
func TestSummariesOfSummaries(t *testing.T) {
	for _, model := range []string{plain, bound} {
		r := newRig(t, model, says(thinking("hm", "c2ln"), text("A.")))
		step := func(w world.World, s *harness.Session, at string, action string) {
			r.answer = func() answer { r.answer = nil; return summary("s") }
			_, err := s.RewindTo(w, at, action)
			require.NoError(t, err)
		}
		r.session(func(w world.World, s *harness.Session) {
			p := r.asked(w, s, "one", "two", "three", "four")
			step(w, s, p[1], harness.SummarizeUpTo)
			step(w, s, p[3], harness.SummarizeFrom)
			q := r.asked(w, s, "five", "six")
			assert.Len(t, s.Prompts(), 6, "all of them are offered")
			step(w, s, p[2], harness.SummarizeUpTo)
			r.prompt(w, s, "seven")
			got := r.shape(len(r.requests) - 1)
			assert.Contains(t, got[0], "text(This session is being co) text(three)")
			assert.Contains(t, got[2], "text(This session is being co) text(five)")
			require.Len(t, got, 7)
			require.NoError(t, s.Rewind(w, q[1]))
			r.prompt(w, s, "six again")
			require.Len(t, r.shape(len(r.requests)-1), 5)
			step(w, s, p[2], harness.SummarizeFrom)
			r.prompt(w, s, "eight")
		})
		r.resumed(func(w world.World, s *harness.Session) { r.prompt(w, s, "nine") })
		for _, q := range r.requests {
			legal(t, q.Body)
		}
	}
}
