package real_test

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"syscall"
	"testing"

	"harnessbench/conformance/trace"
	"harnessbench/harness"
	"harnessbench/harness/world"
	"harnessbench/harness/world/real"
)

// job is what a process of the harness is started to do: open a session, then run each line of its input as a prompt.
type job struct {
	URL, Model  string
	Config, Cwd string // directories of this computer
	Seed        uint64
	Resume      bool // the session Ref, "" for the newest; otherwise a new one begins
	Ref         string
	KillAt      int  // the write at which the process kills itself with SIGKILL, 0 for none
	KillAfter   bool // behind it, otherwise before it
}

// jobVariable holds the job of a process; the test binary is its program.
const jobVariable = "BENCH_TEST_HARNESS_JOB"

func TestMain(m *testing.M) {
	if text := os.Getenv(jobVariable); text != "" {
		if err := work(text); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// work is the main function of a process of the harness. Events go out on descriptor 3, each is acknowledged by a byte on
// descriptor 4: what was acknowledged is known to the test, whatever becomes of the process.
func work(text string) error {
	var j job
	if err := json.Unmarshal([]byte(text), &j); err != nil {
		return err
	}
	events, acks := os.NewFile(3, "events"), os.NewFile(4, "acks")
	out, ack := json.NewEncoder(events), make([]byte, 1)
	r := &reporter{
		emit: func(e trace.Event) {
			if err := out.Encode(e); err != nil {
				panic(err)
			}
			if _, err := io.ReadFull(acks, ack); err != nil {
				panic(err)
			}
		},
		around: func(write int, after bool) {
			if write == j.KillAt && after == j.KillAfter {
				_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
				select {} // the signal is on its way
			}
		},
	}
	lines := bufio.NewScanner(os.Stdin)
	return j.run(r, func() (string, bool) {
		more := lines.Scan()
		return lines.Text(), more
	})
}

// run is a process of the harness, with the prompts that next gives.
func (j job) run(r *reporter, next func() (string, bool)) (err error) {
	shell, err := real.NewBash("/")
	if err != nil {
		return err
	}
	m, err := real.New(real.Config{
		Root: "/", BaseURL: j.URL, IDs: rand.NewPCG(j.Seed, 0), Tools: real.OwnTools{}, Shell: shell,
	})
	if err != nil {
		return err
	}
	out := m.Run(func(w world.World) { err = j.converse(reporting{w, r}, r, next) })
	if out.Panic != "" || len(out.Left) > 0 {
		err = errors.Join(err, fmt.Errorf("the process ended with %+v", out))
	}
	return err
}

func (j job) converse(w world.World, r *reporter, next func() (string, bool)) error {
	cfg := harness.Config{
		Model: j.Model, ConfigDir: j.Config, Cwd: j.Cwd, APIKey: "k", Mode: harness.ModeBypass, MaxRetries: -1,
	}
	op := func(name, text string) {
		r.emit(trace.Event{Kind: trace.KindOp, Op: &trace.Op{Name: name, Text: text}})
	}
	var s *harness.Session
	var err error
	if j.Resume {
		op("resume", j.Ref)
		s, err = harness.Resume(w, cfg, j.Ref)
	} else {
		s, err = harness.Start(w, cfg)
	}
	if err != nil {
		return err
	}
	tell := func() {
		for _, text := range s.Report() {
			r.emit(trace.Event{Kind: trace.KindNotice, Notice: &trace.Notice{Text: text}})
		}
		r.emit(trace.Event{Kind: trace.KindLeaf, Leaf: &trace.Leaf{Session: s.ID(), File: s.File(), Leaf: s.Leaf()}})
	}
	tell()
	for text, more := next(); more; text, more = next() {
		op("prompt", text)
		out, err := s.Prompt(w, text)
		if err == nil && out.Reason != harness.Completed {
			err = fmt.Errorf("the prompt %q ended with %s: %w", text, out.Reason, out.Err)
		}
		if err != nil {
			return err
		}
		tell()
	}
	op("exit", "")
	return s.Close(w)
}
