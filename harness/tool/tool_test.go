package tool

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"harnessbench/internal/wire"
)

func none(string) (string, bool) { return "", false }

func bash(command string) Call {
	return Full().Check("t", BashName, rerunInput(command), none)
}

// A session has 30 tools, each complete, in an order and in bytes that do not change (H-TOOL-1, H-ARCH-5, H-REB-44).
func TestThereAreThirtyDefinitions(t *testing.T) {
	v, err := wire.ParseValue(Full().Definitions())
	require.NoError(t, err)
	names := map[string]bool{}
	for i, d := range v.Elems() {
		name := d.Get("name").Text()
		assert.Equal(t, Full().Table()[i].Name, name)
		assert.Regexp(t, `^[a-zA-Z0-9_-]{1,64}$`, name)
		assert.False(t, names[name], name)
		names[name] = true
		schema := d.Get("input_schema")
		assert.Equal(t, "object", schema.Get("type").Text())
		assert.NotEmpty(t, d.Get("description").Text())
		for _, needed := range schema.Get("required").Elems() {
			assert.True(t, schema.Get("properties").Get(needed.Text()).Exists(), "%s %s", name, needed.Text())
		}
	}
	assert.Len(t, names, 30)
	assert.Equal(t, Full().Definitions(), Full().Definitions())
	for _, name := range []string{"task", "bash", "", "Nobody"} {
		_, known := Full().Lookup(name)
		assert.False(t, known, name)
	}
	agent, known := Full().Lookup("Task")
	assert.True(t, known)
	assert.Equal(t, "Agent", agent.Name)
}

// The flags of H-TOOL-4, by the names the rule gives.
func TestFlagsOfTools(t *testing.T) {
	named := func(has func(Definition) bool) (names []string) {
		for _, d := range Full().Table() {
			if has(d) {
				names = append(names, d.Name)
			}
		}
		return names
	}
	assert.ElementsMatch(t, []string{"Read", "Bash", "Grep", "Glob", "WebSearch", "WebFetch", "Edit", "Write"},
		named(func(d Definition) bool { return d.Compactable }))
	assert.ElementsMatch(t, []string{"Write", "Edit", "NotebookEdit"}, named(func(d Definition) bool { return d.Tracked }))
	assert.ElementsMatch(t, []string{"Read", "Glob", "Grep", "WebFetch", "WebSearch", "TaskCreate", "TaskUpdate", "TaskList",
		"TaskGet", "Agent", "Bash"}, named(func(d Definition) bool { return d.Parallel }))
	assert.Equal(t, []string{"Read"}, named(func(d Definition) bool { return d.MaxResultChars == 0 }))
	assert.Equal(t, []string{"Bash"}, named(func(d Definition) bool { return d.MaxResultChars == 30_000 }))
	assert.Len(t, named(func(d Definition) bool { return d.MaxResultChars == 50_000 }), 28)
}

func TestOnlyReadingCommandsRunSideBySide(t *testing.T) {
	for command, want := range map[string]bool{
		"ls -l": true, "cat a b": true, "head -n 3 a": true, "grep -rn x .": true, "rg x": true, "wc -l a": true, "pwd": true,
		"find . -name *.go": true, "git status": true, "git diff HEAD": true, "git log -3": true,
		"": false, "make": false, "ls; rm a": false, "cat a > b": false, "cat a | sh": false, "cat $(x)": false, "ls && make": false,
		"ls\nrm a": false, "find . -delete": false, "find . -exec rm {} +": false, "git push": false, "git": false,
		"git diff --output=a": false, "rg --pre=sh x": false, "catalog": false, "ls `x`": false,
	} {
		c := bash(command)
		assert.Equal(t, want, c.Parallel(), command)
	}
}

func TestBatches(t *testing.T) {
	read := Full().Check("r", ReadName, []byte(`{"file_path":"/a"}`), none)
	sizes := func(calls ...Call) []int {
		var out []int
		for _, b := range Batches(calls, MaxParallel) {
			out = append(out, len(b))
		}
		return out
	}
	assert.Equal(t, []int{2, 1, 1, 1}, sizes(read, bash("ls"), bash("make"), bash("make"), read))
	var many []Call
	for range 23 {
		many = append(many, read)
	}
	assert.Equal(t, []int{10, 10, 3}, sizes(many...))
	assert.Empty(t, sizes())
}

// Unknown tools, inputs that do not fit the schema (H-LOOP-10, H-TOOL-5).
func TestCallsThatCannotRunAreRefused(t *testing.T) {
	for _, c := range []struct{ name, input, want string }{
		{"bash", `{}`, "no tool named bash"},
		{"Bash", `{}`, "Bash needs command"},
		{"Bash", `[]`, "must be an object"},
		{"Bash", `{"command":`, "no JSON"},
		{"Bash", `{"rerun":"b7"}`, "no Bash call is named b7"},
		{"Read", `{}`, "Read needs file_path, a string"},
		{"Read", `{"file_path":3}`, "file_path of Read must be a string"},
		{"Grep", `{"pattern":"x","output_mode":"all"}`, "output_mode of Grep must be one of files_with_matches, content, count"},
		{"Edit", `{"file_path":"/a","old_string":"x","new_string":"y","replace_all":"yes"}`, "replace_all of Edit must be a boolean"},
		{"WebSearch", `{"query":"x","allowed_domains":[1]}`, "allowed_domains of WebSearch must be an array of strings"},
		{"AskUserQuestion", `{"questions":["x"]}`, "questions of AskUserQuestion must be an array of objects"},
		{"Bash", `{"command":null,"rerun":null}`, "Bash needs command"},
		{"Read", `{"file_path":"/a","offset":0}`, "offset of Read must be an integer from 1"},
		{"Read", `{"file_path":"/a","limit":1.5}`, "limit of Read"},
	} {
		got := Full().Check("t", c.name, []byte(c.input), none).Refusal
		assert.Contains(t, got, c.want)
		assert.True(t, strings.HasPrefix(got, "<tool_use_error>") && strings.HasSuffix(got, "</tool_use_error>"), got)
	}
	assert.Empty(t, bash("make").Refusal)
	for _, input := range []string{`{"file_path":"/a","offset":2.0,"limit":1e2}`, `{"file_path":"/a","limit":null,"line":3}`} {
		assert.Empty(t, Full().Check("t", "Read", []byte(input), none).Refusal, input)
	}
	assert.Empty(t, Full().Check("t", "CronList", []byte(`{}`), none).Refusal)
}

// The nine tools of the teaching profile, in this order (H-TOOL-6).
func TestThereAreNineTaughtTools(t *testing.T) {
	var names []string
	for _, d := range Teaching().Table() {
		names = append(names, d.Name)
		if d.runs == "" {
			continue
		}
		runs, known := Full().Lookup(d.runs)
		if !known {
			assert.Equal(t, "TodoWrite", d.runs, "off in the full profile")
			continue
		}
		for _, p := range d.params {
			assert.True(t, slices.ContainsFunc(runs.params, func(q param) bool { return q.name == p.as && q.kind == p.kind }), "%s %s", d.Name, p.name)
		}
	}
	assert.Equal(t, []string{"bash", "read_file", "write_file", "edit_file", "glob", "todo_write", "task", "load_skill", "compact"}, names)
	v, err := wire.ParseValue(Teaching().Definitions())
	require.NoError(t, err)
	assert.Equal(t, 9, v.Len())
	for called, full := range map[string]string{"bash": BashName, "read_file": ReadName, "task": "Agent", "Bash": BashName,
		CompactName: CompactName, SnipName: SnipName, "nothing": "nothing"} {
		assert.Equal(t, full, FullName(called))
	}
	assert.Equal(t, BashName, Logged().Check("t", "bash", []byte(`{"command":"x"}`), none).Name)
	assert.Equal(t, BashName, Logged().Check("t", "Bash", []byte(`{"command":"x"}`), none).Name)
}
