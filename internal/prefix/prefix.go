package prefix

import (
	"time"

	"harnessbench/internal/model"
	"harnessbench/internal/wire"
)

// Hash is a 128-bit block identity or chain value.
type Hash [16]byte

// Level of the cache hierarchy, in render order (messages-api.md 5.1).
type Level int

const (
	Tools Level = iota
	System
	Messages
)

// Options are the unsettled facts that change a rendering (messages-api.md 12); the zero value is the default.
type Options struct {
	ThinkingKeepsSystem map[string]bool // overrides thinking_config_invalidates_system by model id; nil: by model
}

// Mark is a cache breakpoint on a block.
type Mark struct {
	TTL  time.Duration
	Path string // of the block that carries the marker, as error texts name it
}

// Block is one rendered block.
type Block struct {
	Level   Level
	Role    string // "" for tools and system
	Type    string
	Message int // index in messages; for tools and system the index there
	Index   int // block index inside its message
	Value   wire.Value
	ID      Hash   // identity by JSON token, cache_control left out (D29)
	Shown   bool   // false: cleared reminder, stripped thinking, deferred tool
	Why     string // why it is not shown
	Tokens  int    // prefix tokens up to and including this block; counts shown blocks only
	Cache   Hash   // cache chain up to and including this block
	Bind    Hash   // binding chain of everything before this block (thinking left out)
	Pos     int    // position number; a run of tool_use or of tool_result is one position (5.3)
	Mark    *Mark
}

// Path of the block: tools.0, system.1, messages.2.content.0
func (b Block) Path() string { panic("unbuilt") }

// Rendered is a request in render order.
type Rendered struct {
	Request *wire.Request
	Model   model.Model
	Blocks  []Block
	Total   int  // tokens of the whole request
	BindEnd Hash // binding chain at the end: what thinking generated next is bound to
}

// Render renders a request. prev, which may be nil, is the rendering of an earlier request of the
// conversation; blocks of shared messages are taken over. The result equals a cold rendering.
func Render(prev *Rendered, req *wire.Request, m model.Model, opt Options) *Rendered {
	panic("unbuilt")
}

// ExtendBind continues a binding chain over one answered block (thinking leaves it unchanged).
func ExtendBind(chain Hash, role string, block wire.Value) Hash { panic("unbuilt") }

// Hit is what a lookup found: the index of the block whose prefix is stored, -1 for none, and the
// index of the breakpoint block whose window found it.
type Hit struct{ Block, Breakpoint int }

// Lookup walks the breakpoints, last first, over at most model.LookbackPositions positions each (5.3).
// stored tells whether an entry with this chain value can be read under this TTL.
func (r *Rendered) Lookup(stored func(chain Hash, ttl time.Duration) bool) Hit { panic("unbuilt") }

// Split is the usage split of 5.4.
type Split struct {
	Read, Write5m, Write1h, Input int
	Writes                        []int // block indexes of eligible breakpoints beyond the hit
}

// Split computes usage for a hit. Breakpoints whose prefix is under the model's minimum are not eligible.
func (r *Rendered) Split(h Hit) Split { panic("unbuilt") }
