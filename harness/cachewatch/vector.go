package cachewatch

// Vector is one of the fourteen things of a request that a cached prefix hangs on (H-CACHE-14).
type Vector int

// The vectors, in the order and with the numbers of the table.
const (
	StaticSystem  Vector = iota + 1 // the first text of system
	DynamicSystem                   // what stands behind it in system
	ToolSet                         // names of the tools and their order
	ToolContent                     // description or schema of a tool that was there before
	Markers                         // place, scope or life of a breakpoint
	Strategy                        // system in one block or in several
	Model
	Effort  // effort or thinking parameters
	Fast    // fast mode
	Betas   // the other values of anthropic-beta
	Auto    // header of the auto mode
	Plan    // state of the account that forces another life
	History // earlier messages, whether there are images, and what is rendered with them: tool_choice, edits asked of the server
	Extra   // any other body parameter, the version of API or client
)

// facts of the vectors: what they are called in a report, and what their change may lose at most. What the server loses
// is messages-api.md 5.7.
var facts = [...]struct{ name, lost string }{
	StaticSystem:  {"static system text", "system, messages"},
	DynamicSystem: {"dynamic system text", "the end of system, messages"},
	ToolSet:       {"set of tools", "all"},
	ToolContent:   {"content of a tool", "all"},
	Markers:       {"breakpoints", "from the breakpoint on"},
	Strategy:      {"split of the system text", "system, messages"},
	Model:         {"model", "all"},
	Effort:        {"effort or thinking", "messages, on some models all"},
	Fast:          {"fast mode", "system, messages"},
	Betas:         {"set of betas", "all where betas are part of the key, else nothing"},
	Auto:          {"auto mode", "all"},
	Plan:          {"state of the plan", "from the breakpoint on"},
	History:       {"message history", "messages"},
	Extra:         {"other parameters", "all"},
}

// String is the vector's name in reports.
func (v Vector) String() string { return facts[v].name }

// Lost is the level that a change of it may lose at most.
func (v Vector) Lost() string { return facts[v].lost }
