package fakeapi

import (
	"math"
	"time"

	"harnessbench/fakeapi/script"
	"harnessbench/fakeapi/thinking"
	"harnessbench/internal/prefix"
	"harnessbench/internal/tokens"
	"harnessbench/internal/wire"
)

// answer is a whole answer before it is put on the wire.
type answer struct {
	id        string
	blocks    []block
	stop      string
	sequence  string // stop_sequence, "" for null
	refusal   *script.Refusal
	usage     Usage
	opening   *Usage      // what a stream opens with, nil for usage
	steps     []iteration // of usage.iterations
	thought   int         // tokens of thinking, part of usage.Output
	firstByte time.Duration
	missed    missed // of diagnostics
}

// block is one content block of an answer.
type block struct {
	kind      string // text, thinking, tool_use, server_tool_use; others come whole
	text      string // text, thinking: as shown
	signature string
	id, name  string
	input     []byte
	citations [][]byte // of a text
	partial   bool     // the input was cut and is no JSON; a message that is not streamed shows {} for it
	uncalled  bool     // a call without its caller: the form before 2026-02
	whole     []byte   // the block itself, of kinds that are streamed without deltas
}

// perBlock is what a block costs beyond its texts, in output tokens.
const perBlock = 3

// compose turns what the script says into blocks with ids, signatures and counts.
func (x *exchange) compose(said script.Answer) *answer {
	a := &answer{id: x.s.ids.timed("msg_", x.now.Add(time.Millisecond)), stop: said.StopReason, sequence: said.StopSequence, refusal: said.Refusal, firstByte: FirstByte}
	if said.Latency > 0 {
		a.firstByte = said.Latency
	}
	blocks := x.thoughts(said.Blocks)
	count := tokens.For(x.model)
	before, ordinal := x.lastThought(), 0
	var all, thought float64
	for i, b := range blocks {
		gap := gapBehind(blocks[i+1:])
		out := block{kind: b.Kind, text: b.Text, uncalled: x.uncalled(b)}
		weight := count.Text([]byte(b.Text)) + perBlock
		switch b.Kind {
		case "thinking":
			out.signature = x.account.signer.Sign(thinking.Seal{
				Bind: bind(x.context.chain, a.blocks), Text: thinking.HashOf(b.Text),
				Weight: tokens.WeightsOf([]byte(b.Text)), Omitted: x.mode.omits(b.Update),
				Before: before, Answer: thinking.HashOf(a.id), Ordinal: ordinal, Gap: gap,
			}, x.model)
			before = thinking.HashOf(out.signature)
			ordinal++
			if x.mode.omits(b.Update) {
				out.text = ""
			}
			thought += weight
		case "tool_use":
			out.id, out.name, out.input = x.s.ids.random("toolu_"), b.Name, b.Input
			if len(out.input) == 0 {
				out.input = []byte("{}")
			}
			weight += count.Text([]byte(b.Name)) + count.Text(out.input)
		default:
			weight += x.special(a, b, &out, &before, &ordinal, gap, count)
		}
		all += weight
		a.blocks = append(a.blocks, out)
	}
	a.cut(said.Cut)
	if a.stop == "" {
		a.stop = stopOf(said, a.blocks)
	}
	split := x.look.Split
	a.usage = Usage{Input: split.Input, Read: split.Read, Write5m: split.Write5m, Write1h: split.Write1h}
	if said.StopReason != "max_tokens" || len(a.blocks) > 0 {
		a.usage.Output = max(2, int(math.Ceil(all))) // an empty answer costs two tokens (messages-api.md 3)
	}
	if x.context.most > 0 {
		a.usage.Output = x.context.most
	}
	if x.context.swallowed != "" {
		a.usage.Output = x.withSwallowed(all, count)
	}
	a.thought = min(int(math.Ceil(thought)), a.usage.Output)
	return a
}

// thoughts leaves out the thinking of an answer that may not think, and adds what a real model always does.
func (x *exchange) thoughts(blocks []script.Block) []script.Block {
	var out []script.Block
	for _, b := range blocks {
		if x.mode.thinks(b.Kind, b.Update) {
			out = append(out, b)
		}
	}
	if x.mode.manual && x.mode.begins && len(out) > 0 && out[0].Kind != "thinking" && out[0].Kind != "redacted_thinking" {
		out = append([]script.Block{{Kind: "thinking", Text: FixedThinking}}, out...)
	}
	return out
}

// gapBehind is the gap of a seal in front of the rest of an answer.
func gapBehind(rest []script.Block) int {
	gap := 1
	for _, b := range rest {
		switch b.Kind {
		case "tool_use":
			gap++
		case "thinking", "redacted_thinking":
			return gap
		}
	}
	return 0
}

// bind continues the binding chain of the prompt over the blocks answered so far.
func bind(chain prefix.Hash, blocks []block) prefix.Hash {
	for _, b := range blocks {
		v, err := wire.ParseValue(b.json(nil))
		if err != nil { // a scripted input that is no JSON: nothing that can come back is bound to it
			continue
		}
		chain = prefix.ExtendBind(chain, "assistant", v)
	}
	return chain
}
