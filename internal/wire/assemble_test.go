package wire

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// events writes each payload as an event of the name its type gives.
func events(payloads ...string) []Event {
	out := make([]Event, len(payloads))
	for i, p := range payloads {
		v, err := ParseValue([]byte(p))
		if err == nil {
			out[i].Name = v.Get("type").Text()
		}
		out[i].Data = []byte(p)
	}
	return out
}

func assemble(payloads ...string) (*Answer, error) {
	var a Assembler
	for _, e := range events(payloads...) {
		if err := a.Event(e); err != nil {
			return a.Answer(), err
		}
	}
	return a.Answer(), nil
}

const (
	start = `{"type":"message_start","message":{"model":"m","id":"msg_1","type":"message","role":"assistant","content":[],"stop_reason":null,` +
		`"stop_sequence":null,"usage":{"input_tokens":10,"cache_creation_input_tokens":5,"cache_read_input_tokens":7,` +
		`"cache_creation":{"ephemeral_5m_input_tokens":2,"ephemeral_1h_input_tokens":3},"output_tokens":1,"service_tier":"standard"}}    }`
	ending = `{"type":"message_delta","delta":{"stop_reason":"end_turn","stop_sequence":null},"usage":{"output_tokens":42}   }`
	stop   = `{"type":"message_stop"  }`
)

// streamed is one block between a start and an end.
func streamed(skeleton string, deltas ...string) []string {
	out := []string{start, `{"type":"content_block_start","index":0,"content_block":` + skeleton + `  }`, `{"type": "ping"}`}
	for _, d := range deltas {
		out = append(out, `{"type":"content_block_delta","index":0,"delta":`+d+`   }`)
	}
	return append(out, `{"type":"content_block_stop","index":0 }`, ending, stop)
}

func TestBlocksKeepTheBytesOfTheirDeltas(t *testing.T) {
	input := func(pieces ...string) (out []string) {
		for _, p := range pieces {
			out = append(out, `{"type":"input_json_delta","partial_json":"`+p+`"}`)
		}
		return out
	}
	for _, c := range []struct {
		situation, skeleton string
		deltas              []string
		want                string
	}{
		{"text", `{"type":"text","text":""}`, []string{`{"type":"text_delta","text":"a\u00e9\/"}`, `{"type":"text_delta","text":"é\n"}`}, `{"type":"text","text":"a\u00e9\/é\n"}`},
		{"text without deltas", `{"type":"text", "text":""}`, nil, `{"type":"text", "text":""}`},
		{"a surrogate pair in two deltas", `{"type":"text","text":""}`, []string{`{"type":"text_delta","text":"\ud83d"}`, `{"type":"text_delta","text":"\ude00"}`}, `{"type":"text","text":"\ud83d\ude00"}`},
		{"a skeleton that has text already", `{"type":"text","text":"a"}`, []string{`{"type":"text_delta","text":"b"}`}, `{"type":"text","text":"ab"}`},
		{"citations absent at the start", `{"type":"text","text":""}`, []string{`{"type":"citations_delta","citation":{"n":1}}`, `{"type":"text_delta","text":"x"}`, `{"type":"citations_delta","citation":{"n": 2}}`}, `{"type":"text","text":"x","citations":[{"n":1},{"n": 2}]}`},
		{"citations empty at the start", `{"citations":[],"type":"text","text":""}`, []string{`{"type":"citations_delta","citation":{"n":1}}`}, `{"citations":[{"n":1}],"type":"text","text":""}`},
		{"citations null at the start", `{"citations":null,"type":"text","text":""}`, []string{`{"type":"citations_delta","citation":{"n":1}}`}, `{"citations":[{"n":1}],"type":"text","text":""}`},
		{"tool input in pieces", `{"type":"tool_use","id":"toolu_1","name":"Bash","input":{},"caller":{"type":"direct"}}`, input("", `{\"a\": 1`, `.50,\"b\":\"\\u00e9\\`, `n\"} `), `{"type":"tool_use","id":"toolu_1","name":"Bash","input":{"a": 1.50,"b":"\u00e9\n"},"caller":{"type":"direct"}}`},
		{"tool input with a pair split outside", `{"type":"tool_use","id":"t","name":"n","input":{}}`, input(`{\"a\":\"\ud83d`, `\ude00\"}`), `{"type":"tool_use","id":"t","name":"n","input":{"a":"😀"}}`},
		{"no tool input", `{"type":"tool_use","id":"t","name":"n","input":{}}`, input(""), `{"type":"tool_use","id":"t","name":"n","input":{}}`},
		{"tool input whole at the start", `{"type":"server_tool_use","id":"t","name":"n","input":{"q":1}}`, nil, `{"type":"server_tool_use","id":"t","name":"n","input":{"q":1}}`},
		{"thinking and signature", `{"type":"thinking","thinking":"","signature":""}`, []string{`{"type":"thinking_delta","thinking":"so","estimated_tokens":3}`, `{"type":"thinking_delta","thinking":""}`, `{"type":"signature_delta","signature":"CAQS=="}`}, `{"type":"thinking","thinking":"so","signature":"CAQS=="}`},
		{"a signature alone", `{"type":"thinking","thinking":"","signature":""}`, []string{`{"type":"signature_delta","signature":"CAQS"}`}, `{"type":"thinking","thinking":"","signature":"CAQS"}`},
		{"a signature the start did not have", `{"type":"thinking","thinking":""}`, []string{`{"type":"signature_delta","signature":"E"}`}, `{"type":"thinking","thinking":"","signature":"E"}`},
		{"redacted thinking", `{"type":"redacted_thinking","data":"xyz"}`, nil, `{"type":"redacted_thinking","data":"xyz"}`},
		{"compaction at threshold", `{"type":"compaction","content":null}`, []string{`{"type":"compaction_delta","content":"sum","encrypted_content":"e"}`}, `{"type":"compaction","content":"sum","encrypted_content":"e"}`},
		{"compaction in pieces", `{"type":"compaction","content":""}`, []string{`{"type":"compaction_delta","content":"s"}`, `{"type":"compaction_delta","content":"um"}`}, `{"type":"compaction","content":"sum"}`},
		{"compaction that failed", `{"type":"compaction","content":null}`, []string{`{"type":"compaction_delta","content":null}`}, `{"type":"compaction","content":null}`},
		{"fallback", `{"type":"fallback","from":{"model":"a"}}`, nil, `{"type":"fallback","from":{"model":"a"}}`},
		{"a block and delta of a later day", `{"type":"dream","a":[1, 2]}`, []string{`{"type":"dream_delta","z":1}`}, `{"type":"dream","a":[1, 2]}`},
	} {
		t.Run(c.situation, func(t *testing.T) {
			a, err := assemble(streamed(c.skeleton, c.deltas...)...)
			require.NoError(t, err)
			require.Len(t, a.Blocks, 1)
			assert.Equal(t, c.want, string(a.Blocks[0].Raw()))
			assert.Zero(t, a.Blocks[0].Offset())
			assert.True(t, a.Complete)
			requireSame(t, parse(t, string(a.Blocks[0].Raw())), a.Blocks[0])
		})
	}
}

// What the server edited in the prompt stands in the final message_delta, or beside the content of a whole message
// (messages-api.md 8.2); an answer that says nothing, or null, has none.
func TestTheEditsOfAnAnswerAreRead(t *testing.T) {
	const edits = `{"applied_edits":[{"type":"clear_thinking_20251015","cleared_thinking_turns":2,"cleared_input_tokens":9}]}`
	head := []string{start, `{"type":"content_block_start","index":0,"content_block":{"type":"text","text":"x"}}`, `{"type":"content_block_stop","index":0}`}
	for said, want := range map[string]string{`,"context_management":` + edits: edits, `,"context_management":null`: "", "": ""} {
		a, err := assemble(append(head, strings.Replace(ending, `   }`, said+`}`, 1), stop)...)
		require.NoError(t, err)
		assert.Equal(t, want, string(a.Edits.Raw()), "streamed, %s", said)
		a, err = ParseAnswer([]byte(`{"type":"message","id":"m","model":"m","role":"assistant","content":[],"stop_reason":"end_turn","usage":{}` + said + `}`))
		require.NoError(t, err)
		assert.Equal(t, want, string(a.Edits.Raw()), "whole, %s", said)
	}
}

func TestUsageOfAStreamIsOverlaid(t *testing.T) {
	a, err := assemble(start, `{"type":"message_delta","delta":{"stop_reason":"stop_sequence","stop_sequence":"END"},"usage":`+
		`{"input_tokens":20,"cache_read_input_tokens":null,"output_tokens":9,"server_tool_use":{"web_search_requests":1}}}`, stop)
	require.NoError(t, err)
	assert.Equal(t, "stop_sequence", a.StopReason)
	assert.Equal(t, "END", a.StopSequence)
	raw := `{"input_tokens":20,"cache_creation_input_tokens":5,"cache_read_input_tokens":7,` +
		`"cache_creation":{"ephemeral_5m_input_tokens":2,"ephemeral_1h_input_tokens":3},"output_tokens":9,"service_tier":"standard","server_tool_use":{"web_search_requests":1}}`
	assert.Equal(t, Usage{Input: 20, CacheCreation: 5, CacheRead: 7, Output: 9, Creation5m: 2, Creation1h: 3, Raw: []byte(raw)}, a.Usage)
	assert.Equal(t, 32, a.Usage.Total())

	for _, without := range []string{`{"role":"assistant"}`, `{"usage":null}`} {
		a, err = assemble(`{"type":"message_start","message":`+without+`}`, ending, stop)
		require.NoError(t, err)
		assert.JSONEq(t, `{"output_tokens":42}`, string(a.Usage.Raw))
	}
}

func TestAStartThatHoldsTheWholeMessage(t *testing.T) {
	const tool = `{"type":"tool_use","id":"t","name":"n","input":{"a": 1}}`
	a, err := assemble(`{"type":"message_start","message":{"id":"msg_1","role":"assistant","content":[`+tool+`],"stop_reason":"tool_use","usage":{"input_tokens":0,"output_tokens":0}}}`, stop)
	require.NoError(t, err)
	assert.True(t, a.Complete)
	assert.Equal(t, "tool_use", a.StopReason)
	require.Len(t, a.Blocks, 1)
	assert.Equal(t, tool, string(a.Blocks[0].Raw()))

	a, err = assemble(`{"type":"message_start","message":{"content":[`+tool+`],"stop_reason":null}}`,
		`{"type":"content_block_start","index":1,"content_block":{"type":"text","text":"b"}}`, `{"type":"content_block_stop","index":1}`, ending, stop)
	require.NoError(t, err)
	require.Len(t, a.Blocks, 2, "streamed blocks go on behind those of the start")
}

func TestEventsThatBreakTheGrammar(t *testing.T) {
	const block0 = `{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}`
	const block1 = `{"type":"content_block_start","index":1,"content_block":{"type":"text","text":""}}`
	const delta0 = `{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"x"}}`
	const stop0 = `{"type":"content_block_stop","index":0}`
	tool := `{"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"t","name":"n","input":{}}}`
	for _, c := range []struct {
		situation string
		stream    []string
		want      string
	}{
		{"a block before the start", []string{block0}, "stream event 0 (content_block_start): may not come before message_start"},
		{"the start twice", []string{start, start}, "stream event 1 (message_start): may not come between message_start and message_delta"},
		{"a gap in the indices", []string{start, block0, stop0, `{"type":"content_block_start","index":2,"content_block":{"type":"text","text":""}}`}, "stream event 3 (content_block_start): block 2 starts where block 1 is due"},
		{"the same index again", []string{start, block0, stop0, block0}, "stream event 3 (content_block_start): block 0 starts where block 1 is due"},
		{"blocks interleaved", []string{start, block0, block1}, "stream event 2 (content_block_start): block 1 starts while block 0 is open"},
		{"a delta for a block that was not started", []string{start, delta0}, "stream event 1 (content_block_delta): block 0 was not started"},
		{"a delta for another block", []string{start, block0, stop0, block1, delta0}, "stream event 4 (content_block_delta): block 0 is not open, block 1 is"},
		{"a delta after the stop", []string{start, block0, stop0, delta0}, "stream event 3 (content_block_delta): block 0 has stopped"},
		{"a stop twice", []string{start, block0, stop0, stop0}, "stream event 3 (content_block_stop): block 0 has stopped"},
		{"an index that is none", []string{start, `{"type":"content_block_stop","index":"0"}`}, `stream event 1 (content_block_stop): index must be an integer from 0, not "0"`},
		{"no index", []string{start, `{"type":"content_block_stop"}`}, `stream event 1 (content_block_stop): index must be an integer from 0, not absent`},
		{"the end while a block is open", []string{start, block0, ending}, "stream event 2 (message_delta): comes while block 0 is open"},
		{"a stop without message_delta", []string{start, stop}, "stream event 1 (message_stop): may not come between message_start and message_delta"},
		{"a block after message_delta", []string{start, ending, block0}, "stream event 2 (content_block_start): may not come after message_delta"},
		{"more after the stop", []string{start, ending, stop, ending}, "stream event 3 (message_delta): may not come after message_stop"},
		{"a text delta for a tool", []string{start, tool, delta0}, "stream event 2 (content_block_delta): block 0: text_delta does not belong to a tool_use block"},
		{"input for a text", []string{start, block0, `{"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":""}}`}, "stream event 2 (content_block_delta): block 0: input_json_delta does not belong to a text block, which has no input"},
		{"input that is no string", []string{start, tool, `{"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":{}}}`}, "stream event 2 (content_block_delta): block 0: input_json_delta: partial_json must be a string, not an object"},
		{"a citation for a tool", []string{start, tool, `{"type":"content_block_delta","index":0,"delta":{"type":"citations_delta","citation":{}}}`}, "stream event 2 (content_block_delta): block 0: citations_delta does not belong to a tool_use block"},
		{"a citation that is none", []string{start, block0, `{"type":"content_block_delta","index":0,"delta":{"type":"citations_delta"}}`}, "stream event 2 (content_block_delta): block 0: citations_delta: citation must be an object, not absent"},
		{"a delta without text", []string{start, block0, `{"type":"content_block_delta","index":0,"delta":{"type":"text_delta"}}`}, "stream event 2 (content_block_delta): block 0: text_delta: text must be a string, not absent"},
		{"a delta without type", []string{start, block0, `{"type":"content_block_delta","index":0,"delta":{}}`}, "stream event 2 (content_block_delta): block 0: delta.type must be a string, not absent"},
		{"a delta event without delta", []string{start, block0, `{"type":"content_block_delta","index":0}`}, "stream event 2 (content_block_delta): block 0: delta must be an object, not absent"},
		{"a block without type", []string{start, `{"type":"content_block_start","index":0,"content_block":{}}`}, "stream event 1 (content_block_start): block 0: content_block must be an object with a type"},
		{"a start without message", []string{`{"type":"message_start"}`}, "stream event 0 (message_start): message must be an object, not absent"},
		{"a start with content that is no block", []string{`{"type":"message_start","message":{"content":[1]}}`}, "stream event 0 (message_start): message.content.0 must be an object, not a number"},
		{"a block after a whole start", []string{`{"type":"message_start","message":{"content":[],"stop_reason":"tool_use"}}`, block0}, "stream event 1 (content_block_start): may not come after a message_start with a stop reason"},
		{"the end after a start with content but no stop reason", []string{`{"type":"message_start","message":{"content":[{"type":"text","text":""}]}}`, stop}, "stream event 1 (message_stop): may not come between message_start and message_delta"},
		{"data that is no JSON", []string{start, `{"type"`}, "stream event 1 (): data is not JSON at line 1, column 8 (byte 7): the data ends where a colon is due"},
		{"data without type", []string{start, `{}`}, "stream event 1 (): data must have the type of its event, not absent"},
		{"an error without error object", []string{start, `{"type":"error"}`}, "stream event 1 (error): must hold an error object with a type"},
		{"input that is no JSON", []string{start, tool, `{"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":"{\"a\": "}}`, stop0}, "stream event 3 (content_block_stop): block 0, tool call t of n: the input is not JSON at line 1, column 7 (byte 6): the data ends where a value is due"},
	} {
		t.Run(c.situation, func(t *testing.T) {
			_, err := assemble(c.stream...)
			assert.EqualError(t, err, c.want)
		})
	}
}

func TestAnEventWhoseDataHasAnotherType(t *testing.T) {
	var a Assembler
	err := a.Event(Event{"message_start", []byte(`{"type":"message_stop"}`)})
	assert.EqualError(t, err, `stream event 0 (message_start): data must have the type of its event, not "message_stop"`)
	require.NoError(t, a.Event(Event{"", []byte(start)}), "the name may be missing")
	require.NoError(t, a.Event(Event{"weather", []byte(`sunny`)}), "unknown events are skipped, whatever they hold")
	require.NoError(t, a.Event(Event{"ping", []byte(`{"type": "ping"}`)}))
}

func TestAStreamThatFails(t *testing.T) {
	var a Assembler
	for _, e := range events(streamed(`{"type":"text","text":""}`, `{"type":"text_delta","text":"done"}`)[:5]...) {
		require.NoError(t, a.Event(e))
	}
	assert.Empty(t, a.Open())
	require.NoError(t, a.Event(events(`{"type":"content_block_start","index":1,"content_block":{"type":"tool_use","id":"t","name":"n","input":{}}}`)[0]))
	assert.Equal(t, "tool_use", a.Open())
	err := a.Event(events(`{"type":"error","error":{"details":null,"type":"overloaded_error","message":"Overloaded"},"request_id":"req_1"}`)[0])
	assert.Equal(t, &StreamError{"overloaded_error", "Overloaded"}, err)
	assert.EqualError(t, err, "stream error: overloaded_error: Overloaded")
	assert.False(t, a.Answer().Complete)
	require.Len(t, a.Answer().Blocks, 1, "completed blocks only")
	assert.EqualError(t, a.Event(events(ending)[0]), "stream event 7 (message_delta): may not come after the error event")
}

func TestAStreamGoesOnAfterAToolInputThatWasCut(t *testing.T) {
	s := streamed(`{"type":"tool_use","id":"t","name":"n","input":{}}`, `{"type":"input_json_delta","partial_json":"{\"a"}`)
	var a Assembler
	var cut *InputError
	for _, e := range events(s...) {
		if err := a.Event(e); err != nil {
			require.Nil(t, cut)
			require.ErrorAs(t, err, &cut)
		}
	}
	require.NotNil(t, cut)
	assert.Equal(t, `{"a`, string(cut.Input))
	assert.True(t, a.Answer().Complete)
	assert.Empty(t, a.Answer().Blocks)
}

func TestAToolInputTooDeepForItsBlock(t *testing.T) {
	deep := strings.Repeat("[", maxDepth) + strings.Repeat("]", maxDepth)
	_, err := assemble(streamed(`{"type":"tool_use","id":"t","name":"n","input":{}}`, `{"type":"input_json_delta","partial_json":"`+deep+`"}`)...)
	var in *InputError
	require.ErrorAs(t, err, &in)
	assert.Equal(t, "t", in.ID)
	assert.Equal(t, deep, string(in.Input))
	assert.ErrorContains(t, err, "nested deeper than 1000 levels")
}

// Streamed or whole, an answer has the same blocks, redacted thinking among them (STREAM-8; bug t-redacted-dropped-gateway).
func TestAStreamGivesTheBlocksOfTheWholeMessage(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		// Pieces of escaped text; joined anyhow they are the inside of a valid string.
		piece := rapid.SampledFrom([]string{"a", `\n`, `\"`, `\ud83d`, `\ude00`, "é", "日本", `\u0041`, " "})
		var content, stream []string
		stream = append(stream, start)
		for i := range rapid.IntRange(0, 4).Draw(t, "blocks") {
			pieces := rapid.SliceOfN(piece, 0, 6).Draw(t, "pieces")
			text := strings.Join(pieces, "")
			var skeleton, typ, member string
			switch rapid.IntRange(0, 2).Draw(t, "type") {
			case 0:
				skeleton, typ, member = `{"citations":null,"type":"text","text":"%s"}`, "text_delta", "text"
			case 1:
				skeleton, typ, member = `{"type":"thinking","thinking":"%s","signature":"E"}`, "thinking_delta", "thinking"
			case 2:
				skeleton, typ, member = `{"type":"redacted_thinking","data":"%s"}`, "", ""
			}
			content = append(content, fmt.Sprintf(skeleton, text))
			if typ == "" {
				pieces = nil
			} else {
				text = ""
			}
			stream = append(stream, fmt.Sprintf(`{"type":"content_block_start","index":%d,"content_block":%s}`, i, fmt.Sprintf(skeleton, text)))
			for _, p := range pieces {
				stream = append(stream, fmt.Sprintf(`{"type":"content_block_delta","index":%d,"delta":{"type":"%s","%s":"%s"}}`, i, typ, member, p))
			}
			stream = append(stream, fmt.Sprintf(`{"type":"content_block_stop","index":%d}`, i))
		}
		got, err := assemble(append(stream, ending, stop)...)
		require.NoError(t, err)
		want, err := ParseAnswer([]byte(`{"model":"m","id":"msg_1","type":"message","role":"assistant","content":[` + strings.Join(content, " , ") +
			`],"stop_reason":"end_turn","stop_sequence":null,"usage":` + string(got.Usage.Raw) + `}`))
		require.NoError(t, err)
		require.Equal(t, len(want.Blocks), len(got.Blocks))
		for i := range want.Blocks {
			requireSame(t, want.Blocks[i], got.Blocks[i])
		}
		want.Blocks, got.Blocks = nil, nil
		require.Equal(t, want, got)
	})
}

func TestBodiesThatAreNoAnswer(t *testing.T) {
	for body, want := range map[string]string{
		`{`:                                "answer: not JSON at line 1, column 2 (byte 1): the data ends where a member name is due",
		`[]`:                               "answer: a message must be an object, not an array",
		`{"type":"error"}`:                 `answer: type must be "message", not "error"`,
		`{"type":"message"}`:               "answer: content must be an array, not absent",
		`{"type":"message","content":[1]}`: "answer: content.0 must be an object, not a number",
	} {
		_, err := ParseAnswer([]byte(body))
		assert.EqualError(t, err, want)
	}
}

func TestErrorBodies(t *testing.T) {
	for body, want := range map[string][2]string{
		`{"type":"error","error":{"type":"invalid_request_error","message":"model: Field required"},"request_id":"req_1"}`: {"invalid_request_error", "model: Field required"},
		`{"error":{"type":"request_too_large","message":"Request exceeds the maximum size"}}`:                              {"request_too_large", "Request exceeds the maximum size"},
		`<html>502</html>`:                        {},
		`{"type":"message","error":{"type":"x"}}`: {},
		`{"error":"boom"}`:                        {},
		`[]`:                                      {},
	} {
		typ, message, ok := APIError([]byte(body))
		assert.Equal(t, want, [2]string{typ, message}, body)
		assert.Equal(t, want[0] != "", ok, body)
	}
}
