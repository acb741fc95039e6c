package world

import (
	"errors"
	"time"
)

// World is one fiber's handle on the outside.
type World interface {
	// Now is the wall clock.
	Now() time.Time
	// Sleep parks the fiber. Interruptible.
	Sleep(d time.Duration) error
	// Go starts a fiber. key names it in traces and breaks ties; it must be unique among live siblings.
	Go(key string, f func(World)) Task
	// Wait parks until the task has ended. Interruptible: the waiting fiber is freed, the task runs on.
	Wait(t Task) error

	// UUID is a v4-shaped UUID from the seed (D33).
	UUID() string

	Disk
	Transport
	Tools
}

// Task is a started fiber.
type Task interface {
	// Interrupt frees the task from the interruptible call it is parked in, or from the next one it
	// makes, exactly once: that call returns ErrInterrupted. Ended tasks ignore it.
	Interrupt()
	Done() bool
}

// Disk holds files by absolute slash path. Directories exist implicitly. No call is interruptible.
// When a call has returned without error, what it wrote survives a kill of the process.
type Disk interface {
	// ReadFile errors with fs.ErrNotExist when there is none.
	ReadFile(path string) ([]byte, error)
	// Append writes data at the end in one write, creating the file (mode 0600).
	Append(path string, data []byte) error
	// Replace puts a whole file in place atomically.
	Replace(path string, data []byte) error
	// ModTime is when a file was last written, as exact as the disk knows it; of two writes the later has no
	// earlier time. It errors with fs.ErrNotExist when there is no such file.
	ModTime(path string) (time.Time, error)
	// ReadDir lists the names in a directory, sorted; none for a directory that does not exist.
	ReadDir(path string) ([]string, error)
}

// Transport sends one HTTP request to the API.
type Transport interface {
	// Call returns when the status and headers are there. Interruptible. An error other than
	// ErrInterrupted means that no answer came (refused, reset).
	Call(req Request) (Response, error)
}

// Request is one request to the API. Path is relative to the base URL: /v1/messages.
type Request struct {
	Method, Path string
	Header       []Field
	Body         []byte
	// Chain names the conversation this call belongs to: "main" for the main thread. It never goes on the wire.
	Chain string
}

// Field is one header field, name in lower case.
type Field struct{ Name, Value string }

// Response is the start of an answer; its body is read from Body in chunks.
type Response struct {
	Status int
	Header []Field
	Body   Body
}

// Body is a stream of bytes.
type Body interface {
	// Next returns the next chunk; io.EOF at the end. w is the caller's own handle. Interruptible: an
	// interrupted read gives up the rest as Close does. After Close it returns ErrClosed.
	Next(w World) ([]byte, error)
	// Close gives up the rest; the peer sees a cancelled request if the end was not reached.
	Close()
}

// Tools runs one tool call outside the process. Interruptible: an interrupted run is stopped and has
// no result.
type Tools interface {
	RunTool(call ToolCall) (ToolResult, error)
}

// ToolCall is what a tool is asked to do. Input is the model's bytes.
type ToolCall struct {
	ID, Name string
	Input    []byte
}

// ToolResult is what came of it.
type ToolResult struct {
	Output  string
	Exit    int  // Bash: exit code
	IsError bool // the tool itself failed
}

// ErrInterrupted is returned by the interruptible call that an interrupt freed.
var ErrInterrupted = errors.New("interrupted")

// ErrClosed is returned by a read of a body that was closed, or given up by an interrupt.
var ErrClosed = errors.New("body was closed")

// Killed is the panic value that unwinds a fiber after its process was killed: from then on no port
// call of any fiber of the process does anything. Only the fiber's root catches it.
type Killed struct{}

func (Killed) Error() string { return "process killed" }
