package validate

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"harnessbench/internal/wire"
)

// check judges one value. The walk stands at the value; o names it for rule ids.
type check interface {
	judge(w *walk, o owner, v wire.Value) *Fault
	// rules lists what judge can report, in its order.
	rules(o owner) []rule
}

// field is one member of a closed object.
type field struct {
	name     string
	required bool
	null     bool     // null counts as absent
	betas    []string // any of these header values opens the field; without one it is unknown
	closed   func(head) bool
	check    check // nil: known, its rules are not built
}

func (f *field) open(h head) bool {
	if f.closed != nil && f.closed(h) {
		return false
	}
	return len(f.betas) == 0 || slices.ContainsFunc(f.betas, h.has)
}

// object is a closed object (messages-api.md 2.1): fields are judged in their order, then members that
// are not among them are refused in the order sent.
type object struct {
	origin
	name   string
	wrong  family // what is said of a value that is no object
	fields []field
	// also runs when all fields are well formed.
	also     func(w *walk, o owner, v wire.Value) *Fault
	alsoRule []rule
}

func (s *object) judge(w *walk, _ owner, v wire.Value) *Fault {
	o := owner{origin: s.origin, name: s.name}
	if v.Kind() != '{' {
		return w.refuse(o, s.wrong)
	}
	if f := s.judgeFields(w, v); f != nil {
		return f
	}
	if s.also != nil {
		return s.also(w, o, v)
	}
	return nil
}

func (s *object) judgeFields(w *walk, v wire.Value) *Fault {
	o := owner{origin: s.origin, name: s.name}
	known := 0
	for i := range s.fields {
		fd := &s.fields[i]
		m := v.Get(fd.name)
		if !m.Exists() {
			if fd.required {
				w.in(fd.name)
				return w.refuse(o.field(fd.name), missing)
			}
			continue
		}
		if !fd.open(w.head) {
			continue
		}
		known++
		if fd.null && m.IsNull() {
			continue
		}
		w.in(fd.name)
		if fd.check == nil {
			w.pass()
		} else if f := fd.check.judge(w, o.field(fd.name), m); f != nil {
			return f
		}
		w.out()
	}
	if known == v.Len() {
		return nil
	}
	for name := range v.Members() {
		i := slices.IndexFunc(s.fields, func(f field) bool { return f.name == name })
		if i < 0 || !s.fields[i].open(w.head) {
			w.in(name)
			return w.refuse(o, extra)
		}
	}
	return nil
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

// arm is one member of a tagged union; shape nil means that its rules are not built.
type arm struct {
	tag    string
	shape  *object
	betas  []string // shown in the list of expected tags only with one of these
	strict bool     // without its beta the tag is unknown; otherwise it passes
}

// union is chosen by the member "type". Paths inside carry the tag.
type union struct {
	origin
	name     string
	fallback string // the tag of a value without type; "" when type is required
	bare     bool   // no tag in paths
	arms     []arm
}

func (u *union) judge(w *walk, _ owner, v wire.Value) *Fault {
	o := owner{origin: u.origin, name: u.name}
	if v.Kind() != '{' {
		return w.refuse(o, notObject)
	}
	t := v.Get("type")
	tag := u.fallback
	if t.Exists() && !(t.IsNull() && tag != "") {
		tag = tagText(t)
	} else if tag == "" {
		w.in("type")
		return w.refuse(o.field("type"), missing)
	}
	for i := range u.arms {
		a := &u.arms[i]
		if a.tag != tag || a.strict && !slices.ContainsFunc(a.betas, w.head.has) {
			continue
		}
		if a.shape == nil {
			w.pass()
			return nil
		}
		if !u.bare {
			w.tag(tag)
		}
		f := a.shape.judge(w, o, v)
		if f == nil && !u.bare {
			w.out()
		}
		return f
	}
	var tags []string
	for _, a := range u.arms {
		if len(a.betas) == 0 || slices.ContainsFunc(a.betas, w.head.has) {
			tags = append(tags, a.tag)
		}
	}
	return w.refuse(o, unknownTag, "tag", tag, "tags", strings.Join(quoted(tags), ", "))
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

func (l list) judge(w *walk, o owner, v wire.Value) *Fault {
	if l.text && v.Kind() == '"' {
		return nil
	}
	if v.Kind() != '[' {
		return w.refuse(o, notArray)
	}
	o.item = true
	for i, e := range v.Elems() {
		w.at(i)
		if f := l.of.judge(w, o, e); f != nil {
			return f
		}
		w.out()
	}
	return nil
}

func (l list) rules(o owner) []rule {
	item := o
	item.item = true
	return append([]rule{notArray.of(o)}, l.of.rules(item)...)
}

// str is a string, with bounds and pattern when set; length speaks before the pattern (messages-api.md 2.7).
type str struct {
	nonEmpty bool
	max      int
	pattern  string
	match    func(string) bool
}

func (s str) judge(w *walk, o owner, v wire.Value) *Fault {
	if v.Kind() != '"' {
		return w.refuse(o, notString)
	}
	if !s.nonEmpty && s.max == 0 && s.match == nil {
		return nil
	}
	text := v.Text()
	switch {
	case s.nonEmpty && text == "":
		return w.refuse(o, tooShort)
	case s.max > 0 && utf8.RuneCountInString(text) > s.max:
		return w.refuse(o, tooLong, "max", strconv.Itoa(s.max))
	case s.match != nil && !s.match(text):
		return w.refuse(o, noMatch, "pattern", s.pattern)
	}
	return nil
}

func (s str) rules(o owner) []rule {
	all := []rule{notString.of(o)}
	if s.nonEmpty {
		all = append(all, tooShort.of(o))
	}
	if s.max > 0 {
		all = append(all, tooLong.of(o))
	}
	if s.match != nil {
		all = append(all, noMatch.of(o))
	}
	return all
}

// enum is one of a few words. more, when set, adds words that a header opens.
type enum struct {
	words []string
	more  func(head) []string
}

func (e enum) judge(w *walk, o owner, v wire.Value) *Fault {
	words := e.words
	if e.more != nil {
		words = append(slices.Clip(words), e.more(w.head)...)
	}
	if v.Kind() != '"' || !slices.Contains(words, v.Text()) {
		return w.refuse(o, notEnum, "choices", choices(words))
	}
	return nil
}

func (e enum) rules(o owner) []rule { return []rule{notEnum.of(o)} }
