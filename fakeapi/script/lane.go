package script

import (
	"fmt"
	"strings"

	"harnessbench/internal/wire"
)

// lane is a lane as it is played.
type lane struct {
	name  string
	rules []Rule
	given []int // answers that each rule has given
	calls int
	other *Answer
}

func newLane(name string, rules []Rule, other *Answer) *lane {
	return &lane{name: name, rules: rules, given: make([]int, len(rules)), other: other}
}

// Turn is the number, from 1, of the turn that a request belongs to, 0 for none, and the newest text the user wrote
// in it.
func (p *Player) Turn(req *wire.Request) (turn int, text string) {
	q := newQuery(req)
	if len(q.texts) > 0 {
		text = q.texts[len(q.texts)-1]
	}
	if at, _, ok := p.place(req); ok {
		return at.turn + 1, text
	}
	return 0, text
}

// Undo takes back the last answer, which did not get through: who asks again gets the same one.
func (p *Player) Undo() {
	if p.undo != nil {
		p.undo()
		p.undo = nil
	}
}

// laneOf finds the lane of a request.
func (p *Player) laneOf(q *query) *lane {
	for i := range p.script.Lanes {
		q.call = p.side[i].calls + 1
		if p.script.Lanes[i].When.differs(q) == "" {
			return p.side[i]
		}
	}
	q.call = p.main.calls + 1
	return p.main
}

// play answers from the rules of a lane.
func (l *lane) play(q *query) (a Answer, ok bool, miss *Miss) {
	for i := range l.rules {
		r := &l.rules[i]
		n := l.given[i]
		if n >= len(r.Answers) && (!r.Repeat || n == 0) || r.When.differs(q) != "" {
			continue
		}
		if d := r.Expect.differs(q); d != "" {
			return Answer{}, false, &Miss{Expectation: true, Problem: fmt.Sprintf("%s of lane %s expects otherwise: %s", r.title(i), l.name, d)}
		}
		l.given[i]++
		return r.Answers[min(n, len(r.Answers)-1)], true, nil
	}
	return Answer{}, false, nil
}

// title names a rule in messages.
func (r *Rule) title(i int) string {
	if r.Name != "" {
		return fmt.Sprintf("rule %q", r.Name)
	}
	return fmt.Sprintf("rule %d", i+1)
}

// unanswered says what no rule took, and why each did not.
func (l *lane) unanswered(q *query) *Miss {
	var why []string
	for i := range l.rules {
		d := l.rules[i].When.differs(q)
		if d == "" {
			d = "it has given all its answers"
		}
		if len(why) == 5 {
			why = append(why, "and so on")
			break
		}
		why = append(why, l.rules[i].title(i)+": "+d)
	}
	text := ""
	if len(q.texts) > 0 {
		text = q.texts[len(q.texts)-1]
	}
	m := &Miss{Newest: text, Answer: q.round}
	m.Problem = fmt.Sprintf("no rule of lane %s answers call %d (model %q, round %d, newest user text %q)", l.name, q.call, q.req.Model(), q.round, clip(text))
	if len(why) > 0 {
		m.Problem += "; " + strings.Join(why, "; ")
	}
	return m
}
