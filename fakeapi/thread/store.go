package thread

import (
	"container/list"
	"time"

	"harnessbench/fakeapi/validate"
)

// Store holds the conversations of one organisation. It is not safe for concurrent use.
type Store struct {
	opt   Options
	byID  map[string]*list.Element
	order *list.List // of *Kept, oldest in front: with one lifetime for all, also the order in which they expire
	size  int
	most  int // of size; the oldest conversations go first, as if they had expired
}

// maxBytes bounds the memory of kept conversations.
const maxBytes = 256 << 20

// Kept is one response that can be continued, and the conversation up to it.
type Kept struct {
	id, scope string
	system    []byte // without marks; nil when the thread has none
	tools     []byte
	messages  []byte // elements of the array, separated by commas, without marks
	count     int    // of messages
	fixed     []pair // in the order of Options.Fixed
	paused    bool   // the response is a pause_turn

	from  time.Time // when its answer had been generated
	until time.Time
	next  *continued
}

// continued is the request that continued a response.
type continued struct{ ended time.Time }

type pair struct{ name, value string }

// New makes an empty store.
func New(opt Options) *Store {
	return &Store{opt: opt.filled(), byID: map[string]*list.Element{}, order: list.New(), most: maxBytes}
}

// Find is the response that a continue goes on from; continues of a response that has been continued, or is being
// continued at this time, are refused.
func (s *Store) Find(now time.Time, scope, id string) (*Kept, *validate.Fault) {
	s.expire(now)
	e := s.byID[id]
	if e == nil {
		return nil, validate.ThreadNotFound(id)
	}
	k := e.Value.(*Kept)
	switch {
	case k.scope != scope || now.Before(k.from):
		return nil, validate.ThreadNotFound(id)
	case k.next != nil && now.Before(k.next.ended):
		return nil, validate.ThreadInFlight(id)
	case k.next != nil:
		return nil, validate.ThreadContinued(id)
	}
	return k, nil
}

// Keeps tells whether an answer that stopped for a reason is kept.
func (s *Store) Keeps(stop string) bool { return stop != "refusal" || !s.opt.DropRefused }

// Keep stores a response under its id; ended is when its answer has been generated. previous, nil for a create, is
// continued by it.
func (s *Store) Keep(k *Kept, previous *Kept, id string, ended time.Time) {
	k.id, k.from, k.until = id, ended, ended.Add(s.opt.TTL)
	if previous != nil {
		previous.next = &continued{ended}
	}
	s.insert(k)
	s.size += k.bytes()
	for s.size > s.most && s.order.Len() > 1 {
		s.drop(s.order.Front())
	}
}

// insert puts a response where its turn to expire is; answers that take long may end after later ones.
func (s *Store) insert(k *Kept) {
	at := s.order.Back()
	for at != nil && at.Value.(*Kept).until.After(k.until) {
		at = at.Prev()
	}
	if at == nil {
		s.byID[k.id] = s.order.PushFront(k)
	} else {
		s.byID[k.id] = s.order.InsertAfter(k, at)
	}
}

// Forget takes back a response whose generation was stopped at a time: if it had not ended, nothing of it was kept
// and what it continued can be continued again.
func (s *Store) Forget(k, previous *Kept, at time.Time) {
	if !at.Before(k.from) {
		return
	}
	if e := s.byID[k.id]; e != nil && e.Value.(*Kept) == k {
		s.drop(e)
	}
	if previous != nil {
		previous.next = nil
	}
}

// expire drops what can no longer be continued. A response lives up to its end, not at it.
func (s *Store) expire(now time.Time) {
	for e := s.order.Front(); e != nil && !now.Before(e.Value.(*Kept).until); e = s.order.Front() {
		s.drop(e)
	}
}

func (s *Store) drop(e *list.Element) {
	k := e.Value.(*Kept)
	s.order.Remove(e)
	delete(s.byID, k.id)
	s.size -= k.bytes()
}

func (k *Kept) bytes() int { return len(k.system) + len(k.tools) + len(k.messages) + 512 }
