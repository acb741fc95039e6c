package harness_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"harnessbench/harness"
	"harnessbench/harness/world"
	"harnessbench/harness/world/sim"
)

// refusesAsTooLong is the refusal of a request that does not fit the window.
func refusesAsTooLong() answer {
	return answer{exchange: &sim.Exchange{Status: 400, Frames: []sim.Frame{{Data: []byte(
		`{"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long: 210000 tokens > 200000 maximum"}}`)}}}}
}

// One retry in a turn: no refusal needs none, one refusal is made good, the second ends the turn, and the next turn has one
// of its own, unless nothing was answered since the conversation was compacted (H-CMP-60, CMP-3).
func TestOneRetryInTheTeachingProfile(t *testing.T) {
	for refusals, want := range []string{"main main", "main main compact main", "main main compact main(prompt_too_long)"} {
		script := []answer{says(text("A."))}
		for i := range refusals {
			script = append(script, refusesAsTooLong())
			if i == 0 {
				script = append(script, says(text("S")))
			}
		}
		if refusals < 2 {
			script = append(script, says(text("B.")))
		}
		script = append(script, refusesAsTooLong(), says(text("T")), says(text("C.")))
		r := taughtRig(t, plain, 50, script...)
		r.session(func(w world.World, s *harness.Session) {
			r.prompt(w, s, "one")
			end := ""
			if out := r.prompt(w, s, "two"); out.Reason != harness.Completed {
				end = fmt.Sprintf("(%s)", out.Reason)
			}
			assert.Equal(t, want, strings.Join(r.chains(), " ")+end)
			before := len(r.requests)
			reason, chains := harness.Completed, []string{"main", "compact", "main"}
			if refusals == 2 {
				reason, chains = harness.PromptTooLong, chains[:1]
			}
			assert.Equal(t, reason, r.prompt(w, s, "three").Reason)
			assert.Equal(t, chains, r.chains()[before:], "%d refusals before", refusals)
		})
	}
}

// Three failures in a row end it: behind two a third summary is tried, behind three none is, and a success begins the count
// anew (H-CMP-63).
func TestThreeFailuresInTheTeachingProfile(t *testing.T) {
	for outcomes, want := range map[string]int{"": 1, "f": 2, "ff": 3, "fff": 3, "ffsf": 5, "ffsff": 6, "ffsfff": 6, "fffs": 3} {
		script, tried, failed := []answer{}, 0, 0
		turn := func(fails bool) { // what one prompt of too many characters meets
			if failed < 3 {
				tried++
				if fails {
					failed++
					script = append(script, says(text("<summary> </summary>")))
				} else {
					failed = 0
					script = append(script, says(text("S")))
				}
			}
			script = append(script, says(text("A.")))
		}
		for _, o := range outcomes {
			turn(o == 'f')
		}
		turn(false)
		r := taughtRig(t, plain, 10, script...)
		r.session(func(w world.World, s *harness.Session) {
			for range len(outcomes) + 1 {
				r.prompt(w, s, strings.Repeat("y", 210_000))
			}
		})
		assert.Equal(t, want, strings.Count(strings.Join(r.chains(), " "), "compact"), "after %q", outcomes)
		assert.Equal(t, want, tried, "the table itself")
	}
}

// 50,000 tokens are not too many, one more is: the threshold is met by a quarter of the characters of the request's
// messages (H-CMP-39).
func TestTheThresholdOfTheTeachingProfileToTheCharacter(t *testing.T) {
	r := taughtRig(t, plain, 10, says(text("A.")))
	r.session(func(w world.World, s *harness.Session) { r.prompt(w, s, "one") })
	frame := len("["+strings.Join(messages(t, r.requests[0].Body), ",")+"]") - len("one") // what a prompt counts besides its text
	for more, want := range map[int]int{-1: 0, 0: 0, 3: 0, 4: 1, 8: 1} {
		r := taughtRig(t, plain, 10, says(text("S")), says(text("A.")))
		r.session(func(w world.World, s *harness.Session) { r.prompt(w, s, strings.Repeat("y", 200_000-frame+more)) })
		assert.Equal(t, want, strings.Count(strings.Join(r.chains(), " "), "compact"), "%d characters more", more)
	}
}

// A loop that a layer begins anew without thinking, by its text among results or by taking away what stood before, goes on
// with thinking off where a budget asks for it first (messages-api.md 6.5; H-CMP-15, H-CMP-55).
func TestALoopWithoutThinkingInTheTeachingProfile(t *testing.T) {
	bare := func(calls ...answer) []answer {
		return append([]answer{says(thinking("t", "c2ln"), use("a", "bash", ls))}, calls...)
	}
	r := taughtRig(t, manual, 50, bare(says(use("b", "compact", "{}")), says(text("S")), says(text("B.")))...)
	r.session(func(w world.World, s *harness.Session) { r.prompt(w, s, "one") })
	assert.Contains(t, string(r.requests[1].Body), `"thinking":{"type":"enabled"`, "its own loop begins with thinking")
	assert.Contains(t, string(r.requests[3].Body), `"thinking":{"type":"disabled"}`)

	script := bare()
	for i := range 25 {
		script = append(script, says(use(fmt.Sprint("b", i), "bash", ls)))
	}
	r = taughtRig(t, manual, 50, append(script, says(text("B.")), says(text("C.")))...)
	r.session(func(w world.World, s *harness.Session) {
		r.prompt(w, s, "one")
		r.prompt(w, s, "two")
	})
	for i, q := range r.requests {
		snipped := strings.Contains(string(q.Body), "[snipped ") && i < 27
		assert.Equal(t, snipped, strings.Contains(string(q.Body), `"thinking":{"type":"disabled"}`), "request %d", i)
		legal(t, q.Body)
	}
}
