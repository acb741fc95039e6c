package real_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"harnessbench/conformance/invariant"
	"harnessbench/conformance/trace"
	"harnessbench/fakeapi"
	"harnessbench/fakeapi/httpfront"
	"harnessbench/fakeapi/script"
)

// bed is a directory with a project and sessions, a server, and what was seen of the processes that worked on them.
type bed struct {
	t       *testing.T
	url     string
	config  string // directory
	project string // directory

	mu      sync.Mutex
	judge   *invariant.Judge
	seq     int
	calls   int
	writes  int               // acknowledged
	logged  map[string][]byte // acknowledged log lines, by file, in the order of the acknowledgements
	runs    map[string]int    // starts of tools, by id
	notices []string          // of all processes
	bodies  []string          // requests
	leaf    trace.Leaf        // the newest
}

// still is the prompt after a kill: from any state it must get an answer.
const still = "are you still there?"

// rounds is how many prompts of the story have a tool loop.
const rounds = 6

// newBed serves the model of the story of these tests: prompts "round 1" to "round 6", each with thinking, text, a call
// that leaves a line in the file runs, and a last text; the third round has a second call, and the fourth writes a file.
func newBed(t *testing.T) *bed {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	b := &bed{t: t, config: filepath.Join(dir, "config"), project: filepath.Join(dir, "project")}
	require.NoError(t, os.MkdirAll(b.project, 0o755))
	b.begin()
	say := func(text string) script.Block { return script.Block{Kind: "text", Text: text} }
	call := func(name string, input map[string]string) script.Block {
		raw, err := json.Marshal(input)
		require.NoError(t, err)
		return script.Block{Kind: "tool_use", Name: name, Input: raw}
	}
	mark := func(what string) script.Block {
		return call("Bash", map[string]string{"command": "echo " + what + " >>runs"})
	}
	var turns []script.Turn
	for n := range rounds {
		n++
		first := []script.Block{{Kind: "thinking", Text: fmt.Sprintf("I run number %d.", n)}, say("Running."), mark(fmt.Sprint("round", n))}
		switch n {
		case 3:
			first = append(first, mark("round3b"))
		case 4:
			first = append(first, call("Write", map[string]string{"file_path": filepath.Join(b.project, "notes.txt"), "content": "four\n"}))
		}
		turns = append(turns, script.Turn{Prompt: fmt.Sprint("round ", n), Answers: []script.Answer{
			{Blocks: first}, {Blocks: []script.Block{say(fmt.Sprintf("Number %d has run.", n))}},
		}})
	}
	other := &script.Answer{Blocks: []script.Block{say("I am here.")}}
	turns = append(turns, script.Turn{Prompt: still, Answers: []script.Answer{*other}})
	server := httptest.NewServer(httpfront.New(fakeapi.New(fakeapi.Options{Seed: 1, Script: script.Script{Turns: turns, Default: other}}), httpfront.Options{Seed: 1}))
	t.Cleanup(server.Close)
	b.url = server.URL
	return b
}

// story is the prompts of a whole session.
func story() (prompts []string) {
	for n := range rounds {
		prompts = append(prompts, fmt.Sprint("round ", n+1))
	}
	return prompts
}

// begin forgets what was seen.
func (b *bed) begin() {
	b.judge, b.seq, b.calls, b.writes = invariant.New(), 0, 0, 0
	b.logged, b.runs, b.notices, b.bodies, b.leaf = map[string][]byte{}, map[string]int{}, nil, nil, trace.Leaf{}
	b.take(trace.Event{Kind: trace.KindRun, Run: &trace.Run{Version: trace.Version, Story: "processes", Engine: "real", Lane: "quiet"}}, nil)
}

// take is told of an event of one process; numbers holds its calls by the numbers it gave them.
func (b *bed) take(e trace.Event, numbers map[int]int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.seq++
	e.Seq = b.seq
	switch e.Kind {
	case trace.KindRequest:
		b.calls++
		numbers[e.Request.Call], e.Request.Call = b.calls, b.calls
		b.bodies = append(b.bodies, string(e.Request.Body))
	case trace.KindResponse:
		e.Response.Call = numbers[e.Response.Call]
	case trace.KindLog:
		b.writes++
		b.logged[e.Log.File] = append(b.logged[e.Log.File], e.Log.Data...)
	case trace.KindFile:
		b.writes++
	case trace.KindTool:
		if e.Tool.Phase == "start" {
			b.runs[e.Tool.ID]++
		}
	case trace.KindNotice:
		b.notices = append(b.notices, e.Notice.Text)
	case trace.KindLeaf:
		b.leaf = *e.Leaf
	}
	b.judge.Event(e)
}

// process is a running process of the harness.
type process struct {
	b      *bed
	cmd    *exec.Cmd
	in     io.WriteCloser
	errs   bytes.Buffer
	leaves chan struct{} // one for each prompt answered, and for the session's begin
	over   chan struct{} // closed when its events have ended
}

// start starts one.
func (b *bed) start(j job) *process {
	j.URL, j.Config, j.Cwd = b.url, b.config, b.project
	text, err := json.Marshal(j)
	require.NoError(b.t, err)
	self, err := os.Executable()
	require.NoError(b.t, err)
	events, eventsIn, err := os.Pipe()
	require.NoError(b.t, err)
	acksOut, acks, err := os.Pipe()
	require.NoError(b.t, err)
	p := &process{b: b, cmd: exec.Command(self), leaves: make(chan struct{}, 100), over: make(chan struct{})}
	p.cmd.Env = append(os.Environ(), jobVariable+"="+string(text))
	p.cmd.ExtraFiles = []*os.File{eventsIn, acksOut}
	p.cmd.Stderr = &p.errs
	p.in, err = p.cmd.StdinPipe()
	require.NoError(b.t, err)
	require.NoError(b.t, p.cmd.Start())
	_, _ = eventsIn.Close(), acksOut.Close()
	go func() {
		defer close(p.over)
		defer events.Close()
		defer acks.Close()
		numbers := map[int]int{}
		for in := json.NewDecoder(events); ; {
			var e trace.Event
			if in.Decode(&e) != nil {
				return
			}
			b.take(e, numbers)
			if e.Kind == trace.KindLeaf {
				p.leaves <- struct{}{}
			}
			if _, err := acks.Write([]byte{1}); err != nil {
				return
			}
		}
	}()
	return p
}

// say types prompts.
func (p *process) say(prompts ...string) {
	for _, text := range prompts {
		_, err := io.WriteString(p.in, text+"\n")
		require.NoError(p.b.t, err)
	}
}

// answered waits for the next leaf.
func (p *process) answered() {
	select {
	case <-p.leaves:
	case <-p.over:
		require.Fail(p.b.t, "the process ended", p.errs.String())
	}
}

// end has the process end by itself, and tells whether it was killed instead.
func (p *process) end() (killed bool) {
	_ = p.in.Close()
	<-p.over
	err := p.cmd.Wait()
	if p.cmd.ProcessState.ExitCode() == -1 {
		return true
	}
	require.NoError(p.b.t, err, p.errs.String())
	return false
}

// whole runs a process from its begin to its end.
func (b *bed) whole(j job, prompts ...string) (killed bool) {
	p := b.start(j)
	for _, text := range prompts { // a process that was killed takes no more
		_, _ = io.WriteString(p.in, text+"\n")
	}
	return p.end()
}

// within runs a process of the harness in the test's own.
func (b *bed) within(j job, prompts ...string) {
	j.URL, j.Config, j.Cwd = b.url, b.config, b.project
	numbers := map[int]int{}
	r := &reporter{emit: func(e trace.Event) { b.take(e, numbers) }, around: func(int, bool) {}}
	require.NoError(b.t, j.run(r, func() (text string, more bool) {
		if len(prompts) == 0 {
			return "", false
		}
		text, prompts = prompts[0], prompts[1:]
		return text, true
	}))
}

// log is the only session log, and its content.
func (b *bed) log() (path string, data []byte) {
	found, err := filepath.Glob(filepath.Join(b.config, "projects", "*", "*.jsonl"))
	require.NoError(b.t, err)
	require.Len(b.t, found, 1)
	data, err = os.ReadFile(found[0])
	require.NoError(b.t, err)
	return found[0], data
}

// broken tells of an invariant of level H that broke, "" for none.
func (b *bed) broken() string {
	for _, c := range b.judge.Results() {
		for _, f := range c.Findings {
			if f.Level == invariant.H {
				return fmt.Sprintf("%s: %s\n%s", c.Check, f.Fact, f.Other)
			}
		}
	}
	return ""
}

// twice tells of a tool that was run again, by its id or by what it left in the project; "" for none.
func (b *bed) twice() string {
	for _, id := range slices.Sorted(maps.Keys(b.runs)) {
		if n := b.runs[id]; n > 1 {
			return fmt.Sprintf("%s was started %d times", id, n)
		}
	}
	data, err := os.ReadFile(filepath.Join(b.project, "runs"))
	if !errors.Is(err, fs.ErrNotExist) {
		require.NoError(b.t, err)
	}
	seen := map[string]bool{}
	for line := range strings.Lines(string(data)) {
		if seen[line] {
			return "the command of " + line + " ran twice"
		}
		seen[line] = true
	}
	return ""
}
