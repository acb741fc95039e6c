package world

import (
	"errors"
	"time"
)

// World is one fiber's handle on the outside: clock, randomness, ids, disk, processes and transport come from here and from
// nowhere else (H-ARCH-20).
type World interface {
	// Now is the wall clock.
	Now() time.Time
	// Sleep parks the fiber. Interruptible.
	Sleep(d time.Duration) error
	// Go starts a fiber. key names it in traces and breaks ties; it must be unique among live siblings.
	Go(key string, f func(World)) Task
	// Wait parks until the task has ended. Interruptible: the waiting fiber is freed, the task runs on.
	Wait(t Task) error

	// UUID is a v4-shaped UUID from the seed (D33, H-ARCH-21).
	UUID() string
	// Random is a number from the seed, for jitter. It shares no draws with UUID.
	Random() uint64

	Disk
	Transport
	Tools
	Shell
	Approver
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
	// ReadAt reads up to n bytes of a file from an offset; fewer than n only at its end. It errors as
	// ReadFile does.
	ReadAt(path string, offset int64, n int) ([]byte, error)
	// Write puts a whole file of the user's in place: through a symlink, keeping the mode of a file that is
	// there; a new one has mode 0644. Unlike Replace it is not atomic.
	Write(path string, data []byte) error
	// Remove deletes a file, or an empty directory. It errors with fs.ErrNotExist when there is none.
	Remove(path string) error
	// Stat tells about what stands at a path, a symlink not followed. It errors with fs.ErrNotExist when
	// nothing does.
	Stat(path string) (Info, error)
	// Resolve gives the path without symlinks; what does not exist stays as it is named.
	Resolve(path string) (string, error)
	// ReadDir lists the names in a directory, sorted; none for a directory that does not exist.
	ReadDir(path string) ([]string, error)
}

// Info is what a disk knows of a file.
type Info struct {
	Kind Kind
	Size int64
	// ModTime is when a file was last written, as exact as the disk knows it; of two writes the later has no
	// earlier time.
	ModTime time.Time
	Links   int // hard links to the file, 1 for most
}

// Kind is the kind of what stands at a path.
type Kind int

const (
	Regular Kind = iota
	Directory
	Symlink
	OtherKind // device, socket, pipe
)

// Transport sends one HTTP request to the API.
type Transport interface {
	// Call returns when the status and headers are there. Interruptible. An error other than
	// ErrInterrupted means that no answer came (refused, reset); one that wraps ErrPermanent would come again.
	Call(req Request) (Response, error)
}

// Request is one request to the API. Path is relative to the base URL: /v1/messages.
type Request struct {
	Method, Path string
	Header       []Field
	Body         []byte
	// Chain names the conversation this call belongs to: "main" for the main thread. It never goes on the wire.
	Chain string
	// Patience is how long the caller waits for the next bytes, or for the first: after that Call or Next gives the
	// exchange up as Close does and returns ErrSilent. 0 is for ever.
	Patience time.Duration
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
	// Own is the harness's own way to run it, over the other ports; nil when it has none. The world runs it
	// in the calling fiber unless it has another answer, such as a scripted one.
	Own func() (ToolResult, error)
}

// ToolResult is what came of it.
type ToolResult struct {
	Output  string
	Exit    int  // Bash: exit code
	IsError bool // the tool itself failed
	// Own is how a world's tool runner leaves the call to ToolCall.Own.
	Own bool
}

// Shell runs command lines.
type Shell interface {
	// Exec runs a command in a fresh shell and waits for its end, or for its timeout. Interruptible: an
	// interrupted command is stopped. An error other than ErrInterrupted means that it could not be started.
	Exec(cmd Command) (Exit, error)
}

// Command is one command line.
type Command struct {
	Line string
	Dir  string // working directory, an absolute slash path
	// Timeout is how long Exec waits for the end.
	Timeout time.Duration
	// Background starts the command and returns at once.
	Background bool
	// File takes the merged output of a command that runs on in the background. A command that meets its timeout
	// goes on there when File is set, and is stopped when it is empty. Background commands end with the process.
	File string
}

// Exit is how a command ended.
type Exit struct {
	Output  string // standard output and standard error, merged
	Code    int
	Dir     string // working directory at its end, "" when it is not known
	Running bool   // it goes on in the background
	Stopped bool   // it met its timeout and was stopped
}

// Approver asks the user.
type Approver interface {
	// Approve asks whether a call may run. Interruptible.
	Approve(call ToolCall) (Approval, error)
}

// Approval is the user's answer.
type Approval struct {
	Allow    bool
	Feedback string // said with a No
}

// ErrInterrupted is returned by the interruptible call that an interrupt freed.
var ErrInterrupted = errors.New("interrupted")

// ErrSilent is returned when no byte came for as long as Request.Patience says.
var ErrSilent = errors.New("nothing came for too long")

// ErrPermanent is wrapped by errors of Call that the same request would meet again, such as a certificate that is not
// trusted.
var ErrPermanent = errors.New("trying again would not help")

// ErrClosed is returned by a read of a body that was closed, or given up by an interrupt.
var ErrClosed = errors.New("body was closed")

// Killed is the panic value that unwinds a fiber after its process was killed: from then on no port
// call of any fiber of the process does anything. Only the fiber's root catches it.
type Killed struct{}

func (Killed) Error() string { return "process killed" }
