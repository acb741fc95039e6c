package scenarios

import (
	"regexp"

	"github.com/goccy/go-yaml/ast"
)

// resultForm is the type of a server tool's result (messages-api.md 2.5).
var resultForm = regexp.MustCompile(`^[a-z_]+_tool_result$`)

// answerShape is one response of the model; tool is the shape of a tool's name.
func answerShape(tool *shape) *shape {
	call := func(name *shape) *shape {
		return &shape{kind: record, keys: []key{
			{name: "name", required: true, shape: name},
			{name: "input", shape: &shape{kind: object, doc: "Its input; sent as JSON with the keys in this order."}},
		}}
	}
	texts := func(doc string) *shape { return &shape{kind: list, alone: true, doc: doc, of: &shape{}} }
	server := call(&shape{doc: "The server tool, such as web_search."})
	block := &shape{kind: record, doc: "One block.", unit: "block",
		oneOf: []string{"thinking", "text", "tool_use", "redacted_thinking", "server_tool_use", "server_tool_result", "compaction", "compaction_failed"},
		keys: []key{
			{name: "thinking", shape: &shape{doc: "What the model thinks."}},
			{name: "text", shape: &shape{doc: "What it says."}},
			{name: "citations", with: "text", shape: &shape{kind: list, doc: "Citations of the text, as the API has them.", of: &shape{kind: object}}},
			{name: "tool_use", shape: call(tool)},
			{name: "redacted_thinking", shape: &shape{doc: "What it thinks and nobody sees."}},
			{name: "compaction", shape: &shape{doc: "The summary, first in the answer, when the server compacts; otherwise it is not said."}},
			{name: "compaction_failed", shape: &shape{kind: yes, doc: "In place of compaction: no summary is written."}},
			{name: "server_tool_use", shape: server},
			{name: "server_tool_result", shape: &shape{kind: record, doc: "The result of the server tool called before.", keys: []key{
				{name: "type", required: true, shape: &shape{doc: "Type of the block, such as web_search_tool_result.", pattern: resultForm, form: "a type such as web_search_tool_result"}},
				{name: "content", required: true, shape: &shape{kind: anything, doc: "Its content, as the API has it."}},
			}}},
		}}
	return &shape{kind: record, doc: "One response; its blocks stand in the order thinking, text, tool_use, unless blocks lists them.",
		anyOf: []string{"thinking", "text", "tool_use", "blocks", "refusal", "empty"},
		keys: []key{
			{name: "thinking", shape: texts("Thinking blocks.")},
			{name: "text", shape: texts("Text blocks.")},
			{name: "tool_use", shape: &shape{kind: list, alone: true, doc: "Tool calls.", of: call(tool)}},
			{name: "blocks", shape: &shape{kind: list, entry: "block", doc: "Blocks in this order, behind the others.", of: block}},
			{name: "empty", shape: &shape{kind: yes, doc: "The answer has no block."}},
			{name: "refusal", shape: &shape{kind: record, doc: "The model declines.", keys: []key{
				{name: "category", shape: &shape{doc: "Why.", choices: []string{"cyber", "bio", "frontier_llm", "reasoning_extraction", "general_harms", "none"}}},
				{name: "explanation", shape: &shape{doc: "Why, in words."}},
			}}},
			{name: "stop_sequence", shape: &shape{doc: "The stop sequence that ended the answer."}},
			{name: "cut", shape: &shape{kind: number, least: 1, most: 1 << 20, doc: "The last block ends after so many bytes of its text or its input, as max_tokens cuts it."}},
			{name: "stop_reason", shape: &shape{doc: "By default refusal, stop_sequence or max_tokens by the keys above, tool_use when a tool is called, else end_turn.",
				choices: []string{"end_turn", "tool_use", "max_tokens", "stop_sequence", "pause_turn", "refusal", "model_context_window_exceeded"}}},
			{name: "latency", shape: spanShape("Time to the first byte.")},
		}}
}

func (f *faults) answer(n ast.Node) Answer {
	latency, _ := f.span(child(n, "latency"), "latency")
	a := Answer{StopReason: str(child(n, "stop_reason")), Latency: latency, StopSequence: str(child(n, "stop_sequence")), Cut: whole(child(n, "cut")), FillTokens: fillTokens(child(n, "fill"))}
	if r := child(n, "refusal"); r != nil {
		a.Refusal = &Refusal{Category: str(child(r, "category")), Explanation: str(child(r, "explanation"))}
		if a.Refusal.Category == "none" {
			a.Refusal.Category = ""
		}
	}
	for _, kind := range []string{"thinking", "text"} {
		for _, t := range elements(child(n, kind)) {
			a.Blocks = append(a.Blocks, Block{Kind: kind, Text: str(t)})
		}
	}
	for _, u := range elements(child(n, "tool_use")) {
		a.Blocks = append(a.Blocks, f.call("tool_use", u))
	}
	for _, b := range elements(child(n, "blocks")) {
		a.Blocks = append(a.Blocks, f.block(b))
	}
	f.checkAnswer(n, a)
	return a
}

func (f *faults) call(kind string, n ast.Node) Block {
	b := Block{Kind: kind, Name: str(child(n, "name")), Input: []byte("{}")}
	if in := child(n, "input"); in != nil {
		b.Input = f.json(in)
	}
	return b
}

func (f *faults) block(n ast.Node) Block {
	for _, kind := range []string{"thinking", "text", "redacted_thinking", "compaction"} {
		if t := child(n, kind); t != nil {
			b := Block{Kind: kind, Text: str(t)}
			for _, c := range elements(child(n, "citations")) {
				b.Citations = append(b.Citations, f.json(c))
			}
			return b
		}
	}
	if child(n, "compaction_failed") != nil {
		return Block{Kind: "compaction"}
	}
	for _, kind := range []string{"tool_use", "server_tool_use"} {
		if u := child(n, kind); u != nil {
			return f.call(kind, u)
		}
	}
	r := child(n, "server_tool_result")
	return Block{Kind: str(child(r, "type")), Content: f.json(child(r, "content"))}
}
