package wire

import (
	"bytes"
	"errors"
	"fmt"
)

// block is a content block that is being streamed: the skeleton of its start event and what its
// deltas added. Text is kept as the escaped bytes between the quotes, so that no byte is decoded and
// encoded again, and the halves of a surrogate pair may come in two deltas.
type block struct {
	index     int
	typ       string
	skeleton  Value
	fields    []field
	input     *field // escaped pieces of the tool input
	citations [][]byte
	sealed    Value // encrypted_content of a compaction, the last one sent
}

// field is a string member of the block that grows by deltas.
type field struct {
	name  string
	inner []byte
}

func newBlock(index int, skeleton Value) (*block, error) {
	typ := skeleton.Get("type").Text()
	if typ == "" {
		return nil, errors.New("content_block must be an object with a type")
	}
	return &block{index: index, typ: typ, skeleton: skeleton.own()}, nil
}

// textDeltas are the deltas that lengthen a string: the block they belong to and the member, which has
// the same name in delta and block.
var textDeltas = map[string]struct{ block, member string }{
	"text_delta":       {"text", "text"},
	"thinking_delta":   {"thinking", "thinking"},
	"signature_delta":  {"thinking", "signature"},
	"compaction_delta": {"compaction", "content"},
}

// delta takes one delta; a type that is not known changes nothing.
func (b *block) delta(d Value) error {
	typ := d.Get("type").Text()
	if t, ok := textDeltas[typ]; ok {
		if b.typ != t.block {
			return fmt.Errorf("%s does not belong to a %s block", typ, b.typ)
		}
		if typ == "compaction_delta" {
			return b.compaction(d)
		}
		return b.grow(t.member, typ, d.Get(t.member))
	}
	switch typ {
	case "input_json_delta":
		if !b.skeleton.Get("input").Exists() {
			return fmt.Errorf("%s does not belong to a %s block, which has no input", typ, b.typ)
		}
		piece := d.Get("partial_json")
		if piece.Kind() != '"' {
			return fmt.Errorf("%s: partial_json must be a string, not %s", typ, piece.Kind())
		}
		if b.input == nil {
			b.input = &field{name: "input"}
		}
		b.input.inner = append(b.input.inner, inside(piece)...)
	case "citations_delta":
		if b.typ != "text" {
			return fmt.Errorf("%s does not belong to a %s block", typ, b.typ)
		}
		c := d.Get("citation")
		if c.Kind() != '{' {
			return fmt.Errorf("%s: citation must be an object, not %s", typ, c.Kind())
		}
		b.citations = append(b.citations, bytes.Clone(c.Raw()))
	case "":
		return fmt.Errorf("delta.type must be a string, not %s", shown(d.Get("type")))
	}
	return nil
}

// compaction takes a compaction_delta, whose content is null when the summary failed.
func (b *block) compaction(d Value) error {
	if v := d.Get("content"); !v.IsNull() {
		if err := b.grow("content", "compaction_delta", v); err != nil {
			return err
		}
	}
	if v := d.Get("encrypted_content"); v.Exists() {
		b.sealed = v.own()
	}
	return nil
}

// grow lengthens the member name, which starts as the skeleton has it.
func (b *block) grow(name, typ string, piece Value) error {
	if piece.Kind() != '"' {
		return fmt.Errorf("%s: %s must be a string, not %s", typ, name, piece.Kind())
	}
	for i := range b.fields {
		if b.fields[i].name == name {
			b.fields[i].inner = append(b.fields[i].inner, inside(piece)...)
			return nil
		}
	}
	f := field{name: name}
	if v := b.skeleton.Get(name); v.Kind() == '"' {
		f.inner = append(f.inner, inside(v)...)
	}
	f.inner = append(f.inner, inside(piece)...)
	b.fields = append(b.fields, f)
	return nil
}

// inside is a string's bytes between its quotes.
func inside(v Value) []byte { return v.Raw()[1 : len(v.Raw())-1] }

// finish puts what the deltas brought into the skeleton and leaves every other member as it came.
func (b *block) finish() (Value, *InputError) {
	var edits []Splice
	for _, f := range b.fields {
		edits = append(edits, SetMember(b.skeleton, f.name, wrap(`"`, f.inner, `"`)))
	}
	if b.sealed.Exists() {
		edits = append(edits, SetMember(b.skeleton, "encrypted_content", b.sealed.Raw()))
	}
	if len(b.citations) > 0 {
		all := bytes.Join(b.citations, []byte{','})
		if list := b.skeleton.Get("citations"); list.Kind() == '[' {
			edits = append(edits, AppendElem(list, all))
		} else {
			edits = append(edits, SetMember(b.skeleton, "citations", wrap("[", all, "]")))
		}
	}
	if b.input != nil && len(b.input.inner) > 0 {
		// Joined before decoding: a pair of surrogate escapes may be split between two pieces.
		text := appendUnescaped(nil, b.input.inner)
		input, err := ParseValue(text)
		if err != nil {
			return Value{}, b.badInput(text, err)
		}
		edits = append(edits, SetMember(b.skeleton, "input", input.Raw()))
	}
	if len(edits) == 0 {
		return b.skeleton, nil
	}
	done, err := ParseValue(Apply(b.skeleton.Raw(), edits...))
	if err != nil {
		// Only the depth limit can do this, with an input that fits alone but not inside its block.
		return Value{}, b.badInput(appendUnescaped(nil, b.input.inner), err)
	}
	return done, nil
}

func (b *block) badInput(input []byte, err error) *InputError {
	e := &InputError{Index: b.index, ID: b.skeleton.Get("id").Text(), Name: b.skeleton.Get("name").Text(), Input: input}
	errors.As(err, &e.Err)
	return e
}

func wrap(open string, inner []byte, end string) []byte {
	out := make([]byte, 0, len(open)+len(inner)+len(end))
	return append(append(append(out, open...), inner...), end...)
}
