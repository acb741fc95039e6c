package prefix

import (
	"slices"
	"strconv"
	"time"

	"harnessbench/internal/model"
	"harnessbench/internal/tokens"
	"harnessbench/internal/wire"
)

// Hash is a 128-bit block identity or chain value.
type Hash [16]byte

// Level of the cache hierarchy, in render order (messages-api.md 5.1, H-CACHE-2).
type Level int

const (
	Tools Level = iota
	System
	Messages
)

func (l Level) String() string { return [...]string{"tools", "system", "messages"}[l] }

// Place names a block of messages by its indexes in the request.
type Place struct{ Message, Index int }

// Options are the unsettled facts that change a rendering (messages-api.md 12), and what a server
// decided about its blocks; the zero value is the default.
type Options struct {
	ThinkingKeepsSystem map[string]bool  // overrides thinking_config_invalidates_system by model id; nil: by model
	Betas               string           // active beta values that are part of the cache key (betas_in_cache_key); "" for none
	SplitTurnsDiffer    bool             // a turn in two messages is another prefix than in one (split_turn_is_same_prefix false)
	Dropped             map[Place]string // thinking blocks a binding check took out (6.6), with the reason
	Adopted             Adopted
	// Sealed tells what the server knows of thinking by its signature, or by the data of a redacted block; ok is false
	// for what it did not make. Nil: nothing is known.
	Sealed  func(signature string) (s Sealed, ok bool)
	Counter *tokens.Counter // counts instead of the model's own; nil: the model's
}

// Sealed is what a signature hides of its thinking.
type Sealed struct {
	Omitted bool    // the text was not shown: what a client wrote into it is ignored (6.3)
	Weight  float64 // of the text as thought, in tokens of the model at hand
}

// Adopted is a summary that thinking may stand behind as if what it summarises were still there (8.4): Bind is the
// binding chain of that. The zero value is none.
type Adopted struct {
	At   Place
	Bind Hash
}

// Mark is a cache breakpoint on a block.
type Mark struct {
	TTL  time.Duration
	Path string // of the block that carries the marker, as error texts name it; "" for automatic caching
}

// Block is one rendered block. Its bytes and its mark are asked of the rendering: see Blocks.
type Block struct {
	Level   Level
	Role    string // "" for tools and system
	Type    string // "tool" for an entry of tools without a type
	Message int    // index in messages; for tools and system the index there
	Index   int    // block index inside its message
	ID      Hash   // identity by JSON token, cache_control left out (D29)
	Shown   bool   // false: cleared reminder, stripped thinking, deferred tool
	Why     string // why it is not shown
	Tokens  int    // prefix tokens up to and including this block; counts shown blocks only
	Cache   Hash   // cache chain up to and including this block
	Bind    Hash   // binding chain of everything before this block (thinking left out)
	Pos     int    // position number; a run of tool_use or of tool_result is one position (5.3)

	weight float64 // of the block alone, in tokens
	sum    float64 // weights up to and including this block, with what is hidden around them
	debt   float64 // see fold.close
	facts  facts   // of all blocks up to this one
	blank  bool    // text of nothing but white space
}

// Path of the block: tools.0, system.1, messages.2.content.0
func (b Block) Path() string {
	if b.Level != Messages {
		return b.Level.String() + "." + strconv.Itoa(b.Message)
	}
	return "messages." + strconv.Itoa(b.Message) + ".content." + strconv.Itoa(b.Index)
}

// Rendered is a request in render order. It is never changed after Render; renderings of one
// conversation may be used by several goroutines.
type Rendered struct {
	Request *wire.Request
	Model   model.Model
	Blocks  Blocks
	Total   int  // tokens of the whole request
	BindEnd Hash // binding chain at the end: what thinking generated next is bound to

	set    settings
	opt    Options
	turn   turns
	marked []int  // blocks with a mark, in render order
	marks  []Mark // theirs
	auto   int    // block that automatic caching marked, -1
}

// Value is the JSON value of a block of this rendering.
func (r *Rendered) Value(b *Block) wire.Value {
	switch b.Level {
	case Tools:
		return r.Request.Get("tools").At(b.Message)
	case System:
		return element(r.Request.Get("system"), b.Message)
	}
	return element(r.Request.Message(b.Message).Get("content"), b.Index)
}

// element is a block of content; string content is one block.
func element(content wire.Value, i int) wire.Value {
	if content.Kind() == '[' {
		return content.At(i)
	}
	return content
}

// Mark is the breakpoint on block i, nil when it has none.
func (r *Rendered) Mark(i int) *Mark {
	if k, ok := slices.BinarySearch(r.marked, i); ok {
		return &r.marks[k]
	}
	return nil
}

// Options are what the request was rendered with.
func (r *Rendered) Options() Options { return r.opt }
