package validate

import (
	"slices"
	"strings"

	"harnessbench/internal/wire"
)

// definitionLists are the members of a schema's root that hold what a $ref names.
var definitionLists = [...]string{"$defs", "definitions"}

// circleOf names the definitions that refer to each other in a circle, as Node -> Node; "" when there is none.
func circleOf(schema wire.Value) string {
	refs, names := map[string][]string{}, []string{}
	for _, at := range definitionLists {
		for name, d := range schema.Get(at).Members() {
			to := "#/" + at + "/" + name
			if _, again := refs[to]; !again {
				names = append(names, to)
			}
			refs[to] = refersTo(refs[to], d)
		}
	}
	circle := findCircle(names, func(name string) []string { return refs[name] })
	for i, name := range circle {
		for _, at := range definitionLists {
			name = strings.TrimPrefix(name, "#/"+at+"/")
		}
		circle[i] = name
	}
	return strings.Join(circle, " -> ")
}

// findCircle is the first circle that a walk down the references comes upon, its first name again at its end. The walk
// asks each name for its references once and keeps no path but its own, so that it takes as long as there are
// references.
func findCircle(names []string, refs func(name string) []string) []string {
	type stand struct {
		name string
		left []string // references not gone down
	}
	const open, done = 1, 2
	colour := make(map[string]int, len(names))
	var path []stand
	enter := func(name string) {
		colour[name] = open
		path = append(path, stand{name, refs(name)})
	}
	for _, start := range names {
		if colour[start] == done {
			continue
		}
		enter(start)
		for len(path) > 0 {
			at := &path[len(path)-1]
			if len(at.left) == 0 {
				colour[at.name] = done
				path = path[:len(path)-1]
				continue
			}
			next := at.left[0]
			at.left = at.left[1:]
			switch colour[next] {
			case done:
			case open:
				from := slices.IndexFunc(path, func(s stand) bool { return s.name == next })
				var circle []string
				for _, s := range path[from:] {
					circle = append(circle, s.name)
				}
				return append(circle, next)
			default:
				enter(next)
			}
		}
	}
	return nil
}

// refersTo appends the definitions that a schema names, in order.
func refersTo(refs []string, v wire.Value) []string {
	switch v.Kind() {
	case '{':
		for name, m := range v.Members() {
			if name == "$ref" && m.Kind() == '"' {
				refs = append(refs, m.Text())
				continue
			}
			refs = refersTo(refs, m)
		}
	case '[':
		for _, e := range v.Elems() {
			refs = refersTo(refs, e)
		}
	}
	return refs
}
