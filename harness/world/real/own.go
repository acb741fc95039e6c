package real

import (
	"context"

	"harnessbench/harness/world"
)

// OwnTools leaves every call to the harness's own way over the other ports; a tool that has none is an error for the
// model, not for the turn.
type OwnTools struct{}

var _ ToolRunner = OwnTools{}

// Run implements ToolRunner.
func (OwnTools) Run(context.Context, world.ToolCall) (world.ToolResult, error) {
	return world.ToolResult{Own: true}, nil
}
