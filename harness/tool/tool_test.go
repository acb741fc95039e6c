package tool

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"harnessbench/internal/wire"
)

func none(string) (string, bool) { return "", false }

func bash(command string) Call {
	return Check("t", BashName, rerunInput(command), none)
}

func TestDefinitionsAreTwoObjects(t *testing.T) {
	v, err := wire.ParseValue(Definitions())
	require.NoError(t, err)
	var names []string
	for _, d := range v.Elems() {
		names = append(names, d.Get("name").Text())
		assert.Equal(t, "object", d.Get("input_schema").Get("type").Text())
		assert.NotEmpty(t, d.Get("description").Text())
	}
	assert.Equal(t, []string{BashName, ReadName}, names)
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
	read := Check("r", ReadName, []byte(`{"file_path":"/a"}`), none)
	sizes := func(calls ...Call) []int {
		var out []int
		for _, b := range Batches(calls) {
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

func TestCallsThatCannotRunAreRefused(t *testing.T) {
	for _, c := range []struct{ name, input, want string }{
		{"bash", `{}`, "no tool named bash"},
		{"Bash", `{}`, "Bash needs command"},
		{"Bash", `[]`, "must be an object"},
		{"Bash", `{"command":`, "no JSON"},
		{"Bash", `{"rerun":"b7"}`, "no Bash call is named b7"},
		{"Read", `{"file_path":3}`, "Read needs file_path"},
		{"Read", `{"file_path":"/a","offset":0}`, "offset of Read must be an integer from 1"},
		{"Read", `{"file_path":"/a","limit":1.5}`, "limit of Read"},
	} {
		got := Check("t", c.name, []byte(c.input), none).Refusal
		assert.Contains(t, got, c.want)
		assert.True(t, strings.HasPrefix(got, "<tool_use_error>") && strings.HasSuffix(got, "</tool_use_error>"), got)
	}
	assert.Empty(t, bash("make").Refusal)
}

func TestBashResults(t *testing.T) {
	for _, c := range []struct {
		command string
		raw     Raw
		want    Result
	}{
		{"make", Raw{Output: "ok\n"}, Result{"ok\n[rerun: b3]", false}},
		{"make", Raw{Output: ""}, Result{"(Bash completed with no output)\n[rerun: b3]", false}},
		{"make", Raw{Output: "no\n", Exit: 2}, Result{"Exit code 2\nno\n[rerun: b3]", true}},
		{"make", Raw{Exit: 1}, Result{"Exit code 1\n[rerun: b3]", true}},
		{"grep x a", Raw{Exit: 1}, Result{"(Bash completed with no output)\n[rerun: b3]", false}},
		{"git diff", Raw{Output: "d", Exit: 1}, Result{"d\n[rerun: b3]", false}},
		{"grep x a", Raw{Output: "bad", Exit: 2}, Result{"Exit code 2\nbad\n[rerun: b3]", true}},
		{"make", Raw{Output: "killed", IsError: true}, Result{"killed\n[rerun: b3]", true}},
	} {
		call := bash(c.command)
		assert.Equal(t, c.want, call.Result(c.raw, "b3"), "%s %v", c.command, c.raw)
	}
	assert.Equal(t, 12, AliasOf("a\n[rerun: b12]"))
	for _, text := range []string{"", "[rerun: b0]", "[rerun: bx]", "[rerun: b1] ", "a [rerun: b1]", "[rerun: b1]\na"} {
		assert.Zero(t, AliasOf(text), text)
	}
}

func TestReadResults(t *testing.T) {
	for _, c := range []struct {
		input string
		raw   Raw
		want  Result
	}{
		{`{"file_path":"/a"}`, Raw{Output: "x\ny\n"}, Result{"1\tx\n2\ty", false}},
		{`{"file_path":"/a"}`, Raw{Output: "\n"}, Result{"1\t", false}},
		{`{"file_path":"/a","offset":2,"limit":2}`, Raw{Output: "a\nb\nc\nd"}, Result{"2\tb\n3\tc", false}},
		{`{"file_path":"/a","offset":3}`, Raw{Output: "a\nb"}, Result{"<system-reminder>\nWarning: the file has 2 lines; line 3 is beyond its end.\n</system-reminder>", false}},
		{`{"file_path":"/a"}`, Raw{}, Result{"<system-reminder>Warning: the file exists but the contents are empty.</system-reminder>", false}},
		{`{"file_path":"/a"}`, Raw{Output: "No such file: /a", IsError: true}, Result{"No such file: /a", true}},
	} {
		call := Check("t", ReadName, []byte(c.input), none)
		assert.Equal(t, c.want, call.Result(c.raw, ""), c.input)
	}
	call := Check("t", ReadName, []byte(`{"file_path":"/a","offset":2,"limit":1}`), none)
	raw := Raw{Output: "a\nb\nc\n"}
	assert.JSONEq(t, `{"type":"text","filePath":"/a","content":"b","numLines":1,"startLine":2,"totalLines":3}`,
		string(call.Structured(raw, call.Result(raw, ""))))
}
