package repl

import (
	"strings"

	"harnessbench/harness/world"
)

// ahead is a world that takes in what is typed while a turn runs, each time a tool has ended: text goes along with the
// turn's next call; a command, and whatever is typed behind it, waits for the turn's end (H-LOOP-25).
type ahead struct {
	world.World
	c *chat
}

func (a ahead) Go(key string, f func(world.World)) world.Task {
	return a.World.Go(key, func(w world.World) { f(ahead{w, a.c}) })
}

func (a ahead) RunTool(call world.ToolCall) (world.ToolResult, error) {
	res, err := a.World.RunTool(call)
	a.c.takeAhead()
	return res, err
}

func (c *chat) takeAhead() {
	for {
		line, ok := c.in.Ahead()
		if !ok {
			return
		}
		_, _, command := asCommand(line)
		switch {
		case command || len(c.held) > 0 || strings.HasSuffix(line, `\`):
			c.held = append(c.held, line)
		case strings.TrimSpace(line) != "":
			c.s.Queue(line)
			c.show.line("[goes along with the next call: %s]", line)
		}
	}
}

// line is what was held back, or else typed next.
func (c *chat) line(prompt string) (string, error) {
	if len(c.held) == 0 {
		return c.in.Line(prompt)
	}
	line := c.held[0]
	c.held = c.held[1:]
	return line, nil
}
