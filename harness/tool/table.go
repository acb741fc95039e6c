package tool

// Names of the tools that have a way of their own.
const (
	BashName  = "Bash"
	ReadName  = "Read"
	WriteName = "Write"
	EditName  = "Edit"
	SnipName  = "Snip"

	CompactName = "compact" // teaching profile
)

// Lengths in characters from which a result is spilled (H-TOOL-71).
const (
	bashChars  = 30_000
	otherChars = 50_000
)

// MaxOldChars is the length in characters from which an old result is spilled, when others are cleared (H-CMP-24).
const MaxOldChars = otherChars

// table is the tools of a session in the order they are sent: 30 of them (H-TOOL-1). Bash, Read, Write and Edit run over
// the ports of the world; the others only where the world answers them.
var table = [...]Definition{
	{
		Name: "Agent", Parallel: true, MaxResultChars: otherChars,
		says: "Gives a task to a helper that works by itself, with a context of its own, and returns its final report. Good " +
			"for searches whose steps you need not see.",
		params: []param{
			{name: "description", kind: "string", required: true, says: "The task in three to five words."},
			{name: "prompt", kind: "string", required: true, says: "The whole task: the helper knows nothing else."},
			{name: "subagent_type", kind: "string", says: "Which of the listed agents is to do it."},
			{name: "model", kind: "string", says: "Model to use in place of the agent's own."},
			{name: "run_in_background", kind: "boolean", says: "Return at once; the report comes later."},
			{name: "isolation", kind: "string", among: []string{"worktree"}, says: "Work in a copy of the repository."},
		},
	},
	{
		Name: "AskUserQuestion", MaxResultChars: otherChars,
		says: "Puts a question with a few answers to choose from to the user. Only for decisions that neither the request " +
			"nor the project settles.",
		params: []param{{name: "questions", kind: "array", required: true, says: "One to four questions.",
			items: `{"type":"object","properties":{"question":{"type":"string"},"options":{"type":"array","items":{"type":"string"}}},` +
				`"required":["question","options"]}`}},
	},
	{
		Name: BashName, Parallel: true, Compactable: true, MaxResultChars: bashChars,
		says: "Runs one shell command in the project directory and returns what it printed, standard output and standard " +
			"error merged. Each call starts a fresh shell: the working directory carries over inside the project, exported " +
			"variables do not. A command that fails returns its exit code in the first line. The last line of every result " +
			"names the call, as in [rerun: b3]; give that name as rerun to repeat the same command. Prefer Read for looking " +
			"at files. Quote paths that hold blanks. Commands that wait for input never return anything useful.",
		params: []param{
			{name: "command", kind: "string", says: "The command line to run."},
			{name: "timeout", kind: "integer", least: 1, says: "Milliseconds to wait for its end; 120000 if absent, at most 600000."},
			{name: "description", kind: "string", says: "What the command does, in five to ten words."},
			{name: "run_in_background", kind: "boolean",
				says: "Start it and return at once; its output goes to a file that the result names."},
			{name: "dangerouslyDisableSandbox", kind: "boolean", says: "Run it without the sandbox, if there is one."},
			{name: "rerun", kind: "string",
				says: "Name of an earlier Bash call, such as b3, whose command is to run again; command is then left out."},
		},
	},
	{
		Name: "CronCreate", MaxResultChars: otherChars,
		says: "Plans a prompt for later, once or again and again, for as long as the session lives.",
		params: []param{
			{name: "cron", kind: "string", required: true, says: "When: the five fields of a cron line, in local time."},
			{name: "prompt", kind: "string", required: true, says: "What to prompt then."},
			{name: "recurring", kind: "boolean", says: "False for a single time."},
		},
	},
	{
		Name: "CronDelete", MaxResultChars: otherChars,
		says:   "Takes a planned prompt back.",
		params: []param{{name: "id", kind: "string", required: true, says: "Id that CronCreate gave."}},
	},
	{Name: "CronList", ReadOnly: true, MaxResultChars: otherChars, says: "Lists the planned prompts."},
	{
		Name: EditName, Compactable: true, Tracked: true, MaxResultChars: otherChars,
		says: "Replaces a text in a file by another. The old text must stand in the file exactly as given, and only once " +
			"unless replace_all is set: give enough of its surroundings. Read the file first; leave out the line numbers " +
			"that Read puts before each line.",
		params: []param{
			{name: "file_path", kind: "string", required: true, says: "Absolute path of the file."},
			{name: "old_string", kind: "string", required: true, says: "The text to replace."},
			{name: "new_string", kind: "string", required: true, says: "The text to put in its place."},
			{name: "replace_all", kind: "boolean", says: "Replace every occurrence."},
		},
	},
	{Name: "EnterPlanMode", MaxResultChars: otherChars,
		says: "Asks the user to let you plan first: from then on nothing but the plan file may be changed."},
	{
		Name: "EnterWorktree", MaxResultChars: otherChars,
		says:   "Makes a work tree of the repository and goes on in it.",
		params: []param{{name: "name", kind: "string", says: "Name of the work tree."}},
	},
	{Name: "ExitPlanMode", MaxResultChars: otherChars,
		says: "Shows the plan in the plan file to the user and asks to begin with it."},
	{
		Name: "ExitWorktree", MaxResultChars: otherChars,
		says:   "Leaves the work tree that EnterWorktree made.",
		params: []param{{name: "action", kind: "string", required: true, among: []string{"keep", "remove"}, says: "What becomes of it."}},
	},
	{
		Name: "Glob", ReadOnly: true, Parallel: true, Compactable: true, MaxResultChars: otherChars,
		says: "Lists the files whose paths match a pattern, the newest first.",
		params: []param{
			{name: "pattern", kind: "string", required: true, says: "Pattern such as src/**/*.go."},
			{name: "path", kind: "string", says: "Directory to look in; the project's if absent."},
		},
	},
	{
		Name: "Grep", ReadOnly: true, Parallel: true, Compactable: true, MaxResultChars: otherChars,
		says: "Searches the contents of files for a regular expression.",
		params: []param{
			{name: "pattern", kind: "string", required: true, says: "Regular expression."},
			{name: "path", kind: "string", says: "File or directory to search; the project's if absent."},
			{name: "glob", kind: "string", says: "Only files that match this pattern."},
			{name: "type", kind: "string", says: "Only files of this type, such as go."},
			{name: "output_mode", kind: "string", among: []string{"files_with_matches", "content", "count"},
				says: "What to return; files_with_matches if absent."},
			{name: "-i", kind: "boolean", says: "Ignore case."},
			{name: "-n", kind: "boolean", says: "Number the lines of content."},
			{name: "-A", kind: "integer", says: "Lines to show behind a match."},
			{name: "-B", kind: "integer", says: "Lines to show before a match."},
			{name: "-C", kind: "integer", says: "Lines to show on both sides."},
			{name: "head_limit", kind: "integer", says: "Return no more than so many lines."},
			{name: "offset", kind: "integer", says: "Leave out so many lines first."},
			{name: "multiline", kind: "boolean", says: "Let the expression match across lines."},
		},
	},
	{
		Name: "LSP", ReadOnly: true, MaxResultChars: otherChars,
		says: "Asks the language server about the code at a place.",
		params: []param{
			{name: "operation", kind: "string", required: true, among: []string{"definition", "references", "hover", "symbols"},
				says: "What to ask."},
			{name: "file_path", kind: "string", required: true, says: "Absolute path of the file."},
			{name: "line", kind: "integer", required: true, least: 1, says: "Line, counted from 1."},
			{name: "character", kind: "integer", required: true, least: 1, says: "Column, counted from 1."},
		},
	},
	{
		Name: "ListMcpResources", ReadOnly: true, MaxResultChars: otherChars,
		says:   "Lists the resources that connected servers offer.",
		params: []param{{name: "server", kind: "string", says: "Only those of this server."}},
	},
	{
		Name: "NotebookEdit", Tracked: true, MaxResultChars: otherChars,
		says: "Changes one cell of a notebook.",
		params: []param{
			{name: "notebook_path", kind: "string", required: true, says: "Absolute path of the notebook."},
			{name: "cell_id", kind: "string", says: "The cell; with insert, the one before the new cell."},
			{name: "new_source", kind: "string", required: true, says: "The new text of the cell."},
			{name: "cell_type", kind: "string", among: []string{"code", "markdown"}, says: "Type of a new cell."},
			{name: "edit_mode", kind: "string", among: []string{"replace", "insert", "delete"}, says: "replace if absent."},
		},
	},
	{
		Name: ReadName, ReadOnly: true, Parallel: true, Compactable: true,
		says: "Returns the text of one file with line numbers: each line as number, tab, text. Without offset and limit the " +
			"whole file is returned, of a very long one the first part. Images are shown. Read a file before you describe or " +
			"change it. Directories cannot be read; list them with Bash.",
		params: []param{
			{name: "file_path", kind: "string", required: true, says: "Absolute path of the file."},
			{name: "offset", kind: "integer", least: 1, says: "First line to return, counted from 1."},
			{name: "limit", kind: "integer", least: 1, says: "How many lines to return."},
			{name: "pages", kind: "string", says: "Pages of a PDF, such as 1-5."},
		},
	},
	{
		Name: "ReadMcpResource", ReadOnly: true, MaxResultChars: otherChars,
		says: "Returns a resource of a connected server.",
		params: []param{
			{name: "server", kind: "string", required: true, says: "Name of the server."},
			{name: "uri", kind: "string", required: true, says: "Address of the resource."},
		},
	},
	{
		Name: "SendMessage", MaxResultChars: otherChars,
		says: "Sends a message to an agent that is running or has finished; it goes on from where it was.",
		params: []param{
			{name: "to", kind: "string", required: true, says: "Id of the agent."},
			{name: "message", kind: "string", required: true, says: "What to tell it."},
		},
	},
	{
		Name: "Skill", MaxResultChars: otherChars,
		says: "Loads the instructions of one of the listed skills. Use it before the work that the skill is about.",
		params: []param{
			{name: "skill", kind: "string", required: true, says: "Name of the skill."},
			{name: "args", kind: "string", says: "Arguments for it."},
		},
	},
	{
		Name: "TaskCreate", Parallel: true, MaxResultChars: otherChars,
		says: "Adds a task to the list of what is to be done.",
		params: []param{
			{name: "subject", kind: "string", required: true, says: "The task in a few words."},
			{name: "description", kind: "string", says: "What it takes to be done."},
		},
	},
	{
		Name: "TaskGet", ReadOnly: true, Parallel: true, MaxResultChars: otherChars,
		says:   "Returns one task with everything known of it.",
		params: []param{{name: "taskId", kind: "string", required: true, says: "Number of the task."}},
	},
	{Name: "TaskList", ReadOnly: true, Parallel: true, MaxResultChars: otherChars, says: "Lists the tasks."},
	{
		Name: "TaskOutput", ReadOnly: true, MaxResultChars: otherChars,
		says:   "Returns what a background task has given so far.",
		params: []param{{name: "task_id", kind: "string", required: true, says: "Id of the background task."}},
	},
	{
		Name: "TaskStop", MaxResultChars: otherChars,
		says:   "Stops a background task.",
		params: []param{{name: "task_id", kind: "string", required: true, says: "Id of the background task."}},
	},
	{
		Name: "TaskUpdate", Parallel: true, MaxResultChars: otherChars,
		says: "Changes a task of the list. Set it in_progress when you begin with it and completed when it is done.",
		params: []param{
			{name: "taskId", kind: "string", required: true, says: "Number of the task."},
			{name: "status", kind: "string", among: []string{"pending", "in_progress", "completed", "deleted"}, says: "Its new state."},
			{name: "subject", kind: "string", says: "Its new subject."},
			{name: "description", kind: "string", says: "Its new description."},
			{name: "addBlockedBy", kind: "array", says: "Numbers of tasks that must be done before it."},
		},
	},
	{
		Name: "ToolSearch", ReadOnly: true, MaxResultChars: otherChars,
		says: "Finds tools that are known by name only and makes them callable.",
		params: []param{
			{name: "query", kind: "string", required: true, says: "select: and names with commas between, or keywords."},
			{name: "max_results", kind: "integer", least: 1, says: "How many to find at most."},
		},
	},
	{
		Name: "WebFetch", ReadOnly: true, Parallel: true, Compactable: true, MaxResultChars: otherChars,
		says: "Fetches a page and answers a question about it.",
		params: []param{
			{name: "url", kind: "string", required: true, says: "Address of the page."},
			{name: "prompt", kind: "string", required: true, says: "What to find out from it."},
		},
	},
	{
		Name: "WebSearch", ReadOnly: true, Parallel: true, Compactable: true, MaxResultChars: otherChars,
		says: "Searches the web.",
		params: []param{
			{name: "query", kind: "string", required: true, says: "What to search for."},
			{name: "allowed_domains", kind: "array", says: "Only pages of these domains."},
			{name: "blocked_domains", kind: "array", says: "No pages of these domains."},
		},
	},
	{
		Name: WriteName, Compactable: true, Tracked: true, MaxResultChars: otherChars,
		says: "Writes a whole file. A file that is there must have been read in full before. Prefer Edit for a change in " +
			"a file that is there.",
		params: []param{
			{name: "file_path", kind: "string", required: true, says: "Absolute path of the file."},
			{name: "content", kind: "string", required: true, says: "The whole text of the file."},
		},
	},
}

// snip is the tool by which the model asks for a shorter conversation, where the switch snip is on (H-CMP-17).
var snip = Definition{Name: SnipName, ReadOnly: true, MaxResultChars: otherChars,
	says: "Leaves older rounds of this conversation, from its middle, out of what you are shown from the next request on. " +
		"Use it when they no longer matter for the work; they cannot be brought back."}
