package mutant

import "harnessbench/harness/world"

// Mutant is one planted fault.
type Mutant struct {
	Name  string
	Check string // the check that must catch it
	// Implied are the other checks it trips by necessity on its story (D14).
	Implied []string
	Story   string // name of the shipped story on which it shows
	Model   string // "" for the story's own
	fault   fault
}

// Plant makes the layer of one run, with fresh state.
func (m Mutant) Plant() func(world.World) world.World { return m.fault.plant() }

// All lists every planted fault by the check that must catch it.
func All() []Mutant {
	return []Mutant{
		{Name: "clock-in-system", Check: "CACHE-1", Story: "cache_expiry", fault: fault{request: clockInSystem}},
		{Name: "resume-changes-shape", Check: "CACHE-3", Implied: []string{"CACHE-1"}, Story: "resume_after_exit", fault: fault{request: resumeChangesShape}},
		{Name: "five-markers", Check: "CACHE-4", Story: "rewind", fault: fault{request: fiveMarkers}},
		{Name: "marker-on-thinking", Check: "CACHE-4", Story: "rewind", fault: fault{request: markerOnThinking}},
		{Name: "ttl-order", Check: "CACHE-4", Story: "rewind", fault: fault{request: ttlOrder}},
		{Name: "log-rewritten", Check: "LOG-12", Story: "rewind", fault: fault{write: logRewritten}},
		{Name: "log-truncated", Check: "LOG-12", Story: "rewind", fault: fault{write: logTruncated}},
		{Name: "parent-unknown", Check: "LOG-3", Implied: []string{"LOG-5"}, Story: "parallel_tools", fault: fault{write: parentUnknown}},
		{Name: "parent-null-after-resume", Check: "LOG-3", Implied: []string{"LOG-5"}, Story: "resume_after_exit", fault: fault{write: parentNullAfterResume}},
		{Name: "leaf-is-abandoned-branch", Check: "LOG-5", Implied: []string{"CACHE-3", "REW-1"}, Story: "rewind_then_resume", fault: fault{request: abandonedLeaf}},
		{Name: "sent-before-logged", Check: "LOG-6", Story: "rewind", fault: fault{write: sentBeforeLogged}},
		{Name: "entry-never-logged", Check: "LOG-6", Implied: []string{"LOG-3", "LOG-5"}, Story: "cache_expiry", fault: fault{write: entryNeverLogged}},
		{Name: "drop-tool-result", Check: "PAIR-1", Implied: []string{"LOG-5"}, Story: "parallel_tools", fault: fault{request: dropResult}},
		{Name: "orphan-result", Check: "PAIR-2", Implied: []string{"LOG-6"}, Story: "cache_expiry", fault: fault{request: orphanResult}},
		{Name: "duplicate-result", Check: "PAIR-3", Implied: []string{"LOG-5"}, Story: "parallel_tools", fault: fault{request: duplicateResult}},
		{Name: "results-after-text", Check: "PAIR-4", Story: "interrupt_during_tools", fault: fault{request: resultsAfterText}},
		{Name: "results-out-of-order", Check: "PAIR-4", Implied: []string{"CACHE-1"}, Story: "parallel_tools", fault: fault{request: resultsOutOfOrder}},
		{Name: "empty-message", Check: "PAIR-6", Story: "cache_expiry", fault: fault{request: emptyMessage}},
		{Name: "rewind-leaks-branch", Check: "REW-1", Implied: []string{"LOG-5"}, Story: "rewind", fault: fault{request: rewindLeaksBranch}},
		{Name: "rewind-wrong-parent", Check: "REW-1", Implied: []string{"LOG-5"}, Story: "rewind", fault: fault{write: rewindWrongParent}},
		{Name: "thinking-dropped-in-open-turn", Check: "THINK-1", Implied: []string{"CACHE-1"}, Story: "thinking_tool_loop", fault: fault{request: thinkingDropped}},
		{Name: "thinking-altered", Check: "THINK-2", Implied: []string{"LOG-6", "THINK-1"}, Story: "thinking_tool_loop", fault: fault{request: thinkingAltered}},
		{Name: "signature-forged", Check: "THINK-2", Implied: []string{"LOG-6", "THINK-1"}, Story: "rewind", Model: "claude-sonnet-5", fault: fault{request: signatureForged}},
		{Name: "middle-thinking-dropped", Check: "THINK-6", Implied: []string{"CACHE-1"}, Story: "thinking_tool_loop", Model: "claude-sonnet-5-5", fault: fault{request: middleThinkingDropped}},
		{Name: "system-edited-on-bound", Check: "THINK-6", Implied: []string{"CACHE-1"}, Story: "rewind", fault: fault{request: systemEditedOnBound}},
	}
}
