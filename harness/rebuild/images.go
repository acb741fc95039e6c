package rebuild

import (
	"harnessbench/harness/inject"
	"harnessbench/harness/sessionlog"
	"harnessbench/internal/wire"
)

// IsImage tells an image that is sent as bytes, by its block.
func IsImage(v wire.Value) bool {
	return v.Get("type").Text() == "image" && v.Get("source").Get("type").Text() == "base64"
}

// withoutImages is a block with text in place of the images that it is, or that its content holds (H-CMP-24).
func withoutImages(b sessionlog.Block) sessionlog.Block {
	if b.Type != "image" && b.Type != "tool_result" {
		return b
	}
	v, err := wire.ParseValue(b.Raw)
	if err != nil {
		return b
	}
	if IsImage(v) {
		return sessionlog.Block{Raw: TextBlock(inject.ImageRemoved), Type: "text"}
	}
	var edits []wire.Splice
	for _, in := range v.Get("content").Elems() {
		if IsImage(in) {
			edits = append(edits, wire.Replace(in, TextBlock(inject.ImageRemoved)))
		}
	}
	b.Raw = wire.Apply(b.Raw, edits...)
	return b
}
