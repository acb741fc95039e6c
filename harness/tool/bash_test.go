package tool

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

// Exit codes, empty output and the footnote of Bash (H-TOOL-26, H-TOOL-27, H-LOOP-13).
func TestBashResults(t *testing.T) {
	for _, c := range []struct {
		command string
		raw     Raw
		want    string
		failed  bool
	}{
		{"make", Raw{Output: "ok\n"}, "ok\n[rerun: b3]", false},
		{"make", Raw{Output: ""}, "(Bash completed with no output)\n[rerun: b3]", false},
		{"make", Raw{Output: "no\n", Exit: 2}, "Exit code 2\nno\n[rerun: b3]", true},
		{"make", Raw{Exit: 1}, "Exit code 1\n[rerun: b3]", true},
		{"grep x a", Raw{Exit: 1}, "(Bash completed with no output)\n[rerun: b3]", false},
		{"rg x", Raw{Exit: 1}, "(Bash completed with no output)\n[rerun: b3]", false},
		{"[ -f a ]", Raw{Exit: 1}, "(Bash completed with no output)\n[rerun: b3]", false},
		{"git diff", Raw{Output: "d", Exit: 1}, "d\n[rerun: b3]", false},
		{"git log", Raw{Output: "d", Exit: 1}, "Exit code 1\nd\n[rerun: b3]", true},
		{"grep x a", Raw{Output: "bad", Exit: 2}, "Exit code 2\nbad\n[rerun: b3]", true},
		{"make", Raw{Output: "killed", IsError: true}, "killed\n[rerun: b3]", true},
		{"cd /", Raw{Note: "Shell cwd was reset to /w"}, "(Bash completed with no output)\nShell cwd was reset to /w\n[rerun: b3]", false},
		{"make", Raw{Output: "half", Stopped: true}, "Exit code 143\nThe command was stopped: it took longer than 2m0s.\nhalf\n[rerun: b3]", true},
		{"make", Raw{Output: "half\n", Task: "b12345678", File: "/f"}, "half\nThe command took longer than 2m0s and goes on in the " +
			"background as task b12345678. Its output goes to /f; look there with Read.\n[rerun: b3]", false},
	} {
		call := bash(c.command)
		got := call.Result(c.raw, "b3")
		assert.Equal(t, c.want, got.Whole(), "%s %v", c.command, c.raw)
		assert.Equal(t, c.failed, got.IsError, c.command)
	}
	assert.Equal(t, 12, AliasOf("a\n[rerun: b12]"))
	for _, text := range []string{"", "[rerun: b0]", "[rerun: bx]", "[rerun: b1] ", "a [rerun: b1]", "[rerun: b1]\na"} {
		assert.Zero(t, AliasOf(text), text)
	}
}

// A failing command's output of more than 10,000 characters loses its middle; one of just as many stays (H-TOOL-28).
func TestLongFailuresLoseTheirMiddle(t *testing.T) {
	call := bash("make")
	fits := strings.Repeat("ü", 10_000)
	assert.Equal(t, "Exit code 1\n"+fits, call.Result(Raw{Output: fits, Exit: 1}, "b1").Text)
	long := "a" + strings.Repeat("ü", 10_006) + "z"
	got := call.Result(Raw{Output: long, Exit: 1}, "b1").Text
	assert.Equal(t, "Exit code 1\na"+strings.Repeat("ü", 4999)+"\n\n... [8 characters truncated] ...\n\n"+strings.Repeat("ü", 4999)+"z", got)
}

// The structured results of Bash (H-TOOL-3, H-TOOL-30).
func TestBashStructured(t *testing.T) {
	for _, c := range []struct {
		command string
		raw     Raw
		want    string
	}{
		{"make", Raw{Output: "a\n"}, `{"stdout":"a\n","stderr":"","interrupted":false,"isImage":false}`},
		{"cd /", Raw{Note: "n"}, `{"stdout":"","stderr":"n","interrupted":false,"isImage":false,"noOutputExpected":true}`},
		{"grep x a", Raw{Exit: 1}, `{"stdout":"","stderr":"","interrupted":false,"isImage":false,"returnCodeInterpretation":"nothing matched"}`},
		{"make &", Raw{Task: "b1", File: "/f"}, `{"stdout":"","stderr":"","interrupted":false,"isImage":false,"backgroundTaskId":"b1"}`},
		{"make", Raw{Output: "a", Exit: 2}, `"Error: Exit code 2\na"`},
	} {
		call := bash(c.command)
		assert.Equal(t, c.want, string(call.Result(c.raw, "b3").Structured), c.command)
	}
}

// The timeout is 120 s unless the call says otherwise, and never more than 600 s (H-TOOL-25).
func TestTimeouts(t *testing.T) {
	for input, want := range map[string]time.Duration{
		`{"command":"make"}`:                   2 * time.Minute,
		`{"command":"make","timeout":1500}`:    1500 * time.Millisecond,
		`{"command":"make","timeout":600000}`:  10 * time.Minute,
		`{"command":"make","timeout":9999999}`: 10 * time.Minute,
	} {
		c := Full().Check("t", BashName, []byte(input), none)
		assert.Empty(t, c.Refusal)
		assert.Equal(t, want, c.Timeout, input)
	}
	assert.True(t, Full().Check("t", BashName, []byte(`{"command":"a","run_in_background":true}`), none).Background)
}

// Which commands go on in the background at their timeout (H-TOOL-29).
func TestCommandsThatMoveToTheBackground(t *testing.T) {
	for command, want := range map[string]bool{
		"make": true, "npm run dev": true, "digit": true, `echo "a b"`: true, `echo it\'s`: true,
		"sleep 5": false, "git clone x": false, "make && git push": false, `echo "a`: false, "": false, "echo 'a\\'": true, "echo `ls": false,
	} {
		assert.Equal(t, want, MovesToBackground(command), command)
	}
}

// Which commands count as reading a file (H-TOOL-23).
func TestCommandsThatShowAFile(t *testing.T) {
	for command, want := range map[string]string{
		"cat a.go": "a.go", "cat 'a b'": "a b", "cat -n a.go": "a.go", "head a": "a", "head -n 3 a": "a", "head -3 a": "a", "tail -n +2 /w/a": "/w/a",
		"sed -n 1,5p a": "a", "grep x a": "a", "grep -n -A 3 x a": "a", `rg "x y" a`: "a",
		"cat": "", "cat a b": "", "cat a | grep x": "", "cat a > b": "", "cat $X": "", "sed s/a/b/ a": "", "grep x": "", "less a": "", "cat *.go": "",
		"cat 'a": "", "grep x a b": "",
	} {
		c := bash(command)
		got, whole := c.Shows()
		assert.Equal(t, want, got, command)
		assert.Equal(t, command == "cat a.go" || command == "cat 'a b'", whole, command)
	}
}
