package harness_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"harnessbench/harness"
	"harnessbench/harness/world"
	"harnessbench/harness/world/sim"
)

// keeping is a rig whose sessions keep their memory file up. Main calls are answered by main, in turn, the last one again
// and again; a request for notes by notes.
func keeping(t *testing.T, model string, notes func(n int) answer, main ...answer) *rig {
	r := newRig(t, model, main...)
	r.cfg.Aux, r.cfg.Switches.SessionMemory, r.cfg.Window = true, true, 200_000
	asked, answered := 0, 0
	r.answer = func() answer {
		q := r.requests[len(r.requests)-1]
		switch {
		case q.Chain == "compact":
			return says(text("<summary>Asked.</summary>"))
		case q.Chain == "main":
			answered++
			return main[min(answered, len(main))-1]
		case !isNotes(q):
			return says(text("{}"))
		}
		asked++
		return notes(asked)
	}
	return r
}

func isNotes(q world.Request) bool {
	return strings.Contains(string(q.Body), "You keep the notes of a session")
}

func noted(s string) func(int) answer { return func(int) answer { return says(text(s)) } }

// notes are the bodies of the requests for notes.
func (r *rig) notes() (out []string) {
	for _, q := range r.requests {
		if isNotes(q) {
			out = append(out, string(q.Body))
		}
	}
	return out
}

// kept is the memory file of a session, "" for none.
func (r *rig) kept(s *harness.Session) string {
	data, _ := r.disk.Read(strings.TrimSuffix(s.File(), ".jsonl") + "/session-memory/summary.md")
	return string(data)
}

func longer(tokens int) string { return " " + strings.Repeat("long", tokens) }

// With auxiliary calls on, the memory file is kept up behind turns: the small model is shown the notes and what was said
// since, by itself, without a breakpoint and without thinking; nothing of it is logged, its cost alone counts, and the
// conversation's requests are what they would be without it. What it wrote is then the summary, without a call, also of a
// process that did not write it (H-CMP-80, H-ARCH-30, H-ARCH-32, H-ACC-11, H-ACC-12).
func TestTheMemoryFileIsKeptUp(t *testing.T) {
	for _, model := range []string{plain, systems, bound, manual} {
		var sent [2][]string
		var cost [2]float64
		for i, on := range []bool{false, true} {
			r := keeping(t, model, func(n int) answer { return says(text([]string{"It is one.", "It is two."}[n-1])) },
				says(thinking("t", "c2ln"), text("A.")), says(text("B.")), says(thinking("u", "c2ln"), use("c1", "Bash", ls)), full(150_000, text("C.")), full(190_000, text("D.")), says(text("E.")))
			r.cfg.Switches.SessionMemory = on
			r.session(func(w world.World, s *harness.Session) {
				r.prompt(w, s, "one"+longer(12_000))
				r.prompt(w, s, "two")
				r.prompt(w, s, "three"+longer(30_000))
				total := s.Totals()
				cost[i] = total.CostUSD
				require.Len(t, total.Models, map[bool]int{true: 1, false: 2}[model == manual])
				for _, m := range total.Models {
					if m.Model == manual && model != manual {
						assert.Zero(t, m.Calls+m.Usage.Output)
					}
				}
				data, err := r.disk.Read(s.File())
				require.NoError(t, err)
				assert.False(t, strings.Contains(string(data), "It is"))
				if on {
					assert.Regexp(t, `^<!-- notes up to entry [0-9a-f-]{36} -->\nIt is two.\n$`, r.kept(s))
				} else {
					assert.Empty(t, r.kept(s))
				}
			})
			for _, q := range r.requests {
				if q.Chain == "main" {
					sent[i] = append(sent[i], string(q.Body))
				}
			}
			if !on {
				assert.Empty(t, r.notes(), "off by default")
				continue
			}
			assert.Equal(t, []string{"aux", "aux", "main", "aux", "main", "main", "main", "aux"}, r.chains(), model)
			notes := r.notes()
			require.Len(t, notes, 2)
			for n, body := range notes {
				legal(t, []byte(body))
				assert.True(t, strings.HasPrefix(body, `{"model":"claude-haiku-4-5","max_tokens":4000,`))
				for _, never := range []string{"cache_control", `"tools"`, `"thinking"`, "c2ln"} {
					assert.False(t, strings.Contains(body, never))
				}
				assert.Equal(t, n == 0, strings.Contains(body, "one long"), "of what is told only what is new is shown")
				assert.Equal(t, n == 1, strings.Contains(body, "It is one."))
				assert.Equal(t, n == 1, strings.Contains(body, `[user]\nthree long`) && strings.Contains(body, `[assistant]\nB.`) && strings.Contains(body, "[call of Bash]"))
			}
			r.resumed(func(w world.World, s *harness.Session) {
				r.prompt(w, s, "four")
				r.prompt(w, s, "five")
			})
			assert.Equal(t, []string{"main", "main"}, r.chains()[8:], "no summary was asked for")
			last := string(r.requests[9].Body)
			legal(t, []byte(last))
			for _, want := range []string{"It is two.", `"text":"four"`, `"text":"five"`} {
				assert.True(t, strings.Contains(last, want))
			}
			assert.False(t, strings.Contains(last, "one long"))
		}
		assert.Equal(t, sent[0], sent[1], "the conversation is the same")
		assert.Greater(t, cost[1], cost[0])
	}
}

// Whatever becomes of the call, the turn has ended well, the file stays as it was, and nothing is tried again before as much
// was said once more; the summary is then asked for where the old file does not help (H-CMP-80, H-ARCH-31).
func TestNotesThatFailHarmNothing(t *testing.T) {
	for name, bad := range map[string]answer{
		"overloaded":   overload(),
		"refused":      refusal(400, "invalid_request_error", "no"),
		"too long":     refusal(400, "invalid_request_error", "prompt is too long: 210000 tokens > 200000 maximum"),
		"cut":          {blocks: []string{text("It is tw")}, stop: "max_tokens"},
		"declined":     {blocks: []string{text("I will not.")}, stop: "refusal"},
		"empty":        says(text(" ")),
		"a call":       says(use("c9", "Bash", ls)),
		"broken":       cut(4, errors.New("reset"), ""),
		"unreachable":  {exchange: &sim.Exchange{Err: errors.New("no route")}},
		"a wrong wire": cut(2, nil, "event: x\ndata: {\n\n"),
	} {
		t.Run(name, func(t *testing.T) {
			r := keeping(t, bound, func(n int) answer {
				if n == 2 {
					return bad
				}
				return says(text([]string{"It is one.", "", "It is three."}[n-1]))
			}, says(text("A.")))
			r.session(func(w world.World, s *harness.Session) {
				r.prompt(w, s, "one"+longer(10_000))
				old := r.kept(s)
				assert.Contains(t, old, "It is one.")
				before := s.Leaf()
				assert.Equal(t, "completed", r.prompt(w, s, "two"+longer(10_000)).Reason)
				assert.NotEqual(t, before, s.Leaf())
				assert.Equal(t, old, r.kept(s))
				assert.Empty(t, s.Report())
				r.prompt(w, s, "three"+longer(9_900))
				require.Len(t, r.notes(), 2, "no storm")
				assert.Equal(t, old, r.kept(s))
				r.prompt(w, s, "four"+longer(1_000))
				require.Len(t, r.notes(), 3)
				assert.Contains(t, r.kept(s), "It is three.")
				assert.Contains(t, r.notes()[2], "two long", "what the failed one would have told")
				assert.Empty(t, r.ran)
			})
		})
	}
	r := keeping(t, bound, noted("It is."), says(text("A.")))
	full := &noMemoryDisk{}
	r.session(func(w world.World, s *harness.Session) {
		full.World = w
		out, err := s.Prompt(full, "one"+longer(10_000))
		require.NoError(t, err)
		assert.Equal(t, "completed", out.Reason)
		assert.Empty(t, r.kept(s))
		assert.Equal(t, []string{"The session's memory file cannot be written: no space left."}, s.Report())
	})
}

// noMemoryDisk has no room for memory files.
type noMemoryDisk struct{ world.World }

func (d *noMemoryDisk) Go(key string, f func(world.World)) world.Task {
	return d.World.Go(key, func(w world.World) { f(&noMemoryDisk{w}) })
}

func (d *noMemoryDisk) Replace(path string, data []byte) error {
	if strings.HasSuffix(path, "/session-memory/summary.md") {
		return errors.New("no space left")
	}
	return d.World.Replace(path, data)
}

// Notes are not taken where nothing would use them, nothing may be kept, the money is spent, or the turn did not end by
// itself (H-CMP-80).
func TestNotesAreNotTaken(t *testing.T) {
	for name, c := range map[string]struct {
		set  func(*harness.Config)
		stop string
		want int
	}{
		"they are":                {func(*harness.Config) {}, "end_turn", 1},
		"aux off":                 {func(c *harness.Config) { c.Aux = false }, "end_turn", 0},
		"the switch off":          {func(c *harness.Config) { c.Switches.SessionMemory = false }, "end_turn", 0},
		"no compaction at all":    {func(c *harness.Config) { c.NoCompact = true }, "end_turn", 0},
		"only by hand":            {func(c *harness.Config) { c.NoAutoCompact = true }, "end_turn", 1},
		"nothing is kept":         {func(c *harness.Config) { c.NoPersistence = true }, "end_turn", 0},
		"the teaching profile":    {func(c *harness.Config) { c.Switches.Profile = harness.ProfileTeaching }, "end_turn", 0},
		"the money is spent":      {func(c *harness.Config) { c.MaxBudgetUSD = 0.000001 }, "end_turn", 0},
		"the model said no":       {func(*harness.Config) {}, "refusal", 0},
		"the money is left":       {func(c *harness.Config) { c.MaxBudgetUSD = 100 }, "end_turn", 1},
		"the model stopped there": {func(*harness.Config) {}, "stop_sequence", 1},
	} {
		t.Run(name, func(t *testing.T) {
			r := keeping(t, plain, noted("It is."), answer{blocks: []string{text("A.")}, stop: c.stop})
			c.set(&r.cfg)
			r.session(func(w world.World, s *harness.Session) { r.prompt(w, s, "one"+longer(10_000)) })
			assert.Len(t, r.notes(), c.want)
		})
	}
}

// An interrupt while the notes are written leaves the file as it was; the turn had ended. What was typed ahead goes on
// (H-CMP-80, H-LOOP-20, H-LOOP-25).
func TestAnInterruptWhileNotesAreWritten(t *testing.T) {
	for _, queued := range []bool{false, true} {
		r := keeping(t, bound, noted("It is."), says(text("A.")))
		r.process(func(plainWorld world.World) {
			var s *harness.Session
			stopped := false
			h := &hook{after: func(_ int, op, _ string) {
				if op != world.OpRead || stopped || !isNotes(r.requests[len(r.requests)-1]) {
					return
				}
				if queued {
					s.Queue("typed ahead")
					s.Queue("and that")
				}
				stopped = true
				s.Interrupt()
			}}
			w := world.Hooked(plainWorld, h)
			var err error
			s, err = harness.Start(w, r.cfg)
			require.NoError(t, err)
			assert.Equal(t, "completed", r.prompt(w, s, "one"+longer(10_000)).Reason)
			assert.Empty(t, r.kept(s))
			r.prompt(w, s, "two")
			data, err := r.disk.Read(s.File())
			require.NoError(t, err)
			assert.True(t, stopped)
			assert.False(t, strings.Contains(string(data), "interrupted by user"))
			assert.Equal(t, queued, strings.Contains(string(data), "typed ahead"))
			turns := 0
			for _, q := range r.requests {
				if q.Chain == "main" {
					turns++
				}
			}
			assert.Equal(t, map[bool]int{false: 2, true: 3}[queued], turns, "after an interrupt all of it begins one turn")
			require.NoError(t, s.Close(w))
		})
	}
}

// A process killed before or after any port call while notes are written leaves the old file, or the new one, whole, and a
// session that goes on (H-CMP-80).
func TestKillWhileNotesAreWritten(t *testing.T) {
	seen := map[string]bool{}
	for _, after := range []bool{false, true} {
		for n, killed := 1, true; killed; n++ {
			r := keeping(t, bound, func(n int) answer { return says(text([]string{"It is one.", "It is two.", "It is three."}[n-1])) }, says(text("A.")))
			r.chunks = 2
			armed, calls := false, 0
			at := func(now bool) {
				if armed && now {
					if calls++; calls == n {
						r.m.Kill()
					}
				}
			}
			h := &hook{before: func(int, string, string) { at(!after) }, after: func(int, string, string) { at(after) }}
			file := ""
			out := r.m.Run(func(w world.World) {
				w = world.Hooked(w, h)
				s, err := harness.Start(w, r.cfg)
				require.NoError(t, err)
				file = strings.TrimSuffix(s.File(), ".jsonl") + "/session-memory/summary.md"
				r.prompt(w, s, "one"+longer(12_000))
				armed = true
				r.prompt(w, s, "two"+longer(12_000))
			})
			killed = calls >= n
			require.Empty(t, out.Panic)
			data, err := r.disk.Read(file)
			require.NoError(t, err)
			_, body, whole := strings.Cut(string(data), " -->\n")
			require.True(t, whole)
			require.Contains(t, []string{"It is one.\n", "It is two.\n"}, body)
			seen[body] = true
			armed = false
			r.resumed(func(w world.World, s *harness.Session) {
				assert.Equal(t, "completed", r.prompt(w, s, "three"+longer(12_000)).Reason)
				assert.NotEqual(t, string(data), r.kept(s), "kept up again")
			})
		}
	}
	assert.Len(t, seen, 2)
}
