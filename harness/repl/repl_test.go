package repl_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"harnessbench/harness"
	"harnessbench/harness/account"
	"harnessbench/harness/repl"
	"harnessbench/harness/world"
	"harnessbench/harness/world/sim"
)

// person types lines, one after the other.
type person struct {
	lines []string
	ahead int // lines that are typed before they are asked for
}

func (p *person) Ahead() (string, bool) {
	if p.ahead == 0 || len(p.lines) == 0 {
		return "", false
	}
	p.ahead--
	line, _ := p.Line("")
	return line, true
}

func (p *person) Line(string) (string, error) {
	if len(p.lines) == 0 {
		return "", io.EOF
	}
	line := p.lines[0]
	p.lines = p.lines[1:]
	return line, nil
}

// server answers with the next text; "!" begins a status, "*" a command for Bash.
type server struct {
	says  []string
	calls int
	asked []string // messages of each request
	input int      // tokens that an answer reports, beside 10
}

func (s *server) Handle(_ time.Time, req world.Request) sim.Exchange {
	var body struct{ Messages json.RawMessage }
	if json.Unmarshal(req.Body, &body) != nil {
		panic("a request is no JSON")
	}
	s.asked = append(s.asked, string(body.Messages))
	text := s.says[min(s.calls, len(s.says)-1)]
	s.calls++
	if status, ok := strings.CutPrefix(text, "!"); ok {
		code := 0
		_, _ = fmt.Sscan(status, &code)
		body := `{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`
		return sim.Exchange{Status: code, Frames: []sim.Frame{{Data: []byte(body)}}}
	}
	block, delta, stop := `{"type":"text","text":""}`, `{"type":"text_delta","text":`+quote(text)+`}`, "end_turn"
	if command, ok := strings.CutPrefix(text, "*"); ok {
		input := quote(`{"command":` + quote(command) + `}`)
		block = fmt.Sprintf(`{"type":"tool_use","id":"toolu_%d","name":"Bash","input":{}}`, s.calls)
		delta, stop = `{"type":"input_json_delta","partial_json":`+input+`}`, "tool_use"
	}
	var b strings.Builder
	for _, e := range []string{
		fmt.Sprintf(`{"type":"message_start","message":{"id":"m%d","type":"message","role":"assistant","model":"claude-sonnet-5","content":[],"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":%d,"output_tokens":1}}}`, s.calls, 10+s.input),
		`{"type":"content_block_start","index":0,"content_block":` + block + `}`,
		`{"type":"content_block_delta","index":0,"delta":` + delta + `}`,
		`{"type":"content_block_stop","index":0}`,
		`{"type":"message_delta","delta":{"stop_reason":"` + stop + `","stop_sequence":null},"usage":{"output_tokens":5}}`,
		`{"type":"message_stop"}`,
	} {
		name := strings.SplitN(e[len(`{"type":"`):], `"`, 2)[0]
		b.WriteString("event: " + name + "\ndata: " + e + "\n\n")
	}
	return sim.Exchange{Status: 200, Frames: []sim.Frame{{Data: []byte(b.String())}}}
}

// Run implements sim.ToolRunner.
func (s *server) Run(time.Time, world.ToolCall) (world.ToolResult, time.Duration) {
	return world.ToolResult{Output: "\x1b[31mred\x1b[0m \x1b]0;title\a\x1b\x00\n" + strings.Repeat("x\n", 12), Exit: 2}, time.Second
}

func quote(s string) string {
	b, _ := json.Marshal(s)
	return string(b)
}

var ids = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f-]{27}`)

// talk has a conversation on a machine and gives what was shown, ids replaced.
func talk(t *testing.T, m *sim.Machine, opt repl.Options, lines ...string) string {
	t.Helper()
	return ids.ReplaceAllString(said(t, m, opt, harness.Start, lines...), "ID")
}

func said(t *testing.T, m *sim.Machine, opt repl.Options, begin func(world.World, harness.Config) (*harness.Session, error), lines ...string) string {
	t.Helper()
	opt.Config = config(opt.Config)
	var b strings.Builder
	out := m.Run(func(w world.World) {
		s, err := begin(w, opt.Config)
		require.NoError(t, err)
		require.NoError(t, repl.Run(w, s, &person{lines: lines}, &b, opt))
	})
	require.Empty(t, out.Panic)
	return b.String()
}

func config(c harness.Config) harness.Config {
	c.Model, c.ConfigDir, c.Cwd, c.APIKey = "claude-sonnet-5", "/c", "/w/app", "k"
	return c
}

func machine(says ...string) (*sim.Machine, *server) {
	s := &server{says: says}
	return sim.New(sim.Config{Seed: 1, Start: time.Date(2026, 11, 30, 9, 0, 0, 0, time.UTC), Server: s, Tools: s, MaxEvents: 100_000}), s
}

const (
	opened = "Session ID with claude-sonnet-5 in /w/app. /help lists the commands.\n"
	closed = "Go on later with --resume ID.\n"
)

// What is typed goes to the model, and what comes is shown: text, calls, the beginning of results without orders to the
// terminal.
func TestATurnIsShown(t *testing.T) {
	m, s := machine("*make  test", "Done.")
	got := talk(t, m, repl.Options{}, `first \`, "second", "", "  ", "/exit")
	require.Equal(t, opened+"* Bash: make test\n  | Exit code 2\n  | red \n"+strings.Repeat("  | x\n", 8)+
		"  | ... 5 more lines\nDone.\n"+closed, got)
	assert.Contains(t, s.asked[0], `first \nsecond`)
	assert.Equal(t, 2, s.calls, "blank lines are nothing")
}

// What is typed while a tool runs goes along with the next call; a command, and what is typed behind it, waits for the
// turn's end (H-LOOP-25).
func TestTypingAhead(t *testing.T) {
	m, s := machine("*make test", "Done.", "A.")
	var b strings.Builder
	m.Run(func(w world.World) {
		cfg := config(harness.Config{})
		session, err := harness.Start(w, cfg)
		require.NoError(t, err)
		p := &person{lines: []string{"one", "and quickly", " ", "/mode", `a \`, "b", "last"}, ahead: 5}
		require.NoError(t, repl.Run(w, session, p, &b, repl.Options{Config: cfg}))
	})
	require.Len(t, s.asked, 4)
	assert.Contains(t, s.asked[1], "and quickly")
	assert.NotContains(t, s.asked[1], "b\"")
	assert.Contains(t, s.asked[2], `"a \nb"`)
	assert.Contains(t, b.String(), "[goes along with the next call: and quickly]\n")
	assert.Contains(t, b.String(), "Done.\nThe permission mode is default.\nA.\n")
}

// A command is no prompt; a path is; what is no command is not sent.
func TestCommandsAreNotSaid(t *testing.T) {
	m, s := machine("A.")
	got := talk(t, m, repl.Options{First: "hello"}, "/nope", "/usr/bin is what?", "/mode", "/mode plan", "/mode none", "/model", "/title a name", "/quit", "not reached")
	require.Equal(t, opened+"A.\nThere is no command /nope; /help lists what there is.\nA.\nThe permission mode is default.\n"+
		"The permission mode is plan.\nError: mode: \"none\" is none; there are default, acceptEdits, plan, auto, dontAsk, bypassPermissions\n"+
		"claude-sonnet-5\nThe session is called a name.\n"+closed, got)
	assert.Equal(t, 2, s.calls)
}

// /rewind lists the prompts and goes back to before one; a number that is none changes nothing (H-CMD-30).
func TestRewind(t *testing.T) {
	m, s := machine("A.")
	got := talk(t, m, repl.Options{}, "/rewind", "one", "two", "/rewind", "/rewind 3", "/rewind 2 sideways", "/rewind 2", "three")
	require.Equal(t, opened+"There is no prompt to go back to.\nA.\nA.\n  1  one\n  2  two\n"+
		"Error: rewind: \"3\" is no prompt; /rewind lists them with their numbers\n"+
		"Error: rewind: \"sideways\" is no action; there are both, conversation, code, summarize_from, summarize_up_to\n"+
		"Back to before: two\nA.\n"+closed, got)
	assert.NotContains(t, s.asked[2], `"two"`)
}

// /branch, /resume and /clear change the session; the list numbers them (H-CMD-40, H-CMD-54, H-CMD-12).
func TestSessionsChange(t *testing.T) {
	m, s := machine("A.")
	got := talk(t, m, repl.Options{}, "/resume", "one", "/title first", "/branch second", "two", "/clear", "/resume", "/resume 2", "/resume nowhere", "three")
	lines := strings.Split(got, "\n")
	assert.Contains(t, lines, "There is no session in this directory.")
	assert.Contains(t, lines, "Session ID goes on from here; ID stays as it is.")
	assert.Contains(t, lines, "A new session begins: ID.")
	assert.Contains(t, lines, "Error: No conversation found with session ID: nowhere")
	assert.Contains(t, s.asked[2], `one`)
	assert.Contains(t, s.asked[2], `three`)
	got = said(t, m, repl.Options{}, func(w world.World, c harness.Config) (*harness.Session, error) {
		return harness.Resume(w, c, "first")
	}, "/resume first")
	assert.Contains(t, got, "Error: resume: this is the session you are in", "by its title as well")
}

// /context and /cost are shown and reach the model with the next prompt (H-ACC-5, H-INJ-24); /btw reaches nothing (H-CMD-61).
func TestReportsAndAsides(t *testing.T) {
	m, s := machine("A.")
	got := talk(t, m, repl.Options{}, "one", "/cost", "/context", "/keep", "/btw why?", "/keep", "/forget", "/compact", "two")
	assert.Contains(t, got, "Total cost: $0.0001\nLines changed: 0 added, 0 removed\nclaude-sonnet-5: 1 calls, 10 input, 0 cache read, 0 cache write, 5 output ($0.0001)\n")
	assert.Contains(t, got, " Context Usage\n")
	assert.Contains(t, got, "Error: btw: there is no answer to keep\nA.\n[/keep makes this a session of its own, /forget ends its replay]\n"+
		"Kept as a session of its own; /resume lists it.\nForgotten.\n[the conversation so far is summarised]\nA.\n")
	assert.NotContains(t, s.asked[1], "local-command", "beside the last request")
	assert.Contains(t, s.asked[2], "<local-command-stdout>Total cost")
	assert.NotContains(t, s.asked[len(s.asked)-1], "why?")
}

// A failed try and a turn that ends badly are told; the conversation goes on.
func TestFailuresAreTold(t *testing.T) {
	m, _ := machine("!529", "!529", "A.")
	got := talk(t, m, repl.Options{Config: harness.Config{MaxRetries: 1}}, "one", "two")
	require.Regexp(t, `^`+regexp.QuoteMeta(opened)+`\[overloaded_error; retry 1 of 1 in [0-9.]+m?s\]\nError: API error 529 overloaded_error: Overloaded\nA.\n`, got)
}

// An unanswered prompt is run again where that is wanted, and only where there is one (H-CMD-44).
func TestAnUnansweredPromptIsRunAgain(t *testing.T) {
	m, s := machine("!529", "A.")
	opt := repl.Options{Config: harness.Config{MaxRetries: -1}}
	talk(t, m, opt, "one")
	resume := func(w world.World, c harness.Config) (*harness.Session, error) { return harness.Resume(w, c, "") }
	said(t, m, opt, resume)
	require.Equal(t, 1, s.calls, "not unasked")
	opt.Rerun = true
	require.Contains(t, said(t, m, opt, resume), "\nA.\n")
	said(t, m, opt, resume)
	require.Equal(t, 2, s.calls)
}

// A large session that was idle for long is offered a summary first; nothing else is (H-CMD-45).
func TestASummaryIsOffered(t *testing.T) {
	resume := func(w world.World, c harness.Config) (*harness.Session, error) {
		err := w.Sleep(2 * time.Hour)
		require.NoError(t, err)
		return harness.Resume(w, c, "")
	}
	const question = "Go on with a summary of it (s), as it is (a), or as it is and never ask again (n)?"
	m, s := machine("A.")
	talk(t, m, repl.Options{}, "one")
	assert.NotContains(t, said(t, m, repl.Options{}, resume, "/exit"), question, "it is small")
	s.input = 100_000
	said(t, m, repl.Options{}, resume, "two")
	calls := s.calls
	assert.Contains(t, said(t, m, repl.Options{}, resume, "what?", "a"), question+"\nPlease type s, a or n.\n")
	assert.Equal(t, calls, s.calls)
	assert.NotContains(t, said(t, m, repl.Options{Config: harness.Config{NoSummaryOffer: true}}, resume), question)
	assert.Contains(t, said(t, m, repl.Options{}, resume, "S"), question+"\n[the conversation so far is summarised]\n")
	assert.Equal(t, calls+1, s.calls)
}

// A session is picked by its number, its id or its title (H-CMD-40).
func TestPick(t *testing.T) {
	m, _ := machine("A.")
	talk(t, m, repl.Options{}, "one")
	m.Run(func(w world.World) {
		cfg := config(harness.Config{})
		list, err := repl.Sessions(w, cfg)
		require.NoError(t, err)
		require.Len(t, list, 1)
		assert.Equal(t, list[0].ID+"  2026-11-30 09:00  one", list[0].Text)
		for typed, want := range map[string]string{"1": list[0].ID, "2": "2", " a title ": "a title"} { // any order: each by itself
			var b strings.Builder
			got, err := repl.Pick(w, cfg, &person{lines: []string{"", typed}}, &b)
			require.NoError(t, err)
			assert.Equal(t, want, got)
			assert.Equal(t, "  1  "+list[0].Text+"\n", b.String())
		}
		_, err = repl.Pick(w, cfg, &person{}, io.Discard)
		assert.ErrorIs(t, err, io.EOF)
		cfg.Cwd = "/elsewhere"
		_, err = repl.Pick(w, cfg, &person{}, io.Discard)
		assert.EqualError(t, err, "there is no session in /elsewhere to go on with")
	})
}

// An answer to a question is yes, no, or a no with a reason (H-LOOP-23).
func TestAnswers(t *testing.T) {
	for line, want := range map[string]world.Approval{ // any order: each by itself
		"y": {Allow: true}, " YES ": {Allow: true}, "n": {}, "No": {}, "use make instead": {Feedback: "use make instead"},
	} {
		got, ok := repl.AnswerOf(line)
		assert.True(t, ok)
		assert.Equal(t, want, got, line)
	}
	_, ok := repl.AnswerOf("  ")
	assert.False(t, ok)
	assert.Equal(t, "? Bash: ls -l\n", repl.Question(world.ToolCall{Name: "Bash", Input: []byte(`{"command":"ls\u001b -l"}`)}))
	assert.Equal(t, `Agent: {"prompt":"`+strings.Repeat("a", 109)+`...`, repl.Call("Agent", []byte(`{"prompt":"`+strings.Repeat("a", 200)+`"}`)))
	assert.Contains(t, repl.Cost(account.Totals{Agents: []account.ModelTotal{{Model: "m", Calls: 1}}}), "m (helpers): 1 calls")
}

// full takes nothing.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("gone") }

// An output that cannot be written ends the conversation, not in the middle of a turn.
func TestAnOutputThatFailsEnds(t *testing.T) {
	m, s := machine("A.")
	m.Run(func(w world.World) {
		cfg := config(harness.Config{})
		session, err := harness.Start(w, cfg)
		require.NoError(t, err)
		err = repl.Run(w, session, &person{lines: []string{"one", "two"}}, full{}, repl.Options{Config: cfg})
		require.EqualError(t, err, "gone")
	})
	require.Equal(t, 1, s.calls)
}
