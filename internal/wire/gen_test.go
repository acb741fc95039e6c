package wire

import (
	"fmt"
	"strings"

	"pgregory.net/rapid"
)

// Generators of JSON text: small alphabets, so that equal names and equal parts are common, and odd
// blanks, escapes and numbers.

var genNames = []string{"type", "text", "content", "role", "cache_control", "messages", "é"}

var genScalars = []string{`"text"`, `"user"`, `"assistant"`, `""`, `"a\nb"`, `"\ud83d\ude00"`, `"\ud800"`, `"日本語 und 😀 mehr Text"`, `"a longer text without any escape"`,
	"0", "-1", "12", "123", "1.5e3", "true", "false", "null"}

func genBlank(t *rapid.T) string {
	return rapid.SampledFrom([]string{"", "", "", " ", "\n  ", "\t\r\n"}).Draw(t, "blank")
}

func genValue(t *rapid.T, depth int) string {
	switch k := rapid.IntRange(0, 5).Draw(t, "kind"); {
	case depth <= 0 || k < 3:
		return rapid.SampledFrom(genScalars).Draw(t, "scalar")
	case k == 3:
		return genArray(t, depth)
	default:
		return genObject(t, depth)
	}
}

func genArray(t *rapid.T, depth int) string {
	var elems []string
	for range rapid.IntRange(0, 3).Draw(t, "elems") {
		elems = append(elems, genBlank(t)+genValue(t, depth-1)+genBlank(t))
	}
	return "[" + strings.Join(elems, ",") + "]"
}

func genObject(t *rapid.T, depth int) string {
	var members []string
	for range rapid.IntRange(0, 4).Draw(t, "members") {
		name := rapid.SampledFrom(genNames).Draw(t, "name")
		if name == "é" && rapid.Bool().Draw(t, "escaped") {
			name = `\u00e9`
		}
		members = append(members, fmt.Sprintf(`%s"%s"%s:%s%s`, genBlank(t), name, genBlank(t), genBlank(t), genValue(t, depth-1)))
	}
	return "{" + strings.Join(members, ",") + genBlank(t) + "}"
}

// genConversation is a request as its parts, so that a later one can be made from it.
type genConversation struct {
	head, tail string // members before and after messages, with their commas
	messages   []string
	gap        string // between messages
}

func (c genConversation) body() string {
	return "{" + c.head + `"messages":[` + strings.Join(c.messages, ","+c.gap) + "]" + c.tail + "}"
}

func genMessage(t *rapid.T) string {
	content := rapid.SampledFrom([]string{`"a text"`, `"another"`, ""}).Draw(t, "content")
	if content == "" {
		var blocks []string
		for range rapid.IntRange(0, 3).Draw(t, "blocks") {
			blocks = append(blocks, rapid.SampledFrom([]string{
				`{"type":"text","text":"a"}`, `{"type":"text","text":"b","cache_control":{"type":"ephemeral"}}`,
				`{"type":"tool_use","id":"t","name":"n","input":{"a":[1,{"b":2}]}}`, `"stray"`, `12`, `123`,
			}).Draw(t, "block"))
		}
		content = "[" + strings.Join(blocks, ", ") + "]"
	}
	return rapid.SampledFrom([]string{`{"role":"user","content":` + content + `}`, `{"content":` + content + `, "role":"assistant"}`,
		`{"role":"user","content":` + content + `,"content":[]}`, `7`, `78`, `"no object"`, `[]`}).Draw(t, "message")
}

func genRequest(t *rapid.T) genConversation {
	c := genConversation{
		head: rapid.SampledFrom([]string{"", `"model":"m",`, `"model":"another",`, ` "system":"s", "tools":[{"name":"x","input_schema":{"type":"object"}}],`,
			`"messages":[1,2],`, `"system":[{"type":"text","text":"s"}],`}).Draw(t, "head"),
		tail: rapid.SampledFrom([]string{"", `,"stream":true`, `,"max_tokens":12`, `,"max_tokens":123 `}).Draw(t, "tail"),
		gap:  genBlank(t),
	}
	for range rapid.IntRange(0, 5).Draw(t, "messages") {
		c.messages = append(c.messages, genMessage(t))
	}
	return c
}
