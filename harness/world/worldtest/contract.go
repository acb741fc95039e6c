// Package worldtest is the contract of package world as tests: what holds in every world, the
// simulated one and the real one. Each situation is a subtest of its own.
package worldtest

import (
	"io"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"harnessbench/harness/world"
	"harnessbench/harness/world/sim"
)

// Worlds makes machines of one kind for the contract. The clock of a machine must be virtual: an
// hour's sleep takes no real time, and Now moves only by sleeping and waiting.
type Worlds struct {
	// In runs one situation, in a bubble of virtual time where the world needs one.
	In func(t *testing.T, situation func(t *testing.T))
	// New makes a machine with an empty disk around the parts. Their methods, and Exchange.Cancelled, are called one
	// at a time.
	New func(t *testing.T, parts Parts) (world.Machine, Outside)
	// Settle returns when the server has taken notice of everything that happened.
	Settle func()
}

// Parts is what a machine is made around.
type Parts struct {
	Server   sim.Server
	Tools    sim.ToolRunner
	Shell    sim.Shell
	Approver sim.Approver
}

// Outside changes a machine's disk behind the back of its processes.
type Outside interface {
	// Symlink makes a symlink at name; the target is relative to its directory.
	Symlink(target, name string) error
	// Link gives a file another name.
	Link(old, name string) error
}

// Contract runs every situation.
func Contract(t *testing.T, ws Worlds) {
	for _, group := range []struct {
		name       string
		situations []situation
	}{
		{"tasks", tasks},
		{"interrupts", interrupts},
		{"kills", kills()},
		{"faults", faults},
		{"disk", disk},
		{"transport", transport},
		{"tools", toolCalls},
		{"links", links},
	} {
		t.Run(group.name, func(t *testing.T) {
			for _, s := range group.situations {
				t.Run(s.name, func(t *testing.T) {
					ws.In(t, func(t *testing.T) { s.run(t, newStage(t, ws)) })
				})
			}
		})
	}
}

type situation struct {
	name string
	run  func(t *testing.T, s *stage)
}

// stage is one machine, with a server and tools that record what they see.
type stage struct {
	world.Machine
	outside Outside
	settle  func()

	// answer is what the server gives; by default a body of three pieces that leave after 1, 2, 3 s.
	answer    sim.Exchange
	toolTakes time.Duration
	toolGives world.ToolResult

	requests  []world.Request
	cancelled []time.Duration
	toolRuns  []world.ToolCall
}

const file = "/home/user/notes.jsonl"

func newStage(t *testing.T, ws Worlds) *stage {
	s := &stage{settle: ws.Settle, toolTakes: 3 * time.Second, toolGives: world.ToolResult{Exit: 2}}
	s.answer = sim.Exchange{
		Status: 200,
		Header: []world.Field{{Name: "request-id", Value: "req_1"}},
		Frames: []sim.Frame{
			{After: 1 * time.Second, Data: []byte("one ")},
			{After: 2 * time.Second, Data: []byte("two ")},
			{After: 3 * time.Second, Data: []byte("three")},
		},
	}
	s.Machine, s.outside = ws.New(t, Parts{(*stageServer)(s), (*stageTools)(s), stageShell{}, stageUser{}})
	return s
}

type stageServer stage

func (s *stageServer) Handle(_ time.Time, req world.Request) sim.Exchange {
	s.requests = append(s.requests, req)
	e := s.answer
	e.Cancelled = func(after time.Duration) { s.cancelled = append(s.cancelled, after) }
	return e
}

type stageTools stage

func (s *stageTools) Run(_ time.Time, call world.ToolCall) (world.ToolResult, time.Duration) {
	s.toolRuns = append(s.toolRuns, call)
	res := s.toolGives
	res.Output = "ran " + call.Name
	return res, s.toolTakes
}

// stageShell runs every command for three seconds.
type stageShell struct{}

func (stageShell) Exec(_ time.Time, cmd world.Command) (world.Exit, time.Duration) {
	return world.Exit{Output: "ran " + cmd.Line, Code: 3, Dir: cmd.Dir + "/below"}, 3 * time.Second
}

// stageUser says no to everything but Read, after three seconds.
type stageUser struct{}

func (stageUser) Approve(_ time.Time, call world.ToolCall) (world.Approval, time.Duration) {
	if call.Name == "Read" {
		return world.Approval{Allow: true}, 0
	}
	return world.Approval{Feedback: "not " + call.Name}, 3 * time.Second
}

// run starts a process that must end cleanly.
func (s *stage) run(t *testing.T, f func(world.World)) {
	t.Helper()
	require.Equal(t, world.Outcome{}, s.Run(f))
	s.settle()
}

// request is a call as the harness would make it.
func request() world.Request {
	return world.Request{
		Method: "POST", Path: "/v1/messages?beta=true", Chain: "main",
		Header: []world.Field{{Name: "content-type", Value: "application/json"}, {Name: "x-api-key", Value: "k"}},
		Body:   []byte(`{"model":"m"}`),
	}
}

// open starts an exchange whose headers must come.
func open(t *testing.T, w world.World) world.Body {
	t.Helper()
	resp, err := w.Call(request())
	require.NoError(t, err)
	return resp.Body
}

// drain reads a body to its end.
func drain(w world.World, b world.Body) (string, error) {
	var all []byte
	for {
		chunk, err := b.Next(w)
		all = append(all, chunk...)
		if err == io.EOF {
			return string(all), nil
		}
		if err != nil {
			return string(all), err
		}
	}
}
