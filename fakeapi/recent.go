package fakeapi

import (
	"container/list"

	"github.com/zeebo/xxh3"

	"harnessbench/fakeapi/contextedit"
	"harnessbench/fakeapi/promptcache"
	"harnessbench/fakeapi/thinking"
	"harnessbench/fakeapi/validate"
	"harnessbench/internal/prefix"
	"harnessbench/internal/wire"
)

// recent keeps the newest accepted request of each conversation, so that the next one is parsed, checked and
// rendered from it (D31). It changes no answer: every step gives what it would give from nothing.
//
// A request is found by the hash of its body's first bytes, at several lengths, the longest first; conversations
// that begin alike share a bucket and the one with the longest common beginning wins. Bodies under the shortest
// length are not kept: they cost nothing to begin anew.
type recent struct {
	buckets map[bucketKey][]*turn
	order   *list.List // of *turn, used last in front
	weight  int
}

type bucketKey struct {
	length int
	hash   uint64
}

// scales are the lengths, in bytes, at which beginnings are hashed, longest first.
var scales = []int{1 << 20, 128 << 10, 16 << 10, 2 << 10}

// candidates is how many conversations share one bucket; the ones kept last stay.
const candidates = 4

// maxWeight bounds the memory of kept requests, in bytes as estimated by weigh. Together with the cache and
// what the collector lets lie around it stays under the 2 GB of architecture.md 7.
const maxWeight = 640 << 20

// turn is one accepted request and what was worked out for it. All methods take nil for none.
type turn struct {
	checked  *validate.Checked
	rendered *prefix.Rendered
	verified *thinking.Verified
	cached   *promptcache.Path
	base     *contextedit.Base

	trace
	found  int // buckets that hold it; in none, it is dropped
	weight int
	place  *list.Element
}

func (t *turn) request() *wire.Request {
	if t == nil {
		return nil
	}
	return t.checked.Request
}

func (t *turn) accepted() *validate.Checked {
	if t == nil {
		return nil
	}
	return t.checked
}

func (t *turn) prefix() *prefix.Rendered {
	if t == nil {
		return nil
	}
	return t.rendered
}

func (t *turn) takenUp() *contextedit.Base {
	if t == nil {
		return nil
	}
	return t.base
}

func (t *turn) thinking() *thinking.Verified {
	if t == nil {
		return nil
	}
	return t.verified
}

func (t *turn) path() *promptcache.Path {
	if t == nil {
		return nil
	}
	return t.cached
}

func newRecent() *recent {
	return &recent{buckets: map[bucketKey][]*turn{}, order: list.New()}
}

// trace is what a request is found by: the buckets of its body, longest beginning first, and the hash of the
// header fields that checks depend on.
type trace struct {
	keys    []bucketKey
	headers uint64
}

func traceOf(body []byte, h headers, scope string) trace {
	var t trace
	for _, n := range scales {
		if n <= len(body) {
			t.keys = append(t.keys, bucketKey{n, xxh3.Hash(body[:n])})
		}
	}
	t.headers = xxh3.HashString(h.Get("anthropic-version") + "\n" + h.Get("anthropic-beta") + "\n" + scope)
	return t
}

// find is the kept request whose body begins most like this one, nil when none does.
func (r *recent) find(t trace, body []byte) *turn {
	for _, k := range t.keys {
		best := longest(r.buckets[k], t.headers, body)
		if best != nil {
			r.order.MoveToFront(best.place)
			return best
		}
	}
	return nil
}

// longest is the candidate under these headers whose body agrees longest, nil when there is none.
func longest(among []*turn, headers uint64, body []byte) (best *turn) {
	most := -1
	for _, t := range among {
		if t.headers != headers {
			continue
		}
		if len(among) == 1 {
			return t
		}
		if n := common(t.checked.Request.Body, body); n > most {
			best, most = t, n
		}
	}
	return best
}

// common estimates the length of the common beginning: it compares a sample of every stretch. A wrong guess costs
// time alone.
func common(a, b []byte) int {
	const stretch, sample = 16 << 10, 512
	n := min(len(a), len(b)) - sample
	i := 0
	for i < n && string(a[i:i+sample]) == string(b[i:i+sample]) {
		i += stretch
	}
	return i
}

// keep remembers an accepted request in place of the one it continues.
func (r *recent) keep(prev, t *turn) {
	if len(t.keys) == 0 {
		return
	}
	t.weight = weigh(t)
	if prev != nil && continues(prev, t) {
		r.drop(prev)
	}
	t.place = r.order.PushFront(t)
	r.weight += t.weight
	for _, k := range t.keys {
		b := append(r.buckets[k], t)
		t.found++
		if len(b) <= candidates {
			r.buckets[k] = b
			continue
		}
		oldest := b[0]
		r.buckets[k] = append(b[:0:0], b[1:]...)
		if oldest.found--; oldest.found == 0 {
			r.drop(oldest)
		}
	}
	for r.weight > maxWeight && r.order.Len() > 1 {
		r.drop(r.order.Back().Value.(*turn))
	}
}

// continues tells whether a request holds all of an earlier one but its last messages, whose breakpoints move.
func continues(prev, next *turn) bool {
	const moved = 3
	shared := next.checked.Request.SharedMessages()
	return shared > 0 && shared+moved >= prev.checked.Request.MessageCount()
}

func (r *recent) drop(t *turn) {
	if t.place == nil {
		return
	}
	r.order.Remove(t.place)
	t.place = nil
	r.weight -= t.weight
	for _, k := range t.keys {
		b := r.buckets[k]
		for i := range b {
			if b[i] == t {
				b = append(b[:i:i], b[i+1:]...)
				break
			}
		}
		if len(b) == 0 {
			delete(r.buckets, k)
		} else {
			r.buckets[k] = b
		}
	}
}

// weigh estimates the bytes a turn holds: its body, the parse of it and its rendered blocks.
func weigh(t *turn) int {
	const perBlock = 600
	return len(t.checked.Request.Body)*5/4 + perBlock*t.rendered.Blocks.Len()
}
