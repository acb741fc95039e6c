//go:build outside

package wire

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// assembleAll runs a whole stream through splitter and assembler in chunks.
func assembleAll(stream []byte, size func(left int) int) (*Answer, []Event, []byte, error) {
	var s SSE
	var a Assembler
	list := feed(&s, stream, size)
	for _, e := range list {
		if err := a.Event(e); err != nil {
			return a.Answer(), list, s.Rest(), err
		}
	}
	return a.Answer(), list, s.Rest(), nil
}

// plainMessage assembles the events by decoded values, as a client without any care for bytes would.
func plainMessage(t *testing.T, list []Event) (content []any, stop any) {
	str := func(v any) string { s, _ := v.(string); return s }
	var input string
	for _, e := range list {
		ev := decoded(t, e.Data).(map[string]any)
		switch ev["type"] {
		case "message_start":
			m := ev["message"].(map[string]any)
			content, stop = append(content, m["content"].([]any)...), m["stop_reason"]
		case "content_block_start":
			content = append(content, ev["content_block"])
			input = ""
		case "content_block_delta":
			d := ev["delta"].(map[string]any)
			b := content[len(content)-1].(map[string]any)
			switch d["type"] {
			case "text_delta":
				b["text"] = str(b["text"]) + str(d["text"])
			case "thinking_delta":
				b["thinking"] = str(b["thinking"]) + str(d["thinking"])
			case "signature_delta":
				b["signature"] = str(b["signature"]) + str(d["signature"])
			case "compaction_delta":
				b["content"] = str(b["content"]) + str(d["content"])
				if v, ok := d["encrypted_content"]; ok {
					b["encrypted_content"] = v
				}
			case "citations_delta":
				list, _ := b["citations"].([]any)
				b["citations"] = append(list, d["citation"])
			case "input_json_delta":
				input += str(d["partial_json"])
			}
		case "content_block_stop":
			if input != "" {
				content[len(content)-1].(map[string]any)["input"] = decoded(t, []byte(input))
			}
			input = ""
		case "message_delta":
			stop = ev["delta"].(map[string]any)["stop_reason"]
		}
	}
	return content, stop
}

func requireConsistent(t *testing.T, id string, record Value, a *Answer, list []Event) {
	t.Helper()
	require.True(t, a.Complete, id)
	content, stop := plainMessage(t, list)
	require.Len(t, a.Blocks, len(content), id)
	for i, b := range a.Blocks {
		require.Equal(t, content[i], plain(b), "%s: block %d", id, i)
	}
	if stop == nil {
		stop = ""
	}
	require.Equal(t, stop, a.StopReason, id)
	if u := record.Get("usage"); u.Kind() == '{' {
		require.Equal(t, plain(u), decoded(t, a.Usage.Raw), id)
	}
}

func TestOutsideStreamsAssembleUnderAnyChunking(t *testing.T) {
	// Tool inputs and thinking as clients sent them back: what was assembled must be what they had understood.
	sentBack := map[string]any{}
	exchanges(t, func(e exchange) {
		if replaced, _ := e.record.Get("normalised").Bool(); replaced {
			return // ids are not the recorded ones
		}
		if r, err := Parse(nil, e.body()); err == nil {
			for _, m := range r.Messages() {
				for _, b := range m.Blocks() {
					switch b.Type() {
					case "tool_use":
						sentBack[b.Get("id").Text()] = plain(b.Get("input"))
					case "thinking":
						sentBack[b.Get("signature").Text()] = plain(b.Get("thinking"))
					}
				}
			}
		}
	})
	var streams, byByte, events, blocks, matched, legacy, trimmed int
	exchanges(t, func(e exchange) {
		text := e.record.Get("sse")
		if text.Kind() != '"' {
			return
		}
		stream := []byte(text.Text())
		if !bytes.HasSuffix(stream, []byte("\n\n")) {
			trimmed++ // the recorder cut the last line ends off
			stream = append(bytes.TrimRight(stream, "\n"), "\n\n"...)
		}
		a, list, rest, err := assembleAll(stream, func(left int) int { return left })
		if strings.HasSuffix(e.record.Get("path").Text(), "/complete") {
			legacy++
			require.NoError(t, err, e.id)
			require.False(t, a.Complete, e.id)
			return
		}
		require.NoError(t, err, e.id)
		require.Empty(t, rest, e.id)
		requireConsistent(t, e.id, e.record, a, list)
		streams++
		events += len(list)
		blocks += len(a.Blocks)
		for _, b := range a.Blocks {
			key, part := "id", "input"
			if b.Get("type").Text() == "thinking" {
				key, part = "signature", "thinking"
			}
			if was, ok := sentBack[b.Get(key).Text()]; ok {
				require.Equal(t, was, plain(b.Get(part)), e.id)
				matched++
			}
		}
		random := rand.New(rand.NewPCG(1, uint64(len(stream))))
		chunkings := []func(left int) int{
			func(left int) int { return 1 + random.IntN(left) },
			func(left int) int { return 1 + random.IntN(min(left, 100)) },
			func(left int) int { return 1 + random.IntN(min(left, 7)) },
		}
		if len(stream) < 1<<15 {
			chunkings = append(chunkings, func(int) int { return 1 })
			byByte++
		}
		for _, size := range chunkings {
			again, more, tail, err := assembleAll(stream, size)
			require.NoError(t, err, e.id)
			require.Equal(t, list, more, e.id)
			require.Empty(t, tail, e.id)
			require.Equal(t, a, again, e.id)
		}
		crlf, _, _, err := assembleAll(bytes.ReplaceAll(stream, []byte("\n"), []byte("\r\n")), chunkings[2])
		require.NoError(t, err, e.id)
		require.Equal(t, a, crlf, e.id)
	})
	t.Logf("%d streams (%d byte by byte too), %d events, %d blocks; %d tool inputs and thinkings equal to what clients sent back; %d legacy, %d without their last blank line",
		streams, byByte, events, blocks, matched, legacy, trimmed)
	require.NotZero(t, streams)
}

func TestOutsideEventListsAssemble(t *testing.T) {
	var lists, messages, blocks int
	exchanges(t, func(e exchange) {
		parsed := e.record.Get("events")
		if parsed.Kind() != '[' {
			return
		}
		lists++
		// A list may hold the streams of several calls one after the other; the record's usage is the last one's.
		var streams [][]byte
		for _, ev := range parsed.Elems() {
			typ := ev.Get("type").Text()
			if typ == "message_start" {
				streams = append(streams, nil)
			}
			require.NotEmpty(t, streams, e.id)
			last := &streams[len(streams)-1]
			*last = append(append(append(*last, "event: "+typ+"\ndata: "...), ev.Raw()...), "\n\n"...)
		}
		for i, stream := range streams {
			a, list, _, err := assembleAll(stream, func(left int) int { return left })
			require.NoError(t, err, e.id)
			record := e.record
			if i < len(streams)-1 {
				record = Value{}
			}
			requireConsistent(t, e.id, record, a, list)
			messages++
			blocks += len(a.Blocks)
		}
	})
	t.Logf("%d event lists, %d messages, %d blocks", lists, messages, blocks)
	require.NotZero(t, lists)
}

func TestOutsideWholeAnswersParse(t *testing.T) {
	var answers, faults int
	exchanges(t, func(e exchange) {
		body := e.record.Get("response_body")
		switch {
		case body.Get("type").Text() == "message":
			a, err := ParseAnswer(body.Raw())
			require.NoError(t, err, e.id)
			require.Equal(t, body.Get("content").Len(), len(a.Blocks), e.id)
			for i, b := range a.Blocks {
				require.Equal(t, string(body.Get("content").At(i).Raw()), string(b.Raw()), e.id)
			}
			if u := e.record.Get("usage"); u.Kind() == '{' {
				require.Equal(t, plain(u), decoded(t, a.Usage.Raw), e.id)
			}
			answers++
		case body.Get("type").Text() == "error":
			typ, message, ok := APIError(body.Raw())
			require.True(t, ok, e.id)
			require.NotEmpty(t, typ, e.id)
			require.True(t, json.Valid(body.Get("error").Get("message").Raw()) && message != "", e.id)
			faults++
		}
	})
	t.Logf("%d answers, %d error bodies", answers, faults)
	require.NotZero(t, answers)
}
