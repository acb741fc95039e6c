package scenarios

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/goccy/go-yaml/ast"
)

// json writes a YAML value as compact JSON with the keys in the order written. Numbers that are JSON
// already keep their characters.
func (f *faults) json(n ast.Node) []byte {
	var b bytes.Buffer
	f.appendJSON(&b, n)
	return b.Bytes()
}

func (f *faults) appendJSON(b *bytes.Buffer, n ast.Node) {
	if all, ok := pairs(n); ok {
		b.WriteByte('{')
		for i, p := range all {
			if i > 0 {
				b.WriteByte(',')
			}
			b.Write(quote(p.name))
			b.WriteByte(':')
			f.appendJSON(b, p.value)
		}
		b.WriteByte('}')
		return
	}
	switch x := n.(type) {
	case *ast.SequenceNode:
		b.WriteByte('[')
		for i, v := range x.Values {
			if i > 0 {
				b.WriteByte(',')
			}
			f.appendJSON(b, v)
		}
		b.WriteByte(']')
	case *ast.StringNode, *ast.LiteralNode:
		b.Write(quote(written(n)))
	case *ast.NullNode:
		b.WriteString("null")
	case *ast.BoolNode:
		b.WriteString(strconv.FormatBool(x.Value))
	case *ast.IntegerNode:
		f.appendNumber(b, n, fmt.Sprint(x.Value))
	case *ast.FloatNode:
		f.appendNumber(b, n, strconv.FormatFloat(x.Value, 'g', -1, 64))
	default:
		f.add(where(n), "input holds "+called(n), "maps, lists, text, numbers, true, false and null")
	}
}

func (f *faults) appendNumber(b *bytes.Buffer, n ast.Node, decimal string) {
	for _, form := range []string{written(n), decimal} {
		if json.Valid([]byte(form)) {
			b.WriteString(form)
			return
		}
	}
	f.add(where(n), "input holds the number "+written(n), "a number that JSON knows, such as 12 or 0.5")
}

// quote is a JSON string in which nothing is escaped that need not be.
func quote(s string) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(s); err != nil { // a string always encodes
		panic(err)
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}
