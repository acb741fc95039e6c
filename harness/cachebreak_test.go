package harness_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"harnessbench/harness"
	"harnessbench/harness/cachewatch"
	"harnessbench/harness/world"
)

// reading has the server read so many tokens from its cache, call by call, and write a thousand for an hour each time.
func (r *rig) reading(tokens ...int) {
	r.answer = func() answer {
		a := says(text("Done."))
		e := stream(fmt.Sprintf("msg_%d", r.next+1), modelOf(r.t, r.requests[len(r.requests)-1].Body), a)
		usage := fmt.Sprintf(`"usage":{"cache_read_input_tokens":%d,"cache_creation_input_tokens":1000,"cache_creation":{"ephemeral_1h_input_tokens":1000},`,
			tokens[min(r.next, len(tokens)-1)])
		for i := range e.Frames {
			if bytes.Contains(e.Frames[i].Data, []byte("message_start")) {
				e.Frames[i].Data = bytes.Replace(e.Frames[i].Data, []byte(`"usage":{`), []byte(usage), 1)
			}
		}
		return answer{exchange: &e}
	}
}

// breaks are the notices about the cache.
func breaks(s *harness.Session) []string {
	var out []string
	for _, n := range s.Report() {
		if strings.HasPrefix(n, "Cache break") {
			out = append(out, n)
		}
	}
	return out
}

// A break is reported with what changed and where; a growing conversation whose server lost its entries is told apart
// (H-CACHE-11, H-CACHE-12).
func TestABreakOfTheCacheIsReported(t *testing.T) {
	r := newRig(t, plain, says(text("Done.")))
	r.reading(0, 20_000, 3_000, 20_000, 0)
	r.session(func(w world.World, s *harness.Session) {
		r.prompt(w, s, "one")
		r.prompt(w, s, "two")
		require.Empty(t, breaks(s))
		require.NoError(t, s.Set("thinking", "off"))
		r.prompt(w, s, "three")
		assert.Equal(t, []string{"Cache break, main calls: 3000 tokens read after 20000, 1003 lost, $0.0057 more. " +
			"Changed: effort or thinking (may lose messages, on some models all)."}, breaks(s))
		r.prompt(w, s, "four")
		r.prompt(w, s, "five")
		got := breaks(s)
		require.Len(t, got, 1)
		assert.Contains(t, got[0], "Nothing of the request changed: the server did not find the entries.")
		drops := s.CacheDrops()
		require.Len(t, drops, 2)
		assert.Equal(t, []cachewatch.Vector{cachewatch.Effort}, drops[0].Changed)
		assert.Empty(t, s.CacheDrops(), "each is told once")
	})
}

// Each chain of calls is compared with its own last call: a question beside the conversation that reads less than it is no
// break, neither is the call of the conversation behind it, and one that reads less than the question before is
// (H-CACHE-11, H-CACHE-12).
func TestEachChainIsComparedWithItself(t *testing.T) {
	r := newRig(t, plain, says(text("Done.")))
	r.reading(0, 20_000, 9_000, 20_000, 9_000, 3_000, 20_000)
	r.session(func(w world.World, s *harness.Session) {
		r.prompt(w, s, "one")
		r.prompt(w, s, "two")
		for range 2 {
			_, err := s.Btw(w, "is it?")
			require.NoError(t, err)
			if len(r.requests) == 3 {
				r.prompt(w, s, "three")
			}
		}
		require.Empty(t, breaks(s))
		_, err := s.Btw(w, "is it?")
		require.NoError(t, err)
		got := breaks(s)
		require.Len(t, got, 1)
		assert.Contains(t, got[0], "Cache break, btw calls: 3000 tokens read after 9000")
		r.prompt(w, s, "four")
		assert.Empty(t, breaks(s))
	})
}

// What the user did on purpose is labelled and not reported as a break (H-CACHE-13).
func TestDropsOfTheUsersOwnMakingAreLabelled(t *testing.T) {
	for name, c := range map[string]struct {
		do   func(w world.World, s *harness.Session) error
		want string
	}{
		"rewind":       {func(w world.World, s *harness.Session) error { return s.Rewind(w, s.LastPrompt()) }, cachewatch.Rewind},
		"model switch": {func(w world.World, s *harness.Session) error { return s.SetModel(w, systems, "") }, cachewatch.ModelSwitch},
		"compaction":   {func(w world.World, s *harness.Session) error { return s.Compact(w, "") }, cachewatch.Compaction},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, plain, says(text("Done.")))
			r.reading(0, 20_000)
			r.session(func(w world.World, s *harness.Session) {
				r.prompt(w, s, "one")
				r.prompt(w, s, "two")
				require.NoError(t, c.do(w, s))
				r.reading(3_000)
				r.prompt(w, s, "three")
				assert.Empty(t, breaks(s))
				drops := s.CacheDrops()
				require.Len(t, drops, 1)
				assert.Equal(t, c.want, drops[0].Expected)
				assert.Equal(t, "main", drops[0].Source)
			})
		})
	}
	t.Run("clear", func(t *testing.T) {
		r := newRig(t, plain, says(text("Done.")))
		r.reading(0, 20_000, 0)
		r.session(func(w world.World, s *harness.Session) {
			r.prompt(w, s, "one")
			r.prompt(w, s, "two")
			require.NoError(t, s.Clear(w))
			r.prompt(w, s, "three")
			assert.Empty(t, breaks(s))
			assert.Empty(t, s.CacheDrops(), "there is nothing to compare with")
		})
	})
}

// A drop in the call whose answer says that the server cleared thinking or results, as it was asked to, is labelled and
// no break; the same drop without that word, or with as much cleared as before, is one (H-CMP-86, H-CACHE-13).
func TestADropOfTheServersClearingIsLabelled(t *testing.T) {
	const thought, uses = `{"type":"clear_thinking_20251015","cleared_thinking_turns":%d,"cleared_input_tokens":9000}`,
		`{"type":"clear_tool_uses_20250919","cleared_tool_uses":%d,"cleared_input_tokens":9000}`
	for name, c := range map[string]struct {
		two, three string
		breaks     int
	}{
		"thinking": {"", fmt.Sprintf(thought, 1), 0}, "more thinking": {fmt.Sprintf(thought, 1), fmt.Sprintf(thought, 2), 0},
		"results": {"", fmt.Sprintf(uses, 7), 0}, "as before": {fmt.Sprintf(thought, 1), fmt.Sprintf(thought, 1), 1}, "nothing": {"", "", 1},
	} {
		r := newRig(t, bound, says(text("Done.")))
		r.cfg.Switches.OnBreak, r.cfg.Switches.ThinkingKeep = harness.OnBreakServer, harness.KeepLastTurn
		applied := []string{"", c.two, c.three}
		r.reading(0, 20_000, 3_000)
		inner := r.answer
		r.answer = func() answer {
			a := inner()
			for i := range a.exchange.Frames {
				a.exchange.Frames[i].Data = bytes.Replace(a.exchange.Frames[i].Data, []byte(`"usage":{"output_tokens":9}}`),
					[]byte(`"usage":{"output_tokens":9},"context_management":{"applied_edits":[`+applied[r.next]+`]}}`), 1)
			}
			return a
		}
		r.session(func(w world.World, s *harness.Session) {
			r.prompt(w, s, "one")
			r.prompt(w, s, "two")
			r.prompt(w, s, "three")
			assert.Len(t, breaks(s), c.breaks, name)
			drops := s.CacheDrops()
			require.Len(t, drops, 1, name)
			assert.Equal(t, c.breaks == 0, drops[0].Expected == "the server cleared what it was asked to clear", name)
		})
	}
}

// betasOf are the betas of each request.
func betasOf(r *rig) []string {
	var out []string
	for _, q := range r.requests {
		value := ""
		for _, f := range q.Header {
			if f.Name == "anthropic-beta" {
				value = f.Value
			}
		}
		out = append(out, value)
	}
	return out
}

// A beta that was sent once stays when its mode is left; /clear and a compaction end that (H-CACHE-21).
func TestBetasStayOnceTheyWereSent(t *testing.T) {
	const clear, bind = "mid-conversation-system-clear-at-2026-08-21", "thinking-binding-controls-2026-08-01"
	r := newRig(t, bound, says(text("Done.")))
	r.session(func(w world.World, s *harness.Session) {
		r.prompt(w, s, "one")
		require.NoError(t, s.Set("thinking.onBreak", harness.OnBreakDropBlock))
		r.prompt(w, s, "two")
		require.NoError(t, s.Set("thinking.onBreak", harness.OnBreakDrop))
		r.prompt(w, s, "three")
		require.NoError(t, s.SetModel(w, plain, ""))
		r.prompt(w, s, "four")
		require.NoError(t, s.SetModel(w, bound, ""))
		require.NoError(t, s.Compact(w, ""))
		r.prompt(w, s, "five")
		require.NoError(t, s.Set("thinking.onBreak", harness.OnBreakDropBlock))
		r.prompt(w, s, "six")
		require.NoError(t, s.Set("thinking.onBreak", harness.OnBreakDrop))
		require.NoError(t, s.Clear(w))
		r.prompt(w, s, "seven")
	})
	both := clear + "," + bind
	assert.Equal(t, []string{clear, both, both, both, both, clear, both, clear}, betasOf(r), "the fifth is the summary's")
}

// Other tools would cost the whole cache: a switch that brings them is announced and waits for the next session, /clear
// or a compaction (H-CACHE-22, H-CACHE-23). A switch that changes no tool says nothing.
func TestAChangeOfToolsIsAnnouncedAndWaits(t *testing.T) {
	r := newRig(t, plain, says(text("Done.")))
	r.session(func(w world.World, s *harness.Session) {
		r.prompt(w, s, "one")
		before := s.Tools()
		require.NoError(t, s.Set("inject.time", "on"))
		assert.Empty(t, s.Report())
		require.NoError(t, s.Set("profile", harness.ProfileTeaching))
		assert.Equal(t, []string{"The switch profile changes the set of tools, which would cost the whole cache: the tools of this session " +
			"stay as they are. They change with the next session, /clear or a compaction."}, s.Report())
		r.prompt(w, s, "two")
		assert.Equal(t, before, s.Tools())
		require.NoError(t, s.Clear(w))
		assert.NotEqual(t, before, s.Tools())
	})
	a, b := r.requests[0].Body, r.requests[1].Body
	assert.Equal(t, toolsIn(t, a), toolsIn(t, b))
}

func toolsIn(t *testing.T, body []byte) string {
	t.Helper()
	_, rest, ok := bytes.Cut(body, []byte(`"tools":`))
	require.True(t, ok)
	tools, _, ok := bytes.Cut(rest, []byte(`,"messages":`))
	require.True(t, ok)
	return string(tools)
}
