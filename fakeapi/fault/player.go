package fault

import (
	"math/rand/v2"
	"strings"
)

// Player decides which call meets which fault. It is not safe for concurrent use.
type Player struct {
	faults []Fault
	seen   []int // calls that matched each fault, but for its call number and chance
	draw   *rand.Rand
	memory memory
}

// memory is what faults know of earlier answers.
type memory struct{ callID string }

// faultStream keeps the draws of faults apart from others of the same seed.
const faultStream = 5

// NewPlayer plays a plan from its beginning. Each fault must pass Check.
func NewPlayer(seed uint64, faults []Fault) *Player {
	return &Player{faults: faults, seen: make([]int, len(faults)), draw: rand.New(rand.NewPCG(seed, faultStream))}
}

// Call is a request as faults are matched to it.
type Call struct {
	Turn        int // of the script, from 1; 0 for none
	Model, Text string
}

// Due are the faults that strike a call, in the order of the plan. Each call must be asked about once.
func (p *Player) Due(c Call) []Fault {
	var out []Fault
	for i, f := range p.faults {
		w := f.When
		if w.Turn != 0 && w.Turn != c.Turn || w.Model != "" && w.Model != c.Model || !strings.Contains(c.Text, w.Text) {
			continue
		}
		p.seen[i]++
		if w.Call != 0 && w.Call != p.seen[i] {
			continue
		}
		if w.Chance > 0 && p.draw.Float64() >= w.Chance {
			continue
		}
		out = append(out, f)
	}
	return out
}

// Strike applies a fault to an answer; struck is false when the answer has no such place, and stays as it was. A
// fault of an unprocessed request that brings no error answer needs no answer at all.
func (p *Player) Strike(f Fault, a Answer) (out Answer, struck bool) {
	switch f.Do {
	case "refused":
		return Answer{Frames: []Frame{{}}, Broken: Refused}, true
	case "unreachable":
		return Answer{Frames: []Frame{{}}, Broken: Unreachable}, true
	case "timeout":
		d := orElse(f.For, timeoutFor)
		return Answer{Frames: []Frame{{After: d}}, Broken: TimedOut, Pauses: []Pause{{0, d}}}, true
	}
	if f.Unprocessed() { // a reset before the headers; error answers are made by the server
		return Answer{Frames: []Frame{{}}, Broken: WasReset}, true
	}
	k := kindOf(f.Do)
	if a.Broken != "" && a.Status == 0 || k.stream && !a.streamed() || a.Status != 200 {
		return a, false
	}
	work := a
	work.Frames = append([]Frame(nil), a.Frames...)
	work.Pauses = append([]Pause(nil), a.Pauses...)
	if !k.do(&context{Fault: f, pos: f.at(), a: &work, events: read(work.Frames), memory: &p.memory}) {
		return a, false
	}
	return work, true
}

// Saw remembers an answer as it went out.
func (p *Player) Saw(a Answer) {
	if id := firstCall(&a); id != "" {
		p.memory.callID = id
	}
}
