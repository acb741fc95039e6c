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
		{Name: "tools-reordered", Check: "CACHE-2", Implied: []string{"CACHE-1"}, Story: "parallel_tools", fault: fault{request: toolsReordered}},
		{Name: "breakpoint-stays-behind", Check: "CACHE-5", Story: "parallel_tools", fault: fault{request: breakpointStaysBehind}},
		{Name: "summary-under-other-system", Check: "CACHE-6", Story: "compact", Model: "claude-sonnet-5", fault: fault{request: summaryUnderOtherSystem}},
		{Name: "effort-flips", Check: "CACHE-7", Story: "parallel_tools", fault: fault{request: effortFlips}},
		{Name: "models-flap", Check: "CACHE-7", Story: "snip", Model: "claude-sonnet-5", fault: fault{request: modelsFlap}},
		{Name: "arguments-respelled", Check: "CACHE-8", Story: "parallel_tools", fault: fault{request: argumentsRespelled}},
		{Name: "keep-alive-too-late", Check: "CACHE-9", Story: "cache_expiry", fault: fault{call: keepAliveTooLate}},
		{Name: "keep-alive-under-other-settings", Check: "CACHE-9", Story: "parallel_tools", fault: fault{call: keepAliveUnderOtherSettings}},
		{Name: "compacted-inside-a-round", Check: "CMP-1", Story: "auto_compact", fault: compactedInsideARound()},
		{Name: "result-kept-without-call", Check: "CMP-1", Story: "auto_compact", fault: fault{write: resultKeptWithoutCall}},
		{Name: "threshold-never-seen", Check: "CMP-2", Story: "auto_compact_fails", fault: fault{answer: thresholdNeverSeen}},
		{Name: "compacted-too-early", Check: "CMP-2", Story: "auto_compact", fault: fault{answer: compactedTooEarly}},
		{Name: "compacted-twice", Check: "CMP-3", Implied: []string{"CMP-7"}, Story: "auto_compact", fault: fault{write: compactedTwice}},
		{Name: "servers-summary-dropped", Check: "LOG-5", Story: "server_compact", fault: fault{request: serversSummaryDropped}},
		{Name: "summary-no-shorter", Check: "CMP-3", Implied: []string{"CACHE-6", "LOG-6"}, Story: "auto_compact", fault: fault{request: summaryNoShorter}},
		{Name: "breaker-ignored", Check: "CMP-4", Story: "auto_compact_fails", fault: fault{call: breakerIgnored}},
		{Name: "failed-summary-resent", Check: "CMP-4", Story: "auto_compact_fails", fault: fault{call: failedSummaryResent}},
		{Name: "thrashing", Check: "CMP-4", Implied: []string{"CMP-1", "CMP-3", "CMP-7", "LOG-5"}, Story: "auto_compact_thrash", fault: fault{write: thrashing}},
		{Name: "summary-request-no-smaller", Check: "CMP-5", Story: "auto_compact_too_long", fault: fault{request: summaryRequestNoSmaller}},
		{Name: "summary-asks-too-much", Check: "CMP-5", Story: "auto_compact_before_turn", fault: fault{request: summaryAsksTooMuch}},
		{Name: "newest-prompt-summarised", Check: "CMP-6", Implied: []string{"LOG-5", "LOG-6"}, Story: "auto_compact", fault: fault{request: newestPromptSummarised}},
		{Name: "summary-request-loses-text", Check: "CMP-6", Implied: []string{"CACHE-6"}, Story: "auto_compact", Model: "claude-sonnet-5", fault: fault{request: summaryRequestLosesText}},
		{Name: "system-changed-by-compaction", Check: "CMP-6", Story: "auto_compact", fault: fault{request: systemChangedByCompaction}},
		{Name: "main-call-during-compaction", Check: "CMP-7", Implied: []string{"LOG-5"}, Story: "auto_compact_before_turn", fault: fault{call: mainCallDuringCompaction}},
		{Name: "boundary-without-summary", Check: "CMP-7", Story: "auto_compact", fault: fault{write: boundaryWithoutSummary}},
		{Name: "turn-ends-at-compaction", Check: "CMP-7", Story: "auto_compact", fault: fault{call: turnEndsAtCompaction}},
		{Name: "image-as-text-in-summary", Check: "CMP-8", Implied: []string{"LOG-6"}, Story: "auto_compact", fault: fault{request: imageAsTextInSummary}},
		{Name: "opencode-20826-pruned-results", Check: "PAIR-1", Implied: []string{"LOG-6"}, Story: "opencode_20826", fault: fault{request: prunedResults}},
		{Name: "opencode-4416-cache-read-twice", Check: "CMP-2", Story: "opencode_4416", fault: fault{answer: cacheReadCountedTwice}},
		{Name: "opencode-21208-fixed-threshold", Check: "CMP-2", Story: "opencode_21208", fault: fault{answer: thresholdIsFixed}},
		{Name: "opencode-2945-context-lost", Check: "CMP-6", Implied: []string{"LOG-5"}, Story: "opencode_2945", fault: fault{request: workingContextLost}},
		{Name: "opencode-3917-prune-untold", Check: "CACHE-1", Implied: []string{"LOG-5", "LOG-6"}, Story: "opencode_3917", fault: fault{write: pruneUntold}},
		{Name: "log-rewritten", Check: "LOG-12", Story: "rewind", fault: fault{write: logRewritten}},
		{Name: "log-truncated", Check: "LOG-12", Story: "rewind", fault: fault{write: logTruncated}},
		{Name: "parent-unknown", Check: "LOG-3", Implied: []string{"LOG-5"}, Story: "parallel_tools", fault: fault{write: parentUnknown}},
		{Name: "parent-null-after-resume", Check: "LOG-3", Implied: []string{"LOG-5"}, Story: "resume_after_exit", fault: fault{write: parentNullAfterResume}},
		{Name: "leaf-is-abandoned-branch", Check: "LOG-5", Implied: []string{"CACHE-3", "REW-1"}, Story: "rewind_then_resume", fault: fault{request: abandonedLeaf}},
		{Name: "snipped-round-sent", Check: "LOG-5", Implied: []string{"CACHE-3"}, Story: "snip", fault: fault{request: snippedRoundSent}},
		{Name: "span-without-summary", Check: "LOG-5", Implied: []string{"CACHE-3"}, Story: "collapse", fault: fault{request: spanWithoutSummary}},
		{Name: "cleared-result-sent", Check: "LOG-6", Implied: []string{"CACHE-3"}, Story: "micro_time", fault: fault{request: clearedResultSent}},
		{Name: "sent-before-logged", Check: "LOG-6", Story: "rewind", fault: fault{write: sentBeforeLogged}},
		{Name: "entry-never-logged", Check: "LOG-6", Implied: []string{"LOG-3", "LOG-5"}, Story: "cache_expiry", fault: fault{write: entryNeverLogged}},
		{Name: "drop-tool-result", Check: "PAIR-1", Implied: []string{"CACHE-5", "LOG-5"}, Story: "parallel_tools", fault: fault{request: dropResult}},
		{Name: "orphan-result", Check: "PAIR-2", Implied: []string{"LOG-6"}, Story: "cache_expiry", fault: fault{request: orphanResult}},
		{Name: "compact-tool-without-call", Check: "PAIR-2", Implied: []string{"PAIR-4"}, Story: "teaching_compact_tool", fault: fault{request: compactToolWithoutCall}},
		{Name: "duplicate-result", Check: "PAIR-3", Implied: []string{"LOG-5"}, Story: "parallel_tools", fault: fault{request: duplicateResult}},
		{Name: "results-after-text", Check: "PAIR-4", Story: "interrupt_during_tools", fault: fault{request: resultsAfterText}},
		{Name: "results-out-of-order", Check: "PAIR-4", Implied: []string{"CACHE-1"}, Story: "parallel_tools", fault: fault{request: resultsOutOfOrder}},
		{Name: "empty-message", Check: "PAIR-6", Story: "cache_expiry", fault: fault{request: emptyMessage}},
		{Name: "rewind-leaks-branch", Check: "REW-1", Implied: []string{"LOG-5"}, Story: "rewind", fault: fault{request: rewindLeaksBranch}},
		{Name: "rewind-wrong-parent", Check: "REW-1", Implied: []string{"LOG-5"}, Story: "rewind", fault: fault{write: rewindWrongParent}},
		{Name: "thinking-dropped-in-open-turn", Check: "THINK-1", Implied: []string{"CACHE-1"}, Story: "thinking_tool_loop", fault: fault{request: thinkingDropped}},
		{Name: "thinking-altered", Check: "THINK-2", Implied: []string{"LOG-6", "THINK-1"}, Story: "thinking_tool_loop", fault: fault{request: thinkingAltered}},
		{Name: "signature-forged", Check: "THINK-2", Implied: []string{"LOG-6", "THINK-1"}, Story: "rewind", Model: "claude-sonnet-5", fault: fault{request: signatureForged}},
		{Name: "half-of-thinking-in-summary", Check: "THINK-5", Implied: []string{"CACHE-6"}, Story: "auto_compact", Model: "claude-sonnet-5", fault: fault{request: halfOfThinkingInSummary}},
		{Name: "middle-thinking-dropped", Check: "THINK-6", Implied: []string{"CACHE-1"}, Story: "thinking_tool_loop", Model: "claude-sonnet-5-5", fault: fault{request: middleThinkingDropped}},
		{Name: "system-edited-on-bound", Check: "THINK-6", Implied: []string{"CACHE-1"}, Story: "rewind", fault: fault{request: systemEditedOnBound}},
	}
}
