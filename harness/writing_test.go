package harness_test

import (
	"errors"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"harnessbench/harness"
	"harnessbench/harness/world"
	"harnessbench/harness/world/real"
)

// Another process that appends to the log is told of once; nothing on disk is lost (H-LOG-87, bug l-two-writers,
// l-compaction-eats-concurrent-write).
func TestAnotherWriterIsTold(t *testing.T) {
	r := newRig(t, plain, says(text("A.")))
	r.session(func(w world.World, s *harness.Session) {
		r.prompt(w, s, "one")
		assert.Empty(t, s.Report(), "alone")
		foreign := promptLine("x", "2026-11-30T09:00:01.000Z", "another", "")
		require.NoError(t, w.Append(s.File(), []byte(foreign))) // it has not yet written its line feed
		r.prompt(w, s, "two")
		report := s.Report()
		require.Len(t, report, 1)
		assert.Contains(t, report[0], "concurrent_writer: "+s.File()+" holds ")
		require.NoError(t, w.Append(s.File(), []byte("\n")))
		r.prompt(w, s, "three")
		assert.Empty(t, s.Report(), "once")
		data, err := r.disk.Read(s.File())
		require.NoError(t, err)
		assert.Contains(t, string(data), foreign+"\n", "its line stays a line")
	})
	assert.Equal(t, "user: text(two)", r.shape(2)[2], "each goes on from the entry it knew")
}

// With log.writers=refuse the session stops writing, with fork it goes on in a copy of its branch (H-LOG-87, D11).
func TestAnotherWriterRefusedOrLeft(t *testing.T) {
	for _, model := range []string{plain, bound} {
		r := newRig(t, model, says(thinking("t", "c2ln"), use("a", "Bash", `{"command":"ls"}`)), says(thinking("t", "c2ln"), text("A.")))
		r.cfg.Switches.Writers = "refuse"
		r.process(func(w world.World) {
			s, err := harness.Start(w, r.cfg)
			require.NoError(t, err)
			r.prompt(w, s, "one")
			require.NoError(t, w.Append(s.File(), []byte("{}\n")))
			_, err = s.Prompt(w, "two")
			assert.ErrorContains(t, err, "concurrent_writer")
			_, err = s.Prompt(w, "two")
			assert.ErrorContains(t, err, "log.writers is refuse")
			data, _ := r.disk.Read(s.File())
			assert.True(t, strings.HasSuffix(string(data), "{}\n"))
		})

		r = newRig(t, model, says(thinking("t", "c2ln"), use("a", "Bash", `{"command":"ls"}`)), says(thinking("t", "c2ln"), text("A.")))
		r.cfg.Switches.Writers = "fork"
		var old, apart string
		r.tool = func(world.ToolCall) (world.ToolResult, time.Duration) {
			data, _ := r.disk.Read(old)
			require.NoError(t, r.disk.Write(old, append(data, "{}\n"...))) // in the middle of the turn
			return world.ToolResult{Output: "out\n"}, time.Second
		}
		r.session(func(w world.World, s *harness.Session) {
			old = s.File()
			r.prompt(w, s, "one")
			apart = s.File()
			assert.NotEqual(t, old, apart)
			require.Len(t, s.Report(), 1)
			r.prompt(w, s, "two")
		})
		data, err := r.disk.Read(old)
		require.NoError(t, err)
		assert.True(t, strings.HasSuffix(string(data), "{}\n"), "the file of both is left to the other")
		for _, e := range r.log(apart) {
			if id, ok := e["sessionId"]; ok {
				assert.Contains(t, apart, id)
			}
		}
		r.resumed(func(w world.World, s *harness.Session) { r.prompt(w, s, "three") })
		assert.Equal(t, "user: text(one)", strings.Replace(r.shape(3)[0], "text(The project keeps instru) ", "", 1))
		assert.Len(t, r.shape(3), 7+2*strings.Count(strings.Join(r.shape(3), "\n"), "system:"))
	}
}

// Two processes of the real world on one session: both append, all lines are whole, each is told, and a later resume
// says that there are two branches (H-LOG-87, H-CMD-47).
func TestTwoRealProcessesLoseNothing(t *testing.T) {
	root := t.TempDir()
	cfg := harness.Config{Model: plain, ConfigDir: configDir, Cwd: cwd, APIKey: "k"}
	server := httptest.NewServer(http.HandlerFunc(func(out http.ResponseWriter, _ *http.Request) {
		for _, f := range stream("msg_1", plain, says(text("A."))).Frames {
			_, _ = out.Write(f.Data)
		}
	}))
	defer server.Close()
	seed := uint64(0)
	process := func(f func(w world.World)) {
		seed++
		m, err := real.New(real.Config{Root: root, BaseURL: server.URL, IDs: rand.NewPCG(seed, 0)})
		require.NoError(t, err)
		out := m.Run(f)
		require.Empty(t, out.Panic)
	}
	var file string
	process(func(w world.World) {
		s, err := harness.Start(w, cfg)
		require.NoError(t, err)
		_, err = s.Prompt(w, "one")
		require.NoError(t, err)
		file = s.File()
	})
	process(func(w1 world.World) {
		first, err := harness.Resume(w1, cfg, "")
		require.NoError(t, err)
		process(func(w2 world.World) {
			second, err := harness.Resume(w2, cfg, "")
			require.NoError(t, err)
			for range 2 {
				_, err = first.Prompt(w1, "from the first")
				require.NoError(t, err)
				_, err = second.Prompt(w2, "from the second")
				require.NoError(t, err)
			}
			for _, s := range []*harness.Session{first, second} {
				report := strings.Join(s.Report(), "\n")
				assert.Equal(t, 1, strings.Count(report, "concurrent_writer"), report)
			}
		})
	})
	process(func(w world.World) {
		data, err := w.ReadFile(file)
		require.NoError(t, err)
		assert.Equal(t, 2, strings.Count(string(data), `"content":"from the first"`))
		assert.Equal(t, 2, strings.Count(string(data), `"content":"from the second"`))
		s, err := harness.Resume(w, cfg, "")
		require.NoError(t, err)
		assert.Contains(t, strings.Join(s.Report(), "\n"), "two branches of the log grew side by side")
	})
}

// Failures of the disk that do not pass are told at once with their code, others after a minute; the next success ends
// it. The session goes on, and nothing unlogged is sent (H-LOG-81, H-LOG-88).
func TestFailingWritesAreTold(t *testing.T) {
	r := newRig(t, plain, says(text("A.")))
	r.process(func(w world.World) {
		var fault error
		s, err := harness.Start(failing{w, &fault}, r.cfg)
		require.NoError(t, err)
		fw := failing{w, &fault}
		r.prompt(fw, s, "one")
		sent := len(r.requests)
		fault = errors.New("write /x: no space left on device")
		for range 2 {
			_, err = s.Prompt(fw, "two")
			assert.ErrorContains(t, err, "no space left")
		}
		report := s.Report()
		require.Len(t, report, 1, "told once")
		assert.Contains(t, report[0], "ENOSPC: write /x: no space left on device")
		assert.Len(t, r.requests, sent)
		fault = nil
		r.prompt(fw, s, "three")
		assert.Equal(t, []string{"The session log can be written again."}, s.Report())

		fault = errors.New("input/output error")
		_, err = s.Prompt(fw, "four")
		assert.Error(t, err)
		assert.Empty(t, s.Report(), "it may pass")
		require.NoError(t, w.Sleep(time.Minute))
		_, err = s.Prompt(fw, "four")
		assert.Error(t, err)
		require.Len(t, s.Report(), 1)
		fault = nil
		r.prompt(fw, s, "five")
		require.NoError(t, s.Close(fw))
	})
	assert.NotContains(t, string(r.requests[len(r.requests)-1].Body), `"two"`)
}

// failing is a disk whose appends fail while there is a fault.
type failing struct {
	world.World
	fault *error
}

func (d failing) Append(path string, data []byte) error {
	if *d.fault != nil {
		return *d.fault
	}
	return d.World.Append(path, data)
}

func (d failing) Go(key string, f func(world.World)) world.Task {
	return d.World.Go(key, func(w world.World) { f(failing{w, d.fault}) })
}

// A session without persistence leaves no transcript and cannot be resumed (H-LOG-8).
func TestNoPersistence(t *testing.T) {
	for _, model := range []string{plain, bound} {
		r := newRig(t, model, says(use("a", "Bash", `{"command":"ls"}`)), says(text("A.")))
		r.cfg.NoPersistence = true
		var id string
		r.session(func(w world.World, s *harness.Session) {
			id = s.ID()
			r.prompt(w, s, "one")
			r.prompt(w, s, "two")
			require.NoError(t, s.Rewind(w, s.LastPrompt()))
			r.prompt(w, s, "three")
		})
		assert.Equal(t, "user: text(three)*", r.shape(3)[4])
		for _, f := range r.disk.Files() {
			assert.NotContains(t, f, "/projects/")
		}
		r.process(func(w world.World) {
			_, err := harness.Resume(w, r.cfg, id)
			assert.EqualError(t, err, "No conversation found with session ID: "+id)
		})
	}
}

// Results hang from the last entry, or from those of their calls; the payload is the same, live and resumed (H-LOG-32,
// H-LOG-33, H-REB-5).
func TestBothChainStylesGiveOnePayload(t *testing.T) {
	bodies := map[string]string{}
	for _, chain := range []string{"linear", "source-tool"} {
		r := newRig(t, bound, story()...)
		r.cfg.Switches.Chain = chain
		var file string
		r.session(func(w world.World, s *harness.Session) {
			r.prompt(w, s, "one")
			r.prompt(w, s, "two")
			file = s.File()
		})
		r.resumed(func(w world.World, s *harness.Session) { r.prompt(w, s, "three") })
		parents, of := []any{}, map[any]any{}
		for _, e := range r.log(file) {
			if e["toolUseResult"] != nil {
				parents = append(parents, e["parentUuid"])
				of[e["parentUuid"]] = e["sourceToolAssistantUUID"]
			}
		}
		require.Len(t, parents, 2)
		for parent, call := range of {
			assert.Equal(t, chain == "source-tool", parent == call, chain)
		}
		bodies[chain] = string(r.requests[3].Body)
	}
	assert.Equal(t, bodies["linear"], bodies["source-tool"])
}
