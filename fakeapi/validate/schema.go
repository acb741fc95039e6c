package validate

import (
	"slices"

	"harnessbench/internal/wire"
)

// check judges one value. The walk stands at the value; o names it for rule ids.
type check interface {
	judge(w *walk, o owner, v wire.Value) *Fault
	// rules lists what judge can report, in its order.
	rules(o owner) []rule
}

// quick is a check that can say at a glance that a value is fine, before anything is made ready for a refusal.
// False says nothing.
type quick interface{ fine(v wire.Value) bool }

// field is one member of a closed object.
type field struct {
	name     string
	required bool
	null     bool     // null counts as absent
	betas    []string // any of these header values opens the field; without one it is unknown
	closed   func(head) bool
	check    check // nil: known, its rules are not built
}

// must and may are fields that have to be there and that need not; null counts as absent in the latter.
func must(name string, c check) field { return field{name: name, required: true, check: c} }
func may(name string, c check) field  { return field{name: name, null: true, check: c} }

// tagField is the member by which a union was chosen; it was looked at then.
var tagField = field{name: "type", check: anything{}}

func (f *field) open(h *head) bool {
	if f.closed != nil && f.closed(*h) {
		return false
	}
	return len(f.betas) == 0 || slices.ContainsFunc(f.betas, h.has)
}

// also is a rule over the fields of an object that are each well formed.
type also func(w *walk, o owner, v wire.Value) *Fault

// object is a closed object (messages-api.md 2.1): fields are judged in their order, then members that
// are not among them are refused in the order sent.
type object struct {
	origin
	name   string
	wrong  family // what is said of a value that is no object
	fields []field
	// also runs when all fields are well formed.
	also     also
	alsoRule []rule
}

// maxFields bounds the fields of an object, so that they are found without a map.
const maxFields = 24

func (s *object) judge(w *walk, _ owner, v wire.Value) *Fault {
	if v.Kind() != '{' {
		return w.refuse(owner{origin: s.origin, name: s.name}, s.wrong)
	}
	if f := s.judgeFields(w, v); f != nil {
		return f
	}
	if s.also != nil {
		return s.also(w, owner{origin: s.origin, name: s.name}, v)
	}
	return nil
}

// find is the field of that name, -1 when there is none. Most objects are sent in one order, so the field
// behind the last one found is tried first.
func (s *object) find(name []byte, next int) int {
	if next < len(s.fields) && s.fields[next].name == string(name) {
		return next
	}
	for i := range s.fields {
		if s.fields[i].name == string(name) {
			return i
		}
	}
	return -1
}

// judgeFields walks the members once to find the fields, then judges the fields in their own order.
func (s *object) judgeFields(w *walk, v wire.Value) *Fault {
	var at [maxFields]int32 // of each field: its member's number from 1 (the last of equal names), 0 for none
	stranger, next := -1, 0
	for i := range v.Len() {
		k := s.find(v.NameAt(i), next)
		if k < 0 || !s.fields[k].open(&w.head) {
			if stranger < 0 {
				stranger = i
			}
			continue
		}
		at[k], next = int32(i+1), k+1
	}
	depth, refused := len(w.path), false
	for k := range s.fields {
		fd := &s.fields[k]
		f := s.judgeField(w, fd, v, int(at[k])-1)
		if f == nil {
			continue
		}
		if !w.goesOn(f, depth) {
			return f
		}
		refused = true
	}
	if stranger < 0 {
		if refused {
			return heard
		}
		return nil
	}
	return s.strangers(w, v, stranger)
}

// judgeField judges one field; i is its member, below zero when it is absent.
func (s *object) judgeField(w *walk, fd *field, v wire.Value, i int) *Fault {
	if i < 0 {
		if fd.required && (len(fd.betas) == 0 || fd.open(&w.head)) {
			w.in(fd.name)
			return w.refuse(owner{origin: s.origin, name: s.name}.field(fd.name), missing)
		}
		return nil
	}
	m := v.MemberAt(i)
	if fd.null && m.IsNull() {
		return nil
	}
	if q, ok := fd.check.(quick); ok && q.fine(m) {
		return nil
	}
	w.in(fd.name)
	if fd.check == nil {
		w.pass()
	} else if f := fd.check.judge(w, owner{origin: s.origin, name: s.name}.field(fd.name), m); f != nil {
		return f
	}
	w.out()
	return nil
}

// strangers refuses the members that are no fields, from the first of them on.
func (s *object) strangers(w *walk, v wire.Value, first int) *Fault {
	o, depth := owner{origin: s.origin, name: s.name}, len(w.path)
	for i := first; i < v.Len(); i++ {
		name := v.NameAt(i)
		if k := s.find(name, 0); k >= 0 && s.fields[k].open(&w.head) {
			continue
		}
		w.in(string(name))
		if f := w.refuse(o, extra); !w.goesOn(f, depth) {
			return f
		}
	}
	return heard
}

func (s *object) rules(owner) []rule {
	o := owner{origin: s.origin, name: s.name}
	all := []rule{s.wrong.of(o)}
	for i := range s.fields {
		fo := o.field(s.fields[i].name)
		if s.fields[i].required {
			all = append(all, missing.of(fo))
		}
		if c := s.fields[i].check; c != nil {
			all = append(all, c.rules(fo)...)
		}
	}
	all = append(all, extra.of(o))
	return append(all, s.alsoRule...)
}
