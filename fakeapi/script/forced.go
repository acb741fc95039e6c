package script

import (
	"fmt"
	"math/rand/v2"

	"harnessbench/fakeapi/script/sample"
	"harnessbench/internal/wire"
)

// eligible are the client's tools that a tool_choice leaves.
func eligible(q *query, choice wire.Value) []wire.Value {
	tools := clientTools(q.req.Get("tools"))
	name := choice.Get("name").Text()
	if name == "" {
		return tools
	}
	for _, t := range tools {
		if t.Get("name").Text() == name {
			return []wire.Value{t}
		}
	}
	return nil
}

// call draws a call of a tool; ok is false when no input is found that its schema takes.
func call(t wire.Value, draw *rand.Rand) (b Block, ok bool) {
	b = Block{Kind: "tool_use", Name: t.Get("name").Text()}
	if known := knownInputs[toolType(t)]; known != nil {
		b.Input = []byte(pick(draw, known))
		return b, true
	}
	b.Input, ok = sample.Value(t.Get("input_schema"), draw)
	return b, ok
}

// uncallable says why a forced call is not made: silence would look like a model that does not obey.
func (p *Autopilot) uncallable(q *query, choice wire.Value, draw *rand.Rand) string {
	asked := "tool_choice " + choice.Get("type").Text()
	if name := choice.Get("name").Text(); name != "" {
		asked = fmt.Sprintf("%s %q", asked, name)
	}
	tools := eligible(q, choice)
	if len(tools) == 0 {
		return fmt.Sprintf("%s forces a call, but the autopilot calls only tools that the client runs and the model may call directly, and none such is left; script the answer", asked)
	}
	t := tools[0]
	return fmt.Sprintf("%s forces a call, but the autopilot finds no input for the tool %q: what it draws does not satisfy %s of the input_schema; script the answer",
		asked, t.Get("name").Text(), sample.Obstacle(t.Get("input_schema"), draw))
}
