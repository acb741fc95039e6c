package script

import "time"

// Script is what the model says. The zero Script answers every request with one fixed short text.
//
// A request goes to the first lane whose Match takes it, and stays there. Every other request is in the main lane:
// turns are tried first, then rules in order, then the default, then the autopilot. What nothing answers is an error
// that says so.
type Script struct {
	Turns []Turn
	// Summary, when set, is what a text begins with that stands for earlier rounds. A turn whose prompt stands in the
	// message of one goes on behind the answers it has given, unless another turn is of the prompt behind it.
	Summary string
	// Condensed, when set, is the same for what a client says behind a summary of the server's.
	Condensed string
	// Span, when set, is what a text begins with that stands for rounds in the midst of a turn. Where the newest tool call
	// is one that nobody has seen before, the turn has given all its answers so far.
	Span  string
	Lanes []Lane // for side requests, so that they eat no answer of the main lane
	Rules []Rule
	// Default answers what no turn and no rule of the main lane does; nil for none.
	Default *Answer
	// Autopilot, when set, answers the rest, in every lane.
	Autopilot *Autopilot
}

// Turn answers one prompt.
type Turn struct {
	Prompt string // matches a text block of the request that equals it, or begins with it when Prefix
	Prefix bool
	// Behind, when set, is what a text of the same message begins with: the turn is one of the prompt behind a summary.
	// Where it is there, turns of the prompt without one do not answer.
	Behind  string
	Answers []Answer
}

// Answer is one scripted response, in the order of its blocks.
type Answer struct {
	Blocks     []Block
	StopReason string        // "" follows from the rest: refusal, stop_sequence, max_tokens, tool_use, else end_turn
	Latency    time.Duration // to the first byte; 0 is the server's default
	// StopSequence is the sequence that ended the answer; the text does not hold it. A text that holds one of the
	// request's stop_sequences is ended before it without being told to.
	StopSequence string
	// Refusal, when set, goes out as stop_details (messages-api.md 3).
	Refusal *Refusal
	// Cut, when positive, ends the last block after that many bytes of its text or its input, as max_tokens
	// does; an input is then no JSON.
	Cut int
}

// Refusal says why the model declined. Category is one of cyber, bio, frontier_llm, reasoning_extraction,
// general_harms, or "" for none; Explanation may be "".
type Refusal struct{ Category, Explanation string }

// Block is one scripted content block. Kind is thinking, text, tool_use, redacted_thinking, server_tool_use, or the
// type of a server tool's result such as web_search_tool_result. A block of kind compaction at the head of an answer
// is the summary where the server compacts before it, on which the model has no other say; without text the
// compaction fails. Elsewhere it is not said.
type Block struct {
	Kind string
	// Update: the thinking is a progress update, which stands ahead of a tool call and may be shown where other
	// thinking is not (messages-api.md 6.3).
	Update bool
	Text   string // thinking, text; redacted_thinking: what was thought, which nobody sees; compaction: the summary
	Name   string // tool_use, server_tool_use
	Input  []byte // tool_use, server_tool_use: a JSON object
	// Content is the content of a server tool's result, any JSON; the result answers the server_tool_use before it
	// in the answer, or the open one of the paused answer that the request brings back.
	Content []byte
	// Citations of a text, a JSON object each.
	Citations [][]byte
}
