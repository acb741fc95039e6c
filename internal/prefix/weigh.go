package prefix

import (
	"harnessbench/internal/tokens"
	"harnessbench/internal/wire"
)

// sealedRatio is how many characters of a signature or of redacted data stand for one token of the
// thinking they hide, where nobody tells its weight. Nothing public says it; the count only has to be
// the same each time.
const sealedRatio = 5

// summaryFrame is what stands around a summary in tokens, on Sonnet 4.6: with it five recorded prompts of 136 to 239
// tokens (2026-02 to 2026-08) are met within 5. Other models the same.
const summaryFrame = 93

// weigh is the weight of the block the reader read last, without what depends on its neighbours.
func (r *reader) weigh(c *tokens.Counter, typ string) float64 {
	w := 0.0
	for _, t := range r.texts {
		w += c.Text(r.buf[t.from:t.to])
	}
	for _, img := range r.images {
		w += picture(c, img)
	}
	w += r.hidden()
	switch typ { // a pair's own cost, half and half
	case "tool_use", "tool_result":
		w += c.Pair / 2
	case "compaction":
		if len(r.texts) > 0 { // a failed one is nothing
			w += summaryFrame
		}
	}
	return w
}

// hidden is the weight of thinking whose text is not there: that of the text, where it is known, so that an answer
// weighs the same whatever its display (messages-api.md 6.3); else by the length of what stands in its place.
func (r *reader) hidden() float64 {
	if !r.sealed.Exists() {
		return 0
	}
	if r.told {
		return r.seal.Weight
	}
	return float64(max(0, len(r.sealed.Raw())-2)) / sealedRatio
}

// picture weighs an image or a document that came as bytes.
func picture(c *tokens.Counter, v wire.Value) float64 {
	source := v.Get("source")
	data := source.Get("data")
	if source.Get("type").Text() != "base64" || data.Kind() != '"' {
		return c.UnknownImage()
	}
	raw := data.Raw()[1 : len(data.Raw())-1]
	if v.Get("type").Text() != "image" {
		return c.Pages(raw)
	}
	w, h, ok := tokens.ImageSize(raw)
	if !ok {
		return c.UnknownImage()
	}
	return c.Image(w, h)
}

// weighTool counts a tool as the line messages-api.md 9.1 gives.
func (r *reader) weighTool(c *tokens.Counter, tool wire.Value) float64 {
	r.buf = append(r.buf[:0], `{"description": `...)
	r.value(tool.Get("description"), `""`)
	r.buf = append(r.buf, `, "name": `...)
	r.value(tool.Get("name"), `""`)
	r.buf = append(r.buf, `, "parameters": `...)
	r.value(tool.Get("input_schema"), `{}`)
	r.buf = append(r.buf, "}\n"...)
	return c.Text(r.buf)
}

func (r *reader) value(v wire.Value, absent string) {
	if !v.Exists() {
		r.buf = append(r.buf, absent...)
		return
	}
	r.free(v)
}
