package mutant

import (
	"bytes"
	"slices"

	"harnessbench/internal/wire"
)

// thinkingDropped takes the thinking out of the turn whose tool loop is open.
func thinkingDropped(_ *state, r *wire.Request) []byte {
	list := answers(r)
	if _, open := results(r); !open || len(list) == 0 {
		return nil
	}
	last := list[len(list)-1]
	return withBlocks(r, last, without(last, "thinking"))
}

// thinkingAltered changes a thinking block in the open turn beside its signature.
func thinkingAltered(_ *state, r *wire.Request) []byte {
	list := answers(r)
	if _, open := results(r); !open || len(list) == 0 {
		return nil
	}
	for _, b := range list[len(list)-1].Blocks() {
		if b.Type() == "thinking" {
			return wire.Apply(r.Body, wire.Replace(b.Get("thinking"), []byte(`"something else"`)))
		}
	}
	return nil
}

// signatureForged changes a character inside every signature of turns that are closed.
func signatureForged(_ *state, r *wire.Request) []byte {
	var splices []wire.Splice
	for _, m := range answers(r) {
		for _, b := range m.Blocks() {
			if b.Type() != "thinking" {
				continue
			}
			raw := bytes.Clone(b.Get("signature").Raw())
			i := len(raw) / 2
			raw[i] = map[bool]byte{true: 'B', false: 'A'}[raw[i] == 'A']
			splices = append(splices, wire.Replace(b.Get("signature"), raw))
		}
	}
	return wire.Apply(r.Body, splices...)
}

// middleThinkingDropped leaves one thinking block out between two that stay.
func middleThinkingDropped(_ *state, r *wire.Request) []byte {
	var thinking []wire.Message
	for _, m := range answers(r) {
		if slices.ContainsFunc(m.Blocks(), func(b wire.Block) bool { return b.Type() == "thinking" }) {
			thinking = append(thinking, m)
		}
	}
	if len(thinking) < 3 {
		return nil
	}
	m := thinking[len(thinking)/2]
	return withBlocks(r, m, without(m, "thinking"))
}

// systemEditedOnBound changes the system prompt once there is thinking bound to it.
func systemEditedOnBound(_ *state, r *wire.Request) []byte {
	if len(answers(r)) == 0 {
		return nil
	}
	return appendText(r, r.Get("system").At(0), " Be brief.")
}
