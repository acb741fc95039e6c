package harness_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"harnessbench/harness"
	"harnessbench/harness/world"
)

// story is the script of the parity tests: thinking, parallel tools, an odd spelling of an input.
func story() []answer {
	return []answer{
		says(thinking("a", "c2ln"), text("On it."), use("a", "Read", `{ "file_path" : "/a" }`), use("b", "Bash", `{"command":"git status"}`)),
		says(thinking("b", "c2ln"), text("So.")),
		says(text("Yes.")),
	}
}

// A resumed session sends the bytes the live one would have sent (H-ARCH-11, H-REB-60, H-CMD-43). A call goes back in the
// bytes it came in, odd blanks included (H-REB-17, H-ARCH-22).
func TestResumedSessionSendsTheBytesOfTheLiveOne(t *testing.T) {
	for _, model := range []string{plain, systems, bound, manual} {
		for _, place := range []string{"", "prompt", "tail"} {
			t.Run(model+" "+place, func(t *testing.T) {
				bodies := map[bool][]string{}
				for _, exit := range []bool{false, true} {
					r := newRig(t, model, story()...)
					r.cfg.Switches = harness.Switches{InjectTime: true, VolatilePlace: place}
					var id string
					first := func(w world.World, s *harness.Session) {
						r.prompt(w, s, "one")
						r.prompt(w, s, "two")
						require.NoError(t, s.Rewind(w, s.LastPrompt()))
						r.prompt(w, s, "three")
						id = s.ID()
					}
					second := func(w world.World, s *harness.Session) {
						assert.Equal(t, id, s.ID())
						r.prompt(w, s, "four")
						r.prompt(w, s, "five")
					}
					if exit {
						r.session(first)
						r.resumed(second)
					} else {
						r.session(func(w world.World, s *harness.Session) { first(w, s); second(w, s) })
					}
					for _, q := range r.requests {
						bodies[exit] = append(bodies[exit], string(q.Body))
					}
				}
				assert.Equal(t, bodies[false], bodies[true])
				assert.Contains(t, bodies[true][1], `"name":"Read","input":{ "file_path" : "/a" }}`)
			})
		}
	}
}

func TestMemoryThatChangedReachesAResumedSession(t *testing.T) {
	for _, model := range []string{bound, plain} {
		t.Run(model, func(t *testing.T) {
			r := newRig(t, model, says(text("A.")))
			r.session(func(w world.World, s *harness.Session) {
				r.prompt(w, s, "one")
				require.NoError(t, r.disk.Write(cwd+"/CLAUDE.md", []byte("Use blanks.\n")))
				r.prompt(w, s, "two")
			})
			assert.NotContains(t, string(r.requests[1].Body), "Use blanks.", "held until a restart")
			r.resumed(func(w world.World, s *harness.Session) { r.prompt(w, s, "three"); r.prompt(w, s, "four") })
			body := string(r.requests[2].Body)
			assert.Contains(t, body, "Use blanks.")
			if model == plain {
				assert.NotContains(t, body, "Use tabs.", "what is on disk at the resume applies")
				return
			}
			assert.Contains(t, body, "Use tabs.", "the head stays as it was")
			assert.Equal(t, []string{"user: text(The instruction files ha) text(three)", "assistant: text(A.)", "user: text(four)*"},
				r.shape(3)[4:], "the news is appended once")
			r.resumed(func(w world.World, s *harness.Session) { r.prompt(w, s, "five") })
			assert.Equal(t, "user: text(five)*", r.shape(4)[8])
		})
	}
}

func TestANewDayIsAnnouncedOnce(t *testing.T) {
	r := newRig(t, bound, says(text("A.")))
	r.session(func(w world.World, s *harness.Session) {
		r.prompt(w, s, "one")
		require.NoError(t, w.Sleep(24*time.Hour))
		r.prompt(w, s, "two")
		r.prompt(w, s, "three")
		assert.Equal(t, []string{"user: text(The date has changed. To) text(two)", "assistant: text(A.)", "user: text(three)*"}, r.shape(2)[2:])
	})
	r.resumed(func(w world.World, s *harness.Session) { r.prompt(w, s, "four") })
	assert.Contains(t, string(r.requests[3].Body), "Today's date is 2026-11-30.")
	assert.Equal(t, "user: text(four)*", r.shape(3)[6])
}

func TestSwitchToABoundModelLeavesOutEarlierThinking(t *testing.T) {
	r := newRig(t, plain, says(thinking("a", "c2ln"), text("A.")))
	r.cfg.Switches.InjectTime = true
	r.session(func(w world.World, s *harness.Session) { r.prompt(w, s, "one") })
	r.cfg.Model, r.cfg.ModelGiven = bound, true
	for range 2 {
		r.resumed(func(w world.World, s *harness.Session) { r.prompt(w, s, "more") })
	}
	assert.Equal(t, []string{
		"user: text(The project keeps instru) text(one)", "assistant: text(A.)",
		"user: text(more)", "system: text(The current time is 2026)", "assistant: thinking text(A.)",
		"user: text(more)*", "system: text(The current time is 2026)",
	}, r.shape(2), "before the switch all is left out, after it nothing")

	r.cfg.Model = plain
	r.resumed(func(w world.World, s *harness.Session) { r.prompt(w, s, "back") })
	assert.Equal(t, []string{
		"user: text(The project keeps instru) text(one)", "assistant: text(A.)", "user: text(more)", "assistant: text(A.)",
		"user: text(more)", "assistant: text(A.)*", "user: text(The current time is 2026) text(back)*",
	}, r.shape(3), "it reads no thinking of the newer line and takes no system messages")
}

func TestBoundLogWithoutFrozenPartsLosesItsThinkingOnce(t *testing.T) {
	r := newRig(t, bound, says(thinking("a", "c2ln"), text("A.")))
	var frozen string
	r.session(func(w world.World, s *harness.Session) {
		r.prompt(w, s, "one")
		frozen = configDir + "/projects/-w-app/" + s.ID() + "/frozen.json"
	})
	_, err := r.disk.Read(frozen)
	require.NoError(t, err)
	require.NoError(t, r.disk.Write(frozen, []byte("{")))
	r.resumed(func(w world.World, s *harness.Session) { r.prompt(w, s, "two") })
	assert.Equal(t, "assistant: text(A.)", r.shape(1)[1])
	r.resumed(func(w world.World, s *harness.Session) { r.prompt(w, s, "three") })
	assert.Equal(t, []string{"assistant: text(A.)", "user: text(two)", "assistant: thinking text(A.)", "user: text(three)*"}, r.shape(2)[1:])
}

func TestManyResultsKeepThePreviousTailMarked(t *testing.T) {
	many := func(n int) answer {
		var blocks []string
		for i := range n {
			blocks = append(blocks, use("t"+string(rune('a'+i)), "Read", `{"file_path":"/a"}`))
		}
		return says(blocks...)
	}
	for n, marked := range map[int]bool{9: false, 10: true} { // n calls and n results
		r := newRig(t, plain, many(n), says(text("A.")))
		r.session(func(w world.World, s *harness.Session) { r.prompt(w, s, "one") })
		want := "user: text(The project keeps instru) text(one)"
		if marked {
			want += "*"
		}
		assert.Equal(t, want, r.shape(1)[0], "%d calls", n)
	}
}
