package run

import (
	"fmt"

	"harnessbench/conformance/trace"
	"harnessbench/harness"
	"harnessbench/harness/world"
	"harnessbench/scenarios"
)

// happening is something that the story has happen while a turn runs, in the first phase of that name.
type happening struct {
	at   phase
	do   func(w world.World)
	done bool
}

func (d *driver) prompt(w world.World, st scenarios.Step) {
	p := st.Prompt
	d.tools.step(p)
	text := p.Text
	if p.Fill != "" {
		text = overWindow(text, d.model)
	}
	var asides []world.Task
	planned := d.happenings(p, &asides)
	d.rec.watch = func(ph phase, w world.World) {
		for _, h := range planned {
			if !h.done && h.at == ph {
				h.done = true
				h.do(w)
			}
		}
	}
	d.rec.op(trace.Op{Name: "prompt", Text: text})
	out, err := d.session.Prompt(w, text)
	if err == nil && out.Reason != harness.Completed {
		d.leftOpen = append(d.leftOpen, fmt.Sprintf("step %d: %s", st.Number, out.Reason))
	}
	d.prompts[st.Number] = d.session.LastPrompt()
	d.check("prompt", err)
	for _, task := range asides {
		for !task.Done() && w.Wait(task) != nil {
			continue // an interrupt frees the wait alone
		}
	}
}

// happenings are what the story has happen in this turn. asides gets the tasks of questions asked beside it.
func (d *driver) happenings(p *scenarios.Prompt, asides *[]world.Task) (out []*happening) {
	for _, q := range p.Queued {
		out = append(out, &happening{at: phase(q.At), do: func(world.World) {
			d.rec.op(trace.Op{Name: "queue", Text: q.Text})
			d.session.Queue(q.Text)
		}})
	}
	for i, a := range p.Aside {
		out = append(out, &happening{at: phase(a.At), do: func(w world.World) {
			d.rec.op(trace.Op{Name: "btw", Text: a.Question})
			*asides = append(*asides, w.Go(fmt.Sprintf("aside %d", i+1), func(w world.World) {
				before := d.struckSoFar
				_, err := d.session.Btw(d.layered(w), a.Question)
				d.carriedOut("btw", err, before)
			}))
		}})
	}
	if p.Interrupt != "" {
		out = append(out, &happening{at: phase(p.Interrupt), do: func(world.World) {
			d.rec.op(trace.Op{Name: "interrupt", Text: p.Interrupt})
			d.session.Interrupt()
		}})
	}
	if p.Kill != "" {
		out = append(out, &happening{at: phase(p.Kill), do: func(world.World) {
			d.crash = true
			d.place.Machine.Kill()
		}})
	}
	return out
}
