package validate

import (
	"sort"
	"strconv"
	"strings"

	"harnessbench/internal/wire"
)

// walk carries what every check needs: where it stands, under which headers, and what was passed
// without judgement. The path is kept as steps, so that a request without fault never builds a path.
type walk struct {
	head      head
	path      []step
	notJudged []string
	media     []medium  // images and documents of the message at hand
	every     *[]*Fault // set: faults are gathered here and the walk goes on
}

// heard stands for faults that were gathered already.
var heard = &Fault{}

// goesOn tells whether the walk goes on after a fault: when every fault is asked for, it is noted and the walk
// stands again as deep as before.
func (w *walk) goesOn(f *Fault, depth int) bool {
	if w.every == nil {
		return false
	}
	if f != heard {
		*w.every = append(*w.every, f)
	}
	w.path = w.path[:depth]
	return true
}

type step struct {
	name  string
	index int  // used when name is ""
	tag   bool // a union's tag: part of error paths, not of the place in the document
}

func (w *walk) in(name string)  { w.path = append(w.path, step{name: name}) }
func (w *walk) at(i int)        { w.path = append(w.path, step{index: i}) }
func (w *walk) tag(name string) { w.path = append(w.path, step{name: name, tag: true}) }
func (w *walk) out()            { w.path = w.path[:len(w.path)-1] }

// where is the path as error texts name it, union tags included.
func (w *walk) where() string { return w.render(true) }

func (w *walk) render(tags bool) string {
	var b strings.Builder
	for _, s := range w.path {
		if s.tag && !tags {
			continue
		}
		if b.Len() > 0 {
			b.WriteByte('.')
		}
		if s.name == "" {
			b.WriteString(strconv.Itoa(s.index))
		} else {
			b.WriteString(s.name)
		}
	}
	return b.String()
}

// message is the place of the block of a message that the walk is in, as relations between blocks name it: without
// tags and without what is inside the block.
func (w *walk) message() string {
	for i, s := range w.path {
		if s.name == "content" && i+1 < len(w.path) {
			part := walk{path: w.path[:i+2]}
			return part.render(false)
		}
	}
	return w.render(false)
}

// pass notes that what stands here is known and not judged.
func (w *walk) pass() { w.notJudged = append(w.notJudged, w.render(false)) }

// owner names the object or field whose check is at work, for rule ids. The id is put together only when
// a rule fires.
type owner struct {
	origin
	name string // of the object
	sub  string // of its field
	item bool   // of an item of that field
}

func (o owner) field(name string) owner {
	if o.sub == "" {
		o.sub = name
		return o
	}
	return owner{origin: o.origin, name: o.id(), sub: name}
}

func (o owner) id() string {
	id := o.name
	if o.sub != "" {
		id += "." + o.sub
	}
	if o.item {
		id += ".item"
	}
	return id
}

func (w *walk) refuse(o owner, f family, pairs ...string) *Fault {
	return f.of(o).fault(append([]string{"path", w.where()}, pairs...)...)
}

// choices words an enumeration: 'a', 'b' or 'c'.
func choices(words []string) string {
	q := quoted(words)
	if len(q) < 2 {
		return strings.Join(q, "")
	}
	return strings.Join(q[:len(q)-1], ", ") + " or " + q[len(q)-1]
}

func quoted(words []string) []string {
	q := make([]string, len(words))
	for i, s := range words {
		q[i] = "'" + s + "'"
	}
	return q
}

// tagText is a tag as error texts print it: the string, or the raw JSON of anything else.
func tagText(v wire.Value) string {
	if v.Kind() == '"' {
		return v.Text()
	}
	return string(v.Raw())
}

// sortedUnique sorts in place and drops repeats.
func sortedUnique(s []string) []string {
	sort.Strings(s)
	out := s[:0]
	for i, v := range s {
		if i == 0 || v != s[i-1] {
			out = append(out, v)
		}
	}
	return out
}
