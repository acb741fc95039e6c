package harness_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"harnessbench/harness"
	"harnessbench/harness/sessionlog"
	"harnessbench/harness/world"
)

// metered counts the bytes that are read of session logs.
type metered struct {
	world.World
	bytes *int
}

func (w metered) ReadFile(path string) ([]byte, error) {
	data, err := w.World.ReadFile(path)
	if strings.HasSuffix(path, ".jsonl") {
		*w.bytes += len(data)
	}
	return data, err
}

func (w metered) ReadAt(path string, offset int64, n int) ([]byte, error) {
	data, err := w.World.ReadAt(path, offset, n)
	*w.bytes += len(data)
	return data, err
}

func (w metered) Go(key string, f func(world.World)) world.Task {
	return w.World.Go(key, func(inner world.World) { f(metered{inner, w.bytes}) })
}

// A large log with a late boundary is resumed from its tail, and sends what the live session sends; what lies before the
// boundary is read when something needs it (H-LOG-89).
func TestALargeLogIsResumedFromItsTail(t *testing.T) {
	for _, model := range []string{plain, bound} {
		bodies := map[bool]string{}
		for _, exit := range []bool{false, true} {
			r := newRig(t, model, says(use("a", "Bash", `{"command":"git status"}`)), says(text("A.")), says(text("A.")), says(text("A.")), says(text("<summary>so far</summary>")), says(text("B.")))
			var prompts []harness.Point
			first := func(w world.World, s *harness.Session) {
				require.NoError(t, s.SetTitle(w, "Named"))
				r.prompt(w, s, "first")
				r.prompt(w, s, strings.Repeat("long ", sessionlog.LargeFile/4))
				r.prompt(w, s, "short")
				require.NoError(t, s.Compact(w, ""))
				prompts = s.Prompts()
			}
			second := func(w world.World, s *harness.Session) {
				assert.Equal(t, "Named", s.Title())
				assert.NotEmpty(t, s.LastPrompt())
				cost := s.Totals().CostUSD
				r.prompt(w, s, "next")
				assert.Equal(t, prompts, s.Prompts()[:len(prompts)])
				assert.Greater(t, s.Totals().CostUSD, cost)
				require.NoError(t, s.Rewind(w, prompts[0].UUID))
				r.prompt(w, s, "again")
			}
			if exit {
				r.session(first)
				r.process(func(w world.World) {
					read := 0
					s, err := harness.Resume(metered{w, &read}, r.cfg, "")
					require.NoError(t, err)
					assert.Less(t, read, sessionlog.LargeFile/2)
					require.NoError(t, s.History(metered{w, &read}))
					assert.Greater(t, read, sessionlog.LargeFile)
				})
				r.resumed(second)
			} else {
				r.session(func(w world.World, s *harness.Session) { first(w, s); second(w, s) })
			}
			for _, q := range r.requests[5:] {
				bodies[exit] += string(q.Body)
			}
		}
		assert.True(t, bodies[false] == bodies[true], "live and resumed payloads are equal")
	}
}
