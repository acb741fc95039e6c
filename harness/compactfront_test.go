package harness_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"harnessbench/harness"
	"harnessbench/harness/world"
	"harnessbench/internal/wire"
)

// A compaction leaves tools and system byte for byte as they were, by itself or by hand, on whatever day, and whatever git
// says by then; the memory and the date at the head are those of the moment. The next process begins with what holds then
// where the model lets it (H-CMP-70, H-CMP-71, H-REB-41).
func TestCompactionLeavesSystemAndToolsAlone(t *testing.T) {
	for _, model := range []string{plain, systems, bound, manual} {
		t.Run(model, func(t *testing.T) {
			r := newRig(t, model, full(70_000, text("A.")), summary("plums"), says(text("B.")), summary("pears"), says(text("C.")))
			r.cfg.Window = 100_000
			r.session(func(w world.World, s *harness.Session) {
				r.prompt(w, s, "one")
				require.NoError(t, w.Sleep(25*time.Hour))
				require.NoError(t, r.disk.Write(cwd+"/CLAUDE.md", []byte("Use blanks.\n")))
				r.prompt(w, s, "two")
				require.NoError(t, w.Sleep(25*time.Hour))
				require.NoError(t, s.Compact(w, ""))
				r.prompt(w, s, "three")
				require.Len(t, r.boundaries(s.File()), 2)
			})
			require.Equal(t, []string{"main", "compact", "main", "compact", "main"}, r.chains())
			front := func(i int, part string) string {
				v, err := wire.ParseValue(r.requests[i].Body)
				require.NoError(t, err)
				return string(v.Get(part).Raw())
			}
			for i := range r.requests {
				for _, part := range []string{"system", "tools"} {
					require.Equal(t, front(0, part), front(i, part), "%s of call %d", part, i)
				}
			}
			assert.Contains(t, front(0, "system"), "Date at the start of this session: 2026-11-30")
			for i, day := range map[int]string{0: "2026-11-30", 2: "2026-12-01", 4: "2026-12-02"} {
				assert.Contains(t, front(i, "messages"), "Today's date is "+day)
			}
			assert.Contains(t, front(2, "messages"), "Use blanks.")
			r.resumed(func(w world.World, s *harness.Session) { r.prompt(w, s, "four") })
			holds(t, model == bound, front(5, "system"), "2026-11-30")
		})
	}
}
