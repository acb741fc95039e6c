package sessionlog

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestAFileIsContinuedWithAPromptOrWhenAClearHasBegunIt(t *testing.T) {
	stamped := func(typ, when string) string {
		return fmt.Sprintf(`{"type":%q,"uuid":"x","timestamp":%q,"message":{"role":"user","content":"t"}}`, typ, when)
	}
	began := func(data []byte) []any { l := Describe(data); return []any{l.Began, l.Continuable} }
	assert.Equal(t, []any{"2026-01-02", true}, began(lines(stamped("user", "2026-01-02"), stamped("system", "2026-01-03"), "{")))
	assert.Equal(t, []any{"2026-01-03", false}, began(lines(stamped("system", "2026-01-03"))))
	assert.Equal(t, []any{"", false}, began(lines("x1<", "u1<")), "first line is a sidechain entry")
	assert.Equal(t, []any{"", true}, began(Pin("s", "")))
	assert.Equal(t, []any{"", false}, began(Pin("s", "u1")), "a pin of an entry that is not there")
	assert.Equal(t, []any{"", false}, began(Pin("s", "")[:20]), "a torn record")
}

func saidBy(content string) string {
	return `{"type":"user","uuid":"u","parentUuid":null,"message":{"role":"user","content":` + content + `}}`
}

// Titles by precedence, the last of each kind; the first prompt is one that somebody typed (H-LOG-71).
func TestTitles(t *testing.T) {
	for name, c := range map[string]struct {
		file []string
		want string
	}{
		"given by the user":   {[]string{saidBy(`"p"`), `{"type":"custom-title","customTitle":"a"}`, `{"type":"custom-title","customTitle":"b"}`, `{"type":"ai-title","aiTitle":"c"}`}, "b"},
		"generated":           {[]string{`{"type":"ai-title","aiTitle":"c"}`, `{"type":"last-prompt","lastPrompt":"l"}`, saidBy(`"p"`)}, "c"},
		"last prompt":         {[]string{`{"type":"summary","summary":"s","leafUuid":"x"}`, `{"type":"last-prompt","lastPrompt":"l"}`, `{"type":"last-prompt","leafUuid":"u"}`, saidBy(`"p"`)}, "l"},
		"summary":             {[]string{`{"type":"summary","summary":"s","leafUuid":"x"}`, saidBy(`"p"`)}, "s"},
		"first prompt":        {[]string{saidBy(`"  p \n"`), saidBy(`"q"`)}, "p"},
		"first prompt, block": {[]string{saidBy(`[{"type":"text","text":"p"},{"type":"image"},{"type":"text","text":"q"}]`)}, "p\nq"},
		"no real prompt before": {[]string{
			saidBy(`[{"type":"tool_result","tool_use_id":"t","content":"r"},{"type":"text","text":"x"}]`),
			`{"type":"user","uuid":"m","isMeta":true,"message":{"content":"meta"}}`,
			`{"type":"user","uuid":"s","isCompactSummary":true,"message":{"content":"summary"}}`,
			`{"type":"user","uuid":"x","isSidechain":true,"message":{"content":"agent"}}`,
			saidBy(`"<command-name>/model</command-name>"`), saidBy(`"<local-command-stdout>x</local-command-stdout>"`),
			saidBy(`"[Request interrupted by user for tool use]"`), saidBy(`"<div> is what I mean"`)}, "<div> is what I mean"},
		"commands alone":      {[]string{saidBy(`"<command-message>x is running</command-message>\n<command-name>/init</command-name>"`)}, "/init"},
		"empty titles":        {[]string{`{"type":"custom-title","customTitle":""}`, saidBy(`"p"`)}, "p"},
		"two hundred letters": {[]string{saidBy(`"` + strings.Repeat("ü", 199) + ` tail"`)}, strings.Repeat("ü", 199)},
		"none":                {[]string{`{"type":"mode","mode":"normal"}`}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			assert.Equal(t, c.want, Describe([]byte(strings.Join(c.file, "\n"))).Title)
		})
	}
}

// What lists leave out (H-LOG-72).
func TestListsLeaveOutAgentsAndEmptyFiles(t *testing.T) {
	for name, c := range map[string]struct {
		file []string
		want bool
	}{
		"prompt":                  {[]string{"u1<"}, true},
		"title alone":             {[]string{`{"type":"custom-title","customTitle":"a"}`}, true},
		"bad line before":         {[]string{"{", "u1<"}, true},
		"separators of Unicode":   {[]string{saidBy("\"a\u2028b\u2029c\u0085d\"")}, true},
		"sidechain first":         {[]string{"x1<", "u1<"}, false},
		"bookkeeping alone":       {[]string{`{"type":"mode","mode":"normal"}`, "s1<"}, false},
		"begun by a clear, empty": {[]string{"pin:empty"}, false},
		"nothing":                 {nil, false},
	} {
		l := Describe(lines(c.file...))
		assert.Equal(t, c.want, l.InList(), name)
	}
}
