package validate

import (
	"strconv"
	"strings"

	"harnessbench/internal/wire"
)

// simple is a value of one JSON kind.
type simple struct {
	kinds string // first bytes that pass, as wire.Kind names them
	wrong family
}

var (
	boolean = simple{"tf", notBoolean}
	dict    = simple{"{", notDict}
)

func (s simple) fine(v wire.Value) bool {
	return strings.IndexByte(s.kinds, byte(v.Kind())) >= 0 && v.Exists()
}

func (s simple) judge(w *walk, o owner, v wire.Value) *Fault {
	if strings.IndexByte(s.kinds, byte(v.Kind())) < 0 {
		return w.refuse(o, s.wrong)
	}
	return nil
}

func (s simple) rules(o owner) []rule { return []rule{s.wrong.of(o)} }

// integer has a lower bound, worded by low.
type integer struct {
	min int64
	low family
}

func (n integer) judge(w *walk, o owner, v wire.Value) *Fault {
	i, ok := v.Int()
	if !ok {
		return w.refuse(o, notInteger)
	}
	if i < n.min {
		return w.refuse(o, n.low, "min", strconv.FormatInt(n.min, 10))
	}
	return nil
}

// unbounded is the lower bound of an integer that has none.
const unbounded = -1 << 63

func (n integer) rules(o owner) []rule {
	if n.min == unbounded {
		return []rule{notInteger.of(o)}
	}
	return []rule{notInteger.of(o), n.low.of(o)}
}

// unit is a number from 0 to 1.
type unit struct{}

func (unit) judge(w *walk, o owner, v wire.Value) *Fault {
	x, ok := v.Float()
	if !ok {
		return w.refuse(o, notNumber)
	}
	if !(x >= 0 && x <= 1) {
		return w.refuse(o, outOfRange)
	}
	return nil
}

func (unit) rules(o owner) []rule {
	return []rule{notNumber.of(o), outOfRange.of(o)}
}

// place is inference_geo: a word whose refusal prints its choices as a list.
type place []string

func (p place) judge(w *walk, o owner, v wire.Value) *Fault {
	if v.Kind() != '"' {
		return w.refuse(o, notString)
	}
	for _, word := range p {
		if v.Text() == word {
			return nil
		}
	}
	return w.refuse(o, notOneOf, "choices", "["+strings.Join(quoted(p), ", ")+"]")
}

func (p place) rules(o owner) []rule {
	return []rule{notString.of(o), notOneOf.of(o)}
}

// anything is a known field with a value that no rule looks at.
type anything struct{}

func (anything) fine(wire.Value) bool                  { return true }
func (anything) judge(*walk, owner, wire.Value) *Fault { return nil }
func (anything) rules(owner) []rule                    { return nil }

// dictOf is a dictionary of values that all follow one check; its names are free.
type dictOf struct{ of check }

func (d dictOf) judge(w *walk, o owner, v wire.Value) *Fault {
	if v.Kind() != '{' {
		return w.refuse(o, notDict)
	}
	o.item = true
	depth := len(w.path)
	var refused *Fault
	for i := range v.Len() {
		w.in(string(v.NameAt(i)))
		if f := d.of.judge(w, o, v.MemberAt(i)); f != nil {
			if !w.goesOn(f, depth) {
				return f
			}
			refused = heard
			continue
		}
		w.out()
	}
	return refused
}

func (d dictOf) rules(o owner) []rule {
	item := o
	item.item = true
	return append([]rule{notDict.of(o)}, d.of.rules(item)...)
}
