package record

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// spoken is one request and what came back: an answer in these words, "!" for a refusal, "" for nothing yet.
type spoken struct {
	front, messages, back string
}

func user(s string) string { return fmt.Sprintf(`{"role":"user","content":%q}`, s) }

func model(s string) string {
	return fmt.Sprintf(`{"role":"assistant","content":[{"type":"thinking","thinking":"hm","signature":"s %s"},{"type":"text","text":%q}]}`, s, s)
}

func bare(s string) string { return fmt.Sprintf(`{"role":"assistant","content":%q}`, s) }

func calls(id string) string {
	return fmt.Sprintf(`{"role":"assistant","content":[{"type":"tool_use","id":%q,"name":"bash","input":{}}]}`, id)
}

func results(id, s string) string {
	return fmt.Sprintf(`{"role":"user","content":[{"type":"tool_result","tool_use_id":%q,"content":%q}]}`, id, s)
}

func all(messages ...string) string { return strings.Join(messages, ",") }

// TestAChainIsWhatGoesOnFromAnAnswer (invariants.md 1): what carries the newest answer is the same conversation, whatever else
// changed; questions aside, forks and what follows a summary are others.
func TestAChainIsWhatGoesOnFromAnAnswer(t *testing.T) {
	a, b := user("fix it"), user("now the tests")
	long := "The login form has a button that is off by one, which is why nothing happens when it is pressed."
	for _, tc := range []struct {
		name  string
		says  []spoken
		names string
	}{
		{"turn after turn", []spoken{{"", a, "A"}, {"", all(a, model("A"), b), "B"}, {"", all(a, model("A"), b, model("B"), user("c")), "C"}}, "1 1 1"},
		{"another first message", []spoken{{"", a, "A"}, {"", b, "B"}}, "1 2"},
		{"the system changes with each request", []spoken{{"1", a, "A"}, {"2", all(a, model("A"), b), "B"}, {"3", all(a, model("A"), b, model("B"), user("c")), "C"}}, "1 1 1"},
		{"the thinking goes", []spoken{{"", a, "A"}, {"", all(a, bare("A"), b), "B"}, {"", all(a, model("A"), b, bare("B"), user("c")), "C"}}, "1 1 1"},
		{"it is tried again", []spoken{{"", a, "!"}, {"", a, "!"}, {"", a, "A"}}, "1 1 1"},
		{"it is asked again for more", []spoken{{"", a, "A"}, {"", a, "AA"}, {"", all(a, model("AA"), b), "B"}}, "1 1 1"},
		{"two ask the same at once", []spoken{{"", a, ""}, {"", a, "A"}, {"", all(a, model("A"), b), "B"}}, "1 2 2"},
		{"two ask the same one after the other", []spoken{{"", a, "A"}, {"", a, "B"}, {"", all(a, model("A"), b), "C"}, {"", all(a, model("B"), b), "D"}}, "1 1 2 1"},
		{"a prompt in the place of one that was refused", []spoken{{"", a, "A"}, {"", all(a, model("A"), b), "!"}, {"", all(a, model("A"), user("c")), "C"}}, "1 1 1"},
		{"a question aside", []spoken{{"", a, "A"}, {"", all(a, model("A"), user("aside")), "X"}, {"", all(a, model("A"), b), "B"}, {"", all(a, model("A"), b, model("B"), user("c")), "C"}}, "1 1 2 2"},
		{"two forks by turns", []spoken{{"", a, "A"}, {"", all(a, model("A"), b), "B"}, {"", all(a, model("A"), user("c")), "C"},
			{"", all(a, model("A"), b, model("B"), user("d")), "D"}, {"", all(a, model("A"), user("c"), model("C"), user("d")), "E"}}, "1 1 2 1 2"},
		{"two forks at once", []spoken{{"", a, "A"}, {"", all(a, model("A"), b), ""}, {"", all(a, model("A"), user("c")), ""}}, "1 1 2"},
		{"the same task under another system", []spoken{{"1", a, "A"}, {"2", a, "B"}, {"1", all(a, model("A"), b), "C"}, {"2", all(a, model("B"), b), "D"}}, "1 2 1 2"},
		{"a summary behind the first message, and a tail", []spoken{{"", a, long}, {"", all(a, model(long), b), "B"}, {"", all(a, model(long), b, model("B"), user("Summarise.")), "S"},
			{"", all(a, bare("Summary: S"), b, bare("B"), user("c")), "C"}, {"", all(a, bare("Summary: S"), b, bare("B"), user("c"), model("C"), b), "D"}}, "1 1 1 2 2"},
		{"a summary asked for elsewhere", []spoken{{"", a, long}, {"", all(a, model(long), b), "B"}, {"", all(a, bare("Summary: S"), b, model("B"), user("c")), "C"}}, "1 1 2"},
		{"the oldest messages are dropped", []spoken{{"", a, long}, {"", all(a, model(long), b), "B"}, {"", all(a, b, model("B"), user("c")), "C"}}, "1 1 1"},
		{"an answer is edited in place", []spoken{{"", a, long}, {"", all(a, model(long), b), "B"}, {"", all(a, bare(long+" (cut)"), b, model("B"), user("c")), "C"}}, "1 1 1"},
		{"the newest answer is edited in place", []spoken{{"", a, long}, {"", all(a, bare("So: "+long), b), "B"}}, "1 1"},
		{"a result is pruned in place", []spoken{{"", a, "#t1"}, {"", all(a, calls("t1"), results("t1", long)), "B"}, {"", all(a, calls("t1"), results("t1", "cleared"), model("B"), b), "C"}}, "1 1 1"},
		{"a conversation from before", []spoken{{"", all(a, model("A"), b), "B"}, {"", all(a, model("A"), b, model("B"), user("c")), "C"}}, "1 1"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			c := NewChains()
			var names []string
			for i, s := range tc.says {
				body := fmt.Sprintf(`{"model":"m","system":"You are %s.","tools":[{"name":"bash"}],"messages":[%s]}`, s.front, s.messages)
				names = append(names, strings.TrimPrefix(c.Of(i, []byte(body)), "chain-"))
				answer := func(block string) string {
					return `{"type":"message","role":"assistant","content":[{"type":"thinking","thinking":"hm","signature":"s"},` + block + `],"stop_reason":"end_turn"}`
				}
				switch {
				case s.back == "!":
					c.Answered(i, 529, []byte(`{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`), true)
				case strings.HasPrefix(s.back, "#"):
					c.Answered(i, 200, []byte(answer(fmt.Sprintf(`{"type":"tool_use","id":%q,"name":"bash","input":{}}`, s.back[1:]))), true)
				case s.back != "":
					c.Answered(i, 200, []byte(answer(fmt.Sprintf(`{"type":"text","text":%q}`, s.back))), true)
				}
			}
			require.Equal(t, tc.names, strings.Join(names, " "))
		})
	}
}

// TestAnAnswerIsReadFromItsStream: the blocks of a stream make the same answer as a whole message.
func TestAnAnswerIsReadFromItsStream(t *testing.T) {
	stream := ""
	for _, e := range []string{
		`{"type":"message_start","message":{"id":"m","type":"message","role":"assistant","content":[],"usage":{}}}`,
		`{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}`,
		`{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"so"}}`,
		`{"type":"content_block_stop","index":0}`,
		`{"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{}}`,
		`{"type":"message_stop"}`,
	} {
		stream += "event: " + strings.Split(e, `"`)[3] + "\ndata: " + e + "\n\n"
	}
	whole, _ := saying(answerOf([]byte(`{"type":"message","role":"assistant","content":[{"type":"text","text":"so"}]}`)).Blocks)
	streamed := answerOf([]byte(stream))
	require.True(t, streamed.Complete)
	got, _ := saying(streamed.Blocks)
	require.Equal(t, whole, got)
	require.False(t, answerOf([]byte(stream[:len(stream)-30])).Complete)
}

// TestWhatIsKnownOfChainsIsBounded: of many conversations, and of a long one, the oldest is forgotten.
func TestWhatIsKnownOfChainsIsBounded(t *testing.T) {
	c := NewChains()
	require.Equal(t, "none", c.Of(0, []byte("{")))
	body := func(messages string) []byte { return fmt.Appendf(nil, `{"messages":[%s]}`, messages) }
	for i := range 2 * beginnings {
		c.Of(i, body(user(fmt.Sprint(i))))
		c.Answered(i, 200, nil, false)
	}
	require.Len(t, c.groups, beginnings)
	require.Empty(t, c.open)
	talk := user("long")
	for i := range 2 * remembered {
		require.Equal(t, fmt.Sprintf("chain-%d", 2*beginnings+1), c.Of(i, body(talk)))
		c.Answered(i, 200, fmt.Appendf(nil, `{"type":"message","role":"assistant","content":[{"type":"text","text":"%d"}]}`, i), true)
		talk = all(talk, bare(fmt.Sprint(i)), user("on"))
	}
	require.Len(t, c.groups[c.used[len(c.used)-1]], remembered)
}
