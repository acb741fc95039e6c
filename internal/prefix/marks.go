package prefix

import (
	"slices"
	"strconv"
	"time"

	"harnessbench/internal/model"
	"harnessbench/internal/wire"
)

// markOf is the breakpoint a block carries, nil when it has none. A marker on a block inside a
// tool_result counts for the whole result (messages-api.md 5.2); the result's own goes first.
func markOf(b *Block, v wire.Value) *Mark {
	if cc := v.Get("cache_control"); marks(cc) {
		return &Mark{TTL: ttlOf(cc), Path: b.Path()}
	}
	if b.Type != "tool_result" {
		return nil
	}
	content := v.Get("content")
	for i := content.Len() - 1; i >= 0; i-- {
		if cc := content.At(i).Get("cache_control"); marks(cc) {
			return &Mark{TTL: ttlOf(cc), Path: b.Path() + ".content." + strconv.Itoa(i)}
		}
	}
	return nil
}

func marks(cc wire.Value) bool { return cc.Exists() && !cc.IsNull() }

// ttlOf reads a cache_control object; what is no valid one is the validator's to refuse.
func ttlOf(cc wire.Value) time.Duration {
	if cc.Get("ttl").Text() == "1h" {
		return model.TTLLong
	}
	return model.TTLShort
}

// cacheable tells whether automatic caching may put its breakpoint on the block: what 5.2 lets a
// client mark, and turn-scoped system messages passed over (messages-api.md 5.5).
func (r *Rendered) cacheable(b *Block) bool {
	if !b.Shown || isThinking(b.Type) {
		return false
	}
	if b.Type == "text" {
		return !emptyText(r.Value(b))
	}
	return true
}

func emptyText(v wire.Value) bool {
	if v.Kind() != '"' {
		v = v.Get("text")
	}
	return v.Kind() == '"' && len(v.Raw()) == 2
}

// autoBlock is where top-level cache_control puts its breakpoint, -1 when it is not asked for or
// nothing can take it.
func (r *Rendered) autoBlock() int {
	if !marks(r.Request.Get("cache_control")) {
		return -1
	}
	for i := r.Blocks.Len() - 1; i >= 0; i-- {
		b := r.Blocks.At(i)
		if b.Level == Messages && turnScoped(r.Request.Message(b.Message)) {
			continue
		}
		if r.cacheable(b) {
			return i
		}
	}
	return -1
}

// placeAuto marks the block of automatic caching, unless it carries a marker of its own.
func (r *Rendered) placeAuto() {
	r.auto = r.autoBlock()
	if r.auto < 0 || r.Mark(r.auto) != nil {
		r.auto = -1
		return
	}
	k, _ := slices.BinarySearch(r.marked, r.auto)
	r.marked = slices.Insert(r.marked, k, r.auto)
	r.marks = slices.Insert(r.marks, k, Mark{TTL: ttlOf(r.Request.Get("cache_control"))})
}
