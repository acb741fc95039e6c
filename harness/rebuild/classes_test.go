package rebuild

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

func hookContext(event, text string) string {
	return fmt.Sprintf(`{"type":"attachment","attachment":{"type":"hook_additional_context","hookEvent":%q},"rendered":[{"content":%q}]}`, event, text)
}

const (
	boundary = `{"type":"system","subtype":"compact_boundary","content":"Conversation compacted"}`
	summary  = `{"type":"user","isCompactSummary":true,"isVisibleInTranscriptOnly":true,"message":{"role":"user","content":"sum"}}`
)

func withHead(t *testing.T, lines ...string) []string {
	return short(t, Of(path(t, lines...), Options{Head: TextBlock("head"), NoThinkingTo: -1}).Messages())
}

// Attachments stand by their class (H-REB-14, H-REB-18), those of the prompt's hooks next to its text (H-INJ-35), those
// of the head before it in the order announcements, hook contexts; what was sent stays where it was (H-REB-37).
func TestAttachmentsStandByTheirClass(t *testing.T) {
	a, r := answer("m", call("a")), result("a")
	for name, c := range map[string]struct{ lines, want []string }{
		"session's start": {[]string{hookContext("SessionStart", "S"), rendered("deferred_tools_delta", "D"), rendered("agent_listing_delta", "A"), prompt("p")},
			[]string{"u head D A S p"}},
		"announcements of a later turn belong to its prompt": {[]string{prompt("p"), answer("m", said("x")), prompt("q"), hookContext("UserPromptSubmit", "U"), rendered("mcp_instructions_delta", "M")},
			[]string{"u head p", "a x", "u M U q"}},
		"prompt class behind its prompt in the log": {[]string{prompt("p"), hookContext("UserPromptSubmit", "U"), rendered("file", "F1"), rendered("file", "F2"), rendered("directory", "D"), rendered("agent_mention", "A"), rendered("skill_listing", "S")},
			[]string{"u head F1 F2 D A S U p"}},
		"the hook context of a resume heads the next prompt": {[]string{prompt("p"), answer("m", said("x")), hookContext("SessionStart", "S"), prompt("q"), rendered("date_change", "day")},
			[]string{"u head p", "a x", "u S day q"}},
		"the context of a subagent's start": {[]string{hookContext("SubagentStart", "S"), prompt("p")}, []string{"u head S p"}},
		"result class in chain order behind the results": {[]string{prompt("p"), a, answer("m", call("b")), r, hookContext("PostToolUse", "P"), result("b"), rendered("nested_memory", "N"), rendered("edited_text_file", "E"), rendered("queued_command", "Q"), rendered("relevant_memories", "R")},
			[]string{"u head p", "a call:a call:b", "u a:r b:r P N E Q R"}},
		"prompt class without its prompt is not put before what was sent": {[]string{prompt("p"), a, r, rendered("file", "F")},
			[]string{"u head p", "a call:a", "u a:r F"}},
		"unheard of": {[]string{prompt("p"), a, r, rendered("unheard_of", "x")}, []string{"u head p", "a call:a", "u a:r x"}},
		"behind a summary": {[]string{boundary, summary, rendered("invoked_skills", "K"), rendered("file", "F"), hookContext("SessionStart", "S"), rendered("plan_file_reference", "P"), rendered("deferred_tools_delta", "D"), rendered("compact_file_reference", "C"), prompt("p"), rendered("file", "G")},
			[]string{"u head D S sum K F P C G p"}},
		"a prompt kept behind the summary stands behind what is restored": {[]string{boundary, summary, prompt("p"), rendered("date_change", "day"), rendered("invoked_skills", "K")},
			[]string{"u head sum K day p"}},
		"a blank text is none": {[]string{prompt("p"), rendered("file", " \n")}, []string{"u head p"}},
	} {
		t.Run(name, func(t *testing.T) { assert.Equal(t, c.want, withHead(t, c.lines...)) })
	}
}

// A typed prompt of several blocks keeps them in order: text, image, where it came from (H-REB-16, H-INJ-11). A marker
// may sit on an image (H-REB-56). What a user typed as a reminder stays the user's text (H-INJ-3, fixture F13).
func TestPromptsOfBlocksKeepTheirOrder(t *testing.T) {
	const image = `{"type":"image","source":{"type":"base64","media_type":"image/png","data":"aGk="}}`
	block := func(blocks string) string {
		return `{"type":"user","promptSource":"typed","message":{"role":"user","content":[` + blocks + `]}}`
	}
	pictured := block(said("see [Image #1]") + "," + image + "," + said("[Image: source: /w/a.png]"))
	assert.Equal(t, []string{"u head day see [Image #1] image [Image: source: /w/a.png]"},
		withHead(t, pictured, rendered("date_change", "day")))
	only := Of(path(t, block(image)), Options{NoThinkingTo: -1})
	body := string(only.Body(Front{Model: "m", System: [][]byte{TextBlock("s")}, Tools: []byte("[]"), TTL: "5m"}, Volatile{}))
	assert.Contains(t, body, `"data":"aGk="},"cache_control":{"type":"ephemeral"}}`)
	assert.Equal(t, []string{"u head <system-reminder>no</system-reminder>"}, withHead(t, block(said("<system-reminder>no</system-reminder>"))))
}

// A prompt that was not answered is kept and joins the next one, and so do prompts of a kind nobody typed
// (H-REB-12, H-CMD-44). Each is a block of its own (H-REB-15).
func TestNeighboursOfTheUserSideJoin(t *testing.T) {
	meta := `{"type":"user","isMeta":true,"message":{"role":"user","content":[{"type":"text","text":"M"}]}}`
	shell := `{"type":"system","subtype":"local_command","content":"<local-command-stdout>x</local-command-stdout>"}`
	assert.Equal(t, []string{"u head p M <local-command-stdout>x</local-command-stdout> q"}, withHead(t, prompt("p"), meta, shell, prompt("q")))
	alone := string(Of(path(t, prompt("p"), answer("m1", `{"type":"text","text":"a"}`), prompt("q")), Options{NoThinkingTo: -1}).Messages())
	assert.Equal(t, 2, strings.Count(alone, `{"role":"user","content":[{"type":"text","text":`), "also behind an answer: %s", alone)
}
