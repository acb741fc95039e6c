package scenarios

import "time"

// Scenario is one story.
type Scenario struct {
	Name   string            // file name without .yaml
	File   string            // as given
	Story  string            // what happens and why it matters
	Model  string            // model id the golden is made on
	Set    map[string]string // switches of harness.md 1.5, by name
	Memory string            // text of the project's memory file; "" for none
	Steps  []Step
	Expect Expect
}

// Step is one thing that happens. Exactly one of the operations is set.
type Step struct {
	Number int // from 1
	Line   int // in the file

	Prompt *Prompt
	Rewind *Rewind
	Wait   *Wait
	Clear  bool
	Exit   bool              // the process ends cleanly
	Resume bool              // a new process continues the session
	Set    map[string]string // switches changed from here on
}

// Prompt types a text and says what the model and the tools answer in that turn.
type Prompt struct {
	Text       string
	Fill       string // "" or over_window: the text is followed by filler until the prompt exceeds the model's window
	FillTokens int    // when not 0, the text is followed by filler until it counts exactly so many tokens
	Model      []Answer
	Tools      map[string][]ToolResult // by tool name, used in call order; the last one repeats
	Interrupt  string                  // "" or the phase at which the user interrupts: before_answer, thinking, text, tool_input, tool
	Faults     []Fault                 // what goes wrong with the turn's calls
}

// Fault is one thing that the server does wrong in a turn.
type Fault struct {
	Line int // in the file
	Call int // of the turn, from 1, retries counted; 0 every one
	Do   string
	With []Setting // the other parameters, in the order written
}

// Setting is a parameter by name.
type Setting struct{ Name, Value string }

// Answer is one scripted response. Blocks stand in the order thinking, text, tool_use; several of one
// kind keep the order written.
type Answer struct {
	Blocks     []Block
	StopReason string
	Latency    time.Duration

	StopSequence string   // the sequence that ended the answer
	Refusal      *Refusal // why the model declined
	Cut          int      // when not 0, the last block ends after so many bytes, as max_tokens cuts it
}

// Refusal says why the model declined; both may be "".
type Refusal struct{ Category, Explanation string }

// Block is a scripted content block: Kind thinking, text, tool_use, redacted_thinking, compaction, server_tool_use, or the
// type of a server tool's result.
type Block struct {
	Kind, Text string
	Name       string
	Input      []byte   // JSON object
	Content    []byte   // of a server tool's result: JSON
	Citations  [][]byte // of a text: JSON objects
}

// ToolResult is what a scripted tool answers.
type ToolResult struct {
	Output string
	Exit   int
	Error  bool
	Takes  time.Duration // 0: the default of 1 s
	// FillTokens, when not 0, has the output followed by filler until it counts exactly so many tokens.
	FillTokens int
}

// Rewind goes back before the prompt of step To. Restore is conversation.
type Rewind struct {
	To      int
	Restore string
}

// Wait lets time pass. Name is as written: past_cache_life, one_day, or a duration such as 90s.
type Wait struct {
	Name     string
	Duration time.Duration // for durations; 0 for names, which the run resolves
}

// Expect is what must come out on the story's own model (D35). Zero values are not judged.
type Expect struct {
	Calls   *int
	Leaves  *int
	ReadsAt []string // calls such as 1.2 that read from the cache; with ColdAt, exactly these
	ColdAt  []string
	Refused []string          // calls the server refused
	Texts   []string          // planted strings that the last request must hold
	Absent  []string          // planted strings that the last request must not hold
	Checks  map[string]string // check id -> held, broken, unknown
	CheckAt map[string]Place  // where each check id stands in the file
}

// Place is where something stands in a file, from 1; columns in characters.
type Place struct{ Line, Column int }
