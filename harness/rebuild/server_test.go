package rebuild

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func search(id string) string {
	return fmt.Sprintf(`{"type":"server_tool_use","id":%q,"name":"web_search","input":{"query":"x"}}`, id)
}

func found(id string) string {
	return fmt.Sprintf(`{"type":"web_search_tool_result","tool_use_id":%q,"content":[]}`, id)
}

// stopped is an answer with a stop reason.
func stopped(id, reason string, block string) string {
	return fmt.Sprintf(`{"type":"assistant","message":{"id":%q,"model":"claude-sonnet-5-5","role":"assistant","stop_reason":%q,"content":[%s]}}`, id, reason, block)
}

// A server tool's call and result go back as a pair or not at all; a call that is still open is sent only while the
// server may answer it (H-REB-33, H-ARCH-6, D9; bugs p-branch-splits-server-tool-pair, s-index-reuse).
func TestServerToolPairsStayWhole(t *testing.T) {
	for name, c := range map[string]struct{ lines, want []string }{
		"whole in one answer": {[]string{prompt("p"), answer("m", search("s")), answer("m", found("s")), answer("m", said("x")), prompt("q")},
			[]string{"u p", "a server_tool_use web_search_tool_result x", "u q"}},
		"paused and continued": {[]string{prompt("p"), stopped("m", "pause_turn", search("s")), answer("n", found("s")), answer("n", said("x")), prompt("q")},
			[]string{"u p", "a server_tool_use web_search_tool_result x", "u q"}},
		"paused, to be continued":       {[]string{prompt("p"), stopped("m", "pause_turn", said("x")), stopped("m", "pause_turn", search("s"))}, []string{"u p", "a x server_tool_use"}},
		"paused, never continued":       {[]string{prompt("p"), stopped("m", "pause_turn", said("x")), stopped("m", "pause_turn", search("s")), prompt("q")}, []string{"u p", "a x", "u q"}},
		"nothing but an unfinished one": {[]string{prompt("p"), stopped("m", "pause_turn", search("s")), prompt("q")}, []string{"u p", "a (no content)", "u q"}},
		"unfinished at the end":         {[]string{prompt("p"), answer("m", said("x")), answer("m", search("s"))}, []string{"u p", "a x"}},
		"a result without its call":     {[]string{prompt("p"), answer("m", found("s")), answer("m", said("x")), prompt("q")}, []string{"u p", "a x", "u q"}},
		"beside a client call, answered later": {[]string{prompt("p"), stopped("m", "tool_use", search("s")), stopped("m", "tool_use", call("a")), result("a"),
			answer("n", found("s")), answer("n", said("x")), prompt("q")},
			[]string{"u p", "a server_tool_use call:a", "u a:r", "a web_search_tool_result x", "u q"}},
		"beside a client call, given up as the user spoke": {[]string{prompt("p"), stopped("m", "tool_use", search("s")), stopped("m", "tool_use", call("a")), result("a"), prompt("q")},
			[]string{"u p", "a call:a", "u a:r q"}},
		"beside a client call, never answered": {[]string{prompt("p"), stopped("m", "tool_use", search("s")), stopped("m", "tool_use", call("a")), result("a"),
			stopped("n", "end_turn", said("x")), prompt("q")},
			[]string{"u p", "a call:a", "u a:r", "a x", "u q"}},
		"two rounds beside client calls": {[]string{prompt("p"), stopped("m", "tool_use", search("s")), stopped("m", "tool_use", call("a")), result("a"),
			stopped("n", "tool_use", call("b")), result("b"), answer("o", found("s")), answer("o", said("x")), prompt("q")},
			[]string{"u p", "a server_tool_use call:a", "u a:r", "a call:b", "u b:r", "a web_search_tool_result x", "u q"}},
		"an MCP server's pair": {[]string{prompt("p"), answer("m", `{"type":"mcp_tool_use","id":"s","name":"f","server_name":"x","input":{}}`),
			answer("m", `{"type":"mcp_tool_result","tool_use_id":"s","is_error":false,"content":[]}`), prompt("q")},
			[]string{"u p", "a mcp_tool_use mcp_tool_result", "u q"}},
	} {
		t.Run(name, func(t *testing.T) {
			opt := Options{NoThinkingTo: -1}
			grown := New(opt)
			for _, e := range path(t, c.lines...) {
				grown.Add(e)
				grown.Messages()
			}
			assert.Equal(t, c.want, short(t, grown.Messages()))
			require.NoError(t, grown.CheckAll(Of(path(t, c.lines...), opt)))
		})
	}
}

// A failed compaction of the server leaves no block behind; one that holds a summary goes back as it came and takes the
// third breakpoint (H-CMP-83, H-REB-55).
func TestCompactionBlocks(t *testing.T) {
	failed := answer("m", `{"type":"compaction","content":null}`)
	assert.Equal(t, []string{"u p", "a x", "u q"}, short(t, Of(path(t, prompt("p"), failed, answer("m", said("x")), prompt("q")), Options{NoThinkingTo: -1}).Messages()))
	good := answer("m", `{"type":"compaction","content":"sum","signature":"c2ln"}`)
	body := Of(path(t, prompt("p"), good, answer("m", said("x")), prompt("q")), Options{NoThinkingTo: -1}).
		Body(Front{Model: "m", System: [][]byte{TextBlock("s")}, Tools: []byte("[]"), TTL: "5m"}, Volatile{})
	assert.Contains(t, string(body), `{"type":"compaction","content":"sum","signature":"c2ln","cache_control":{"type":"ephemeral"}}`)
}

// Only what stands from the newest summary of the server's on is sent, one in the middle of an answer too; a failed one
// changes nothing. Entry by entry or at once, the bytes are the same (H-CMP-83).
func TestASummaryOfTheServersCutsWhatStandsBeforeIt(t *testing.T) {
	good := func(id, text string) string { return answer(id, `{"type":"compaction","content":"`+text+`"}`) }
	opt := Options{Head: TextBlock("head"), NoThinkingTo: -1}
	for name, lines := range map[string][]string{
		"between turns":      {prompt("p"), answer("m", said("old")), prompt("q"), good("n", "S"), answer("n", said("new")), prompt("r")},
		"in a loop":          {prompt("p"), answer("m", said("old")), answer("m", call("c")), result("c"), good("n", "S"), prompt("r"), answer("o", said("new"))},
		"inside an answer":   {prompt("p"), answer("m", said("old")), good("m", "S"), answer("m", said("new")), prompt("r")},
		"the newest of two":  {prompt("p"), good("m", "old"), prompt("q"), good("n", "S"), prompt("r"), answer("o", said("new"))},
		"a failed one after": {prompt("p"), good("m", "S"), prompt("r"), answer("n", `{"type":"compaction","content":null}`), answer("n", said("new"))},
	} {
		grown := New(opt)
		entries := path(t, lines...)
		for i, e := range entries {
			grown.Add(e)
			assert.Equal(t, string(Of(entries[:i+1], opt).Messages()), string(grown.Messages()), "%s: entry %d", name, i)
		}
		all := string(grown.Messages())
		assert.True(t, grown.Condensed(), name)
		assert.True(t, strings.HasPrefix(all, `[{"role":"assistant","content":[{"type":"compaction","content":"S"}`), "%s: %s", name, all)
		for _, gone := range []string{`"old"`, `"p"`, `"q"`, "head", "null"} {
			assert.NotContains(t, all, gone, name)
		}
		assert.Contains(t, all, `"new"`, name)
		assert.Contains(t, all, `"r"`, name)
	}
}
