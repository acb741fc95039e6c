package fault

import (
	"bytes"

	"harnessbench/internal/wire"
)

// event is what a frame of a stream holds.
type event struct {
	name  string     // of the event, "" when the frame holds no event
	data  wire.Value // its data
	delta string     // type of its delta
	index int64      // of the block it speaks of, -1 for none
	block string     // type of that block
}

// read reads frames that hold one event each; others give an empty event.
func read(frames []Frame) []event {
	out := make([]event, len(frames))
	types := map[int64]string{}
	for i, f := range frames {
		e := event{index: -1}
		line, rest, found := bytes.Cut(f.Data, []byte("\n"))
		name, named := bytes.CutPrefix(bytes.TrimSuffix(line, []byte("\r")), []byte("event: "))
		text, data := bytes.CutPrefix(rest, []byte("data: "))
		v, err := wire.ParseValue(bytes.TrimSpace(text))
		if !found || !named || !data || err != nil {
			out[i] = e
			continue
		}
		e.name, e.data, e.delta = string(name), v, v.Get("delta").Get("type").Text()
		if n, ok := v.Get("index").Int(); ok {
			e.index = n
			if e.name == "content_block_start" {
				types[n] = v.Get("content_block").Get("type").Text()
			}
			e.block = types[n]
		}
		out[i] = e
	}
	return out
}

// streamed tells whether an answer is a stream of events.
func (a *Answer) streamed() bool {
	return len(a.Frames) > 0 && bytes.HasPrefix(a.Frames[0].Data, []byte("event: "))
}

// frame writes an event.
func frame(name string, data []byte) []byte {
	b := make([]byte, 0, len(name)+len(data)+16)
	b = append(append(b, "event: "...), name...)
	return append(append(append(b, "\ndata: "...), data...), "\n\n"...)
}

// find is the first frame that holds an event of a name, -1 for none.
func find(events []event, name string) int {
	for i, e := range events {
		if e.name == name {
			return i
		}
	}
	return -1
}
