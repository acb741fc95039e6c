package scenarios

// Script is what a server says, without a story: rules for any client.
type Script struct {
	Name   string // file name without its ending
	File   string // as given
	Script string // what it is for
	Lanes  []Lane
	Rules  []Rule
	// Default answers what no rule does; nil for none.
	Default *Answer
	// Autopilot is the seed of an autopilot that answers the rest; nil for none.
	Autopilot *uint64
	Faults    []ScriptFault
}

// Lane is a way of its own for side requests.
type Lane struct {
	Name    string
	When    Match
	Rules   []Rule
	Default *Answer
}

// Rule answers the requests that match, in order.
type Rule struct {
	Name    string
	When    Match
	Expect  Match
	Answers []Answer
	Repeat  bool // the last answer repeats
}

// Match is a condition on a request; what is not given is not asked.
type Match struct {
	Model                      string
	Text, System               TextMatch
	Tools                      []string
	NoTools                    bool
	Result                     *ResultMatch
	Call, Round                int
	MaxTokensFrom, MaxTokensTo int
	Stream                     *bool
	Not                        *Match
}

// TextMatch is a condition on a text; Matches is a regular expression.
type TextMatch struct{ Equals, Contains, Matches string }

// ResultMatch is a condition on a tool's result.
type ResultMatch struct {
	Of, ID string
	Text   TextMatch
	Error  *bool
}

// ScriptFault is a fault of a server that no story drives: it says itself which requests it strikes.
type ScriptFault struct {
	Fault
	Match []Setting // model, text, chance
}
