package tool

// taught is the tools of profile=teaching: nine, with the names and parameters of a small harness (H-TOOL-6). The first
// eight run as tools of the full profile.
var taught = [...]Definition{
	{Name: "bash", runs: BashName, says: "Runs a shell command.",
		params: []param{{name: "command", kind: "string", required: true, as: "command", says: "The command line."}}},
	{Name: "read_file", runs: ReadName, says: "Returns the text of a file.", params: []param{
		{name: "path", kind: "string", required: true, as: "file_path", says: "Absolute path of the file."},
		{name: "limit", kind: "integer", least: 1, as: "limit", says: "How many lines to return."},
	}},
	{Name: "write_file", runs: WriteName, says: "Writes a whole file.", params: []param{
		{name: "path", kind: "string", required: true, as: "file_path", says: "Absolute path of the file."},
		{name: "content", kind: "string", required: true, as: "content", says: "The whole text."},
	}},
	{Name: "edit_file", runs: EditName, says: "Replaces a text that stands once in a file.", params: []param{
		{name: "path", kind: "string", required: true, as: "file_path", says: "Absolute path of the file."},
		{name: "old_text", kind: "string", required: true, as: "old_string", says: "The text to replace."},
		{name: "new_text", kind: "string", required: true, as: "new_string", says: "The text to put in its place."},
	}},
	{Name: "glob", runs: "Glob", says: "Lists the files that match a pattern.",
		params: []param{{name: "pattern", kind: "string", required: true, as: "pattern", says: "The pattern."}}},
	{Name: "todo_write", runs: "TodoWrite", says: "Replaces the list of what is to be done.",
		params: []param{{name: "todos", kind: "array", required: true, as: "todos", says: "The whole list.",
			items: `{"type":"object","properties":{"content":{"type":"string"},"status":{"type":"string"}},"required":["content","status"]}`}}},
	{Name: "task", runs: "Agent", says: "Gives a task to a helper and returns its report.",
		params: []param{{name: "prompt", kind: "string", required: true, as: "prompt", says: "The whole task."}}},
	{Name: "load_skill", runs: "Skill", says: "Loads the instructions of a skill.",
		params: []param{{name: "name", kind: "string", required: true, as: "skill", says: "Name of the skill."}}},
	{Name: CompactName, says: "Replaces the conversation so far by a summary.",
		params: []param{{name: "focus", kind: "string", says: "What the summary must keep."}}},
}

// FullName is the name in the full profile of the tool that a model calls by a name of either profile: its own where it
// has no other, and where it is no tool (H-TOOL-6).
func FullName(called string) string {
	if d, known := Logged().Lookup(called); known && d.runs != "" {
		return d.runs
	}
	return called
}
