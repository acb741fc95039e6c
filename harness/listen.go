package harness

import (
	"time"

	"harnessbench/harness/sessionlog"
)

// Listener is told what happens in a session, in order, from inside the session's own fibers: it must return soon. It may
// ask the session, and must change nothing in it.
type Listener interface {
	// Logged is told of each entry after it stands in the log. The entry must not be changed.
	Logged(e *sessionlog.Entry)
	// Retrying is told of each failed try of a call before the wait for the next (H-LOOP-49).
	Retrying(r Retry)
	// Streamed is told of the data of each event of an answer as it comes, also of answers of which nothing is kept. It is
	// JSON if the server is sound, and must not be changed.
	Streamed(data []byte)
	// Ended is told of each turn's end.
	Ended(r Result)
}

// Result is how a turn ended, with what it took.
type Result struct {
	Outcome
	Fault      error         // the turn could not be carried out; the Outcome then says nothing
	StopReason string        // of the last call's answer, "" for none
	Answers    int           // answers of the model
	Took       time.Duration // from the turn's begin
	API        time.Duration // of that spent in calls
	Denied     []Denial      // calls the user or the mode did not allow, in order
}

// Denial is a call that was not allowed to run.
type Denial struct {
	Tool, ID string
	Input    []byte // the model's bytes
}

// Listen has l told from now on, in place of who was told before; nil for nobody.
func (s *Session) Listen(l Listener) { s.heard = l }

func (s *Session) listener() Listener {
	if s.heard == nil {
		return nobody{}
	}
	return s.heard
}

// nobody listens to a session that was given no listener.
type nobody struct{}

func (nobody) Logged(*sessionlog.Entry) {}
func (nobody) Retrying(Retry)           {}
func (nobody) Streamed([]byte)          {}
func (nobody) Ended(Result)             {}
