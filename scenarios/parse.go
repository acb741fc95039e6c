package scenarios

import (
	"errors"
	"strings"
	"unicode/utf8"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
)

// maxBytes bounds a story file. A story is read by people; long outputs are not written out in it.
const maxBytes = 256 << 10

// maxDepth bounds nesting, far beyond any story and far below what the parser's recursion can bear.
const maxDepth = 500

// parse reads the YAML of one file: one document that is a map, in plain YAML.
func (f *faults) parse(data []byte) (root ast.Node) {
	if len(data) > maxBytes {
		f.add(place{1, 1}, "the file is larger than 256 KiB", "a story short enough to be read")
		return nil
	}
	if at := invalidUTF8(data); at != nil {
		f.add(*at, "a byte that is no UTF-8", "UTF-8 text")
		return nil
	}
	if at := tooDeep(data); at != nil {
		f.add(*at, "nested too deeply", "at most 500 levels")
		return nil
	}
	defer func() {
		if p := recover(); p != nil { // the parser gives up on some broken files by a panic
			f.add(place{1, 1}, "cannot be read as YAML", "a YAML map with the keys "+strings.Join(names(f.shape().keys), ", "))
			root = nil
		}
	}()
	file, err := parser.ParseBytes(data, 0)
	var syntax *yaml.SyntaxError
	switch {
	case errors.As(err, &syntax) && syntax.GetToken() != nil && syntax.GetToken().Position != nil:
		pos := syntax.GetToken().Position
		f.add(place{pos.Line, pos.Column}, syntax.GetMessage(), "valid YAML")
		return nil
	case err != nil:
		f.add(place{1, 1}, strings.Join(strings.Fields(err.Error()), " "), "valid YAML")
		return nil
	}
	var docs []ast.Node
	for _, d := range file.Docs {
		if d.Body != nil {
			docs = append(docs, d.Body)
		}
	}
	switch len(docs) {
	case 0:
		f.add(place{1, 1}, "the file is empty", f.what()+" with the keys "+strings.Join(names(f.shape().keys), ", "))
		return nil
	case 1:
		f.plain(docs[0])
		return docs[0]
	}
	f.add(where(docs[1]), "a second document", "one story a file")
	return nil
}

// plain refuses what makes a file mean something other than what it shows: anchors, aliases, merge
// keys and tags.
func (f *faults) plain(n ast.Node) {
	switch x := n.(type) {
	case *ast.AnchorNode, *ast.AliasNode, *ast.TagNode, *ast.MergeKeyNode, *ast.MappingKeyNode, *ast.DirectiveNode:
		f.add(where(n), called(n)+" in a story", "plain YAML; write the value out")
	case *ast.MappingNode, *ast.MappingValueNode:
		all, _ := pairs(x)
		for _, p := range all {
			f.plain(p.key)
			f.plain(p.value)
		}
	case *ast.SequenceNode:
		for _, v := range x.Values {
			f.plain(v)
		}
	}
}

func invalidUTF8(data []byte) *place {
	at := place{1, 1}
	for len(data) > 0 {
		r, size := utf8.DecodeRune(data)
		if r == utf8.RuneError && size == 1 {
			return &at
		}
		at.column++
		if r == '\n' {
			at = place{at.line + 1, 1}
		}
		data = data[size:]
	}
	return nil
}

// tooDeep bounds nesting before the parser, which recurses, sees the file. It counts brackets and
// the dashes and colons of one line without regard to quotes, which no story comes near.
func tooDeep(data []byte) *place {
	flow, line, at := 0, 0, place{1, 0}
	for _, r := range string(data) {
		at.column++
		switch r {
		case '[', '{':
			flow++
		case ']', '}':
			flow = max(0, flow-1)
		case '-', ':', '?':
			line++
		case '\n':
			line, at = 0, place{at.line + 1, 0}
		case '\t', ' ':
		default:
			if line > 0 && !strings.ContainsRune("-:? ", r) {
				line = 0
			}
		}
		if flow > maxDepth || line > maxDepth {
			return &at
		}
	}
	return nil
}
