package scenarios

import "time"

// Step is one thing that happens. Exactly one of the operations is set.
type Step struct {
	Number int // from 1
	Line   int // in the file

	Prompt    *Prompt
	Rewind    *Rewind
	Wait      *Wait
	Clear     *Clear
	Exit      bool              // the process ends cleanly
	Resume    *Resume           // a new process continues a session
	Set       map[string]string // switches changed from here on
	Compact   *Compact
	Fork      *Fork // the session goes on in a copy (/branch)
	Btw       *Btw
	KeepBtw   bool   // the newest aside becomes history, in a copy of the session (H-CMD-65)
	ForgetBtw bool   // asides are forgotten
	Title     string // the user titles the session
	Mode      string // permission mode from here on
	Use       *Use
	Context   bool  // /context
	File      *File // somebody else changes a file

	// Fails: the command is refused, with an error that holds this text; "" when it must succeed.
	Fails string
}

// Start is what a process is started with; zero values are the harness's defaults.
type Start struct {
	Fallback        string // model id
	MaxRetries      int
	MaxTurns        int
	ToolConcurrency int
	MaxBudgetUSD    float64
	Window          int // tokens of the context, 0 for the model's own
	CompactPercent  int // of the window at which the conversation is summarised at the latest, 0 for what follows from it
}

// Rewind goes back before the prompt of step To. Restore is both, conversation, code, summarize_from or
// summarize_up_to; Summary is what the model writes for the last two.
type Rewind struct {
	To               int
	Restore, Summary string
}

// Wait lets time pass. Name is as written: past_cache_life, one_day, or a duration such as 90s.
type Wait struct {
	Name     string
	Duration time.Duration // for durations; 0 for names, which the run resolves
}

// Clear begins a new session in the process; Title titles the old one.
type Clear struct{ Title string }

// Resume says what a new process continues, and how. The zero value continues the newest session.
type Resume struct {
	Session string // title or id
	Fork    bool   // in a copy (--fork-session)
	Title   string // of the copy
	Rerun   bool   // the prompt that got no answer is run (H-CMD-44)
}

// Compact summarises the conversation; Summary is what the model writes.
type Compact struct{ Instructions, Summary string }

// Fork copies the session; Title titles the copy.
type Fork struct{ Title string }

// Btw asks beside the conversation.
type Btw struct{ Question, Answer string }

// Use switches the model; Effort "" leaves the model's default.
type Use struct{ Model, Effort string }

// SessionPart stands in the path of a file step for the id of the session that runs.
const SessionPart = "{session}"

// File is a file's content, or that there is none. Path is absolute or relative to the project.
type File struct {
	Path, Content string
	Absent        bool
	Contains      []string // in an expectation: texts that the content holds, in place of all of it
}
