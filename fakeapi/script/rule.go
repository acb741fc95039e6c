package script

import "regexp"

// Lane is a way of its own for requests that are not the conversation itself: titles, quota probes, classification.
type Lane struct {
	Name    string
	When    Match
	Rules   []Rule
	Default *Answer // nil for none
}

// Rule answers the requests that match, the first with the first answer and so on. Behind its last answer it
// matches no more, unless Repeat.
type Rule struct {
	Name    string // in messages; "" is the number of the rule
	When    Match
	Expect  Match // what such a request must hold besides; when it does not, the answer is an error that says so
	Answers []Answer
	Repeat  bool // the last answer repeats
}

// Match is a condition on a request: everything given must hold. The zero Match takes every request.
type Match struct {
	Model  string // of the request: a name, or a pattern such as claude-haiku-*
	Text   Text   // of a text block that the user wrote in the newest turn, tool results left out
	System Text   // of the system prompt, its blocks joined by line feeds
	Tools  []string
	// NoTools: the request offers none.
	NoTools bool
	Result  *Result // of a tool, in the newest user message
	Call    int     // number of the request in its lane, from 1; 0 any
	Round   int     // 1 for the first request of a turn, 2 after one answer, and so on; 0 any
	// MaxTokensFrom and MaxTokensTo bound max_tokens, both inclusive; 0 is no bound.
	MaxTokensFrom, MaxTokensTo int
	Stream                     *bool
	Not                        *Match // must not hold
}

// Text is a condition on a text; the zero Text takes any.
type Text struct {
	Equals   string
	Contains string
	Matches  *regexp.Regexp
}

// Result is a condition on a tool's result.
type Result struct {
	Of    string // name of the tool that was called, or another harness's name for it
	ID    string // of the call
	Text  Text   // of its content, text blocks joined by line feeds
	Error *bool
}
