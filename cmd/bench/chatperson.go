package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"sync"
	"syscall"

	"harnessbench/harness/repl"
	"harnessbench/harness/world"
	"harnessbench/harness/world/real"
)

// typed is an input that can be ended while somebody waits for it.
type typed struct {
	reader *io.PipeReader
	writer *io.PipeWriter
}

func newTyped(in io.Reader) *typed {
	t := &typed{}
	t.reader, t.writer = io.Pipe()
	go func() {
		_, err := io.Copy(t.writer, in)
		t.writer.CloseWithError(err) // nil is the end
	}()
	return t
}

func (t *typed) end() { _ = t.writer.Close() }

// keyboard is a person: who types lines, and answers what the harness asks. It implements repl.Input and real.Approver.
type keyboard struct {
	typed *typed
	out   io.Writer
	shown bool // prompts are shown

	begin sync.Once
	lines chan string // closed at the end of the input
	asked sync.Mutex  // one question at a time
}

// typedAhead is how many lines nobody has asked for yet are read; more wait where they come from.
const typedAhead = 100

// read gives the lines one by one.
func (k *keyboard) read() <-chan string {
	k.begin.Do(func() {
		k.lines = make(chan string, typedAhead)
		go func() {
			defer close(k.lines)
			in := bufio.NewReader(k.typed.reader)
			for {
				line, err := in.ReadString('\n')
				if line != "" {
					k.lines <- strings.TrimRight(line, "\r\n")
				}
				if err != nil {
					return
				}
			}
		}()
	})
	return k.lines
}

// Line implements repl.Input.
func (k *keyboard) Line(prompt string) (string, error) {
	k.ask(prompt)
	line, ok := <-k.read()
	if !ok {
		k.ask("\n") // what is written next begins a line
		return "", io.EOF
	}
	return line, nil
}

// Ahead implements repl.Input. Lines from a file or a program are not typed ahead: each waits for its turn.
func (k *keyboard) Ahead() (string, bool) {
	if !k.shown {
		return "", false
	}
	select {
	case line, ok := <-k.read():
		return line, ok
	default:
		return "", false
	}
}

func (k *keyboard) ask(prompt string) {
	if k.shown {
		_, _ = io.WriteString(k.out, prompt) // whoever writes next sees that it cannot be written
	}
}

// Approve implements real.Approver. At the end of the input the answer is no.
func (k *keyboard) Approve(ctx context.Context, call world.ToolCall) (world.Approval, error) {
	k.asked.Lock()
	defer k.asked.Unlock()
	if _, err := io.WriteString(k.out, repl.Question(call)); err != nil {
		return world.Approval{}, fmt.Errorf("the question could not be shown: %w", err)
	}
	for {
		k.ask(repl.AnswerPrompt)
		select {
		case line, ok := <-k.read():
			if a, answered := repl.AnswerOf(line); answered || !ok {
				return a, nil
			}
		case <-ctx.Done():
			return world.Approval{}, ctx.Err()
		}
	}
}

// nobodyToAsk answers in a headless run: what the permission mode does not allow is refused, and the model is told why.
type nobodyToAsk struct{}

func (nobodyToAsk) Approve(_ context.Context, call world.ToolCall) (world.Approval, error) {
	return world.Approval{Feedback: "Nobody is there to be asked about " + call.Name +
		": this session runs without a person, and its permission mode does not allow the call by itself."}, nil
}

// foreground knows what the person waits for: the newest task that the conversation's own fiber started.
type foreground struct {
	mu       sync.Mutex
	task     world.Task
	starting bool
	early    bool // an interrupt came before the task's handle was known
}

func (f *foreground) wrap(w world.World) world.World { return watched{w, f} }

// watched is the world of the conversation's own fiber; those of its tasks are not watched.
type watched struct {
	world.World
	f *foreground
}

func (x watched) Go(key string, do func(world.World)) world.Task {
	x.f.mu.Lock()
	x.f.starting, x.f.early = true, false
	x.f.mu.Unlock()
	t := x.World.Go(key, do)
	x.f.mu.Lock()
	defer x.f.mu.Unlock()
	x.f.task, x.f.starting = t, false
	if x.f.early {
		t.Interrupt()
	}
	return t
}

// interrupt stops what runs; false when nothing does.
func (f *foreground) interrupt() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	switch {
	case f.starting:
		f.early = true
	case f.task != nil && !f.task.Done():
		f.task.Interrupt()
	default:
		return false
	}
	return true
}

// listen has signals do their work until the returned function is called: an interrupt stops what runs, or ends the input
// when nothing does; the others end the process, with what it has in the background.
func listen(m *real.Machine, f *foreground, in *typed) (stop func()) {
	signals, ended := make(chan os.Signal, 1), make(chan struct{})
	signal.Notify(signals, syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP)
	go func() {
		for {
			select {
			case s := <-signals:
				if s == syscall.SIGINT && f.interrupt() {
					continue
				}
				if s != syscall.SIGINT {
					m.Kill()
				}
				in.end()
			case <-ended:
				return
			}
		}
	}()
	return func() {
		signal.Stop(signals)
		close(ended)
	}
}
