package harness_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"harnessbench/harness"
	"harnessbench/harness/world"
	"harnessbench/internal/wire"
)

// wayToSummarise is one of the ways to have a summary asked for in a conversation of four turns.
type wayToSummarise struct {
	set func(c *harness.Config)
	do  func(r *rig, w world.World, s *harness.Session, prompts []string) error
}

func aNewPrompt(r *rig, w world.World, s *harness.Session, _ []string) error {
	r.prompt(w, s, "five")
	return nil
}

// waysToSummarise are all of them. In those without a command the answer to the fourth prompt reached the threshold.
var waysToSummarise = map[string]wayToSummarise{
	"/compact": {func(*harness.Config) {}, func(_ *rig, w world.World, s *harness.Session, _ []string) error {
		return s.Compact(w, "mind the plums")
	}},
	"from here": {func(*harness.Config) {}, func(_ *rig, w world.World, s *harness.Session, p []string) error {
		_, err := s.RewindTo(w, p[2], harness.SummarizeFrom)
		return err
	}},
	"up to here": {func(*harness.Config) {}, func(_ *rig, w world.World, s *harness.Session, p []string) error {
		_, err := s.RewindTo(w, p[2], harness.SummarizeUpTo)
		return err
	}},
	"auto":     {func(*harness.Config) {}, aNewPrompt},
	"collapse": {func(c *harness.Config) { c.Switches.Collapse = true }, aNewPrompt},
}

// played plays a way and gives the requests, the place of the one for the summary, and the log's file.
func (way wayToSummarise) played(t *testing.T, model, request, third string) (r *rig, at int, file string) {
	r = newRig(t, model, says(text("-")))
	r.cfg.Window, r.cfg.Switches.SummaryRequest = 100_000, request
	way.set(&r.cfg)
	r.answer = func() answer {
		switch n := len(r.requests); {
		case r.requests[n-1].Chain == "compact":
			return summary("pears")
		case n == 4:
			return full(70_000, text(lengthy))
		}
		return says(text(lengthy))
	}
	r.session(func(w world.World, s *harness.Session) {
		prompts := r.asked(w, s, "one"+long, "two", third, "four")
		require.NoError(t, way.do(r, w, s, prompts))
		r.prompt(w, s, "and on")
		file = s.File()
	})
	for at = range r.requests {
		if r.requests[at].Chain == "compact" {
			return r, at, file
		}
	}
	require.Fail(t, "no summary was asked for")
	return nil, 0, ""
}

// lastText is the text of the last block of a request.
func lastText(t *testing.T, body []byte) string {
	v, err := wire.ParseValue(body)
	require.NoError(t, err)
	var last wire.Value
	for _, m := range v.Get("messages").Elems() {
		for _, last = range m.Get("content").Elems() {
		}
	}
	return last.Get("text").Text()
}

var outputRoom = regexp.MustCompile(`"max_tokens":\d+`)

// Whoever has a summary asked for, it is asked for behind the conversation's own front and messages, as far as it goes, so
// that its cache is read; compact.request=no-tools holds for each of them, and loses no message (H-CMP-46). The
// instructions open with the guard and close with the reminder, whatever the user, the memory file and the prompt at the
// edge add to them (H-CMP-47).
func TestEveryWayAsksForASummaryAlike(t *testing.T) {
	const edge = "three\n\nREMINDER of the user's"
	for name, way := range waysToSummarise {
		for _, request := range []string{"", harness.RequestNoTools} {
			t.Run(fmt.Sprint(name, " ", request), func(t *testing.T) {
				r, at, _ := way.played(t, plain, request, edge)
				ask, main := r.requests[at].Body, r.requests[3].Body
				holds(t, request != "", string(ask), `"tools":[],`)
				if request == "" {
					alike := func(body []byte) string { return outputRoom.ReplaceAllString(front(body), "") }
					assert.Equal(t, alike(main), alike(ask))
				}
				was, now := messages(t, main), messages(t, ask)
				n := min(len(was), len(now)-1)
				assert.Equal(t, was[:n], now[:n])
				if name == "collapse" || name == "up to here" {
					assert.Len(t, now, 5, "it ends with what is to be summarised")
				}
				words := lastText(t, ask)
				assert.True(t, strings.HasPrefix(words, "CRITICAL: Respond with TEXT ONLY. Do NOT call any tools."), words)
				assert.Equal(t, "REMINDER: no tool calls. Plain text, first <analysis>, then <summary>.", words[strings.LastIndex(words, "\n")+1:])
				holds(t, name == "/compact", words, "mind the plums")
				holds(t, strings.HasSuffix(name, "here"), words, "> REMINDER of the user's")
				legal(t, ask)
			})
		}
	}
}

// The boundary's content tells the user of each compaction, and no request ever holds it (H-CMP-56). The summary names the
// log, where all that it stands for can be read (H-CMP-51): it is on disk before it is asked for.
func TestTheBoundaryTellsTheUserAndTheSummaryTheFile(t *testing.T) {
	for name, way := range waysToSummarise {
		if name == "collapse" {
			continue // it writes no boundary
		}
		for _, model := range []string{plain, systems, bound, manual} {
			r, at, file := way.played(t, model, "", "three")
			b := r.boundaries(file)
			require.Len(t, b, 1, name)
			assert.Equal(t, "Conversation compacted", b[0]["content"], name)
			r.resumed(func(w world.World, s *harness.Session) { r.prompt(w, s, "later") })
			for i, q := range r.requests {
				holds(t, false, string(q.Body), "Conversation compacted", name, i)
				holds(t, i > at, string(q.Body), "read the full transcript at: "+file, name, i)
			}
		}
	}
}

// In the teaching profile compact.request=no-tools holds for a summary that nobody asked for too: no tools, no breakpoint,
// and on a bound model no thinking, which was made under other tools (H-CMP-46, D1).
func TestATaughtSummaryMayBeAskedForWithoutTools(t *testing.T) {
	for _, model := range everyModel {
		for _, request := range []string{"", harness.RequestNoTools} {
			r := taughtRig(t, model, 10, says(thinking("n", "bmV3"), text("A.")), summary("plums"), says(text("B.")))
			r.cfg.Switches.SummaryRequest = request
			r.session(func(w world.World, s *harness.Session) {
				r.prompt(w, s, "one")
				r.prompt(w, s, strings.Repeat("two ", 52_000))
			})
			require.Equal(t, []string{"main", "compact", "main"}, r.chains(), model)
			ask := string(r.requests[1].Body)
			holds(t, request != "", ask, `"tools":[],`, model)
			holds(t, request == "", ask, "cache_control", model)
			holds(t, request == "" || model != bound, ask, `"thinking":"n"`, model)
			legal(t, r.requests[1].Body)
		}
	}
}
