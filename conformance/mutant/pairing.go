package mutant

import (
	"slices"

	"harnessbench/internal/wire"
)

// dropResult leaves the last of several results out.
func dropResult(_ *state, r *wire.Request) []byte {
	m, ok := results(r)
	if list := blocks(m); ok && len(list) > 1 {
		return withBlocks(r, m, list[:len(list)-1])
	}
	return nil
}

// orphanResult answers a call that nobody made.
func orphanResult(_ *state, r *wire.Request) []byte {
	m, ok := newest(r)
	if !ok {
		return nil
	}
	orphan := []byte(`{"type":"tool_result","tool_use_id":"toolu_nobody","content":"?"}`)
	return withBlocks(r, m, slices.Insert(blocks(m), 0, orphan))
}

// duplicateResult answers the first call twice.
func duplicateResult(_ *state, r *wire.Request) []byte {
	m, ok := results(r)
	if !ok {
		return nil
	}
	list := blocks(m)
	return withBlocks(r, m, slices.Insert(list, 0, unmarked(list[0])))
}

// resultsAfterText puts a text of the same message in front of its results.
func resultsAfterText(_ *state, r *wire.Request) []byte {
	m, ok := results(r)
	if !ok {
		return nil
	}
	i := slices.IndexFunc(m.Blocks(), func(b wire.Block) bool { return b.Type() == "text" })
	if i < 0 {
		return nil
	}
	list := blocks(m)
	text := list[i]
	return withBlocks(r, m, slices.Insert(slices.Delete(list, i, i+1), 0, text))
}

// resultsOutOfOrder reverses the results, as completion order might.
func resultsOutOfOrder(_ *state, r *wire.Request) []byte {
	m, ok := results(r)
	if list := blocks(m); ok && len(list) > 1 {
		slices.Reverse(list)
		return withBlocks(r, m, list)
	}
	return nil
}

// emptyMessage sends a message that says nothing.
func emptyMessage(_ *state, r *wire.Request) []byte {
	return wire.Apply(r.Body, wire.AppendElem(r.Get("messages"), []byte(`{"role":"user","content":[]}`)))
}
