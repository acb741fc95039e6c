package world

import (
	"fmt"
	"time"
)

// Op names a port call in a Hook.
type Op = string

// The port calls a Hook sees. Now, UUID, Random, Interrupt, Done and Close are not among them: they neither
// wait nor change anything outside the process, except Close, which only lets go.
const (
	OpDiskRead    Op = "disk.read"
	OpDiskAppend  Op = "disk.append"
	OpDiskReplace Op = "disk.replace"
	OpDiskReadDir Op = "disk.readdir"
	OpDiskReadAt  Op = "disk.readat"
	OpDiskWrite   Op = "disk.write"
	OpDiskRemove  Op = "disk.remove"
	OpDiskStat    Op = "disk.stat"
	OpDiskResolve Op = "disk.resolve"
	OpExec        Op = "exec"
	OpApprove     Op = "approve"
	OpCall        Op = "http.call"
	OpRead        Op = "http.read"
	OpTool        Op = "tool.run"
	OpSleep       Op = "sleep"
	OpWait        Op = "wait"
	OpGo          Op = "go"
)

// Hook is told of every port call of every fiber. detail is the path of a disk call, method and path
// of a request, name and id of a tool call, a command line, the duration of a sleep, the key of a new fiber, the name
// of the task waited for.
//
// Both methods run as part of the port call, in the calling fiber: no other fiber runs meanwhile. They
// may call Machine.Kill and Task.Interrupt: from Before, the call itself is hit and has no effect
// (disk calls and Go are not interruptible); from After, a kill unwinds the fiber before the call
// returns, an interrupt hits the next interruptible call.
type Hook interface {
	Before(op Op, detail string)
	After(op Op, detail string, err error)
}

// Hooked wraps a fiber's world, and those of the fibers it starts, so that h is called around every
// port call. A call that is unwound by a kill has a Before and no After.
func Hooked(w World, h Hook) World { return hooked{w, h} }

type hooked struct {
	World
	hook Hook
}

// around calls the port between the two halves of the hook.
func (w hooked) around(op Op, detail string, port func() error) error {
	w.hook.Before(op, detail)
	err := port()
	w.hook.After(op, detail, err)
	// A kill in After must not wait for the next port call, or one after the last call would be lost.
	w.World.Now()
	return err
}

func (w hooked) Sleep(d time.Duration) error {
	return w.around(OpSleep, d.String(), func() error { return w.World.Sleep(d) })
}

func (w hooked) Go(key string, f func(World)) (t Task) {
	_ = w.around(OpGo, key, func() error {
		t = w.World.Go(key, func(child World) { f(hooked{child, w.hook}) })
		return nil
	})
	return t
}

func (w hooked) Wait(t Task) error {
	name := ""
	if s, ok := t.(fmt.Stringer); ok {
		name = s.String()
	}
	return w.around(OpWait, name, func() error { return w.World.Wait(t) })
}

func (w hooked) ReadFile(path string) (data []byte, err error) {
	err = w.around(OpDiskRead, path, func() error {
		data, err = w.World.ReadFile(path)
		return err
	})
	return data, err
}

func (w hooked) ReadDir(path string) (names []string, err error) {
	err = w.around(OpDiskReadDir, path, func() error {
		names, err = w.World.ReadDir(path)
		return err
	})
	return names, err
}

func (w hooked) Stat(path string) (info Info, err error) {
	err = w.around(OpDiskStat, path, func() error {
		info, err = w.World.Stat(path)
		return err
	})
	return info, err
}

func (w hooked) ReadAt(path string, offset int64, n int) (data []byte, err error) {
	err = w.around(OpDiskReadAt, path, func() error {
		data, err = w.World.ReadAt(path, offset, n)
		return err
	})
	return data, err
}

func (w hooked) Resolve(path string) (real string, err error) {
	err = w.around(OpDiskResolve, path, func() error {
		real, err = w.World.Resolve(path)
		return err
	})
	return real, err
}

func (w hooked) Write(path string, data []byte) error {
	return w.around(OpDiskWrite, path, func() error { return w.World.Write(path, data) })
}

func (w hooked) Remove(path string) error {
	return w.around(OpDiskRemove, path, func() error { return w.World.Remove(path) })
}

func (w hooked) Exec(cmd Command) (exit Exit, err error) {
	err = w.around(OpExec, cmd.Line, func() error {
		exit, err = w.World.Exec(cmd)
		return err
	})
	return exit, err
}

func (w hooked) Approve(call ToolCall) (a Approval, err error) {
	err = w.around(OpApprove, call.Name+" "+call.ID, func() error {
		a, err = w.World.Approve(call)
		return err
	})
	return a, err
}

func (w hooked) Append(path string, data []byte) error {
	return w.around(OpDiskAppend, path, func() error { return w.World.Append(path, data) })
}

func (w hooked) Replace(path string, data []byte) error {
	return w.around(OpDiskReplace, path, func() error { return w.World.Replace(path, data) })
}

func (w hooked) RunTool(call ToolCall) (res ToolResult, err error) {
	err = w.around(OpTool, call.Name+" "+call.ID, func() error {
		res, err = w.World.RunTool(call)
		return err
	})
	return res, err
}

func (w hooked) Call(req Request) (res Response, err error) {
	detail := req.Method + " " + req.Path
	err = w.around(OpCall, detail, func() error {
		res, err = w.World.Call(req)
		return err
	})
	if res.Body != nil {
		res.Body = hookedBody{res.Body, w.hook, detail}
	}
	return res, err
}

// hookedBody hooks the reads of one answer.
type hookedBody struct {
	Body
	hook   Hook
	detail string
}

func (b hookedBody) Next(w World) (chunk []byte, err error) {
	err = hooked{w, b.hook}.around(OpRead, b.detail, func() error {
		chunk, err = b.Body.Next(w)
		return err
	})
	return chunk, err
}
