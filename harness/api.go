package harness

import "harnessbench/harness/world"

// Config is what a process is started with.
type Config struct {
	Model     string
	ConfigDir string // <config> of H-LOG-1, an absolute slash path
	Cwd       string // project directory
	APIKey    string // sent as x-api-key; never logged
	Switches  Switches
}

// Session is one conversation of one process.
type Session struct{ turn world.Task }

// Start opens a new session; its file appears with the first entry.
func Start(w world.World, cfg Config) (*Session, error) { panic("unbuilt") }

// Resume continues a session; id "" is the newest of the project. It announces nothing to the model (H-CMD-41).
func Resume(w world.World, cfg Config, id string) (*Session, error) { panic("unbuilt") }

// Outcome says how a turn ended.
type Outcome struct {
	Reason string // completed, interrupted, api_error, stream_error, transport_error
	Text   string // the last text of the model
	Err    error  // what ended the turn, nil when completed or interrupted
}

// Prompt runs one turn in a task of its own and waits for it.
func (s *Session) Prompt(w world.World, text string) (Outcome, error) { panic("unbuilt") }

// Interrupt stops the running turn (H-LOOP-20, H-LOOP-22); no turn: nothing happens. It may be called
// from another fiber, or from inside a port call of the turn itself.
func (s *Session) Interrupt() { panic("unbuilt") }

// Rewind takes the conversation back to before the prompt entry with this uuid (H-CMD-31, H-CMD-32).
// An unknown uuid is an error that changes nothing.
func (s *Session) Rewind(w world.World, prompt string) error { panic("unbuilt") }

// Clear begins a new session in a new file (H-CMD-10, H-CMD-11).
func (s *Session) Clear(w world.World) error { panic("unbuilt") }

// Set changes a switch of harness.md 1.5 from the next turn on.
func (s *Session) Set(name, value string) error { panic("unbuilt") }

// Close ends the process cleanly.
func (s *Session) Close(w world.World) error { panic("unbuilt") }

func (s *Session) ID() string         { panic("unbuilt") }
func (s *Session) File() string       { panic("unbuilt") } // absolute path of the log
func (s *Session) Leaf() string       { panic("unbuilt") } // uuid the next entry will have as parent, "" for none
func (s *Session) LastPrompt() string { panic("unbuilt") } // uuid of the newest prompt entry, "" for none
