package fault

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestWhatACommandLineSays(t *testing.T) {
	f, err := Parse("silence,at=byte 3 of event text_delta 2,call=2,model=claude-sonnet-5,text=which test,chance=0.25,for=90s")
	require.NoError(t, err)
	require.Equal(t, Match{Call: 2, Model: "claude-sonnet-5", Text: "which test", Chance: 0.25}, f.When)
	require.Equal(t, 90*time.Second, f.For)
	require.Equal(t, "silence at byte 3 of event text_delta 2", f.String())
}

func TestMistakesInAFaultAreNamed(t *testing.T) {
	for text, want := range map[string]string{ // any order: each is a test of its own
		"resett":                   `"resett" is no fault; there are refused, unreachable`,
		"reset,at":                 `"at" in "reset,at" is no parameter; write NAME=VALUE`,
		"reset,at=event":           `"event" is no place in an answer`,
		"reset,at=event 0":         `"event 0" is no place in an answer`,
		"reset,where=here":         `"where" is no parameter of a fault`,
		"reset,for=2s":             "reset takes no for; it takes at",
		"silence,for=-2s":          `for is a duration such as 90s, not "-2s"`,
		"silence,for=99999h":       "a time of a fault is 0 to 24h0m0s",
		"refuse":                   "refuse needs a status, 400 to 599",
		"refuse,status=200":        "status 200 is no refusal; 400 to 599 are",
		"overloaded,status=500":    "overloaded takes no status; it takes retry_after, should_retry, body, message, at",
		"overloaded,at=event 1":    "overloaded has no position, it strikes before_headers",
		"overloaded,retry_after=x": `retry_after "x" is neither a duration such as 2s or 500ms nor date, none, absurd, junk`,
		"reset,call=0":             `call is a whole number from 1, not "0"`,
		"reset,chance=2":           `chance "2" is no probability above 0, at most 1`,
		"refuse,status=400,body=x": `body is text, html, empty, edge or unnamed, not "x"`,
	} {
		_, err := Parse(text)
		require.ErrorContains(t, err, want, text)
	}
}

// TestEveryKindStandsOnItsOwnFeet: a name, a sentence, a default place that is one, parameters that Set knows.
func TestEveryKindStandsOnItsOwnFeet(t *testing.T) {
	seen := map[string]bool{}
	for _, name := range Kinds() {
		require.False(t, seen[name], name)
		seen[name] = true
		doc, at, params := Describe(name)
		require.NotEmpty(t, doc)
		p, err := ParsePosition(at)
		require.NoError(t, err, name)
		require.Equal(t, at, p.String())
		for _, param := range params {
			f := Fault{Do: name}
			value := map[string]string{"status": "503", "retry_after": "1s", "should_retry": "true", "body": "text", "for": "1s", "every": "1s"}[param]
			if value == "" {
				value = "api_error"
			}
			require.NoError(t, f.Set(param, value), "%s %s", name, param)
			if name == "refuse" {
				f.Status = 503
			}
			require.NoError(t, f.Check(), "%s %s", name, param)
		}
	}
	doc, _, _ := Describe("nothing")
	require.Empty(t, doc)
}

func TestCallsAreMatched(t *testing.T) {
	p := NewPlayer(1, []Fault{
		{Do: "ping", When: Match{Turn: 2, Call: 2}},
		{Do: "crlf", When: Match{Text: "test", Model: "a"}},
	})
	for _, tc := range []struct {
		call Call
		want []string
	}{
		{Call{Turn: 1, Model: "a", Text: "which test?"}, []string{"crlf"}},
		{Call{Turn: 2, Model: "b", Text: "which test?"}, nil},
		{Call{Turn: 2, Model: "a", Text: "tests"}, []string{"ping", "crlf"}},
		{Call{Turn: 2, Model: "a", Text: "no"}, nil},
	} {
		var got []string
		for _, f := range p.Due(tc.call) {
			got = append(got, f.Do)
		}
		require.Equal(t, tc.want, got)
	}
}
