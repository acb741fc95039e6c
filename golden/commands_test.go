package golden

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"harnessbench/conformance/trace"
)

// TestEveryOperationHasItsWords: as the title of a step.
func TestEveryOperationHasItsWords(t *testing.T) {
	for _, tc := range []struct {
		op   trace.Op
		want string
	}{
		{trace.Op{Name: "queue", Text: "and lint?"}, `queue "and lint?"`},
		{trace.Op{Name: "compact", Text: "names", Breaks: true}, `compact "names", a declared break of the prefix`},
		{trace.Op{Name: "compact"}, "compact"},
		{trace.Op{Name: "fork", Text: "two"}, `fork "two"`},
		{trace.Op{Name: "clear", Text: "one", Breaks: true}, `clear "one", a declared break of the prefix`},
		{trace.Op{Name: "resume", Text: "one", Copy: true}, `resume "one" in a copy`},
		{trace.Op{Name: "use", Text: "claude-sonnet-5 high", Breaks: true}, "use claude-sonnet-5 high, a declared break of the prefix"},
		{trace.Op{Name: "mode", Text: "plan"}, "mode plan"},
		{trace.Op{Name: "file", Text: "a.go deleted"}, "file a.go deleted"},
		{trace.Op{Name: "restore", To: 2}, "restore before the prompt of step 2"},
		{trace.Op{Name: "summarize", To: 2, Text: "up_to"}, "summarize before the prompt of step 2"},
	} {
		s := newStream(t)
		s.op(tc.op)
		require.Contains(t, s.text(), "\nstep 1    "+tc.want+"\n")
	}
}

// TestAPromptThatIsKnownIsNamed: by what the operation does with it.
func TestAPromptThatIsKnownIsNamed(t *testing.T) {
	for _, tc := range []struct{ name, text, want string }{
		{"rewind", "", "rewind before 1u"}, {"rewind", "with code before", "rewind with code before 1u"},
		{"restore", "", "restore before 1u"}, {"summarize", "from", "summarize from 1u"}, {"summarize", "up_to", "summarize up to 1u"},
	} {
		s := newStream(t)
		s.op(trace.Op{Name: "prompt", Text: "x"})
		u := s.user("", `"x"`)
		s.op(trace.Op{Name: tc.name, Text: tc.text, Target: u, To: 1})
		require.Contains(t, s.text(), "\nstep 2    "+tc.want+"\n")
	}
}

// TestFilesNoticesAndDenialsAreFacts: each is one line.
func TestFilesNoticesAndDenialsAreFacts(t *testing.T) {
	s := newStream(t)
	s.op(trace.Op{Name: "prompt", Text: "x"})
	s.tool(trace.Tool{Phase: "denied", ID: "t1", Name: "Bash", Output: "use make"})
	s.tool(trace.Tool{Phase: "denied", ID: "t2", Name: "Bash"})
	s.emit(trace.Event{Kind: trace.KindFile, File: &trace.File{Path: "/w/app/src/a.go", Bytes: 7}})
	s.emit(trace.Event{Kind: trace.KindFile, File: &trace.File{Path: "/w/app/src/b.go", Removed: true}})
	s.emit(trace.Event{Kind: trace.KindNotice, Notice: &trace.Notice{Text: "Restored the code, but skipped 2 files."}})
	require.Contains(t, s.text(), lines(`
   +0.000  tool  run#1 denied          Bash: "use make"
   +0.000  tool  run#2 denied          Bash
   +0.000  file  a.go                  written, 7 bytes
   +0.000  file  b.go                  deleted
   +0.000  says  Restored the code, but skipped 2 files.
`))
}

// TestAForkHasNamesOfItsOwn: copied answers have the message ids of their source and are still other entries.
func TestAForkHasNamesOfItsOwn(t *testing.T) {
	s := newStream(t)
	s.op(trace.Op{Name: "prompt", Text: "x"})
	u := s.user("", `"x"`)
	a := s.assistant(u, "msg_1", "end_turn", text("y"))
	s.op(trace.Op{Name: "fork"})
	for _, e := range []string{
		`{"type":"user","uuid":"00000000-0000-4000-8000-0000000000f1","parentUuid":null,"message":{"content":"x"}}`,
		`{"type":"assistant","uuid":"00000000-0000-4000-8000-0000000000f2","parentUuid":"00000000-0000-4000-8000-0000000000f1","message":{"id":"msg_1","content":[{"type":"text","text":"y"}],"stop_reason":"end_turn"}}`,
	} {
		s.logTo("/p/copy.jsonl", e)
	}
	s.op(trace.Op{Name: "resume"})
	s.leaf(a)
	got := s.text()
	require.Contains(t, got, "   +0.000  log   2a1   <- 2u           assistant: text\n")
	require.Contains(t, got, "   +0.000  leaf  1a1                   of tree 1\n")
	require.Contains(t, got, "tree 1    root 1u 1a1                  leaf\ntree 2    root 2u 2a1\n")
}

// TestAGivenLogIsShownAsFarAsItCanBeRead: glued objects are two entries, the rest of a torn line is none.
func TestAGivenLogIsShownAsFarAsItCanBeRead(t *testing.T) {
	s := newStream(t)
	glued := `{"type":"summary","summary":"x"}{"type":"user","uuid":"00000000-0000-4000-8000-0000000000f1","parentUuid":null,"isSidechain":true,"message":{"content":"x"}} {"torn`
	s.emit(trace.Event{Kind: trace.KindLog, Log: &trace.Log{File: "/p/s.jsonl", Data: trace.JSONText(glued), Given: true}})
	got := s.text()
	for _, want := range []string{"given           ", "1w    side            summary", "1u    <- root         user, sidechain", "torn            7 bytes that are no entry"} {
		require.Contains(t, got, strings.Replace(want, "1", "0", 1), got)
	}
}
