package sim

import (
	"fmt"

	"harnessbench/conformance/trace"
)

// once sees that no tool is started twice for one tool_use id, whatever was killed (STREAM-2 in a sweep).
type once struct {
	runs   map[string]int
	faults []string
}

func (o *once) event(e trace.Event) {
	if e.Kind != trace.KindTool || e.Tool.Phase != "start" {
		return
	}
	o.runs[e.Tool.ID]++
	if n := o.runs[e.Tool.ID]; n > 1 {
		o.faults = append(o.faults, fmt.Sprintf("tool call %s (%s) was started %d times", e.Tool.ID, e.Tool.Name, n))
	}
}
