package mutant

import (
	"bytes"
	"slices"

	"harnessbench/internal/wire"
)

// blocks are the raw content blocks of a message.
func blocks(m wire.Message) [][]byte {
	var out [][]byte
	for _, b := range m.Blocks() {
		out = append(out, slices.Clone(b.Raw()))
	}
	return out
}

// array joins raw JSON values.
func array(values [][]byte) []byte {
	return slices.Concat([]byte("["), bytes.Join(values, []byte(",")), []byte("]"))
}

// withBlocks is the body with the content of one message exchanged.
func withBlocks(r *wire.Request, m wire.Message, content [][]byte) []byte {
	return wire.Apply(r.Body, wire.Replace(m.Get("content"), array(content)))
}

// newest is the last user message, which may have a system message behind it.
func newest(r *wire.Request) (wire.Message, bool) {
	for _, m := range slices.Backward(r.Messages()) {
		if m.Role() == "user" {
			return m, true
		}
	}
	return wire.Message{}, false
}

// results is the newest user message, if it begins with tool results.
func results(r *wire.Request) (wire.Message, bool) {
	m, ok := newest(r)
	return m, ok && len(m.Blocks()) > 0 && m.Blocks()[0].Type() == "tool_result"
}

// answers are the assistant messages.
func answers(r *wire.Request) []wire.Message {
	var out []wire.Message
	for _, m := range r.Messages() {
		if m.Role() == "assistant" {
			out = append(out, m)
		}
	}
	return out
}

// without drops the blocks of the given types.
func without(m wire.Message, types ...string) [][]byte {
	var out [][]byte
	for _, b := range m.Blocks() {
		if !slices.Contains(types, b.Type()) {
			out = append(out, slices.Clone(b.Raw()))
		}
	}
	return out
}

// unmarked is a block without its cache_control.
func unmarked(block []byte) []byte {
	v, err := wire.ParseValue(block)
	if err != nil {
		return block
	}
	return wire.Apply(block, wire.RemoveMember(v, "cache_control"))
}

// appendText lengthens the text of a text block of the request.
func appendText(r *wire.Request, block wire.Value, tail string) []byte {
	text := block.Get("text").Raw()
	return wire.Apply(r.Body, wire.Replace(block.Get("text"), slices.Concat(text[:len(text)-1], []byte(tail+`"`))))
}
