package invariant

import (
	"strings"
	"testing"
)

func TestBreakpointsAreLegal(t *testing.T) {
	one := func(ttl string) string { return `"cache_control":{"type":"ephemeral"` + ttl + `}` }
	long, short := one(`,"ttl":"1h"`), one("")
	body := func(system, messages, more string) func(*hand) {
		return func(h *hand) {
			h.sendBytes(`{"model":"` + h.model + `","system":[` + system + `],"messages":[` + messages + `]` + more + `}`)
		}
	}
	text := func(mark string) string { return `{"type":"text","text":"x",` + mark + `}` }
	user := func(blocks ...string) string {
		return `{"role":"user","content":[` + strings.Join(blocks, ",") + `]}`
	}
	play(t, []situation{
		{"four and a longer one first", "CACHE-4", "", body(text(long), user(text(long), text(short), text(short)), ""), Held, "", "", 1},
		{"the one at the top level counts", "CACHE-4", "", body(text(short), user(text(short), text(short), text(short), textBlock("x")), ","+short), Broken, H, "breakpoint 5 of 5", 1},
		{"the one at the top level has no effect where the last block is marked alike", "CACHE-4", "", body(text(short), user(text(short), text(short), text(short)), ","+short), Held, "", "", 1},
		{"a result's inner mark counts", "CACHE-4", "", body(text(short), user(`{"type":"tool_result","tool_use_id":"t","content":[`+text(short)+`],`+short+`}`, text(short), text(short)), ""), Broken, H, "breakpoint 5 of 5", 1},
		{"a member of tool input is data", "CACHE-4", "", body(text(short), `{"role":"assistant","content":[{"type":"tool_use","id":"t","name":"n","input":{`+short+`}}]},`+user(text(short), text(short), text(short)), ""), Held, "", "", 1},
		{"null is none", "CACHE-4", "", body(`{"type":"text","text":"x","cache_control":null}`, user(textBlock("x")), ""), Unknown, "", "", 0},
		{"none at all", "CACHE-4", "", body("", user(textBlock("x")), ""), Unknown, "", "", 0},
		{"longer behind shorter at the top level", "CACHE-4", "", body(text(short), user(textBlock("x")), ","+long), Broken, H, "lives 1h0m0s", 1},
		{"on empty text", "CACHE-4", "", body("", user(`{"type":"text","text":"",`+short+`}`), ""), Broken, H, "empty text block", 1},
		{"on redacted thinking", "CACHE-4", "", body("", `{"role":"assistant","content":[{"type":"redacted_thinking","data":"d",`+short+`}]}`, ""), Broken, H, "redacted_thinking", 1},
	})
}
