package rebuild

import (
	"slices"
	"strconv"

	"harnessbench/harness/sessionlog"
)

// Places of volatile text (volatile.place, H-REB-57).
const (
	PlaceSystem = "system"
	PlacePrompt = "prompt"
	PlaceTail   = "tail"
)

// Front is the part of a request before the messages. Byte fields are JSON without markers.
type Front struct {
	Model     string
	MaxTokens int
	System    [][]byte // text blocks: static core, dynamic part (H-REB-42)
	Tools     []byte   // array
	Thinking  []byte   // nil: the field is left out
	Output    []byte   // output_config, nil: left out
	Edits     *Edits   // context_management, nil: left out (H-REB-45)
	TTL       string   // 1h, 5m (H-REB-52)
	Two       bool     // no more than the two breakpoints of cache.breakpoints=two (H-REB-51)
	Unmarked  bool     // no breakpoint: nothing would read what it wrote (CACHE-6)
	UserID    string   // metadata.user_id, "": the field is left out
}

// Volatile is the text of the turn that is not in the log: blocks, and where they go. It is empty under
// volatile.place=system, where the log holds it.
type Volatile struct {
	Place  string
	Blocks [][]byte
}

// insertion is something that goes into the messages at an offset.
type insertion struct {
	at   int
	text []byte
}

// Body is the next request (H-REB-45): fixed key order, messages last; system, tools and all messages of the path, whatever
// was sent before (H-ARCH-2).
func (c *Conversation) Body(f Front, v Volatile) []byte {
	c.pending()
	marker := markerText(f.TTL)
	var m markers
	if !f.Unmarked {
		m = c.place(v, f.Two)
	}
	var ins []insertion
	for _, i := range m.blocks {
		ins = append(ins, insertion{c.marks[i].end - 1, marker})
	}
	if len(v.Blocks) > 0 {
		ins = append(ins, c.volatileAt(v))
	}
	slices.SortFunc(ins, func(a, b insertion) int { return a.at - b.at })

	edits := c.edits(f.Edits)
	size := f.size() + len(edits) + len(c.buf)
	for _, in := range ins {
		size += len(in.text)
	}
	body := f.write(make([]byte, 0, size), m, marker, edits)
	from := 0
	for _, in := range ins {
		body = append(append(body, c.buf[from:in.at]...), in.text...)
		from = in.at
	}
	return append(append(body, c.buf[from:]...), "]}"...)
}

// volatileAt joins the volatile blocks and says where they go: before the prompt's text, or behind the
// last block of the last user message. In the prompt it is gone with its turn, so that the next turn writes the cache anew
// from there on (H-REB-57, H-REB-61).
func (c *Conversation) volatileAt(v Volatile) insertion {
	var text []byte
	inPrompt := v.Place == PlacePrompt && c.prompt != nowhere // a decision may have taken the prompt out
	for _, b := range v.Blocks {
		if inPrompt {
			text = append(append(text, b...), ',')
		} else {
			text = append(append(text, ','), b...)
		}
	}
	if inPrompt {
		return insertion{c.prompt.offset, text}
	}
	return insertion{c.userEnd, text}
}

// size is a bound on what write gives, markers and the closing brackets of the body included.
func (f *Front) size() int {
	n := 512 + len(f.Model)*6 + len(f.Tools) + len(f.Thinking) + len(f.Output) + len(f.UserID)*6
	for _, s := range f.System {
		n += len(s)
	}
	return n
}

func (f *Front) write(b []byte, m markers, marker, edits []byte) []byte {
	b = append(b, `{"model":`...)
	b = append(b, sessionlog.Quote(f.Model)...)
	b = strconv.AppendInt(append(b, `,"max_tokens":`...), int64(f.MaxTokens), 10)
	b = append(b, `,"system":[`...)
	for i, s := range f.System {
		if i > 0 {
			b = append(b, ',')
		}
		if last := i == len(f.System)-1; last && m.system || !last && i == len(f.System)-2 && m.static {
			b = append(append(append(b, s[:len(s)-1]...), marker...), '}')
			continue
		}
		b = append(b, s...)
	}
	b = append(append(b, `],"tools":`...), f.Tools...)
	if f.Thinking != nil {
		b = append(append(b, `,"thinking":`...), f.Thinking...)
	}
	if f.Output != nil {
		b = append(append(b, `,"output_config":`...), f.Output...)
	}
	if edits != nil {
		b = append(append(b, `,"context_management":`...), edits...)
	}
	if f.UserID != "" {
		b = append(append(append(b, `,"metadata":{"user_id":`...), sessionlog.Quote(f.UserID)...), '}')
	}
	return append(b, `,"stream":true,"messages":[`...)
}
