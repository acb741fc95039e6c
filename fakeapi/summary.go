package fakeapi

import (
	"math"
	"time"

	"harnessbench/fakeapi/contextedit"
	"harnessbench/fakeapi/script"
	"harnessbench/fakeapi/validate"
	"harnessbench/internal/prefix"
	"harnessbench/internal/tokens"
	"harnessbench/internal/wire"
)

// iteration is one sampling step of an answer.
type iteration struct {
	kind  string // compaction, message, fallback_message
	usage Usage
	model string // "" for none: only answers of several models name them
}

// answer says what the script has for a request, after a summary where one is due.
func (x *exchange) answer(said script.Answer) *answer {
	summary, scripted := takeSummary(&said)
	onDemand := validate.Compacts(x.req)
	due := x.context.edited != nil && x.context.edited.Summarize != nil && !x.prewarms()
	if (onDemand || due) && !scripted {
		summary = contextedit.DefaultSummary(x.rendered.Request)
	}
	switch {
	case onDemand:
		return x.onDemand(said, summary, scripted)
	case due:
		return x.compacted(said, summary, *x.context.edited.Summarize)
	}
	a := x.compose(x.stopped(x.bounded(said)))
	budget := x.req.Get("output_config").Get("task_budget")
	if x.head.beta(validate.CompactBeta) || x.head.beta(validate.OnDemandBeta) || budget.Exists() && !budget.IsNull() {
		a.steps = []iteration{{kind: "message", usage: a.usage}}
	}
	return a
}

// takeSummary takes the scripted summary off the head of an answer: a block of kind compaction, whose empty text is
// a compaction that failed. Without a compaction it is not said.
func takeSummary(said *script.Answer) (text string, scripted bool) {
	if len(said.Blocks) == 0 || said.Blocks[0].Kind != "compaction" {
		return "", false
	}
	text = said.Blocks[0].Text
	said.Blocks = said.Blocks[1:]
	return text, true
}

func (x *exchange) prewarms() bool {
	most, ok := x.req.Get("max_tokens").Int()
	return ok && most == 0
}

// summarize is the step that writes a summary: what it costs behind the prompt at hand.
func (x *exchange) summarize(summary, instructions string) Usage {
	count := tokens.For(x.model)
	split := x.look.Split
	u := Usage{Input: split.Input, Read: split.Read, Write5m: split.Write5m, Write1h: split.Write1h}
	u.Input += contextedit.PromptTokens(count, instructions)
	u.Output = int(math.Ceil(count.Text([]byte(summary)) + perBlock))
	return u
}

// compacted answers behind a summary (messages-api.md 8.3). The step that summarises runs first; what it writes to
// the cache is there for the step behind it.
func (x *exchange) compacted(said script.Answer, summary string, how contextedit.Summary) *answer {
	step := iteration{kind: "compaction", usage: x.summarize(summary, how.Instructions)}
	x.view.Compaction = &step.usage
	first := block{kind: "compaction", text: summary}
	raw := contextedit.Block(summary)
	if how.Pause {
		a := x.bare(said)
		a.blocks, a.stop = []block{first}, "compaction"
		a.opening, a.steps = &step.usage, []iteration{step}
		return a
	}
	path := x.look.Commit(x.id, x.now)
	if summary == "" {
		if v, err := wire.ParseValue(raw); err == nil {
			x.context.chain = prefix.ExtendBind(x.context.chain, "assistant", v)
		}
	} else {
		short := contextedit.Shorten(x.rendered.Request, raw)
		x.rendered = prefix.Render(x.rendered, short, x.model, prefix.Options{})
		x.context.chain = x.rendered.BindEnd
		x.view.Effective = string(contextedit.Effective(x.rendered))
	}
	x.look = x.s.cache.Look(x.now, x.account.scope(), x.rendered, path)
	a := x.compose(x.stopped(x.bounded(said)))
	a.blocks = append([]block{first}, a.blocks...)
	a.opening, a.steps = &step.usage, []iteration{step, {kind: "message", usage: a.usage}}
	return a
}

// onDemand answers a compaction request: the block and nothing else, or an empty answer when no summary came to be
// (messages-api.md 8.4). The script says the latter by an answer without blocks, or a summary without text.
func (x *exchange) onDemand(said script.Answer, summary string, scripted bool) *answer {
	if !scripted && len(said.Blocks) == 0 && said.StopReason != "" {
		summary = ""
	}
	step := iteration{kind: "compaction", usage: x.summarize(summary, x.req.Get("compaction").Get("instructions").Text())}
	a := x.bare(said)
	limit, stop := x.limit(x.rendered.Total)
	switch {
	case summary != "" && step.usage.Output > limit:
		step.usage.Output, a.stop = limit, stop
	case summary == "" && said.StopReason == "":
		a.stop = "end_turn"
	case summary != "":
		a.stop = "compaction"
		a.blocks = []block{{kind: "compaction", whole: x.account.summaries.Sign(x.context.bound, summary, contextedit.ToolChanges(x.req))}}
	}
	x.view.Compaction = &step.usage
	a.steps = []iteration{step}
	return a
}

// bare is an answer whose cost stands in its steps alone.
func (x *exchange) bare(said script.Answer) *answer {
	a := &answer{id: x.s.ids.timed("msg_", x.now.Add(time.Millisecond)), stop: said.StopReason, refusal: said.Refusal, firstByte: FirstByte}
	if said.Latency > 0 {
		a.firstByte = said.Latency
	}
	return a
}

// generated is the output of all steps: the time of an answer follows from it.
func (a *answer) generated() int {
	if len(a.steps) == 0 {
		return a.usage.Output
	}
	n := 0
	for _, s := range a.steps {
		n += s.usage.Output
	}
	return n
}

// iterations appends the steps, absent without any. Keys stand in the recorded order (2026-02 to 2026-08).
func (a *answer) iterations(dst []byte) []byte {
	if len(a.steps) == 0 {
		return dst
	}
	dst = append(dst, `,"iterations":[`...)
	for i, s := range a.steps {
		if i > 0 {
			dst = append(dst, ',')
		}
		u := s.usage
		dst = number(append(dst, `{"input_tokens":`...), u.Input)
		dst = number(append(dst, `,"output_tokens":`...), u.Output)
		dst = number(append(dst, `,"cache_read_input_tokens":`...), u.Read)
		dst = number(append(dst, `,"cache_creation_input_tokens":`...), u.Write5m+u.Write1h)
		dst = number(append(dst, `,"cache_creation":{"ephemeral_5m_input_tokens":`...), u.Write5m)
		dst = number(append(dst, `,"ephemeral_1h_input_tokens":`...), u.Write1h)
		dst = append(dst, '}')
		if s.model != "" {
			dst = quote(append(dst, `,"model":`...), s.model)
		}
		dst = append(quote(append(dst, `,"type":`...), s.kind), '}')
	}
	return append(dst, ']')
}
