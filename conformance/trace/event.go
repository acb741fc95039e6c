package trace

import (
	"encoding/json"
	"time"
)

// Event is one line of a trace. Exactly one of the pointers is set; Kind names it.
type Event struct {
	Seq  int           `json:"seq"`
	Step int           `json:"step"`  // 1-based step of the story; 0 before the first
	At   time.Duration `json:"at_ns"` // since the start of the run
	Kind Kind          `json:"kind"`

	Run      *Run      `json:"run,omitempty"`
	Op       *Op       `json:"op,omitempty"`
	Request  *Request  `json:"request,omitempty"`
	Response *Response `json:"response,omitempty"`
	Log      *Log      `json:"log,omitempty"`
	Tool     *Tool     `json:"tool,omitempty"`
	File     *File     `json:"file,omitempty"`
	Notice   *Notice   `json:"notice,omitempty"`
	Fault    *Fault    `json:"fault,omitempty"`
	Leaf     *Leaf     `json:"leaf,omitempty"`
	Twin     *Twin     `json:"twin,omitempty"`
	End      *End      `json:"end,omitempty"`
}

// Kind names what an event is.
type Kind string

const (
	KindRun      Kind = "run"
	KindOp       Kind = "op"
	KindRequest  Kind = "request"
	KindResponse Kind = "response"
	KindLog      Kind = "log"
	KindTool     Kind = "tool"
	KindFile     Kind = "file"
	KindNotice   Kind = "notice"
	KindFault    Kind = "fault"
	KindLeaf     Kind = "leaf"
	KindTwin     Kind = "twin"
	KindEnd      Kind = "end"
)

// Version of the file format.
const Version = 1

// Run is the first event: what was run, and every option in force.
type Run struct {
	Version int    `json:"version"`
	Story   string `json:"story"` // name of the scenario
	Text    string `json:"text,omitempty"`
	Engine  string `json:"engine"` // loop, real, process
	Lane    string `json:"lane"`   // quiet when no fault is drawn
	Model   string `json:"model"`
	Seed    uint64 `json:"seed"`
	// Options are encoded with sorted keys. keepalive.idle says how long a conversation is kept alive in the cache behind
	// its newest request, as time.ParseDuration reads it.
	Options map[string]string `json:"options,omitempty"`
}

// Op is something the user or the world did. It is emitted when it starts.
//
// Name is prompt, queue, interrupt, rewind, restore (files alone), summarize (a part), compact, clear, fork, btw, keep_btw, forget_btw, title, mode, use,
// context, file, exit, resume, rerun, wait, kill, set.
type Op struct {
	Name string `json:"name"`
	// Text is what was typed (prompt, queue, btw), the title (title, clear, fork) or the session asked for
	// (resume), the instructions (compact), the part (summarize from or up_to), "key=value"
	// (set), and else the operation's argument in words.
	Text string `json:"text,omitempty"`
	// Target is the uuid of the prompt entry that rewind, restore and summarize are about.
	Target string `json:"target,omitempty"`
	To     int    `json:"to,omitempty"`   // rewind: number of the step that typed the prompt
	Copy   bool   `json:"copy,omitempty"` // resume: in a copy of the session
	Wait   string `json:"wait,omitempty"` // wait: as written in the story
	// Session is the session id after the operation, where it may change (clear, resume).
	Session string `json:"session,omitempty"`
	// Breaks: the operation declares a break of the prefix (invariants.md 1).
	Breaks bool `json:"breaks,omitempty"`
}

// Request is one call leaving the harness. Call numbers count from 1 over the run.
type Request struct {
	Call int `json:"call"`
	// Chain is the conversation it belongs to; "keepalive" declares that it is sent for the cache alone.
	Chain  string   `json:"chain"`
	Method string   `json:"method"`
	Path   string   `json:"path"`
	Header []Field  `json:"header,omitempty"` // keys redacted
	Body   JSONText `json:"body"`             // exact bytes
	// Effective is the body the server judged, where it differs from the one sent: a message thread's whole
	// conversation, a conversation after server-side edits (D10).
	Effective JSONText `json:"effective,omitempty"`
}

// Judged is the body that the server judged.
func (r *Request) Judged() []byte {
	if len(r.Effective) > 0 {
		return r.Effective
	}
	return r.Body
}

// Response is the answer of a call, emitted when its body ended, was cut or was given up.
type Response struct {
	Call   int      `json:"call"`
	Status int      `json:"status"` // 0: no answer came
	Header []Field  `json:"header,omitempty"`
	Body   JSONText `json:"body"` // exact bytes that reached the harness
	// Chunks are the sizes and times (since the request) in which Body came.
	Chunks []Chunk `json:"chunks,omitempty"`
	// Ended: the harness read to the end of the body. Otherwise it was cut or given up.
	Ended bool   `json:"ended"`
	Error string `json:"error,omitempty"` // transport error
	// View is the server's view as JSON, absent for servers that have none.
	View json.RawMessage `json:"view,omitempty"`
}

// Chunk is one read of a body.
type Chunk struct {
	At  time.Duration `json:"at_ns"`
	Len int           `json:"len"`
}

// Field is a header field, name in lower case.
type Field struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// Log is one write to a session log, emitted after the write was acknowledged.
type Log struct {
	File   string   `json:"file"`
	Offset int64    `json:"offset"` // where the bytes went
	Data   JSONText `json:"data"`
	// Replaced: the whole file was exchanged (never legal for a session log; LOG-12).
	Replaced bool `json:"replaced,omitempty"`
	// Given: the bytes stood in the file before the run; nobody wrote them in it.
	Given bool `json:"given,omitempty"`
}

// File is a change of a file of the user's by the harness.
type File struct {
	Path    string `json:"path"`
	Bytes   int    `json:"bytes,omitempty"` // what it holds now
	Removed bool   `json:"removed,omitempty"`
}

// Notice is a sentence that the harness told the user.
type Notice struct {
	Text string `json:"text"`
}

// Tool is the start or end of one tool run, or the user's No before it.
type Tool struct {
	Phase   string   `json:"phase"` // start, end, interrupted, denied
	ID      string   `json:"id"`    // tool_use id
	Name    string   `json:"name"`
	Input   JSONText `json:"input,omitempty"`
	Exit    int      `json:"exit,omitempty"`
	IsError bool     `json:"is_error,omitempty"`
	Output  string   `json:"output,omitempty"`
}

// Fault is something broken on purpose, emitted directly before what it causes.
type Fault struct {
	Name string `json:"name"` // kill, ...
	At   string `json:"at"`   // before disk.append #4
}

// Leaf is the harness's own word on where the session stands, emitted after every operation.
type Leaf struct {
	Session string `json:"session"`
	File    string `json:"file"`
	Leaf    string `json:"leaf"` // uuid, "" for an empty path
}

// Twin is the request that a live process would have sent where a resumed one sent call Call (CACHE-3).
type Twin struct {
	Call int      `json:"call"`
	Body JSONText `json:"body"`
}

// End is the last event.
type End struct {
	// Left names fibers that had not ended.
	Left []string `json:"left,omitempty"`
}
