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
	plantForm  = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)
	pathForm   = regexp.MustCompile(`^/?[^/\x00]+(/[^/\x00]+)*$`)
	fileForm   = regexp.MustCompile(`^[A-Za-z0-9_-]+(/[A-Za-z0-9_-]+)*\.jsonl$`)
)

const pathWords = "paths such as src/a.go, relative to the project, or absolute"

// storyShape is everything a story file may say.
func storyShape() *shape {
	return &shape{kind: record, doc: "One story: what the user does, what the model and the tools answer, what must come out.", keys: []key{
		{name: "story", required: true, shape: &shape{doc: "What happens and why it matters, for people."}},
		{name: "model", required: true, shape: &shape{doc: "Id of the model the golden trace is made on.", choices: modelNames()}},
		{name: "set", shape: wholeSetShape()},
		{name: "memory", shape: &shape{doc: "Text of the project's memory file (CLAUDE.md)."}},
		{name: "files", shape: &shape{kind: table, doc: "Files of the user that are there before the first step, by path.", name: pathForm, form: pathWords, of: &shape{doc: "Content.", blank: true}}},
		{name: "aux", shape: &shape{doc: "Whether the harness makes its auxiliary calls: a quota probe and a classification first.", choices: []string{"off", "on"}}},
		{name: "start", shape: startShape()},
		{name: "log", shape: &shape{doc: "A session log that is there before the first step: a file beside the story. The first step resumes it.", pattern: fileForm, form: "a file such as testdata/torn.jsonl"}},
		{name: "plant", shape: &shape{doc: "A fault of the harness, planted between it and the wire; expect.findings says what finds it.", pattern: plantForm, form: "the name of a planted fault, such as clock-in-system"}},
		{name: "steps", required: true, shape: &shape{kind: list, entry: "step", doc: "What happens, in order; counted from 1.", of: stepShape()}},
		{name: "expect", shape: expectShape()},
	}}
}

// startShape lists what a process is started with.
func startShape() *shape {
	return &shape{kind: record, doc: "What every process of the story is started with.", anyOf: []string{"fallback", "max_retries", "max_turns", "max_budget_usd", "tool_concurrency", "window", "compact_percent"}, keys: []key{
		{name: "fallback", shape: &shape{doc: "Model that takes over after refusals and overload.", noun: "model", choices: modelNames()}},
		{name: "max_retries", shape: &shape{kind: number, least: 1, most: 15, doc: "Attempts of a call."}},
		{name: "max_turns", shape: &shape{kind: number, least: 1, most: 999_999, doc: "Tool rounds of a turn."}},
		{name: "max_budget_usd", shape: &shape{kind: fraction, doc: "Cost in USD at which a turn ends."}},
		{name: "tool_concurrency", shape: &shape{kind: number, least: 1, most: 999_999, doc: "Tools that run side by side."}},
		{name: "window", shape: &shape{kind: number, least: 100_000, most: 1_000_000, doc: "Tokens of the context, where they are to be fewer than the model takes."}},
		{name: "compact_percent", shape: &shape{kind: number, least: 1, most: 100, doc: "Share of the context, in percent, at which the conversation is summarised at the latest."}},
	}}
}

func fileStateShape() *shape {
	return &shape{doc: "Its whole content.", blank: true, orMap: &shape{kind: record, anyOf: []string{"absent", "contains"}, keys: []key{
		{name: "absent", shape: &shape{kind: yes, doc: "There is no such file."}},
		{name: "contains", shape: &shape{kind: list, alone: true, doc: "Texts that it holds.", of: &shape{}}},
	}}}
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
		{name: "compact.server", shape: &shape{doc: "The server compacts the conversation, where the model has that.", choices: []string{"off", "on"}}},
		{name: "compact.sessionMemory", shape: &shape{doc: "The session's memory file is the summary.", choices: []string{"off", "on"}}},
		{name: "thinking", shape: &shape{doc: "Thinking parameter; by default what the model takes.", choices: []string{"adaptive", "enabled", "off"}}},
	}}
}

// wholeSetShape are the switches that may stand at the head of a story: those of the harness, and those of the server,
// which nobody changes under way.
func wholeSetShape() *shape {
	s := setShape("Switches of the harness and of the server's cache for the whole story.")
	s.named = append(s.named,
		key{name: "cache.breakpoints", shape: &shape{doc: "Breakpoints of a request: all that are worth it, or the two of a small harness.", choices: []string{"priority", "two"}}},
		key{name: "cache.policy", shape: &shape{doc: "The provider whose cache the server has.", choices: []string{"anthropic", "openai", "gemini"}}},
		key{name: "cache.hitRate", shape: &shape{kind: fraction, doc: "Share of stored prefixes that is found where a provider leaves it to chance; 1 by default."}},
		key{name: "compact.auto", shape: &shape{doc: "Whether a full conversation is summarised by itself.", choices: []string{"on", "off"}}},
		key{name: "compact.cooldown", shape: spanShape("After that time one more summary is tried when several have failed in a row.")},
		key{name: "compact.keepRecent", shape: &shape{doc: "How many of the newest messages stay behind a summary.", choices: []string{"0", "20"}}},
		key{name: "compact.request", shape: &shape{doc: "The request for a summary: with the prefix of the conversation, or without tools.", choices: []string{"shared-prefix", "no-tools"}}},
		key{name: "collapse", shape: &shape{doc: "Whether the oldest rounds are shown as a summary in place of summarising all.", choices: []string{"off", "on"}}},
		key{name: "micro.clearAtLeast", shape: &shape{kind: number, most: mostFill, doc: "Tokens that clearing old results must free; by default as many as the prices of the cache make worth it."}},
		key{name: "micro.expectedCalls", shape: &shape{kind: number, most: mostFill, doc: "Calls expected after a clearing, on which that default depends; 10 by default."}},
		key{name: "micro.mode", shape: &shape{doc: "When old results of tools are cleared.", choices: []string{"time", "cached", "position", "off"}}},
		key{name: "micro.unconditional", shape: &shape{doc: "Whether they are cleared also when it does not pay.", choices: []string{"off", "on"}}},
		key{name: "profile", shape: &shape{doc: "The layers and tools of the whole harness, or those of a small one.", choices: []string{"full", "teaching"}}},
		key{name: "snip", shape: &shape{doc: "Whether a long conversation loses its middle.", choices: []string{"off", "on"}}},
		key{name: "thinking.keep", shape: &shape{doc: "Whose thinking is sent back.", choices: []string{"all", "last-turn"}}},
		key{name: "thinking.onBreak", shape: &shape{doc: "What becomes of thinking where the history is edited, on models that check it.", choices: []string{"drop", "drop-block", "server"}}},
	)
	return s
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
		{name: "notices", shape: strs("Texts that the harness must have told the user.")},
		{name: "files", shape: &shape{kind: table, doc: "Files as they must be at the end, by path.", name: pathForm, form: pathWords, of: fileStateShape()}},
		{name: "checks", shape: &shape{kind: table, doc: "Verdicts by check id.", name: checkForm, form: "ids of checks, such as CACHE-1", of: &shape{noun: "verdict", choices: []string{"held", "broken", "unknown"}}}},
		{name: "findings", shape: findingsShape()},
	}}
}

func findingsShape() *shape {
	return &shape{kind: list, doc: "What the judge must find, and all it may, on every model: the story is of a harness at fault.", of: &shape{
		doc: "A check that finds something.", pattern: checkForm, form: "a check such as CACHE-1", orMap: &shape{kind: record, keys: []key{
			{name: "check", required: true, shape: &shape{doc: "The check that finds it.", pattern: checkForm, form: "a check such as CACHE-1"}},
			{name: "contains", shape: &shape{kind: list, alone: true, doc: "Texts that the finding holds.", of: &shape{}}},
			{name: "times", shape: &shape{kind: number, least: 1, most: 999, doc: "So many such findings exactly; at least one by default."}},
			{name: "models", shape: &shape{kind: list, alone: true, doc: "The models on which it is found; every one by default.", of: &shape{noun: "model", choices: modelNames()}}},
		}}}}
}
