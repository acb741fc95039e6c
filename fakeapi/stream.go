package fakeapi

import (
	"time"
	"unicode/utf8"
)

// Sizes of deltas in characters, within what recorded streams show (messages-api.md 4).
const (
	textDelta     = 24
	thinkingDelta = 24
	jsonDelta     = 12
)

// events collects the frames of a stream, one event each.
type events struct {
	frames []Frame
	at     time.Duration
}

func (e *events) add(name string, data []byte) {
	b := make([]byte, 0, len(name)+len(data)+16)
	b = append(append(b, "event: "...), name...)
	b = append(append(append(b, "\ndata: "...), data...), "\n\n"...)
	e.frames = append(e.frames, Frame{e.at, b})
}

// stream is the answer as server-sent events in the grammar of messages-api.md 4. Time goes on with each
// delta, so that the last one comes when the last token is there.
func (a *answer) stream(x *exchange) []Frame {
	e := &events{at: a.firstByte}
	e.add("message_start", append(append([]byte(`{"type":"message_start","message":`), a.message(x, false)...), '}'))
	var pieces [][]string
	n := 0
	for _, b := range a.blocks {
		p := x.pieces(b)
		pieces = append(pieces, p)
		n += len(p)
	}
	total, done := time.Duration(a.generated())*PerToken, 0
	for i, b := range a.blocks {
		e.add("content_block_start", append(b.skeleton(indexed("content_block_start", i, `,"content_block":`)), '}'))
		if x.pingAfter(i, 0) {
			e.add("ping", []byte(`{"type": "ping"}`))
		}
		for _, c := range b.citations {
			e.add("content_block_delta", citation(i, c))
		}
		for k, p := range pieces[i] {
			done++
			e.at = a.firstByte + total*time.Duration(done)/time.Duration(n)
			e.add("content_block_delta", b.delta(i, p))
			if x.pingAfter(i, k+1) {
				e.add("ping", []byte(`{"type": "ping"}`))
			}
		}
		if b.kind == "thinking" {
			d := quote(indexed("content_block_delta", i, `,"delta":{"type":"signature_delta","signature":`), b.signature)
			e.add("content_block_delta", append(d, "}}"...))
		}
		e.add("content_block_stop", append(indexed("content_block_stop", i, ""), '}'))
	}
	e.at = a.firstByte + total
	end := quote([]byte(`{"type":"message_delta","delta":{"stop_reason":`), a.stop)
	end = a.stopFields(append(end, ','), x, true)
	end = a.container(end, x)
	end = append(end, `},"usage":`...)
	e.add("message_delta", append(x.appliedEdits(a.finalUsage(end, x)), '}'))
	e.add("message_stop", []byte(`{"type":"message_stop"}`))
	return e.frames
}

// indexed begins the data of a block event.
func indexed(name string, index int, rest string) []byte {
	b := quote([]byte(`{"type":`), name)
	return append(number(append(b, `,"index":`...), index), rest...)
}

// delta is the data of one content delta.
func (b block) delta(index int, piece string) []byte {
	kind, field := "text_delta", "text"
	switch b.kind {
	case "compaction":
		d := indexed("content_block_delta", index, `,"delta":{"type":"compaction_delta","content":`)
		return append(nullable(d, piece, true), "}}"...)
	case "thinking":
		kind, field = "thinking_delta", "thinking"
	case "tool_use", "server_tool_use":
		kind, field = "input_json_delta", "partial_json"
	}
	d := quote(indexed("content_block_delta", index, `,"delta":{"type":`), kind)
	d = append(quote(append(d, ','), field), ':')
	return append(quote(d, piece), "}}"...)
}

// pieces cuts a block's content into deltas. Tool input begins with an empty one and {} is that one alone;
// omitted thinking is one empty delta, on Sonnet 5 none.
func (x *exchange) pieces(b block) []string {
	switch {
	case b.whole != nil:
		return nil
	case b.kind == "compaction":
		return []string{b.text}
	case b.kind == "thinking" && b.text == "" && x.mode.omitted:
		if x.model.ID == "claude-sonnet-5" {
			return nil
		}
		return []string{""}
	case b.kind == "thinking":
		return cut(b.text, thinkingDelta)
	case b.kind == "tool_use", b.kind == "server_tool_use":
		if string(b.input) == "{}" {
			return []string{""}
		}
		return append([]string{""}, cut(string(b.input), jsonDelta)...)
	}
	return cut(b.text, textDelta)
}

// cut splits a text after every n characters.
func cut(s string, n int) []string {
	var out []string
	for s != "" {
		end := 0
		for i := 0; i < n && end < len(s); i++ {
			_, w := utf8.DecodeRuneInString(s[end:])
			end += w
		}
		out = append(out, s[:end])
		s = s[end:]
	}
	return out
}
