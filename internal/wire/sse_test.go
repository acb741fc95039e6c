package wire

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// feed gives the stream in pieces that end at the cuts.
func feed(s *SSE, stream []byte, size func(left int) int) []Event {
	var out []Event
	for len(stream) > 0 {
		n := size(len(stream))
		chunk := bytes.Clone(stream[:n])
		out = append(out, s.Feed(chunk)...)
		for i := range chunk { // the caller may use its buffer again
			chunk[i] = '!'
		}
		stream = stream[n:]
	}
	return out
}

func TestEventsOfAStream(t *testing.T) {
	ev := func(name, data string) Event { return Event{name, []byte(data)} }
	for situation, c := range map[string]struct {
		stream string
		want   []Event
		rest   string
	}{
		"the form of the API":              {"event: ping\ndata: {\"type\": \"ping\"}\n\n", []Event{ev("ping", `{"type": "ping"}`)}, ""},
		"CRLF":                             {"event: a\r\ndata: 1\r\n\r\ndata: 2\r\n\r\n", []Event{ev("a", "1"), ev("", "2")}, ""},
		"CR":                               {"event: a\rdata: 1\r\rdata: 2\r\r", []Event{ev("a", "1"), ev("", "2")}, ""},
		"line ends mixed":                  {"event: a\rdata: 1\n\r\ndata: 2\r\n\n", []Event{ev("a", "1"), ev("", "2")}, ""},
		"several data lines":               {"data: 1\ndata:2\ndata\ndata:  3\n\n", []Event{ev("", "1\n2\n\n 3")}, ""},
		"empty data is an event":           {"data:\n\n", []Event{ev("", "")}, ""},
		"a name without data is none":      {"event: a\n\ndata: 1\n\n", []Event{ev("", "1")}, ""},
		"comments and unknown fields":      {": hello\nid: 7\nretry: 10\nfoo: bar\nnocolon\n data: no\ndata: 1\n\n", []Event{ev("", "1")}, ""},
		"the last name wins":               {"event: a\nevent: b\ndata: 1\n\n", []Event{ev("b", "1")}, ""},
		"a byte order mark at the start":   {"\xef\xbb\xbfdata: 1\n\n\xef\xbb\xbfdata: 2\n\n", []Event{ev("", "1")}, ""},
		"a byte order mark and blank line": {"\xef\xbb\xbf\n\ndata: 1\n\n", []Event{ev("", "1")}, ""},
		"blank lines between":              {"\n\n\ndata: 1\n\n\n\n", []Event{ev("", "1")}, ""},
		"an event that is cut off":         {"data: 1\n\nevent: b\ndata: 2\n", []Event{ev("", "1")}, "event: b\ndata: 2\n"},
		"cut in a line":                    {"data: 1", nil, "data: 1"},
	} {
		t.Run(situation, func(t *testing.T) {
			for _, size := range []int{1, 2, 3, 1 << 20} {
				var s SSE
				got := feed(&s, []byte(c.stream), func(left int) int { return min(size, left) })
				assert.Equal(t, c.want, got, "in pieces of %d", size)
				assert.Equal(t, c.rest, string(s.Rest()), "in pieces of %d", size)
			}
		})
	}
}

func TestAnyChunkingGivesTheSameEvents(t *testing.T) {
	piece := rapid.SampledFrom([]string{"data", "event", ":", " ", "\n", "\r", "\r\n", "\n\n", "x", "é", "\xef\xbb\xbf", "data: 1\n", "event: a\n"})
	rapid.Check(t, func(t *rapid.T) {
		stream := []byte{}
		for _, p := range rapid.SliceOfN(piece, 0, 40).Draw(t, "pieces") {
			stream = append(stream, p...)
		}
		var one, many SSE
		want := one.Feed(bytes.Clone(stream))
		got := feed(&many, stream, func(left int) int { return rapid.IntRange(1, left).Draw(t, "cut") })
		require.Equal(t, want, got)
		require.Equal(t, string(one.Rest()), string(many.Rest()))
		require.Equal(t, plainEvents(string(stream)), want)
	})
}

// plainEvents is the standard's algorithm written line by line.
func plainEvents(stream string) (out []Event) {
	stream = string(bytes.TrimPrefix([]byte(stream), byteOrderMark))
	var e Event
	var line []byte
	flush := func() {
		if len(line) == 0 {
			if e.Data != nil {
				e.Data = e.Data[:len(e.Data)-1]
				out = append(out, e)
			}
			e = Event{}
			return
		}
		name, value, _ := bytes.Cut(line, []byte(":"))
		if len(value) > 0 && value[0] == ' ' {
			value = value[1:]
		}
		switch string(name) {
		case "event":
			e.Name = string(value)
		case "data":
			e.Data = append(append(e.Data, value...), '\n')
		}
		line = nil
	}
	for i := 0; i < len(stream); i++ {
		switch {
		case stream[i] == '\r':
			flush()
			if i+1 < len(stream) && stream[i+1] == '\n' {
				i++
			}
		case stream[i] == '\n':
			flush()
		default:
			line = append(line, stream[i])
		}
	}
	return out
}
