package validate

import (
	"slices"
	"strings"

	"harnessbench/internal/wire"
)

// arm is one member of a tagged union; shape nil means that its rules are not built.
type arm struct {
	tag    string
	shape  *object
	betas  []string // shown in the list of expected tags only with one of these
	strict bool     // without its beta the tag is unknown; otherwise it passes
}

func (a *arm) open(h *head) bool { return len(a.betas) == 0 || slices.ContainsFunc(a.betas, h.has) }

// union is chosen by the member "type". Paths inside carry the tag.
type union struct {
	origin
	name     string
	fallback string // the tag of a value without type; "" when type is required
	bare     bool   // no tag in paths
	arms     []arm
}

func (u *union) judge(w *walk, _ owner, v wire.Value) *Fault {
	if v.Kind() != '{' {
		return w.refuse(owner{origin: u.origin, name: u.name}, notObject)
	}
	t := v.Get("type")
	a := u.choose(w, t)
	if a == nil {
		return u.unknown(w, t)
	}
	if a.shape == nil {
		w.pass()
		return nil
	}
	if u.bare {
		return a.shape.judge(w, owner{}, v)
	}
	w.tag(a.tag)
	f := a.shape.judge(w, owner{}, v)
	if f == nil {
		w.out()
	}
	return f
}

// choose is the arm of a type, nil when there is none. It reads the bytes, so that no tag is decoded.
func (u *union) choose(w *walk, t wire.Value) *arm {
	var name []byte
	switch raw := t.Raw(); {
	case !t.Exists() || t.IsNull() && u.fallback != "":
		name = []byte(u.fallback)
	case t.Kind() != '"':
		return nil
	case slices.Contains(raw, '\\'):
		name = []byte(t.Text())
	default:
		name = raw[1 : len(raw)-1]
	}
	for i := range u.arms {
		if a := &u.arms[i]; a.tag == string(name) {
			if a.strict && !a.open(&w.head) {
				return nil
			}
			return a
		}
	}
	return nil
}

func (u *union) unknown(w *walk, t wire.Value) *Fault {
	o := owner{origin: u.origin, name: u.name}
	if !t.Exists() {
		w.in("type")
		return w.refuse(o.field("type"), missing)
	}
	var tags []string
	for i := range u.arms {
		if u.arms[i].open(&w.head) {
			tags = append(tags, u.arms[i].tag)
		}
	}
	return w.refuse(o, unknownTag, "tag", tagText(t), "tags", strings.Join(quoted(tags), ", "))
}

func (u *union) rules(owner) []rule {
	o := owner{origin: u.origin, name: u.name}
	all := []rule{notObject.of(o)}
	if u.fallback == "" {
		all = append(all, missing.of(o.field("type")))
	}
	all = append(all, unknownTag.of(o))
	for _, a := range u.arms {
		if a.shape != nil {
			// A union has said already that its value is an object.
			all = append(all, a.shape.rules(o)[1:]...)
		}
	}
	return all
}

// list is an array whose items all follow one check. A string passes when text is set.
type list struct {
	of   check
	text bool
}

func (l list) fine(v wire.Value) bool { return l.text && v.Kind() == '"' }

func (l list) judge(w *walk, o owner, v wire.Value) *Fault {
	if l.text && v.Kind() == '"' {
		return nil
	}
	if v.Kind() != '[' {
		return w.refuse(o, notArray)
	}
	o.item = true
	depth, refused := len(w.path), false
	for i := range v.Len() {
		w.at(i)
		if f := l.of.judge(w, o, v.At(i)); f != nil {
			if !w.goesOn(f, depth) {
				return f
			}
			refused = true
			continue
		}
		w.out()
	}
	if refused {
		return heard
	}
	return nil
}

func (l list) rules(o owner) []rule {
	item := o
	item.item = true
	return append([]rule{notArray.of(o)}, l.of.rules(item)...)
}

// byKind takes a value of several JSON kinds, each with its own check; another kind does not match the shape.
type byKind struct {
	text, list, object, truth check
}

func (k byKind) of(v wire.Value) check {
	switch v.Kind() {
	case '"':
		return k.text
	case '[':
		return k.list
	case '{':
		return k.object
	case 't', 'f':
		return k.truth
	}
	return nil
}

func (k byKind) judge(w *walk, o owner, v wire.Value) *Fault {
	if c := k.of(v); c != nil {
		return c.judge(w, o, v)
	}
	return w.refuse(o, notShape)
}

func (k byKind) rules(o owner) []rule {
	all := []rule{notShape.of(o)}
	for _, c := range []check{k.text, k.list, k.object, k.truth} {
		if c == nil {
			continue
		}
		rules := c.rules(o)
		if _, words := c.(enum); !words {
			rules = rules[1:] // a value of the check's own kind cannot miss its kind
		}
		all = append(all, rules...)
	}
	return all
}
