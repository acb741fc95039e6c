package fakeapi

import (
	"strconv"
	"time"

	"harnessbench/fakeapi/thinking"
)

// json appends a content block as it stands in a message.
func (b block) json(dst []byte) []byte {
	if b.partial {
		return b.object(dst, b.text, b.signature, []byte("{}"))
	}
	return b.object(dst, b.text, b.signature, b.input)
}

// skeleton appends a content block as its start event shows it (messages-api.md 4).
func (b block) skeleton(dst []byte) []byte {
	return b.object(dst, "", "", []byte("{}"))
}

func (b block) object(dst []byte, text, signature string, input []byte) []byte {
	if b.whole != nil {
		return append(dst, b.whole...)
	}
	if b.kind == "text" && len(b.citations) > 0 {
		return b.cited(dst, text)
	}
	dst = quote(append(dst, `{"type":`...), b.kind)
	switch b.kind {
	case "compaction":
		dst = nullable(append(dst, `,"content":`...), text, true)
	case "thinking":
		dst = quote(append(dst, `,"thinking":`...), text)
		dst = quote(append(dst, `,"signature":`...), signature)
	case "tool_use", "server_tool_use":
		dst = quote(append(dst, `,"id":`...), b.id)
		dst = quote(append(dst, `,"name":`...), b.name)
		dst = append(append(dst, `,"input":`...), input...)
		if !b.uncalled {
			dst = append(dst, `,"caller":{"type":"direct"}`...)
		}
	default:
		dst = quote(append(dst, `,"text":`...), text)
	}
	return append(dst, '}')
}

// respond puts the answer on the wire in the form that was asked for.
func (a *answer) respond(x *exchange) Response {
	if x.req.Stream() {
		return Response{Status: 200, Header: x.acceptedHeaders("text/event-stream; charset=utf-8"), Frames: a.stream(x), View: x.view}
	}
	at := a.firstByte + time.Duration(a.generated())*PerToken
	return Response{Status: 200, Header: x.acceptedHeaders("application/json"), Frames: []Frame{{at, a.message(x, true)}}, View: x.view}
}

// message is the message object; whole is false for the opening of a stream. Keys stand in the order the API
// sends them (messages-api.md 3).
func (a *answer) message(x *exchange, whole bool) []byte {
	size := 640 // of everything but the blocks
	for i := range a.blocks {
		size += 160 + len(a.blocks[i].text) + len(a.blocks[i].signature) + len(a.blocks[i].input)
	}
	dst := append(make([]byte, 0, size), '{')
	if x.s.gives(modelFirst) {
		dst = append(quote(append(dst, `"model":`...), x.model.ID), ',')
	}
	dst = quote(append(dst, `"id":`...), a.id)
	dst = append(dst, `,"type":"message","role":"assistant"`...)
	if !x.s.gives(modelFirst) && x.s.gives(modelAhead) {
		dst = quote(append(dst, `,"model":`...), x.model.ID)
	}
	dst = append(dst, `,"content":[`...)
	if whole {
		for i, b := range a.blocks {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = b.json(dst)
		}
	}
	dst = append(dst, ']')
	if !x.s.gives(modelAhead) {
		dst = quote(append(dst, `,"model":`...), x.model.ID)
	}
	switch {
	case whole:
		dst = a.container(dst, x)
	case x.s.gives(plainNulls):
		dst = append(dst, `,"container":null`...)
	}
	dst = append(dst, `,"stop_reason":`...)
	if whole {
		dst = quote(dst, a.stop)
	} else {
		dst = append(dst, "null"...)
	}
	dst = append(a.stopFields(append(dst, ','), x, whole), `,"usage":`...)
	dst = a.usageObject(dst, x, whole)
	if whole {
		dst = x.appliedEdits(dst)
	}
	dst = x.transformations(dst)
	if x.s.gives(plainNulls) {
		dst = a.missed.diagnostics(dst)
	}
	return append(dst, '}')
}

// usageObject appends the usage of a message, or of the opening of a stream, where one output token is counted
// and no details are given yet.
func (a *answer) usageObject(dst []byte, x *exchange, whole bool) []byte {
	u := a.usage
	if !whole && a.opening != nil {
		u = *a.opening
	}
	dst = append(x.inputSide(append(dst, '{'), u), ',')
	if x.s.gives(cacheSplit) {
		dst = number(append(dst, `"cache_creation":{"ephemeral_5m_input_tokens":`...), u.Write5m)
		dst = number(append(dst, `,"ephemeral_1h_input_tokens":`...), u.Write1h)
		dst = append(dst, "},"...)
	}
	if whole && len(a.steps) > 0 {
		dst = append(a.iterations(dst[:len(dst)-1]), ',')
	}
	dst = append(dst, `"output_tokens":`...)
	if whole {
		dst = a.thinkingTokens(number(dst, u.Output), x)
	} else {
		dst = number(dst, min(1, u.Output))
	}
	if x.s.gives(serviceTier) {
		dst = quote(append(dst, `,"service_tier":`...), x.tier())
	}
	if x.s.gives(inferenceGeo) {
		dst = quote(append(dst, `,"inference_geo":`...), x.geo())
	}
	if whole {
		dst = a.serverTools(dst, x)
	}
	return append(x.speedServed(dst), '}')
}

// finalUsage appends the usage of message_delta: cumulative, without the split (messages-api.md 3).
func (a *answer) finalUsage(dst []byte, x *exchange) []byte {
	dst = append(dst, '{')
	if x.s.gives(deltaInput) {
		dst = append(x.inputSide(dst, a.usage), ',')
	}
	dst = number(append(dst, `"output_tokens":`...), a.usage.Output)
	return append(a.iterations(a.serverTools(a.thinkingTokens(dst, x), x)), '}')
}

func (x *exchange) inputSide(dst []byte, u Usage) []byte {
	dst = number(append(dst, `"input_tokens":`...), u.Input)
	if !x.s.gives(cacheCounts) {
		return dst
	}
	dst = number(append(dst, `,"cache_creation_input_tokens":`...), u.Write5m+u.Write1h)
	return number(append(dst, `,"cache_read_input_tokens":`...), u.Read)
}

// thinkingTokens appends output_tokens_details: always from 4.8 on, before only with thinking on.
func (a *answer) thinkingTokens(dst []byte, x *exchange) []byte {
	if generation(x.model) < 4.8 && !x.mode.on || !x.s.gives(outputDetails) {
		return dst
	}
	return append(number(append(dst, `,"output_tokens_details":{"thinking_tokens":`...), a.thought), '}')
}

// speedServed appends the speed that the answer was made at, to those who named one (messages-api.md 3).
func (x *exchange) speedServed(dst []byte) []byte {
	if x.req.Get("speed").Kind() != '"' {
		return dst
	}
	if x.fast() {
		return append(dst, `,"speed":"fast"`...)
	}
	return append(dst, `,"speed":"standard"`...)
}

// fast tells an answer made in fast mode. A model may take the word and run as ever (messages-api.md 2.2).
func (x *exchange) fast() bool {
	return x.req.Get("speed").Text() == "fast" && x.model.FastMode != "runs_standard"
}

// tier is the tier that the answer was made on.
func (x *exchange) tier() string {
	if x.batched {
		return "batch"
	}
	return "standard"
}

// geo is where the answer was made, as usage names it.
func (x *exchange) geo() string {
	if generation(x.model) < 4.6 {
		return "not_available"
	}
	if asked := x.req.Get("inference_geo").Text(); asked != "" {
		return asked
	}
	return "global"
}

// transformations appends what became of thinking blocks, to those who sent the beta (messages-api.md 6.6).
func (x *exchange) transformations(dst []byte) []byte {
	if !x.head.beta(thinking.BindingBeta) || !thinks(x.model.ThinkingDefault, x.model.ThinkingAdaptive, x.model.ThinkingBudget) {
		return dst
	}
	dst = append(dst, `,"input_transformations":[`...)
	for i, t := range x.verified.Transformations() {
		if i > 0 {
			dst = append(dst, ',')
		}
		kind := "thinking_dropped"
		if t.Allowed {
			kind = "thinking_mismatch_allowed"
		}
		dst = quote(append(dst, `{"type":`...), kind)
		dst = quote(append(dst, `,"path":`...), x.sentPath(x.context.base.Named(t.Path)))
		dst = append(quote(append(dst, `,"reason":`...), t.Reason), '}')
	}
	return append(dst, ']')
}

// thinks tells whether a model thinks in any mode.
func thinks(byDefault, adaptive, budget string) bool {
	return byDefault == "on" || adaptive == "yes" || budget == "yes" || budget == "deprecated"
}

func number(dst []byte, n int) []byte { return strconv.AppendInt(dst, int64(n), 10) }
