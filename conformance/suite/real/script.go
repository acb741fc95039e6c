package real

import (
	"context"
	"os"
	"path/filepath"
	"time"

	"harnessbench/harness/world"
)

// toolScale shortens the times of scripted tools and of the harness's own pauses: what takes a second in a story takes
// 10 ms here, so that an interrupt still meets a running tool and a run does not wait for nothing.
const toolScale = 100

// lasts waits as long as a story has something take, or until ctx ends.
func lasts(ctx context.Context, takes time.Duration) error {
	timer := time.NewTimer(takes / toolScale)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// tools makes a port's runner of a function.
type tools func(world.ToolCall) (world.ToolResult, time.Duration)

func (t tools) Run(ctx context.Context, call world.ToolCall) (world.ToolResult, error) {
	res, takes := t(call)
	if err := lasts(ctx, takes); err != nil {
		return world.ToolResult{}, err
	}
	return res, nil
}

// shell makes a port's shell of a function; root is the directory that stands for "/".
type shell struct {
	exec func(world.Command) (world.Exit, string, time.Duration)
	root string
}

// Exec implements real.Shell. A command that runs on has written all of its output by the time anybody looks.
func (s shell) Exec(ctx, _ context.Context, cmd world.Command) (world.Exit, error) {
	exit, all, takes := s.exec(cmd)
	if exit.Running && cmd.File != "" {
		file := filepath.Join(s.root, filepath.FromSlash(cmd.File))
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			return world.Exit{}, err
		}
		if err := os.WriteFile(file, []byte(all), 0o600); err != nil {
			return world.Exit{}, err
		}
	}
	if err := lasts(ctx, takes); err != nil {
		return world.Exit{}, err
	}
	return exit, nil
}

// Ended implements the Shell of the real world: nothing of it runs on.
func (shell) Ended() {}

// approver makes a port's user of a function.
type approver func(world.ToolCall) (world.Approval, time.Duration)

func (a approver) Approve(_ context.Context, call world.ToolCall) (world.Approval, error) {
	approval, _ := a(call)
	return approval, nil
}
