package script

import "time"

// Script is an ordered list of turns. The zero Script answers every request with one fixed short text.
type Script struct {
	Turns []Turn
}

// Turn answers one prompt.
type Turn struct {
	Prompt  string // matches a text block of the request that equals it, or begins with it when Prefix
	Prefix  bool
	Answers []Answer
}

// Answer is one scripted response, in the order of its blocks.
type Answer struct {
	Blocks     []Block
	StopReason string        // "" follows from the blocks: tool_use when one is there, else end_turn
	Latency    time.Duration // to the first byte; 0 is the server's default
}

// Block is one scripted content block. Kind is thinking, text or tool_use.
type Block struct {
	Kind  string
	Text  string // thinking, text
	Name  string // tool_use
	Input []byte // tool_use: a JSON object
}
