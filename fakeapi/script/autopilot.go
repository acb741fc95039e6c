package script

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/zeebo/xxh3"

	"harnessbench/fakeapi/script/sample"
	"harnessbench/internal/wire"
)

// Autopilot holds plausible conversations with any client: it thinks, speaks, calls the tools that are offered with
// input their schemas take, and comes to an end. What it says follows from the seed and the conversation, so a
// retry gets the same answer.
type Autopilot struct {
	Seed uint64
	// Rounds bounds the answers of one turn that call tools; 0 is 4.
	Rounds int
}

// autopilotRounds is the default of Rounds.
const autopilotRounds = 4

// answer is what the autopilot says to a request. It misses one that forces a call it cannot make.
func (p *Autopilot) answer(q *query) (Answer, *Miss) {
	draw := rand.New(rand.NewPCG(p.Seed, p.conversation(q)))
	most := p.Rounds
	if most == 0 {
		most = autopilotRounds
	}
	// How long the turn goes on is drawn from its beginning, not from the round at hand.
	length := rand.New(rand.NewPCG(p.Seed, xxh3.HashString(strings.Join(q.texts, "\x00")))).IntN(most + 1)
	choice := q.req.Get("tool_choice")
	forced := choice.Get("type").Text() == "any" || choice.Get("type").Text() == "tool"
	if forced || choice.Get("type").Text() != "none" && q.round <= length {
		if calls := p.calls(q, choice, draw); len(calls) > 0 {
			if forced { // then the answer starts with the call (messages-api.md 2.8)
				return Answer{Blocks: calls}, nil
			}
			return Answer{Blocks: append(p.preface(q, draw), calls...)}, nil
		}
	}
	if forced {
		return Answer{}, &Miss{Problem: p.uncallable(q, choice, draw)}
	}
	if format := q.req.Get("output_config").Get("format"); format.Get("type").Text() == "json_schema" {
		if value, ok := sample.Value(format.Get("schema"), draw); ok {
			return Answer{Blocks: []Block{{Kind: "text", Text: string(value)}}}, nil
		}
	}
	return Answer{Blocks: []Block{
		{Kind: "thinking", Text: pick(draw, conclusions)},
		{Kind: "text", Text: p.closing(q, draw)},
	}}, nil
}

// conversation tells conversations and rounds apart: by everything that was said, call ids left out, which a server
// draws anew.
func (p *Autopilot) conversation(q *query) uint64 {
	var said []byte
	for i := range q.req.MessageCount() {
		m := q.req.Message(i)
		said = append(append(said, m.Role()...), 0)
		for _, b := range m.Blocks() {
			switch b.Type() {
			case "text":
				said = append(said, b.TextValue().Text()...)
			case "tool_use":
				said = append(append(said, b.Get("name").Text()...), b.Get("input").Raw()...)
			case "tool_result":
				said = append(said, join(b.Get("content"))...)
			}
			said = append(said, 1)
		}
	}
	return xxh3.Hash(said)
}

// preface is what stands before calls.
func (p *Autopilot) preface(q *query, draw *rand.Rand) []Block {
	var out []Block
	if q.round == 1 || draw.IntN(2) == 0 {
		out = append(out, Block{Kind: "thinking", Text: pick(draw, thoughts)})
	}
	if draw.IntN(3) > 0 {
		out = append(out, Block{Kind: "text", Text: pick(draw, openings)})
	}
	return out
}

// calls draws one call, seldom two or three, of the client's tools.
func (p *Autopilot) calls(q *query, choice wire.Value, draw *rand.Rand) []Block {
	tools := eligible(q, choice)
	n := 1
	if string(choice.Get("disable_parallel_tool_use").Raw()) != "true" && draw.IntN(3) == 0 {
		n += 1 + draw.IntN(2)
	}
	var out []Block
	for attempt := 0; len(tools) > 0 && len(out) < n && attempt < 8; attempt++ {
		if b, ok := call(tools[draw.IntN(len(tools))], draw); ok {
			out = append(out, b)
		}
	}
	for i := 0; i < len(tools) && len(out) == 0; i++ { // the draws may have left out the one that can be called
		if b, ok := call(tools[i], draw); ok {
			out = append(out, b)
		}
	}
	return out
}

// clientTools are those that the client runs: with a schema, or of a type whose input is known; deferred ones only
// the client's tool search brings.
func clientTools(tools wire.Value) []wire.Value {
	var out []wire.Value
	for _, t := range tools.Elems() {
		if string(t.Get("defer_loading").Raw()) == "true" || !directly(t) {
			continue
		}
		if t.Get("input_schema").Kind() == '{' || knownInputs[toolType(t)] != nil {
			out = append(out, t)
		}
	}
	return out
}

// directly tells whether the model itself may call a tool, not only code it runs.
func directly(t wire.Value) bool {
	callers := t.Get("allowed_callers")
	if callers.Kind() != '[' {
		return true
	}
	for _, c := range callers.Elems() {
		if c.Text() == "direct" {
			return true
		}
	}
	return false
}

// toolType is the type of a tool without its date.
func toolType(t wire.Value) string {
	typ := t.Get("type").Text()
	if i := strings.LastIndexByte(typ, '_'); i > 0 {
		return typ[:i]
	}
	return ""
}

// knownInputs are inputs of the tools that Anthropic defines and clients run.
var knownInputs = map[string][]string{
	"bash":        {`{"command":"ls"}`, `{"command":"pwd"}`, `{"command":"git status"}`},
	"text_editor": {`{"command":"view","path":"README.md"}`},
	"memory":      {`{"command":"view","path":"/memories"}`},
	"computer":    {`{"action":"screenshot"}`},
}

// closing ends a turn.
func (p *Autopilot) closing(q *query, draw *rand.Rand) string {
	text := ""
	if n := len(q.texts); n > 0 {
		text = q.texts[n-1]
	}
	if q.round > 1 {
		return fmt.Sprintf("%s I took %d steps for this.", pick(draw, findings), q.round-1)
	}
	if words := strings.Fields(text); len(words) > 0 && len(words) < 12 {
		return fmt.Sprintf("You said %q. %s", strings.Join(words, " "), pick(draw, findings))
	}
	return pick(draw, findings)
}

func pick(draw *rand.Rand, list []string) string { return list[draw.IntN(len(list))] }

var (
	thoughts = []string{
		"Let me look at what is there before I say anything.",
		"The files will tell; I look first and change nothing.",
		"One more look will settle this.",
	}
	openings = []string{
		"Let me take a look.",
		"I will check that first.",
		"One moment, looking into it.",
	}
	conclusions = []string{
		"That is enough to answer.",
		"Nothing more to look at.",
	}
	findings = []string{
		"Everything is in order as far as I can see.",
		"The project builds, and nothing stands out.",
		"I found what you asked for; nothing needs to change.",
	}
)
