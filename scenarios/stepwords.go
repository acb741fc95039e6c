package scenarios

import "slices"

// phases are the points of a turn at which something can be made to happen.
func phases() []string { return []string{"before_answer", "thinking", "text", "tool_input", "tool"} }

func phaseShape(doc string) *shape { return &shape{doc: doc, noun: "phase", choices: phases()} }

// stepShape is one step: an operation and what belongs to it.
func stepShape() *shape {
	ops := slices.Concat(promptKeys(), sessionKeys(), worldKeys())
	return &shape{kind: record, doc: "One thing that happens.",
		oneOf: []string{"prompt", "rewind", "wait", "clear", "exit", "resume", "set",
			"compact", "fork", "btw", "keep_btw", "forget_btw", "title", "mode", "use", "context", "file"},
		keys: append(ops, key{name: "fails", shape: &shape{doc: "The command is refused, with an error that holds this text."}})}
}

// answersShape is what the model says, call by call.
func answersShape(doc string) *shape {
	answer := answerShape(&shape{doc: "The tool the model calls.", noun: "tool", choices: append(toolNames(), compactName)})
	answer.keys = append(answer.keys, key{name: "fill", with: "text", shape: fillShape()})
	return &shape{kind: list, entry: "answer", doc: doc, of: answer}
}

// promptKeys are a prompt and what happens while its turn runs.
func promptKeys() []key {
	denied := &shape{doc: "The user says no, and the turn ends.", noun: "answer", choices: []string{"deny"}, orMap: &shape{kind: record, keys: []key{
		{name: "deny", required: true, shape: &shape{doc: "What the user says with the no; the turn goes on."}}}}}
	var approve []key
	for _, name := range toolNames() {
		approve = append(approve, key{name: name, shape: denied})
	}
	return []key{
		{name: "prompt", shape: &shape{doc: "The user types this and the turn runs to its end."}},
		{name: "model", with: "prompt", shape: answersShape("The model's answers of this turn, in order.")},
		{name: "tools", with: "prompt", shape: &shape{kind: table, doc: "What the tools answer in this turn, by tool, named as in the full profile; Read, Write and Edit really run when nothing is said.", named: toolShapes()}},
		{name: "summaries", with: "prompt", shape: &shape{kind: list, alone: true, entry: "summary", doc: "What the model writes when the harness asks for summaries in this turn, in order.", of: &shape{kind: record, keys: []key{
			{name: "text", required: true, shape: &shape{doc: "The summary."}},
			{name: "model", shape: answersShape("The answers of the turn behind it; without them those of the turn begin anew.")},
		}}}},
		{name: "notes", with: "prompt", shape: &shape{doc: "What the small model writes into the session's memory file behind this turn, should it be asked to; needs aux: on."}},
		{name: "approve", with: "prompt", shape: &shape{kind: table, doc: "Tools that the user denies when asked; all others are allowed.", named: approve}},
		{name: "queued", with: "prompt", shape: &shape{kind: list, alone: true, entry: "queued text", doc: "What the user types ahead while the turn runs.", of: &shape{kind: record, keys: []key{
			{name: "text", required: true, shape: &shape{doc: "What is typed."}},
			{name: "at", required: true, shape: phaseShape("The phase in which it is typed.")},
			{name: "model", shape: answersShape("The answers, when it starts a turn of its own; none when the running turn takes it along.")},
		}}}},
		{name: "aside", with: "prompt", shape: &shape{kind: list, alone: true, entry: "aside", doc: "Questions asked beside the running turn (/btw).", of: &shape{kind: record, keys: append(btwKeys(),
			key{name: "at", required: true, shape: phaseShape("The phase in which it is asked.")})}}},
		{name: "interrupt", with: "prompt", shape: phaseShape("The user interrupts the turn in this phase.")},
		{name: "kill", with: "prompt", shape: phaseShape("The process is killed in this phase; the next step resumes.")},
		{name: "faults", with: "prompt", shape: &shape{kind: list, entry: "fault", doc: "What the server does wrong in this turn.", of: faultShape()}},
		{name: "fill", with: "prompt", shape: &shape{doc: "Filler behind the text: until the prompt is larger than the model's window, or until the text is exactly so many tokens.", choices: []string{"over_window"}, orMap: fillShape()}},
	}
}

func btwKeys() []key {
	return []key{
		{name: "question", required: true, shape: &shape{doc: "What the user asks."}},
		{name: "answer", required: true, shape: &shape{doc: "What the model answers."}},
	}
}

// sessionKeys are the commands of a session and the life of its processes.
func sessionKeys() []key {
	return []key{
		{name: "rewind", shape: &shape{kind: record, doc: "Go back to before an earlier prompt.", keys: []key{
			{name: "to", required: true, shape: &shape{doc: "The step that typed the prompt: step N.", pattern: targetForm, form: "the step of an earlier prompt, such as step 2"}},
			{name: "restore", shape: &shape{doc: "What is taken back; conversation by default.", choices: []string{"conversation", "code", "both", "summarize_from", "summarize_up_to"}}},
			{name: "summary", shape: &shape{doc: "What the model writes, for the two that summarize."}},
		}}},
		{name: "compact", shape: &shape{kind: record, doc: "Summarise the conversation (/compact).", anyOf: []string{"summary", "instructions"}, keys: []key{
			{name: "instructions", shape: &shape{doc: "What to focus on."}},
			{name: "summary", shape: &shape{doc: "What the model writes."}},
		}}},
		{name: "clear", shape: yesOr("A new, empty session in the same process.", key{name: "title", required: true, shape: &shape{doc: "Title for the old session."}})},
		{name: "fork", shape: yesOr("The session goes on in a copy (/branch).", key{name: "title", required: true, shape: &shape{doc: "Title of the copy."}})},
		{name: "btw", shape: &shape{kind: record, doc: "Ask beside the conversation (/btw).", keys: btwKeys()}},
		{name: "keep_btw", shape: &shape{kind: yes, doc: "The newest aside becomes real history, in a copy of the session (f)."}},
		{name: "forget_btw", shape: &shape{kind: yes, doc: "The asides are forgotten (x)."}},
		{name: "title", shape: &shape{doc: "The user titles the session."}},
		{name: "mode", shape: &shape{doc: "Permission mode from here on.", choices: []string{"default", "plan", "acceptEdits", "auto", "dontAsk", "bypassPermissions"}}},
		{name: "use", shape: &shape{kind: record, doc: "Switch the model.", keys: []key{
			{name: "model", required: true, shape: &shape{doc: "Its id.", choices: modelNames()}},
			{name: "effort", shape: &shape{doc: "Effort; the model's default when absent.", choices: []string{"low", "medium", "high", "xhigh", "max"}}},
		}}},
		{name: "context", shape: &shape{kind: yes, doc: "The user looks at the context (/context)."}},
		{name: "set", shape: setShape("Switches changed from here on.")},
		{name: "exit", shape: &shape{kind: yes, doc: "The process ends cleanly."}},
		{name: "resume", shape: yesOr("A new process continues the newest session, or a named one.",
			key{name: "session", shape: &shape{doc: "Title or id of the session."}},
			key{name: "fork", shape: &shape{kind: yes, doc: "It goes on in a copy (--fork-session)."}},
			key{name: "title", with: "fork", shape: &shape{doc: "Title of the copy."}},
			key{name: "rerun", shape: &shape{kind: yes, doc: "The last prompt, which got no answer, is run."}},
		)},
	}
}

// worldKeys are what happens outside the harness.
func worldKeys() []key {
	return []key{
		{name: "wait", shape: &shape{doc: "Time passes.", pattern: waitForm, form: "past_cache_life, one_day or a duration such as 90s"}},
		{name: "file", shape: &shape{kind: record, doc: "Somebody else changes a file.", keys: []key{
			{name: "path", required: true, shape: &shape{doc: "Where, relative to the project or absolute; {session} in it is the id of the session that runs.", pattern: pathForm, form: pathWords}},
			{name: "content", shape: &shape{doc: "What it holds from here on.", blank: true}},
			{name: "delete", shape: &shape{kind: yes, doc: "It is deleted."}},
		}, anyOf: []string{"content", "delete"}}},
	}
}

// yesOr is an operation that may say more.
func yesOr(doc string, keys ...key) *shape {
	return &shape{kind: yes, doc: doc, orMap: &shape{kind: record, keys: keys, anyOf: names(keys)}}
}

// toolNames are the tools that a story's model may call in either profile, by their names in the full one; compactName is
// one that the teaching profile has besides. The harness answers it itself.
func toolNames() []string { return []string{"Bash", "Read", "Write", "Edit"} }

const compactName = "compact"

func toolShapes() []key {
	var out []key
	for _, name := range toolNames() {
		out = append(out, key{name: name, shape: &shape{kind: list, alone: true, doc: "Results in the order of the calls; the last one repeats.",
			of: &shape{kind: record, keys: []key{
				{name: "output", shape: &shape{doc: "What the tool prints.", blank: true}},
				{name: "exit", shape: &shape{kind: number, doc: "Exit code of Bash; 0 by default."}},
				{name: "error", shape: &shape{kind: truth, doc: "The tool itself failed."}},
				{name: "takes", shape: spanShape("How long it runs; 1s by default.")},
				{name: "fill", shape: fillShape()},
			}}}})
	}
	return out
}
