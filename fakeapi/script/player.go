package script

import (
	"slices"
	"strings"

	"github.com/zeebo/xxh3"

	"harnessbench/internal/wire"
)

// Player plays one script to any number of conversations. It is not safe for concurrent use.
type Player struct {
	script   Script
	exact    map[string][]int // prompt -> turns, in order
	prefixes []int            // turns matched by their beginning, in order

	taken     map[uint64]*conversation
	byArrival []uint64
	calls     calls
	summarized

	side []*lane
	main *lane
	undo func()
}

// conversation remembers which of several turns with equal prompts each appearance of the prompt took.
type conversation struct {
	turns map[uint64]int // appearance -> turn
	next  map[string]int // prompt -> how many of its turns are taken
}

// maxConversations bounds the memory; the oldest goes first.
const maxConversations = 1 << 12

// NewPlayer plays a script from its beginning.
func NewPlayer(s Script) *Player {
	p := &Player{script: s, exact: map[string][]int{}, taken: map[uint64]*conversation{}, calls: calls{at: map[string]place{}},
		summarized: summarized{given: map[int]int{}, from: map[uint64]place{}}}
	for i, t := range s.Turns {
		if t.Prefix {
			p.prefixes = append(p.prefixes, i)
		} else {
			p.exact[t.Prompt] = append(p.exact[t.Prompt], i)
		}
	}
	for _, l := range s.Lanes {
		p.side = append(p.side, newLane(l.Name, l.Rules, l.Default))
	}
	p.main = newLane("main", s.Rules, s.Default)
	return p
}

// Empty tells whether there is no script at all.
func (p *Player) Empty() bool {
	s := &p.script
	return len(s.Turns) == 0 && len(s.Lanes) == 0 && len(s.Rules) == 0 && s.Default == nil && s.Autopilot == nil
}

// Miss says what the script has no answer for.
type Miss struct {
	Newest string // text of the newest user message that has any
	Prompt string // of the turn that matched, "" when none did
	Answer int    // number of the answer asked for, from 1
	// Problem says it in full where rules were tried; Expectation: a rule took the request and expected it to be
	// otherwise.
	Problem     string
	Expectation bool
}

// Answer finds the scripted answer to a request, or says what is missing. Tools are named as the request offers them.
func (p *Player) Answer(req *wire.Request) (Answer, *Miss) {
	if s := &p.script; len(s.Lanes) == 0 && len(s.Rules) == 0 && s.Default == nil && s.Autopilot == nil { // turns alone look at less
		a, miss := p.turn(req)
		if miss == nil {
			a = adapt(a, req.Get("tools"))
		}
		return a, miss
	}
	q := newQuery(req)
	l := p.laneOf(q)
	given := append([]int(nil), l.given...)
	l.calls++
	p.undo = func() { l.given, l.calls = given, l.calls-1 }
	a, miss := p.find(q, l)
	if miss == nil {
		a = adapt(a, req.Get("tools"))
	}
	return a, miss
}

// Retry is Answer for one more model within the same exchange: Undo takes back what came before it too.
func (p *Player) Retry(req *wire.Request) (Answer, *Miss) {
	before := p.undo
	p.undo = nil
	a, miss := p.Answer(req)
	if own := p.undo; own != nil && before != nil {
		p.undo = func() { own(); before() }
	} else if own == nil {
		p.undo = before
	}
	return a, miss
}

// find is the answer of a lane.
func (p *Player) find(q *query, l *lane) (Answer, *Miss) {
	var miss *Miss
	if l == p.main && len(p.script.Turns) > 0 {
		a, none := p.turn(q.req)
		if none == nil {
			return a, nil
		}
		miss = none
	}
	a, ok, wrong := l.play(q)
	switch {
	case ok || wrong != nil:
		return a, wrong
	case l.other != nil:
		return *l.other, nil
	case p.script.Autopilot != nil:
		return p.script.Autopilot.answer(q)
	case miss != nil && len(l.rules) == 0:
		return Answer{}, miss
	}
	return Answer{}, l.unanswered(q)
}

// turn finds the answer of a turn.
func (p *Player) turn(req *wire.Request) (Answer, *Miss) {
	at, newest, ok := p.place(req)
	miss := &Miss{Newest: newest, Answer: 1}
	if !ok {
		return Answer{}, miss
	}
	t := p.script.Turns[at.turn]
	if at.answers < len(t.Answers) {
		p.given[at.turn] = at.answers + 1
		return t.Answers[at.answers], nil
	}
	miss.Prompt, miss.Answer = t.Prompt, at.answers+1
	return Answer{}, miss
}

// match finds the turns whose prompt a user message holds, and its last text. An unanswered prompt and the next
// one can stand in one message: the later one is being answered.
func (p *Player) match(m wire.Message) (turns []int, newest string) {
	for _, b := range m.Blocks() {
		if b.Type() != "text" {
			continue
		}
		text := b.TextValue().Text()
		newest = text
		if t := p.behind(m, p.turnsOf(text)); t != nil {
			turns = t
		}
	}
	return turns, newest
}

// behind leaves of turns with one prompt those that may answer in this message: the ones behind what it holds, else the
// ones behind nothing.
func (p *Player) behind(m wire.Message, turns []int) (out []int) {
	if !slices.ContainsFunc(turns, func(i int) bool { return p.script.Turns[i].Behind != "" }) {
		return turns
	}
	var others []int
	for _, i := range turns {
		head := p.script.Turns[i].Behind
		switch {
		case head == "":
			others = append(others, i)
		case slices.ContainsFunc(m.Blocks(), func(b wire.Block) bool {
			return b.Type() == "text" && strings.HasPrefix(b.TextValue().Text(), head)
		}):
			out = append(out, i)
		}
	}
	if out == nil {
		return others
	}
	return out
}

func (p *Player) turnsOf(text string) []int {
	if turns := p.exact[text]; turns != nil {
		return turns
	}
	for _, i := range p.prefixes {
		if strings.HasPrefix(text, p.script.Turns[i].Prompt) {
			return p.samePrefix(i)
		}
	}
	return nil
}

func (p *Player) samePrefix(first int) []int {
	var out []int
	for _, i := range p.prefixes {
		if p.script.Turns[i].Prompt == p.script.Turns[first].Prompt {
			out = append(out, i)
		}
	}
	return out
}

// choose picks one of several turns with equal prompts. An appearance of the prompt is known by the scripted
// prompts before it, so that a retry and the later calls of a turn find the turn taken at first; a new appearance
// takes the next turn, and the last one repeats.
func (p *Player) choose(req *wire.Request, message int, turns []int, after int) int {
	if len(turns) == 1 {
		return turns[0]
	}
	appearance, before := p.appearance(req, message)
	conv := p.conversation(req, before == 0 && after == 0 && turns[0] == 0)
	if t, known := conv.turns[appearance]; known {
		return t
	}
	prompt := p.script.Turns[turns[0]].Prompt
	t := turns[min(conv.next[prompt], len(turns)-1)]
	conv.next[prompt]++
	conv.turns[appearance] = t
	return t
}

// appearance is the sequence of scripted prompts up to a message, and how many stand before it.
func (p *Player) appearance(req *wire.Request, message int) (id uint64, before int) {
	var seq []byte
	for i := 0; i <= message; i++ {
		m := req.Message(i)
		if m.Role() != "user" {
			continue
		}
		if turns, _ := p.match(m); len(turns) > 0 {
			seq = append(append(seq, p.script.Turns[turns[0]].Prompt...), 0)
			if i < message {
				before++
			}
		}
	}
	return xxh3.Hash(seq), before
}

// conversation finds the memory of a conversation, known by its user id and its first message; anew empties it.
func (p *Player) conversation(req *wire.Request, anew bool) *conversation {
	key := []byte(req.Get("metadata").Get("user_id").Text())
	if req.MessageCount() > 0 {
		for _, b := range req.Message(0).Blocks() {
			key = append(append(key, 0), b.TextValue().Text()...)
		}
	}
	id := xxh3.Hash(key)
	c := p.taken[id]
	if c == nil {
		p.byArrival = append(p.byArrival, id)
		if len(p.byArrival) > maxConversations {
			delete(p.taken, p.byArrival[0])
			p.byArrival = p.byArrival[1:]
		}
	}
	if c == nil || anew {
		c = &conversation{turns: map[uint64]int{}, next: map[string]int{}}
		p.taken[id] = c
	}
	return c
}
