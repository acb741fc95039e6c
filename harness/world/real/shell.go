package real

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"

	"harnessbench/harness/world"
)

// maxOutput is how much a command may print before it is stopped, in bytes: its output lies on disk and, at the end, in
// memory.
const maxOutput = 64 << 20

// look is how often a running command is looked at.
const look = 100 * time.Millisecond

// Bash is a Shell of this computer: each command is a process group of its own under bash, or sh where there is none.
// Command lines see the computer's own paths; only with Root "/" do they agree with those of the other ports.
type Bash struct {
	root string
	bin  string
	wg   sync.WaitGroup // commands in the background
}

var _ Shell = (*Bash)(nil)

// NewBash is a shell for machines with this Root.
func NewBash(root string) (*Bash, error) {
	root, err := filepath.Abs(root)
	if err != nil {
		return nil, fmt.Errorf("real: the shell's root: %w", err)
	}
	for _, name := range []string{"bash", "sh"} {
		if bin, err := exec.LookPath(name); err == nil {
			return &Bash{root: root, bin: bin}, nil
		}
	}
	return nil, errors.New("real: neither bash nor sh is on PATH")
}

// script runs the line with nothing of its own in sight and tells at the end where it is. The first argument is the file
// for that, the second the line.
const script = `trap "pwd -P >'$0'" EXIT; BASH_ARGV0=bash; line=$1; shift; eval "$line"`

// Exec runs a command. Its output goes to a file from the start, so that it can go on there when nobody waits for it.
func (b *Bash) Exec(ctx, life context.Context, cmd world.Command) (world.Exit, error) {
	scratch, err := os.MkdirTemp("", "bench-shell-")
	if err != nil {
		return world.Exit{}, fmt.Errorf("a place for the command's output: %w", err)
	}
	r := &running{
		scratch: scratch, file: filepath.Join(scratch, "output"), where: filepath.Join(scratch, "cwd"),
		kept: cmd.Background, ended: make(chan struct{}),
	}
	if cmd.File != "" {
		r.file = filepath.Join(b.root, filepath.FromSlash(cmd.File))
	}
	if err := r.start(b, cmd); err != nil {
		r.clean()
		return world.Exit{}, err
	}
	if !cmd.Background {
		exit, goesOn := r.wait(ctx, cmd)
		if !goesOn {
			exit.Dir = b.inside(r.directory())
			r.clean()
			return exit, nil
		}
		r.kept = true
	}
	so := r.output()
	b.wg.Go(func() {
		r.wait(life, world.Command{})
		r.clean()
	})
	return world.Exit{Running: true, Output: so}, nil
}

// Ended returns when no command of a process whose life is over runs any more.
func (b *Bash) Ended() { b.wg.Wait() }

// inside is a directory of the computer as the machine names it, "" for one outside of its root.
func (b *Bash) inside(host string) string {
	root, err := filepath.EvalSymlinks(b.root)
	if err != nil || host == "" {
		return ""
	}
	if root == "/" {
		return host
	}
	rest, ok := strings.CutPrefix(host, root)
	if !ok || rest != "" && rest[0] != '/' {
		return ""
	}
	return "/" + strings.TrimPrefix(filepath.ToSlash(rest), "/")
}

// running is one command.
type running struct {
	cmd     *exec.Cmd
	scratch string // directory of its own
	file    string // its output
	kept    bool   // file stays
	where   string // file with the directory it ended in
	ended   chan struct{}
}

func (r *running) start(b *Bash, cmd world.Command) error {
	if err := os.MkdirAll(filepath.Dir(r.file), 0o700); err != nil {
		return fmt.Errorf("the command's output: %w", err)
	}
	out, err := os.OpenFile(r.file, os.O_CREATE|os.O_TRUNC|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return fmt.Errorf("the command's output: %w", err)
	}
	defer out.Close()
	r.cmd = exec.Command(b.bin, "-c", script, r.where, cmd.Line)
	r.cmd.Dir = filepath.Join(b.root, filepath.FromSlash(cmd.Dir))
	r.cmd.Stdout, r.cmd.Stderr = out, out
	r.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := r.cmd.Start(); err != nil {
		return fmt.Errorf("the command could not be started in %s: %w", cmd.Dir, err)
	}
	go func() {
		_ = r.cmd.Wait() // the exit code is in ProcessState
		close(r.ended)
	}()
	return nil
}

// wait waits for the end, the timeout, or the end of ctx, which stops the command. goesOn: it met its timeout and has a
// file to go on in.
func (r *running) wait(ctx context.Context, cmd world.Command) (exit world.Exit, goesOn bool) {
	var timeout <-chan time.Time
	if cmd.Timeout > 0 {
		timer := time.NewTimer(cmd.Timeout)
		defer timer.Stop()
		timeout = timer.C
	}
	ticker := time.NewTicker(look)
	defer ticker.Stop()
	for {
		select {
		case <-r.ended:
			return world.Exit{Output: r.output(), Code: r.code()}, false
		case <-timeout:
			if cmd.File != "" {
				return world.Exit{}, true
			}
			r.stop()
			return world.Exit{Output: r.output(), Code: r.code(), Stopped: true}, false
		case <-ctx.Done():
			r.stop()
			return world.Exit{}, false
		case <-ticker.C:
			if info, err := os.Stat(r.file); err == nil && info.Size() > maxOutput {
				r.stop()
				text := fmt.Sprintf("\nThe command was stopped: it printed more than %d bytes.\n", maxOutput)
				return world.Exit{Output: r.output() + text, Code: r.code()}, false
			}
		}
	}
}

// stop ends the command with all its children.
func (r *running) stop() {
	_ = syscall.Kill(-r.cmd.Process.Pid, syscall.SIGKILL) // it may have ended by itself
	<-r.ended
}

// code is the exit code as a shell tells it: 128 and the signal for a command that a signal ended.
func (r *running) code() int {
	if status, ok := r.cmd.ProcessState.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		return 128 + int(status.Signal())
	}
	return r.cmd.ProcessState.ExitCode()
}

func (r *running) output() string {
	data, err := os.ReadFile(r.file)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "The command's output could not be read: " + err.Error()
	}
	return string(data[:min(len(data), maxOutput)])
}

func (r *running) directory() string {
	data, err := os.ReadFile(r.where)
	if err != nil {
		return ""
	}
	return string(bytes.TrimSuffix(data, []byte("\n")))
}

// clean removes what the command leaves, save output that stays.
func (r *running) clean() {
	if !r.kept {
		_ = os.Remove(r.file)
	}
	_ = os.RemoveAll(r.scratch)
}
