package scenarios

import (
	"regexp"

	"harnessbench/internal/model"
)

var (
	spanForm   = regexp.MustCompile(`^([0-9]+(\.[0-9]+)?(ns|us|ms|s|m|h))+$`)
	waitForm   = regexp.MustCompile(`^(past_cache_life|one_day|([0-9]+(\.[0-9]+)?(ns|us|ms|s|m|h))+)$`)
	callForm   = regexp.MustCompile(`^[1-9][0-9]*\.[1-9][0-9]*$`)
	targetForm = regexp.MustCompile(`^step [1-9][0-9]*$`)
	checkForm  = regexp.MustCompile(`^[A-Z]+(-[0-9]+)?$`)
)

// storyShape is everything a story file may say.
func storyShape() *shape {
	return &shape{kind: record, doc: "One story: what the user does, what the model and the tools answer, what must come out.", keys: []key{
		{name: "story", required: true, shape: &shape{doc: "What happens and why it matters, for people."}},
		{name: "model", required: true, shape: &shape{doc: "Id of the model the golden trace is made on.", choices: modelNames()}},
		{name: "set", shape: setShape("Switches of the harness for the whole story.")},
		{name: "memory", shape: &shape{doc: "Text of the project's memory file (CLAUDE.md)."}},
		{name: "steps", required: true, shape: &shape{kind: list, entry: "step", doc: "What happens, in order; counted from 1.", of: stepShape()}},
		{name: "expect", shape: expectShape()},
	}}
}

func modelNames() []string {
	var out []string
	for _, m := range model.All() {
		out = append(out, m.ID)
		out = append(out, m.Aliases...)
	}
	return out
}

// setShape lists the switches of harness.md 1.5 that are built, the default first.
func setShape(doc string) *shape {
	return &shape{kind: table, doc: doc, named: []key{
		{name: "cache.ttl", shape: &shape{doc: "Life of cache entries.", choices: []string{"1h", "5m"}}},
		{name: "volatile.place", shape: &shape{doc: "Where volatile text stands in the request; by default system where the model takes it, else prompt.", choices: []string{"system", "prompt", "tail"}}},
		{name: "inject.time", shape: &shape{doc: "Tell the model the time in each turn.", choices: []string{"off", "on"}}},
		{name: "thinking", shape: &shape{doc: "Thinking parameter; by default what the model takes.", choices: []string{"adaptive", "enabled", "off"}}},
	}}
}

func stepShape() *shape {
	return &shape{kind: record, doc: "One thing that happens.",
		oneOf: []string{"prompt", "rewind", "wait", "clear", "exit", "resume", "set"},
		keys: []key{
			{name: "prompt", shape: &shape{doc: "The user types this and the turn runs to its end."}},
			{name: "model", with: "prompt", shape: &shape{kind: list, entry: "answer", doc: "The model's answers of this turn, in order.", of: answerShape(&shape{doc: "The tool the model calls.", noun: "tool", choices: toolNames()})}},
			{name: "tools", with: "prompt", shape: &shape{kind: table, doc: "What the tools answer in this turn, by tool.", named: toolShapes()}},
			{name: "interrupt", with: "prompt", shape: &shape{doc: "The user interrupts the turn in this phase.", noun: "phase", choices: []string{"before_answer", "thinking", "text", "tool_input", "tool"}}},
			{name: "faults", with: "prompt", shape: &shape{kind: list, entry: "fault", doc: "What the server does wrong in this turn.", of: faultShape()}},
			{name: "fill", with: "prompt", shape: &shape{doc: "Filler behind the text: until the prompt is larger than the model's window, or until the text is exactly so many tokens.", choices: []string{"over_window"}, orMap: fillShape()}},
			{name: "rewind", shape: &shape{kind: record, doc: "Go back to before an earlier prompt.", keys: []key{
				{name: "to", required: true, shape: &shape{doc: "The step that typed the prompt: step N.", pattern: targetForm, form: "the step of an earlier prompt, such as step 2"}},
				{name: "restore", shape: &shape{doc: "What is taken back.", choices: []string{"conversation"}}},
			}}},
			{name: "wait", shape: &shape{doc: "Time passes.", pattern: waitForm, form: "past_cache_life, one_day or a duration such as 90s"}},
			{name: "clear", shape: &shape{kind: yes, doc: "A new, empty session in the same process."}},
			{name: "exit", shape: &shape{kind: yes, doc: "The process ends cleanly."}},
			{name: "resume", shape: &shape{kind: yes, doc: "A new process continues the session."}},
			{name: "set", shape: setShape("Switches changed from here on.")},
		}}
}

func toolNames() []string { return []string{"Bash", "Read"} }

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

// mostFill is twice the largest window.
const mostFill = 2_000_000

func fillShape() *shape {
	return &shape{kind: record, doc: "Plain words behind the text, until it is exactly so many tokens on the model of the run.", keys: []key{
		{name: "tokens", required: true, shape: &shape{kind: number, least: 1, most: mostFill, doc: "Tokens of the whole text."}},
	}}
}

func spanShape(doc string) *shape {
	return &shape{doc: doc, pattern: spanForm, form: "a duration such as 250ms or 2s"}
}

func expectShape() *shape {
	calls := func(doc string) *shape {
		return &shape{kind: list, doc: doc, of: &shape{kind: call}}
	}
	strs := func(doc string) *shape { return &shape{kind: list, doc: doc, of: &shape{}} }
	return &shape{kind: record, doc: "What must come out on the story's own model. What is not named is not judged.", keys: []key{
		{name: "calls", shape: &shape{kind: number, doc: "Calls to the API in all."}},
		{name: "log", shape: &shape{kind: record, keys: []key{
			{name: "leaves", shape: &shape{kind: number, doc: "Ends of branches in the session log."}},
		}}},
		{name: "cache", shape: &shape{kind: record, keys: []key{
			{name: "reads_at", shape: calls("Calls that read from the cache, as STEP.N.")},
			{name: "cold_at", shape: calls("Calls that read nothing.")},
		}}},
		{name: "refused", shape: calls("Calls that the server refuses.")},
		{name: "present", shape: strs("Strings that the last request holds.")},
		{name: "absent", shape: strs("Strings that the last request does not hold.")},
		{name: "checks", shape: &shape{kind: table, doc: "Verdicts by check id.", name: checkForm, form: "ids of checks, such as CACHE-1", of: &shape{noun: "verdict", choices: []string{"held", "broken", "unknown"}}}},
	}}
}
