package golden

import (
	"errors"
	"io/fs"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"harnessbench/conformance/trace"
)

func TestVerdictsAreSortedAndSpeakInNamesOfTheText(t *testing.T) {
	s := newStream(t)
	s.op(trace.Op{Name: "prompt", Text: "x"})
	u := s.user("", `"x"`)
	c := s.request(message("user", text("x")))
	s.respond(c, "tool_use", [4]int{}, "")
	s.assistant(u, "msg_1", "tool_use", toolUse("toolu_1", "Bash", `{}`))
	many := make([]Finding, 7)
	for i := range many {
		many[i] = Finding{Step: 1, Fact: "f"}
	}
	out := s.text(
		Check{ID: "Z-1", Verdict: "broken", Findings: many},
		Check{ID: "PAIR-1", Verdict: "broken", Findings: []Finding{{
			Call: 1, Loss: 99, Fact: "call 1 leaves " + `"toolu_1" open, made by msg_1 behind ` + u, Other: `calls 9 says "call 1" in req_1` + "\n",
		}}},
		Check{ID: "A-1", Verdict: "unknown", Note: "feature not built"},
		Check{ID: "B-1", Verdict: "broken", Note: "why"},
		Check{ID: "C-1", Verdict: "held", Occasions: 12},
		Check{ID: "D-1", Verdict: "not judged", Note: "not sound here"},
		Check{ID: "E-1", Verdict: "broken", Findings: []Finding{{Step: 1, Fact: "f", Expected: true}}},
	)
	require.Contains(t, out, lines(`
check     A-1       unknown: feature not built
check     B-1       BROKEN: why
check     C-1       held 12
check     D-1       not judged: not sound here
check     E-1       BROKEN as expected in step 1: f
check     PAIR-1    BROKEN at 1.1: 1.1 leaves run#1 of step 1 open, made by 1a1 behind 1u; calls 9 says "call 1" in 1.1; costs 99 tokens
check     Z-1       BROKEN in step 1: f
check     Z-1       BROKEN in step 1: f
check     Z-1       BROKEN in step 1: f
check     Z-1       BROKEN in step 1: f
check     Z-1       BROKEN in step 1: f
check     Z-1       BROKEN and 2 more
`))
	require.True(t, strings.HasSuffix(out, "BROKEN and 2 more\n"), "checks end the text")
}

// failing refuses to write.
type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, errors.New("disk full") }

func TestAnErrorOfWritingIsReportedAtTheEnd(t *testing.T) {
	r := New(failing{})
	for _, e := range rewindStory(t, false).events {
		r.Event(e)
	}
	require.EqualError(t, r.End(nil), "disk full")
}

func TestEqualTextsHaveNoDiffAndOthersOneThatNamesBoth(t *testing.T) {
	files := map[string]string{"g/a.trace": "one\ntwo\nthree\n"}
	f := Files{
		Read: func(path string) ([]byte, error) {
			if data, ok := files[path]; ok {
				return []byte(data), nil
			}
			return nil, fs.ErrNotExist
		},
		Write: func(path string, data []byte) error { files[path] = string(data); return nil },
	}
	diff, err := f.Compare("g/a.trace", []byte("one\ntwo\nthree\n"), false)
	require.NoError(t, err)
	require.Empty(t, diff)

	diff, err = f.Compare("g/a.trace", []byte("one\n2\nthree\n"), false)
	require.NoError(t, err)
	require.Equal(t, "--- want g/a.trace\n+++ got\n@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n", diff)
	require.Equal(t, "one\ntwo\nthree\n", files["g/a.trace"], "nothing is written without update")

	diff, err = f.Compare("g/a.trace", []byte("one\n2\nthree\n"), true)
	require.NoError(t, err)
	require.Empty(t, diff)
	require.Equal(t, "one\n2\nthree\n", files["g/a.trace"])

	diff, err = f.Compare("g/new.trace", []byte("x\n"), false)
	require.NoError(t, err)
	require.Equal(t, "--- want g/new.trace (there is none yet; --update writes it)\n+++ got\n@@ -0,0 +1 @@\n+x\n", diff)

	f.Read = func(string) ([]byte, error) { return nil, fs.ErrPermission }
	_, err = f.Compare("g/a.trace", nil, true)
	require.ErrorIs(t, err, fs.ErrPermission)

	f.Read = func(string) ([]byte, error) { return nil, fs.ErrNotExist }
	f.Write = func(string, []byte) error { return errors.New("read only") }
	_, err = f.Compare("g/a.trace", nil, true)
	require.EqualError(t, err, "golden g/a.trace: read only")
}
