package thread

import "harnessbench/internal/wire"

// marked collects the blocks that carry cache_control, inside tool results and documents too.
func marked(found []wire.Value, blocks wire.Value) []wire.Value {
	for _, b := range blocks.Elems() {
		if m := b.Get("cache_control"); m.Exists() {
			found = append(found, b)
		}
		found = marked(found, b.Get("content"))
		found = marked(found, b.Get("source").Get("content"))
	}
	return found
}

// unmarked is a list of blocks without its cache marks; every other byte stays.
func unmarked(list wire.Value) []byte {
	return without(list, marked(nil, list))
}

// without is a value without the marks of some blocks in it.
func without(v wire.Value, blocks []wire.Value) []byte {
	var cuts []wire.Splice
	for _, b := range blocks {
		c := wire.RemoveMember(b, "cache_control")
		c.Start -= v.Offset()
		c.End -= v.Offset()
		cuts = append(cuts, c)
	}
	return wire.Apply(v.Raw(), cuts...)
}

// marks counts the breakpoints of a request as it was sent. The top-level one counts unless the last block, where
// it would go, has its own.
func marks(req *wire.Request) int {
	all := marked(marked(nil, req.Get("tools")), req.Get("system"))
	ends := false
	for i := range req.MessageCount() {
		content := req.Message(i).Get("content")
		all = marked(all, content)
		last := content.At(content.Len() - 1).Get("cache_control")
		ends = last.Exists() && !last.IsNull()
	}
	n := 0
	for _, b := range all {
		if !b.Get("cache_control").IsNull() {
			n++
		}
	}
	if auto := req.Get("cache_control"); auto.Exists() && !auto.IsNull() && !ends {
		n++
	}
	return n
}
