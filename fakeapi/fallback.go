package fakeapi

import (
	"time"

	"harnessbench/fakeapi/script"
	"harnessbench/fakeapi/thinking"
	"harnessbench/fakeapi/validate"
	"harnessbench/internal/model"
	"harnessbench/internal/prefix"
	"harnessbench/internal/wire"
)

// fallBack asks the fallback models in order as long as the one before declined (messages-api.md 2.11), and joins what
// each said. The exchange returned is the one that the answer is served by: the request's own when every model
// declined.
func (x *exchange) fallBack(a *answer, by check) (*exchange, *answer, *validate.Fault) {
	from, server := x.req.Model(), x
	for _, h := range x.hops {
		if a.stop != "refusal" {
			break
		}
		y := &exchange{s: x.s, now: x.now, head: x.head, id: x.id, account: x.account, known: x.known,
			atOnce: x.atOnce, speed: x.speed, batched: x.batched,
			ahead: a.blocks, late: a.firstByte + time.Duration(a.generated())*PerToken}
		b, fault := y.sample(h.body, by)
		if fault != nil {
			return nil, nil, fault
		}
		a.handOver(crossing(from, y.model.ID, a.refusal), server.model.ID, b, y.model.ID)
		from, server = y.model.ID, y
	}
	if a.stop == "refusal" {
		return x, a, nil
	}
	return server, a, nil
}

// handOver puts what another model said behind an answer that was declined. Usage is the sum of the steps, of which
// the last is named for having served the answer.
func (a *answer) handOver(mark block, by string, b *answer, to string) {
	a.opening = a.opened()
	a.steps = append(a.stepsBy(by), b.stepsBy(to)...)
	if b.stop != "refusal" {
		a.steps[len(a.steps)-1].kind = "fallback_message"
	}
	a.blocks = append(append(a.blocks[:len(a.blocks):len(a.blocks)], mark), b.blocks...)
	a.stop, a.sequence, a.refusal = b.stop, b.sequence, b.refusal
	a.usage = a.usage.plus(b.usage)
	a.thought += b.thought
	a.firstByte += b.firstByte
}

// opened is the usage that a stream opens with.
func (a *answer) opened() *Usage {
	if a.opening != nil {
		return a.opening
	}
	first := a.usage
	return &first
}

// stepsBy are the steps of an answer, each with the model that took it but for compactions (messages-api.md 3).
func (a *answer) stepsBy(name string) []iteration {
	steps := append([]iteration(nil), a.steps...)
	if len(steps) == 0 {
		steps = []iteration{{kind: "message", usage: a.usage}}
	}
	for i := range steps {
		if steps[i].kind != "compaction" && steps[i].model == "" {
			steps[i].model = name
		}
	}
	return steps
}

func (u Usage) plus(o Usage) Usage {
	return Usage{u.Input + o.Input, u.Read + o.Read, u.Write5m + o.Write5m, u.Write1h + o.Write1h, u.Output + o.Output}
}

// crossing is the block between what two models said. The first is named as the request names it.
func crossing(from, to string, why *script.Refusal) block {
	category := ""
	if why != nil {
		category = why.Category
	}
	whole := quote([]byte(`{"type":"fallback","from":{"model":`), from)
	whole = quote(append(whole, `},"to":{"model":`...), to)
	whole = nullable(append(whole, `},"trigger":{"type":"refusal","category":`...), category, true)
	return block{kind: "fallback", whole: append(whole, "}}"...)}
}

// lastThought is the thinking block that the next one of the answer names as the one before it: the newest that the
// model reads of what a model ahead said in the same answer, else of the prompt.
func (x *exchange) lastThought() prefix.Hash {
	for i := len(x.ahead) - 1; i >= 0; i-- {
		if k := x.ahead[i].kind; k != "thinking" && k != "redacted_thinking" {
			continue
		}
		v, err := wire.ParseValue(x.ahead[i].json(nil))
		if err != nil { // our own JSON
			continue
		}
		sig := v.Get("signature").Text() + v.Get("data").Text() // a block has one of them
		seal, made := x.account.signer.Open(sig)
		if by, known := model.Lookup(seal.Model); made && known && x.model.ReadsThinkingOf(by) {
			return thinking.HashOf(sig)
		}
	}
	return x.verified.Last()
}
