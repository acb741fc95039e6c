package trace

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func run() Event {
	return Event{Kind: KindRun, Run: &Run{Version: Version, Story: "s", Engine: "loop", Lane: "quiet", Model: "m", Options: map[string]string{"b": "2", "a": "1"}}}
}

// every is one event of each kind.
func every() []Event {
	return []Event{
		run(),
		{Seq: 1, Step: 1, Kind: KindOp, Op: &Op{Name: "prompt", Text: "<why> & \u2028"}},
		{Seq: 2, Step: 1, At: time.Second, Kind: KindLog, Log: &Log{File: "/c/s.jsonl", Offset: 7, Data: JSONText("{}\n")}},
		{Seq: 3, Step: 1, Kind: KindRequest, Request: &Request{Call: 1, Chain: "main", Method: "POST", Path: "/v1/messages",
			Header: []Field{{"content-type", "application/json"}}, Body: JSONText(`{"a":"<b>"}`), Effective: JSONText(`{"b":1}`)}},
		{Seq: 4, Step: 1, Kind: KindResponse, Response: &Response{Call: 1, Status: 200, Body: JSONText("\xff\x00"), Ended: true,
			Chunks: []Chunk{{At: time.Millisecond, Len: 2}}, View: []byte(`{"hit":1}`)}},
		{Seq: 5, Step: 1, Kind: KindTool, Tool: &Tool{Phase: "start", ID: "t", Name: "Bash", Input: JSONText(`{}`)}},
		{Seq: 6, Step: 2, Kind: KindFault, Fault: &Fault{Name: "kill", At: "before disk.append #4"}},
		{Seq: 7, Step: 2, Kind: KindLeaf, Leaf: &Leaf{Session: "s", File: "/c/s.jsonl", Leaf: "u"}},
		{Seq: 9, Step: 2, Kind: KindTwin, Twin: &Twin{Call: 2, Body: JSONText(`{}`)}},
		{Seq: 10, Step: 2, Kind: KindFile, File: &File{Path: "/w/a.go", Bytes: 7}},
		{Seq: 11, Step: 2, Kind: KindNotice, Notice: &Notice{Text: "skipped 2 files"}},
		{Seq: 12, Step: 2, Kind: KindEnd, End: &End{Left: []string{"x"}}},
	}
}

func write(t require.TestingT, events ...Event) string {
	var out bytes.Buffer
	w := NewWriter(&out)
	for _, e := range events {
		require.NoError(t, w.Write(e))
	}
	require.NoError(t, w.Flush())
	return out.String()
}

func read(text string) ([]Event, error) {
	r := NewReader(strings.NewReader(text))
	var got []Event
	for {
		e, err := r.Next()
		if errors.Is(err, io.EOF) {
			return got, nil
		}
		if err != nil {
			return got, err
		}
		got = append(got, e)
	}
}

func TestEveryKindComesBackAsItWasWritten(t *testing.T) {
	text := write(t, every()...)
	require.Equal(t, len(every()), strings.Count(text, "\n"))
	require.Contains(t, text, `"body":"{\"a\":\"<b>\"}"`, "bodies stay readable")
	require.Contains(t, text, `"options":{"a":"1","b":"2"}`)
	got, err := read(text)
	require.NoError(t, err)
	require.Empty(t, cmp.Diff(every(), got))
	require.Equal(t, text, write(t, got...))
}

func TestAnyBytesOfABodyComeBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		body := rapid.OneOf(rapid.SliceOf(rapid.Byte()), rapid.Map(rapid.String(), func(s string) []byte { return []byte(s) })).Draw(t, "body")
		got, err := read(write(t, run(), Event{Seq: 1, Kind: KindRequest, Request: &Request{Call: 1, Body: body}}))
		require.NoError(t, err)
		require.Equal(t, string(body), string(got[1].Request.Body))
	})
}

func TestKeysNeverReachAFile(t *testing.T) {
	given := []Field{{"X-Api-Key", "sk-1"}, {"authorization", "Bearer sk-2"}, {"cookie", "sk-3"}, {"x-amz-security-token", "sk-4"},
		{"anthropic-ratelimit-tokens-remaining", "10"}, {"anthropic-version", "2023-06-01"}, {"authorization", "sk-5"}}
	kept := append([]Field(nil), given...)
	text := write(t, run(),
		Event{Seq: 1, Kind: KindRequest, Request: &Request{Call: 1, Header: given}},
		Event{Seq: 2, Kind: KindResponse, Response: &Response{Call: 1, Header: []Field{{"set-cookie", "sk-6"}}}})
	require.NotContains(t, text, "sk-")
	require.Equal(t, kept, given, "the event in hand keeps its fields")
	got, err := read(text)
	require.NoError(t, err)
	require.Equal(t, "Bearer [redacted]", got[1].Request.Header[1].Value)
	require.Equal(t, "10", got[1].Request.Header[4].Value)
}

func TestAHarmlessHeaderIsNotCopied(t *testing.T) {
	fields := []Field{{"accept", "*/*"}}
	require.Same(t, &fields[0], &Redact(fields)[0])
	require.Nil(t, Redact(nil))
}

func TestABadFileIsRefusedWithItsPlace(t *testing.T) {
	head := write(t, run())
	cases := []struct{ name, text, want string }{
		{"empty", "", "1:1: empty; a trace begins with its run event"},
		{"newer version", `{"seq":0,"kind":"run","run":{"version":2,"later":true}}` + "\n", "1:1: trace version 2; this program knows version 1"},
		{"no run event", `{"seq":1,"step":0,"at_ns":0,"kind":"end","end":{}}` + "\n", `1:1: a trace begins with its run event, this one with "end"`},
		{"two runs", head + head, "2:1: a second run event; one trace holds one run"},
		{"not JSON", head + "{\"seq\":1,\"é\" 3}\n", "2:14: not JSON: invalid character '3' after object key"},
		{"ends inside", head + "{\"seq\":1,\n", "2:10: not JSON: the line ends inside the event"},
		{"blank line", head + "\n", "2:1: not JSON: the line ends inside the event"},
		{"cut last line", head + `{"seq":1`, "2:9: the last line is cut off; every event ends in a line feed"},
		{"unknown name", head + `{"seq":1,"kind":"op","op":{"name":"wait","wiat":"1h"}}` + "\n", `2:42: version 1 has no field "wiat" here`},
		{"wrong type", head + `{"seq":"1"}` + "\n", "2:10: seq holds a JSON string; it must be a whole number"},
		{"a body that is a number", head + `{"seq":1,"kind":"twin","twin":{"call":7,"body":8}}` + "\n", `2:48: exact bytes stand as a string or as {"base64": "..."}`},
		{"two events in a line", head + `{"seq":1,"kind":"end","end":{}} {}` + "\n", "2:32: '{' after the event; one event a line"},
		{"two parts", head + `{"seq":1,"kind":"end","end":{},"op":{"name":"exit"}}` + "\n", "2:1: an event holds exactly one part, this one holds 2 [op end]"},
		{"wrong kind", head + `{"seq":1,"kind":"op","end":{}}` + "\n", `2:1: kind is "op", but the part that is set is "end"`},
		{"seq falls back", head + `{"seq":0,"kind":"end","end":{}}` + "\n", "2:1: seq 0 after seq 0; it must rise"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			_, err := read(c.text)
			var bad *FormatError
			require.ErrorAs(t, err, &bad)
			require.Equal(t, c.want, err.Error())
		})
	}
}

func TestWhatCameBeforeACutIsStillRead(t *testing.T) {
	text := write(t, every()...)
	got, err := read(text[:len(text)-3])
	require.ErrorIs(t, err, io.ErrUnexpectedEOF)
	require.Len(t, got, len(every())-1)
}

func TestTheWriterRefusesWhatNoReaderTakes(t *testing.T) {
	bad := []struct {
		name   string
		events []Event
	}{
		{"no run first", []Event{{Seq: 1, Kind: KindEnd, End: &End{}}}},
		{"version 0", []Event{{Kind: KindRun, Run: &Run{}}}},
		{"no part", []Event{run(), {Seq: 1, Kind: KindEnd}}},
		{"same seq", []Event{run(), {Seq: 0, Kind: KindEnd, End: &End{}}}},
	}
	for _, c := range bad {
		t.Run(c.name, func(t *testing.T) {
			var out bytes.Buffer
			w := NewWriter(&out)
			var err error
			for _, e := range c.events {
				err = w.Write(e)
			}
			require.Error(t, err)
			require.NoError(t, w.Flush())
			require.Equal(t, len(c.events)-1, strings.Count(out.String(), "\n"), "nothing of the refused event is written")
		})
	}
}

func TestAReaderNeverPanics(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := []byte(write(t, every()...))
		for range rapid.IntRange(1, 4).Draw(t, "edits") {
			text[rapid.IntRange(0, len(text)-1).Draw(t, "at")] = rapid.Byte().Draw(t, "byte")
		}
		_, _ = read(string(text))
	})
}
