package compact

import (
	"unicode/utf8"

	"harnessbench/harness/account"
	"harnessbench/harness/inject"
	"harnessbench/harness/sessionlog"
	"harnessbench/internal/wire"
)

// Texts that stand in a request for a summary where something was left out of it. The log keeps all of it.
const (
	headLeftOut = "[The beginning of the conversation is left out here: it was too long for this request.]"
	textLeftOut = "\n[The rest of this text is left out here: it was too long for this request.]"
)

// Shorter makes entries that are too long for a request shorter by over tokens, or by a fifth for an over of 0: the oldest
// rounds go, and where that does not do, long texts are cut. It takes them as they are sent (rebuild.Shown), since what is
// hidden makes nothing shorter by going. ok is false when nothing can go.
func Shorter(entries []*sessionlog.Entry, over int) (short []*sessionlog.Entry, ok bool) {
	before := Tokens(entries)
	cut, ok := CutHead(entries, over)
	gone := before - Tokens(cut)
	if !ok || gone <= 0 {
		return Shorten(entries, over)
	}
	if gone < over {
		cut, _ = Shorten(cut, over-gone)
	}
	return cut, true
}

// CutHead leaves the oldest rounds out of the entries that a summary is to be made of, until they hold over tokens less,
// or a fifth of the rounds for an over of 0 (H-CMP-54). A round is an answer with its results; what stands before the
// first of them goes with it, save an earlier summary, which speaks for all before it, and those of collapsed spans, which
// speak for what is older than all that goes. At least one round stays. An answer that would be the first behind them
// follows a user's text that says so. ok is false when there is no round to leave out.
func CutHead(entries []*sessionlog.Entry, over int) (cut []*sessionlog.Entry, ok bool) {
	rounds := roundsOf(entries)
	if len(rounds) < 2 {
		return entries, false
	}
	kept := 0 // entries at the begin that stay: the boundary and its summary
	for kept < rounds[0] && (entries[kept].Boundary() || entries[kept].Summary) {
		kept++
	}
	n, from, gone := 0, kept, 0
	var stay []*sessionlog.Entry
	for n < len(rounds)-1 {
		if n > 0 && (over == 0 && n >= len(rounds)/shareCut || over > 0 && gone >= over) {
			break
		}
		end := roundEnd(entries, rounds[n], rounds[n+1])
		spans := spansIn(entries[from:end])
		gone += Tokens(entries[from:end]) - Tokens(spans)
		stay = append(stay, spans...)
		n, from = n+1, end
	}
	cut = append(append(cut, entries[:kept]...), stay...)
	if entries[from].Type == sessionlog.Assistant {
		cut = append(cut, &sessionlog.Entry{
			Type: sessionlog.User, Message: sessionlog.Message{Text: sessionlog.Quote(headLeftOut)},
		})
	}
	return append(cut, entries[from:]...), true
}

// spansIn are the entries among some that stand for collapsed spans.
func spansIn(entries []*sessionlog.Entry) (spans []*sessionlog.Entry) {
	for _, e := range entries {
		if e.Subtype == sessionlog.SpanShown {
			spans = append(spans, e)
		}
	}
	return spans
}

// roundsOf gives the places of the entries that begin a round: the first of each answer behind something of the user.
func roundsOf(entries []*sessionlog.Entry) (at []int) {
	answering := false
	for i, e := range entries {
		switch {
		case e.Sidechain || e.Notice:
		case e.Type == sessionlog.Assistant:
			if !answering {
				at = append(at, i)
			}
			answering = true
		case e.Type == sessionlog.User:
			answering = false
		}
	}
	return at
}

// roundEnd is where the round that begins at a place ends: behind the last result before the next one.
func roundEnd(entries []*sessionlog.Entry, begin, next int) int {
	end := begin
	for i := begin; i < next; i++ {
		if e := entries[i]; e.Type == sessionlog.Assistant || isResult(e) {
			end = i + 1
		}
	}
	for end < next && entries[end].Type != sessionlog.User {
		end++
	}
	return end
}

func isResult(e *sessionlog.Entry) bool {
	return e.Type == sessionlog.User && len(e.Message.Blocks) > 0 && e.Message.Blocks[0].Type == "tool_result"
}

// Tokens estimates what entries bring into a payload (H-ACC-4), images by their own measure (H-CMP-38).
func Tokens(entries []*sessionlog.Entry) int {
	var g account.Gauge
	for _, e := range entries {
		if e.Sidechain || e.Notice {
			continue
		}
		if e.Message.Text != nil {
			g.Add(e.Message.Text)
		}
		for i := range e.Message.Blocks {
			g.Add(e.Message.Blocks[i].Raw)
		}
		for _, text := range e.Attach.Texts {
			g.Add(text)
		}
	}
	return g.Tokens(0)
}

// Shorten cuts the longest texts and results of the user's side until they hold over tokens less, or a fifth for an over
// of 0: what is left to do where one round alone is too long. The entries themselves stay as they are. ok is false when
// nothing could be cut.
func Shorten(entries []*sessionlog.Entry, over int) (short []*sessionlog.Entry, ok bool) {
	if over == 0 {
		over = max(1, Tokens(entries)/shareCut)
	}
	short = append(short, entries...)
	for over > 0 {
		at, block, most := -1, -1, shortest
		for i, e := range short {
			if e.Type != sessionlog.User || e.Sidechain || e.Summary {
				continue
			}
			if n := utf8.RuneCount(e.Message.Text); n > most {
				at, block, most = i, -1, n
			}
			for j := range e.Message.Blocks {
				if n := utf8.RuneCountInString(textIn(e.Message.Blocks[j].Raw).Text()); n > most {
					at, block, most = i, j, n
				}
			}
		}
		if at < 0 {
			break
		}
		ok = true
		note := utf8.RuneCountInString(textLeftOut)
		left := max(shortest/2, most-4*over-note)
		over -= (most - left - note) / 4
		short[at] = shortened(short[at], block, left)
	}
	return short, ok
}

// textIn is the string that makes a block long: that of a text, or of a result.
func textIn(raw []byte) wire.Value {
	v, err := wire.ParseValue(raw)
	if err != nil {
		return wire.Value{}
	}
	switch v.Get("type").Text() {
	case "text":
		return v.Get("text")
	case "tool_result":
		if c := v.Get("content"); c.Kind() == '"' {
			return c
		}
		longest := wire.Value{}
		for _, part := range v.Get("content").Elems() {
			if t := part.Get("text"); len(t.Raw()) > len(longest.Raw()) {
				longest = t
			}
		}
		return longest
	}
	return wire.Value{}
}

// shortened is an entry with no more than the first characters of a text: of its own, or of one of its blocks.
func shortened(e *sessionlog.Entry, block, left int) *sessionlog.Entry {
	c := *e
	if block < 0 {
		v, _ := wire.ParseValue(e.Message.Text)
		c.Message.Text = sessionlog.Quote(firstRunes(v.Text(), left) + textLeftOut)
		return &c
	}
	c.Message.Blocks = append([]sessionlog.Block(nil), e.Message.Blocks...)
	b := &c.Message.Blocks[block]
	text := textIn(b.Raw)
	b.Raw = wire.Apply(b.Raw, wire.Replace(text, sessionlog.Quote(firstRunes(text.Text(), left)+textLeftOut)))
	return &c
}

func firstRunes(s string, n int) string {
	for i := range s {
		if n == 0 {
			return s[:i]
		}
		n--
	}
	return s
}

// WithoutImages leaves a short text where the user's side shows an image or a document as data: no summary needs them,
// and they may be what made a request too long (H-CMP-62, CMP-8). any is false when there was none.
func WithoutImages(entries []*sessionlog.Entry) (out []*sessionlog.Entry, any bool) {
	out = append(out, entries...)
	for i, e := range out {
		for j := range e.Message.Blocks {
			b := &e.Message.Blocks[j]
			if _, images := account.Weigh(b.Raw); images == 0 || e.Type != sessionlog.User {
				continue
			}
			if out[i] == e {
				c := *e
				c.Message.Blocks = append([]sessionlog.Block(nil), e.Message.Blocks...)
				out[i], any = &c, true
			}
			out[i].Message.Blocks[j] = withoutImages(*b)
		}
	}
	return out, any
}

func withoutImages(b sessionlog.Block) sessionlog.Block {
	text := append(append([]byte(`{"type":"text","text":`), sessionlog.Quote(inject.ImageRemoved)...), '}')
	v, err := wire.ParseValue(b.Raw)
	if err != nil {
		return b
	}
	if v.Get("source").Exists() {
		return sessionlog.Block{Raw: text, Type: "text"}
	}
	var splices []wire.Splice
	for _, part := range v.Get("content").Elems() {
		if part.Get("source").Get("type").Text() == "base64" {
			splices = append(splices, wire.Replace(part, text))
		}
	}
	b.Raw = wire.Apply(b.Raw, splices...)
	return b
}
