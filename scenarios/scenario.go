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
	Files  map[string]string // files of the user that are there before the first step, by path
	Aux    bool              // the harness makes its auxiliary calls (D7)
	Start  Start             // what every process of the story is started with
	Log    []byte            // a session log that is there before the first step; nil for none
	Plant  string            // a fault of the harness that stands between it and the wire, by its name in conformance/mutant; "" for none
	Steps  []Step
	Expect Expect

	PlantAt Place // where Plant stands in the file
}

// Faulty tells a story that declares its harness to be at fault: it plants a fault or expects findings. Whoever takes
// stories as examples of right behaviour and disturbs them further, as by kills at every moment, leaves these out.
func (s *Scenario) Faulty() bool { return s.Plant != "" || len(s.Expect.Findings) > 0 }

// Prompt types a text and says what the model and the tools answer in that turn.
type Prompt struct {
	Text       string
	Fill       string // "" or over_window: the text is followed by filler until the prompt exceeds the model's window
	FillTokens int    // when not 0, the text is followed by filler until it counts exactly so many tokens
	Model      []Answer
	Tools      map[string][]ToolResult // by tool name, used in call order; the last one repeats
	Interrupt  string                  // "" or the phase at which the user interrupts: before_answer, thinking, text, tool_input, tool
	Kill       string                  // "" or the phase at which the process is killed
	Queued     []Queued                // what the user types ahead while the turn runs
	Approve    map[string]Denial       // tools that the user denies when asked, by name; all others are allowed
	Aside      []Aside                 // questions asked beside the running turn
	Faults     []Fault                 // what goes wrong with the turn's calls
	Summaries  []Summary               // what the model writes when the harness asks for summaries in the turn, in order
	Notes      string                  // what the small model writes into the session's memory file behind the turn (H-CMP-80)
}

// Summary is what the model writes of the conversation; Model answers behind it, where the turn goes on with nothing but
// the summary: none for the answers of the turn anew.
type Summary struct {
	Text  string
	Model []Answer
}

// Queued is a text typed while a turn runs, in the first phase called At.
type Queued struct {
	Text, At string
	// Model answers it when it starts a turn of its own; none when the running turn takes it along.
	Model []Answer
}

// Denial is the user's No; with Feedback the turn goes on (H-LOOP-23).
type Denial struct{ Feedback string }

// Aside is a question beside a running turn (H-CMD-64), asked in the first phase called At.
type Aside struct {
	Btw
	At string
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
	FillTokens   int      // when not 0, the last text is followed by filler until it counts exactly so many tokens
}

// Pauses tells an answer of nothing but a summary that the server writes, as of one that waits for what comes behind it
// (messages-api.md 8.3).
func (a Answer) Pauses() bool {
	return len(a.Blocks) == 1 && a.Blocks[0].Kind == "compaction" && a.Blocks[0].Text != ""
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

// Expect is what must come out on the story's own model (D35). Zero values are not judged.
type Expect struct {
	Calls   *int
	Leaves  *int
	ReadsAt []string // calls such as 1.2 that read from the cache; with ColdAt, exactly these
	ColdAt  []string
	Refused []string          // calls the server refused
	Texts   []string          // planted strings that the last request must hold
	Absent  []string          // planted strings that the last request must not hold
	Notices []string          // texts that the harness must have told the user
	Files   map[string]File   // files at the end, by path
	Checks  map[string]string // check id -> held, broken, unknown
	CheckAt map[string]Place  // where each check id stands in the file

	Findings []Finding // what the judge must find, and all it may; unlike the rest it holds on every model
}

// Finding is something that the judge must find. It accounts for every finding of its check that holds its texts; one that
// no Finding accounts for breaks the run as in any story.
type Finding struct {
	Check    string
	Contains []string // texts that a finding holds, in either of its facts
	Times    int      // so many findings exactly; 0 for at least one
	Models   []string // ids of the models on which it is there; nil for all
	At       Place
}

// Place is where something stands in a file, from 1; columns in characters.
type Place struct{ Line, Column int }
