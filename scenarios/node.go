package scenarios

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml/ast"
)

// where is the place a node begins; a map begins at its first key.
func where(n ast.Node) place {
	if m, ok := n.(*ast.MappingNode); ok && !m.IsFlowStyle && len(m.Values) > 0 {
		return where(m.Values[0].Key)
	}
	if t := n.GetToken(); t != nil && t.Position != nil {
		return place{t.Position.Line, t.Position.Column}
	}
	return place{1, 1}
}

// written is the text of a scalar: the characters as they stand in the file, a string decoded.
func written(n ast.Node) string {
	switch x := n.(type) {
	case *ast.StringNode:
		return x.Value
	case *ast.LiteralNode:
		return x.Value.Value
	}
	if t := n.GetToken(); t != nil {
		return t.Value
	}
	return ""
}

// called says in words what a node is.
func called(n ast.Node) string {
	switch n.(type) {
	case *ast.StringNode, *ast.LiteralNode:
		return "text"
	case *ast.IntegerNode, *ast.FloatNode:
		return "the number " + written(n)
	case *ast.InfinityNode, *ast.NanNode:
		return "no finite number"
	case *ast.BoolNode:
		return written(n)
	case *ast.NullNode:
		return "empty"
	case *ast.MappingNode, *ast.MappingValueNode:
		return "a map"
	case *ast.SequenceNode:
		return "a list"
	case *ast.AnchorNode, *ast.AliasNode, *ast.MergeKeyNode:
		return "an anchor or alias"
	case *ast.MappingKeyNode:
		return "a key with a question mark"
	case *ast.TagNode:
		return "a tag"
	}
	return "no plain value"
}

// pair is one entry of a map.
type pair struct {
	name  string
	key   ast.Node
	value ast.Node
}

// pairs are the entries of a map in the order written; ok is false when the node is no map.
func pairs(n ast.Node) (out []pair, ok bool) {
	var values []*ast.MappingValueNode
	switch x := n.(type) {
	case *ast.MappingNode:
		values = x.Values
	case *ast.MappingValueNode:
		values = []*ast.MappingValueNode{x}
	default:
		return nil, false
	}
	for _, v := range values {
		out = append(out, pair{written(v.Key), v.Key, v.Value})
	}
	return out, true
}

// child is the value of a key, nil when it is not there.
func child(n ast.Node, name string) ast.Node {
	if n == nil {
		return nil
	}
	all, _ := pairs(n)
	for _, p := range all {
		if p.name == name {
			return p.value
		}
	}
	return nil
}

// elements are the members of a list, or the node itself where one may stand alone; none for nil.
func elements(n ast.Node) []ast.Node {
	if n == nil {
		return nil
	}
	if s, ok := n.(*ast.SequenceNode); ok {
		return s.Values
	}
	return []ast.Node{n}
}

// check compares a node with its shape and collects every difference. label names the place in messages.
func (f *faults) check(n ast.Node, s *shape, label string) {
	switch s.kind {
	case record, table:
		f.checkMap(n, s, label)
	case list:
		f.checkList(n, s, label)
	case object:
		if _, ok := pairs(n); !ok {
			f.add(where(n), label+" is "+called(n), "a map, such as {command: make test}")
			return
		}
		f.json(n)
	case anything:
		f.json(n)
	default:
		if _, isMap := pairs(n); isMap && s.orMap != nil {
			f.check(n, s.orMap, label)
			return
		}
		f.checkScalar(n, s, label)
	}
}

func (f *faults) checkList(n ast.Node, s *shape, label string) {
	seq, ok := n.(*ast.SequenceNode)
	if !ok && s.alone {
		f.check(n, s.of, label)
		return
	}
	if !ok {
		f.add(where(n), label+" is "+called(n), s.wanted())
		return
	}
	if len(seq.Values) == 0 {
		f.add(where(n), label+" is an empty list", "at least one entry, or leave the key out")
	}
	for i, v := range seq.Values {
		if s.entry != "" {
			f.check(v, s.of, fmt.Sprintf("%s %d", s.entry, i+1))
		} else {
			f.check(v, s.of, fmt.Sprintf("entry %d of %s", i+1, label))
		}
	}
}

func (f *faults) checkScalar(n ast.Node, s *shape, label string) {
	wrong := func() { f.add(where(n), label+" is "+called(n), s.wanted()) }
	switch s.kind {
	case number:
		if x, ok := n.(*ast.IntegerNode); !ok || strings.Trim(x.GetToken().Value, "0123456789") != "" || len(x.GetToken().Value) > 9 {
			wrong()
		} else if v := whole(n); s.most > 0 && (v < s.least || v > s.most) {
			wrong()
		}
	case fraction:
		switch n.(type) {
		case *ast.FloatNode, *ast.IntegerNode:
			if v, err := strconv.ParseFloat(written(n), 64); err != nil || !(v > 0 && v <= 1) {
				wrong()
			}
		default:
			wrong()
		}
	case truth:
		if _, ok := n.(*ast.BoolNode); !ok {
			wrong()
		}
	case yes:
		if x, ok := n.(*ast.BoolNode); !ok || !x.Value {
			wrong()
		}
	case call:
		switch n.(type) {
		case *ast.StringNode, *ast.IntegerNode, *ast.FloatNode:
			if !callForm.MatchString(written(n)) {
				f.add(where(n), fmt.Sprintf("%q names no call", written(n)), "STEP.N, both from 1, such as 1.2 for the second call of step 1")
			}
		default:
			wrong()
		}
	default:
		f.checkText(n, s, label)
	}
}

func (f *faults) checkText(n ast.Node, s *shape, label string) {
	switch n.(type) {
	case *ast.StringNode, *ast.LiteralNode:
	case *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode:
		want := s.wanted()
		if len(s.choices) == 0 && s.form == "" {
			want = fmt.Sprintf("text; put it in quotes: %q", written(n))
		}
		f.add(where(n), label+" is "+called(n), want)
		return
	default:
		f.add(where(n), label+" is "+called(n), s.wanted())
		return
	}
	word := written(n)
	switch {
	case word == "" && s.blank:
	case word == "":
		f.add(where(n), label+" is empty", s.wanted()+", or leave the key out")
	case len(s.choices) > 0:
		for _, c := range s.choices {
			if c == word {
				return
			}
		}
		f.add(where(n), fmt.Sprintf("unknown %s %q", cmp.Or(s.noun, label), word), suggest(word, s.choices))
	case s.pattern != nil && !s.pattern.MatchString(word):
		f.add(where(n), fmt.Sprintf("%s is %q", label, word), s.form)
	}
}
