package harness_test

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"harnessbench/harness"
	"harnessbench/harness/world"
	"harnessbench/harness/world/sim"
)

// watched notes what a process does to the log, the server and its tools, in order.
type watched struct {
	world.World
	seen *[]string
}

func (d watched) Append(path string, data []byte) error {
	for _, line := range strings.Split(strings.TrimSpace(string(data)), "\n") {
		var e struct {
			Type    string
			Message struct{ Content any }
		}
		if json.Unmarshal([]byte(line), &e) == nil {
			if blocks, ok := e.Message.Content.([]any); ok {
				e.Type += " " + blocks[0].(map[string]any)["type"].(string)
			}
			*d.seen = append(*d.seen, e.Type)
		}
	}
	return d.World.Append(path, data)
}

func (d watched) Call(req world.Request) (world.Response, error) {
	*d.seen = append(*d.seen, "call")
	return d.World.Call(req)
}

func (d watched) RunTool(c world.ToolCall) (world.ToolResult, error) {
	*d.seen = append(*d.seen, "tool "+c.ID)
	return d.World.RunTool(c)
}

func (d watched) Go(key string, f func(world.World)) world.Task {
	return d.World.Go(key, func(w world.World) { f(watched{w, d.seen}) })
}

// An iteration goes through its steps in order: what is to be sent stands in the log before the request, each block of the
// answer before a tool runs, the results before the next request (H-ARCH-10). The model only asks: the call is run here,
// and its result goes back as a message of the user's side (H-ARCH-4).
func TestOneIterationHasItsOrder(t *testing.T) {
	r := newRig(t, bound, says(thinking("hm", "c2ln"), use("a", "Bash", `{"command":"make"}`)), says(text("A.")))
	r.cfg.Switches.InjectTime = true
	var seen []string
	r.process(func(w world.World) {
		w = watched{w, &seen}
		s, err := harness.Start(w, r.cfg)
		require.NoError(t, err)
		r.prompt(w, s, "one")
		require.NoError(t, s.Close(w))
	})
	order := []string{"user", "attachment", "call", "assistant thinking", "assistant tool_use", "tool a", "user tool_result", "call", "assistant text"}
	var got []string
	for _, what := range seen {
		if what != "file-history-snapshot" && what != "system" {
			got = append(got, what)
		}
	}
	assert.Equal(t, order, got)
	assert.Equal(t, "user: tool_result(a out|[rerun: b1])*", r.shape(1)[3])
}

// The results of calls side by side are logged, and sent, in the order of the calls, whichever ends first (H-ARCH-23; bug
// k-parallel-results-completion-order).
func TestResultsStandInTheOrderOfTheirCalls(t *testing.T) {
	calls := says(use("a", "Read", `{"file_path":"/a"}`), use("b", "Read", `{"file_path":"/b"}`), use("c", "Read", `{"file_path":"/c"}`))
	r := newRig(t, plain, calls, says(text("A.")))
	takes := map[string]time.Duration{"a": 3 * time.Second, "b": 2 * time.Second, "c": time.Second}
	r.tool = func(c world.ToolCall) (world.ToolResult, time.Duration) {
		return world.ToolResult{Output: "of " + c.ID}, takes[c.ID]
	}
	var file string
	r.session(func(w world.World, s *harness.Session) {
		from := w.Now()
		r.prompt(w, s, "one")
		assert.Less(t, w.Now().Sub(from), 6*time.Second, "they ran side by side")
		file = s.File()
	})
	data, err := r.disk.Read(file)
	require.NoError(t, err)
	var logged []string
	for _, m := range regexp.MustCompile(`"tool_use_id":"(.)"`).FindAllStringSubmatch(string(data), -1) {
		logged = append(logged, m[1])
	}
	assert.Equal(t, []string{"a", "b", "c"}, logged)
	assert.Regexp(t, `^user: tool_result\(a .*tool_result\(b .*tool_result\(c `, r.shape(1)[2])
}

// Clock, randomness and ids come from the world: the same seed gives the same bytes in log and requests, another one other
// ids of the same shape, and requests without a trace of it (H-ARCH-11, H-ARCH-20, H-ARCH-21).
func TestTheSameWorldGivesTheSameBytes(t *testing.T) {
	play := func(seed uint64) (log string, bodies []string) {
		r := newRig(t, bound, says(thinking("hm", "c2ln"), use("a", "Bash", `{"command":"make"}`)), says(text("A.")))
		r.m = sim.New(sim.Config{Seed: seed, Start: time.Date(2026, 11, 30, 9, 0, 0, 0, time.UTC), Server: r, Tools: r, Disk: r.disk})
		var file string
		r.session(func(w world.World, s *harness.Session) {
			r.prompt(w, s, "one")
			r.prompt(w, s, "two")
			file = s.File()
		})
		data, err := r.disk.Read(file)
		require.NoError(t, err)
		for _, q := range r.requests {
			bodies = append(bodies, string(q.Body))
		}
		return string(data), bodies
	}
	log, bodies := play(1)
	again, sameBodies := play(1)
	other, otherBodies := play(2)
	assert.Equal(t, log, again)
	assert.Equal(t, bodies, sameBodies)
	assert.Equal(t, bodies, otherBodies)
	assert.NotEqual(t, log, other)
	ids := regexp.MustCompile(`"uuid":"([^"]*)"`).FindAllStringSubmatch(other, -1)
	require.NotEmpty(t, ids)
	for _, id := range ids {
		assert.Regexp(t, `^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`, id[1])
		assert.NotContains(t, log, id[1])
	}
}
