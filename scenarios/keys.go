package scenarios

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/goccy/go-yaml/ast"
)

// checkMap compares the keys of a map with what the shape knows, and their values with their shapes.
func (f *faults) checkMap(n ast.Node, s *shape, label string) {
	all, ok := pairs(n)
	if !ok {
		f.add(where(n), label+" is "+called(n), s.wanted())
		return
	}
	known := append(names(s.keys), names(s.named)...)
	for _, p := range all {
		if _, plain := p.key.(*ast.StringNode); !plain {
			f.add(where(p.key), "a key of "+label+" is "+called(p.key), "a plain word")
			continue
		}
		of, name := s.of, p.name
		if k := s.find(p.name); k != nil {
			of = k.shape
		}
		if of == nil {
			f.add(where(p.key), fmt.Sprintf("unknown key %q in %s", p.name, label), suggest(p.name, known))
			continue
		}
		if s.name != nil && !s.name.MatchString(p.name) {
			f.add(where(p.key), fmt.Sprintf("%q is no name in %s", p.name, label), s.form)
		}
		f.check(p.value, of, name)
	}
	if s.kind == table && len(all) == 0 {
		f.add(where(n), label+" is an empty map", "at least one key, or leave it out")
	}
	if s.kind == record {
		f.checkPresence(n, all, s, label)
	}
}

// checkPresence finds keys that are missing, exclude each other or stand without what they belong to.
func (f *faults) checkPresence(n ast.Node, all []pair, s *shape, label string) {
	var have, ops []string
	var second ast.Node
	for _, p := range all {
		have = append(have, p.name)
		if slices.Contains(s.oneOf, p.name) {
			ops = append(ops, p.name)
			if len(ops) == 2 {
				second = p.key
			}
		}
	}
	for _, k := range s.keys {
		if k.required && !slices.Contains(have, k.name) {
			f.add(where(n), label+" has no "+k.name, k.name+" is needed: "+k.shape.wantedShort())
		}
	}
	if len(s.anyOf) > 0 && !slices.ContainsFunc(s.anyOf, func(k string) bool { return slices.Contains(have, k) }) {
		f.add(where(n), label+" holds nothing", "at least one of "+strings.Join(s.anyOf, ", "))
	}
	switch {
	case len(s.oneOf) == 0:
	case len(ops) == 0:
		f.add(where(n), label+" does nothing", "exactly one of "+strings.Join(s.oneOf, ", "))
	case len(ops) > 1:
		f.add(where(second), label+" does several things: "+strings.Join(ops, ", "), fmt.Sprintf("one thing a %[1]s; make a %[1]s of each", cmp.Or(s.unit, "step")))
	}
	for _, p := range all {
		k := s.find(p.name)
		switch {
		case k == nil || k.with == "" || slices.Contains(have, k.with):
		case len(s.oneOf) == 0:
			f.add(where(p.key), fmt.Sprintf("%s stands in %s without %s", p.name, label, k.with), k.with+" beside it, or no "+p.name)
		case len(ops) > 0:
			f.add(where(p.key), fmt.Sprintf("%s stands in a %s without %s", p.name, cmp.Or(s.unit, "step"), k.with), fmt.Sprintf("move it to the %s of its %s", cmp.Or(s.unit, "step"), k.with))
		}
	}
}

// wantedShort is wanted without long lists: the editor's text where there is one.
func (s *shape) wantedShort() string {
	if s.form != "" {
		return s.form
	}
	if s.doc != "" {
		return strings.TrimSuffix(strings.ToLower(s.doc[:1])+s.doc[1:], ".")
	}
	return s.wanted()
}
