package harness_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"harnessbench/harness"
	"harnessbench/harness/world"
)

// growing fails when a log is anything but appended to, a whole line a write.
type growing struct {
	world.World
	t    *testing.T
	file *string
}

func (w growing) Append(path string, data []byte) error {
	if strings.HasSuffix(path, ".jsonl") {
		assert.True(w.t, strings.HasSuffix(string(data), "\n"), "a whole line")
		for line := range strings.Lines(string(data)) {
			assert.True(w.t, json.Valid([]byte(line)), line)
		}
	}
	return w.World.Append(path, data)
}

func (w growing) Replace(path string, data []byte) error {
	assert.False(w.t, strings.HasSuffix(path, ".jsonl"), "a log is not replaced")
	return w.World.Replace(path, data)
}

func (w growing) Write(path string, data []byte) error {
	assert.False(w.t, strings.HasSuffix(path, ".jsonl"), "a log is not rewritten")
	return w.World.Write(path, data)
}

func (w growing) Go(key string, f func(world.World)) world.Task {
	return w.World.Go(key, func(inner world.World) { f(growing{inner, w.t, w.file}) })
}

// What a session writes: whole lines at the end (H-LOG-10, H-LOG-11, H-LOG-80), the eleven common fields (H-LOG-15), one
// chain through all entries from one root (H-LOG-30, H-LOG-31), prompts as strings (H-LOG-20), results of one block with
// what the tool gave (H-LOG-21), an entry a block with the id of its answer, then the results (H-LOG-24, H-LOG-33), and no
// progress (H-LOG-37). /compact and /rewind rewrite nothing.
func TestWhatASessionWrites(t *testing.T) {
	r := newRig(t, systems, story()...)
	r.cfg.Switches.InjectTime = true
	var file, before string
	r.process(func(plainWorld world.World) {
		w := growing{plainWorld, t, &file}
		s, err := harness.Start(w, r.cfg)
		require.NoError(t, err)
		file = s.File()
		r.prompt(w, s, "one")
		r.prompt(w, s, "two")
		data, _ := r.disk.Read(file)
		before = string(data)
		require.NoError(t, s.Rewind(w, s.LastPrompt()))
		r.prompt(w, s, "three")
		require.NoError(t, s.Close(w))
	})
	after, err := r.disk.Read(file)
	require.NoError(t, err)
	assert.True(t, strings.HasPrefix(string(after), before), "no earlier byte is rewritten")

	var last any
	ids := map[string]int{}
	kinds := ""
	for line := range strings.Lines(before) {
		var e map[string]any
		require.NoError(t, json.Unmarshal([]byte(line), &e))
		if e["uuid"] == nil {
			continue
		}
		assert.Equal(t, last, e["parentUuid"])
		last = e["uuid"]
		for _, f := range []string{"type", "uuid", "parentUuid", "sessionId", "timestamp", "isSidechain", "userType", "cwd", "version", "gitBranch", "entrypoint"} {
			assert.Contains(t, e, f)
		}
		assert.NotEqual(t, "progress", e["type"])
		message, _ := e["message"].(map[string]any)
		switch {
		case e["type"] == "assistant":
			assert.Len(t, message["content"], 1)
			ids[message["id"].(string)]++
			kinds += "a"
		case e["toolUseResult"] != nil:
			assert.Len(t, message["content"], 1)
			kinds += "r"
		case e["type"] == "user":
			assert.IsType(t, "", message["content"])
			kinds += "u"
		default:
			kinds += "t"
		}
	}
	assert.Equal(t, "utaaaarraaut"+"a", kinds)
	assert.Equal(t, 3, len(ids))
}

// Each file holds the entries of its own session and all of them, whatever one process goes through; and a process that
// came to a session from another is seen as a second writer (LOG-8, H-LOG-87). Bugs l-switch-writes-old-file,
// l-registry-not-updated, l-resume-follows-child.
func TestSessionsOfOneProcessStayApart(t *testing.T) {
	r := newRig(t, plain, says(text("A.")))
	r.process(func(w world.World) {
		s, err := harness.Start(w, r.cfg)
		require.NoError(t, err)
		r.prompt(w, s, "in a")
		a, fileA := s.ID(), s.File()
		require.NoError(t, s.Clear(w))
		r.prompt(w, s, "in b")
		b, fileB := s.ID(), s.File()
		back, err := harness.Resume(w, r.cfg, a)
		require.NoError(t, err)
		r.prompt(w, back, "in a again")
		require.NoError(t, back.Close(w))
		for file, id := range map[string]string{fileA: a, fileB: b} {
			for _, e := range r.log(file) {
				assert.Equal(t, id, e["sessionId"])
			}
		}
		assert.Equal(t, []string{"in a", "in a again"}, promptsOf(r.log(fileA)))
		assert.Equal(t, []string{"in b"}, promptsOf(r.log(fileB)))

		other, err := harness.Resume(w, r.cfg, a)
		require.NoError(t, err)
		second, err := harness.Resume(w, r.cfg, a)
		require.NoError(t, err)
		r.prompt(w, other, "first")
		r.prompt(w, second, "second")
		assert.Contains(t, strings.Join(second.Report(), "\n"), "concurrent_writer")
	})
}

func promptsOf(entries []map[string]any) []string {
	var out []string
	for _, e := range entries {
		if m, ok := e["message"].(map[string]any); ok && e["type"] == "user" {
			if s, ok := m["content"].(string); ok {
				out = append(out, s)
			}
		}
	}
	return out
}

// Logs in the shapes of other writers resume, and the next prompt goes out in a legal request: roles alternate, every call
// has its result, nothing of agents, progress, system entries or bookkeeping is sent (H-LOG-35, H-LOG-37, H-LOG-40,
// H-LOG-41, H-LOG-45, H-LOG-50 to H-LOG-52, H-LOG-85).
func TestLogsOfOtherWritersGoOn(t *testing.T) {
	names, err := filepath.Glob("sessionlog/testdata/*.jsonl")
	require.NoError(t, err)
	require.NotEmpty(t, names)
	for _, name := range names {
		for _, model := range []string{plain, bound} {
			t.Run(filepath.Base(name)+" "+model, func(t *testing.T) {
				data, err := os.ReadFile(name)
				require.NoError(t, err)
				r := newRig(t, model, says(text("A.")))
				r.put("-w-app", sid1, strings.TrimSuffix(string(data), "\n"))
				r.process(func(w world.World) {
					s, err := harness.Resume(w, r.cfg, sid1)
					require.NoError(t, err)
					r.prompt(w, s, "and now?")
					require.NoError(t, s.Close(w))
				})
				shape := r.shape(0)
				for i, m := range shape {
					want := "user:"
					if i%2 == 1 {
						want = "assistant:"
					}
					assert.True(t, strings.HasPrefix(m, want), strings.Join(shape, "\n"))
					calls, results := strings.Count(m, "tool_use("), 0
					if i+1 < len(shape) {
						results = strings.Count(shape[i+1], "tool_result(")
					}
					assert.Equal(t, calls, results, m)
				}
				after, err := r.disk.Read(configDir + "/projects/-w-app/" + sid1 + ".jsonl")
				require.NoError(t, err)
				assert.True(t, strings.HasPrefix(string(after), string(data)), "every byte of the source stays")
			})
		}
	}

	r := newRig(t, plain, says(text("A.")))
	r.put("-w-app", sid1, promptLine("u1", "", "asked", ""),
		`{"type":"system","uuid":"s1","parentUuid":"u1","subtype":"turn_duration","durationMs":3,"content":"not sent"}`,
		`{"type":"system","uuid":"s2","parentUuid":"s1","subtype":"of_the_future","content":"not sent"}`,
		`{"type":"progress","uuid":"p1","parentUuid":"s2","data":"not sent"}`,
		`{"type":"attachment","uuid":"t1","parentUuid":"p1","attachment":{"type":"unheard_of","content":"not sent"}}`,
		`{"type":"attachment","uuid":"t2","parentUuid":"t1","attachment":{"type":"unheard_of","content":"not sent"},"rendered":[{"content":"sent as stored"}]}`,
		`{"type":"strange","uuid":"z1","parentUuid":"t2","content":"not sent"}`,
		`{"type":"system","uuid":"s3","parentUuid":"z1","subtype":"local_command","content":"<local-command-stdout>sent</local-command-stdout>"}`)
	r.resumed(func(w world.World, s *harness.Session) { r.prompt(w, s, "go on") })
	body := string(r.requests[0].Body)
	assert.NotContains(t, body, "not sent")
	assert.Contains(t, body, "sent as stored")
	assert.Contains(t, body, "<local-command-stdout>sent")
}
