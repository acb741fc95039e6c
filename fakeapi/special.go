package fakeapi

import (
	"bytes"

	"harnessbench/fakeapi/script"
	"harnessbench/fakeapi/thinking"
	"harnessbench/internal/prefix"
	"harnessbench/internal/tokens"
)

// special composes the blocks that are neither text, thinking nor calls of the client's tools: redacted thinking,
// calls of server tools and their results (messages-api.md 2.5, 3). It returns what the block costs beyond its text.
func (x *exchange) special(a *answer, b script.Block, out *block, before *prefix.Hash, ordinal *int, gap int, count *tokens.Counter) float64 {
	switch {
	case b.Kind == "text":
		out.citations = b.Citations
	case b.Kind == "redacted_thinking":
		data := x.account.signer.Sign(thinking.Seal{
			Bind: bind(x.context.chain, a.blocks), Text: thinking.HashOf(b.Text),
			Weight: tokens.WeightsOf([]byte(b.Text)), Omitted: true, Redacted: true,
			Before: *before, Answer: thinking.HashOf(a.id), Ordinal: *ordinal, Gap: gap,
		}, x.model)
		*before = thinking.HashOf(data)
		*ordinal++
		out.text = ""
		out.whole = append(quote([]byte(`{"type":"redacted_thinking","data":`), data), '}')
	case b.Kind == "server_tool_use":
		out.id, out.name, out.input = x.s.ids.random("srvtoolu_"), b.Name, b.Input
		if len(out.input) == 0 {
			out.input = []byte("{}")
		}
		return count.Text([]byte(b.Name)) + count.Text(out.input)
	default: // a result of a server tool
		content := b.Content
		if len(content) == 0 {
			content = []byte("[]")
		}
		out.whole = quote([]byte(`{"type":`), b.Kind)
		out.whole = quote(append(out.whole, `,"tool_use_id":`...), x.openServerCall(a))
		out.whole = append(append(append(out.whole, `,"content":`...), content...), x.resultCaller(b.Kind)...)
		out.whole = append(out.whole, '}')
	}
	return 0
}

// openServerCall is the id of the newest server tool call: of the answer at hand, else of the paused one that the
// request ends with.
func (x *exchange) openServerCall(a *answer) string {
	for i := len(a.blocks) - 1; i >= 0; i-- {
		if a.blocks[i].kind == "server_tool_use" {
			return a.blocks[i].id
		}
	}
	if n := x.req.MessageCount(); n > 0 && x.req.Message(n-1).Role() == "assistant" {
		blocks := x.req.Message(n - 1).Blocks()
		for i := len(blocks) - 1; i >= 0; i-- {
			if blocks[i].Type() == "server_tool_use" {
				return blocks[i].Get("id").Text()
			}
		}
	}
	return "srvtoolu_0"
}

// cited is a text block with its citations, which come before the text (recorded 2025-12).
func (b block) cited(dst []byte, text string) []byte {
	dst = append(dst, `{"citations":[`...)
	if text != "" { // the start event of a stream has none yet
		dst = append(dst, bytes.Join(b.citations, []byte(","))...)
	}
	dst = quote(append(dst, `],"type":"text","text":`...), text)
	return append(dst, '}')
}

// citation is the data of one citations_delta.
func citation(index int, c []byte) []byte {
	d := indexed("content_block_delta", index, `,"delta":{"type":"citations_delta","citation":`)
	return append(append(d, c...), "}}"...)
}

// cut ends the last block after n bytes of its text or its input, at a character.
func (a *answer) cut(n int) {
	if n <= 0 || len(a.blocks) == 0 {
		return
	}
	b := &a.blocks[len(a.blocks)-1]
	switch b.kind {
	case "text":
		b.text = b.text[:boundary(b.text, n)]
	case "tool_use", "server_tool_use":
		b.input, b.partial = b.input[:boundary(string(b.input), n)], true
	}
}

// boundary is n, moved back to where a character begins, and at most the length of s.
func boundary(s string, n int) int {
	if n >= len(s) {
		return len(s)
	}
	for n > 0 && s[n]&0xc0 == 0x80 {
		n--
	}
	return n
}

// stopOf is the stop reason that follows from what the script says.
func stopOf(said script.Answer, blocks []block) string {
	switch {
	case said.Refusal != nil:
		return "refusal"
	case said.StopSequence != "":
		return "stop_sequence"
	case said.Cut > 0:
		return "max_tokens"
	}
	for _, b := range blocks {
		if b.kind == "tool_use" {
			return "tool_use"
		}
	}
	return "end_turn"
}

// stopFields appends stop_sequence and stop_details; known is false for the opening of a stream, which has
// neither yet.
func (a *answer) stopFields(dst []byte, x *exchange, known bool) []byte {
	dst = nullable(append(dst, `"stop_sequence":`...), a.sequence, known)
	if !x.s.gives(stopDetails) {
		return dst
	}
	dst = append(dst, `,"stop_details":`...)
	if !known || a.refusal == nil {
		return append(dst, "null"...)
	}
	dst = nullable(append(dst, `{"type":"refusal","category":`...), a.refusal.Category, true)
	dst = nullable(append(dst, `,"explanation":`...), a.refusal.Explanation, true)
	return append(dst, '}')
}

func nullable(dst []byte, s string, known bool) []byte {
	if !known || s == "" {
		return append(dst, "null"...)
	}
	return quote(dst, s)
}

// serverTools appends what server tools did, absent without any (messages-api.md 3).
func (a *answer) serverTools(dst []byte, x *exchange) []byte {
	searches, fetches := 0, 0
	any := false
	for _, b := range a.blocks {
		if b.kind != "server_tool_use" {
			continue
		}
		any = true
		switch b.name {
		case "web_search":
			searches++
		case "web_fetch":
			fetches++
		}
	}
	if !any {
		return dst
	}
	dst = number(append(dst, `,"server_tool_use":{"web_search_requests":`...), searches)
	if x.s.gives(fetchRequests) || fetches > 0 || x.head.beta("web-fetch-2025-09-10") {
		dst = number(append(dst, `,"web_fetch_requests":`...), fetches)
	}
	return append(dst, '}')
}
