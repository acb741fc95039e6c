package script

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"harnessbench/internal/wire"
)

const (
	askA = `{"role":"user","content":"a"}`
	askB = `{"role":"user","content":"b"}`
)

// round is an answer with a call of that id, and its result.
func round(id string) string {
	return fmt.Sprintf(`{"role":"assistant","content":[{"type":"tool_use","id":%q,"name":"Bash","input":{}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":%q}]}`, id, id)
}

func loopOf(turn string, n int) (out []Answer) {
	for i := range n {
		out = append(out, one(fmt.Sprintf("%s%d", turn, i+1))...)
	}
	return out
}

// TestTheNewestCallTellsThePlaceInATurn: what a client leaves out of a turn gives no answer twice, and what it sends again
// gets the same answer.
func TestTheNewestCallTellsThePlaceInATurn(t *testing.T) {
	type step struct {
		messages []string
		want     string
	}
	start := []step{
		{[]string{askA}, "a1"},
		{[]string{askA, round("1")}, "a2"},
		{[]string{askA, round("1"), round("2")}, "a3"},
	}
	second := append(start[:len(start):len(start)],
		step{[]string{askA, round("1"), askB}, "b1"},
		step{[]string{askA, round("1"), askB, round("3")}, "b2"})
	for name, steps := range map[string][]step{
		"all is sent":                              append(start[:3:3], step{[]string{askA, round("1"), round("2"), round("3")}, "a4"}),
		"an earlier round is left out":             append(start[:3:3], step{[]string{askA, round("2"), round("3")}, "a4"}, step{[]string{askA, round("3"), round("4")}, "a5"}),
		"all rounds but the newest":                append(start[:3:3], step{[]string{askA, round("2")}, "a3"}, step{[]string{askA, round("2"), round("3")}, "a4"}),
		"the same request again":                   append(start[:3:3], start[2], start[2], step{[]string{askA, round("2")}, "a3"}),
		"back to an earlier round":                 append(start[:3:3], start[1], start[0]),
		"its prompt is left out":                   append(second[:5:5], step{[]string{askA, round("3"), round("4")}, "b3"}),
		"its prompt and all before it":             append(second[:5:5], step{[]string{`{"role":"user","content":"so far"}`, round("3"), round("4")}, "b3"}),
		"ids that are used again":                  {{[]string{askA}, "a1"}, {[]string{askA, round("x")}, "a2"}, {[]string{askA, round("x"), round("x")}, "a3"}, {[]string{askA, round("x"), round("x"), round("x")}, "a4"}},
		"ids that are used again by a turn":        {{[]string{askA}, "a1"}, {[]string{askA, round("x")}, "a2"}, {[]string{askA, round("x"), askB}, "b1"}, {[]string{askA, round("x"), askB, round("x")}, "b2"}},
		"a conversation that starts in the middle": {{[]string{askA, round("8"), round("9")}, "a3"}},
	} {
		t.Run(name, func(t *testing.T) {
			p := NewPlayer(Script{Turns: []Turn{{Prompt: "a", Answers: loopOf("a", 6)}, {Prompt: "b", Answers: loopOf("b", 6)}}})
			for i, s := range steps {
				req, err := wire.Parse(nil, []byte(`{"messages":[`+strings.Join(s.messages, ",")+`]}`))
				require.NoError(t, err)
				got, miss := p.Answer(req)
				require.Nil(t, miss, "request %d", i+1)
				require.Equal(t, s.want, got.Blocks[0].Text, "request %d", i+1)
			}
		})
	}
}

// TestATurnGoesOnBehindASummary: an answer that a summary stands for is not given again, a request that comes again gets
// the same one, and behind the last there is no other.
func TestATurnGoesOnBehindASummary(t *testing.T) {
	const askedBehind = `{"role":"user","content":[{"type":"text","text":"so far this"},{"type":"text","text":"a"}]}`
	begun := [][2]string{{askA, "a1"}, {askA + "," + round("1"), "a2"}}
	for name, c := range map[string]struct {
		summary string
		rest    [][2]string
	}{
		"goes on":                            {"so far", [][2]string{{askedBehind, "a3"}, {askedBehind + "," + round("5"), "a4"}}},
		"asked again":                        {"so far", [][2]string{{askedBehind, "a3"}, {askedBehind, "a3"}, {askedBehind + "," + round("5"), "a4"}}},
		"a second summary in the same words": {"so far", [][2]string{{askedBehind, "a3"}, {askedBehind + "," + round("5"), "a4"}, {askedBehind, "a5"}}},
		"behind the last answer": {"so far", [][2]string{{askedBehind, "a3"}, {askedBehind + "," + round("5"), "a4"},
			{askedBehind + "," + round("5") + "," + round("6"), "a5"}, {askedBehind, "a5"}}},
		"a round that stayed":             {"so far", [][2]string{{askedBehind + "," + round("1"), "a2"}}},
		"the newest round stayed":         {"so far", [][2]string{{askedBehind + "," + round("2"), "a3"}, {askedBehind + "," + round("2") + "," + round("3"), "a4"}}},
		"another text stands for nothing": {"in short", [][2]string{{askedBehind, "a1"}}},
		"no text does":                    {"", [][2]string{{askedBehind, "a1"}}},
	} {
		t.Run(name, func(t *testing.T) {
			for _, said := range []Script{{Summary: c.summary}, {Condensed: c.summary}, {Summary: "another", Condensed: c.summary}} {
				said.Turns = []Turn{{Prompt: "a", Answers: loopOf("a", 5)}}
				p := NewPlayer(said)
				for i, s := range append(begun[:2:2], c.rest...) {
					req, err := wire.Parse(nil, []byte(`{"messages":[`+s[0]+`]}`))
					require.NoError(t, err)
					got, miss := p.Answer(req)
					require.Nil(t, miss, "request %d", i+1)
					require.Equal(t, s[1], got.Blocks[0].Text, "request %d", i+1)
				}
			}
		})
	}
}

// TestATurnGoesOnBehindASpan: rounds that are shown as a summary are not played again, also where the only call that is
// left came with the newest answer.
func TestATurnGoesOnBehindASpan(t *testing.T) {
	const askedBehind = `{"role":"user","content":[{"type":"text","text":"a"},{"type":"text","text":"rounds stood here"}]}`
	for span, want := range map[string]string{"rounds stood": "a4", "": "a2"} {
		p := NewPlayer(Script{Span: span, Turns: []Turn{{Prompt: "a", Answers: loopOf("a", 5)}}})
		for i, s := range [][2]string{{askA, "a1"}, {askA + "," + round("1"), "a2"}, {askA + "," + round("1") + "," + round("2"), "a3"},
			{askedBehind + "," + round("3"), want}} {
			req, err := wire.Parse(nil, []byte(`{"messages":[`+s[0]+`]}`))
			require.NoError(t, err)
			got, miss := p.Answer(req)
			require.Nil(t, miss, "request %d", i+1)
			require.Equal(t, s[1], got.Blocks[0].Text, "request %d, %q", i+1, span)
		}
	}
}

func TestMemoryOfCallsIsBounded(t *testing.T) {
	c := calls{at: map[string]place{}}
	for i := range maxCalls + 10 {
		c.remember(fmt.Sprint(i), place{0, 1})
	}
	assert.Len(t, c.at, maxCalls)
	assert.Len(t, c.byArrival, maxCalls)
}
