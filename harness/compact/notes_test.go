package compact

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"harnessbench/harness/sessionlog"
)

const entryA, entryB = "11111111-1111-4111-8111-111111111111", "22222222-2222-4222-8222-222222222222"

// A memory file says how far it goes; one that does not is somebody else's, and goes for all of the path. One without text
// is none (H-CMP-80).
func TestNotesAreReadAsTheyWereWritten(t *testing.T) {
	for name, c := range map[string]struct {
		file string
		want Notes
		ok   bool
	}{
		"ours":            {string(Notes{entryA, "Kept.\nMore."}.Encode()), Notes{entryA, "Kept.\nMore."}, true},
		"somebody else's": {"\nKept.\n", Notes{Text: "Kept."}, true},
		"no mark":         {"<!-- notes up to entry nothing -->\nKept.", Notes{Text: "<!-- notes up to entry nothing -->\nKept."}, true},
		"not at the head": {"Kept.\n<!-- notes up to entry " + entryA + " -->\n", Notes{Text: "Kept.\n<!-- notes up to entry " + entryA + " -->"}, true},
		"empty":           {"", Notes{}, false},
		"only a mark":     {"<!-- notes up to entry " + entryA + " -->\n \n", Notes{UpTo: entryA}, false},
		"no text":         {"\xff", Notes{}, false},
	} {
		got, ok := ParseNotes([]byte(c.file))
		assert.Equal(t, c.want, got, name)
		assert.Equal(t, c.ok, ok, name)
	}
	path := []*sessionlog.Entry{{UUID: entryA}, {UUID: "x"}}
	for _, c := range []struct {
		upTo string
		at   int
		ok   bool
	}{{"", 2, true}, {entryA, 1, true}, {"x", 2, true}, {entryB, 0, false}} {
		at, ok := Notes{UpTo: c.upTo}.Behind(path)
		assert.Equal(t, c.at, at, c.upTo)
		assert.Equal(t, c.ok, ok, c.upTo)
	}
}

// Notes are due from so many tokens on, to the token, counted from the newest attempt; one request shows no more than it
// may, an entry at least, shortened where it alone is too long (H-CMP-80).
func TestNotesAreDue(t *testing.T) {
	long := func(tokens int) *sessionlog.Entry { return typed(strings.Repeat("x", 4*tokens)) }
	l := Full().Memory
	for name, c := range map[string]struct {
		path  []*sessionlog.Entry
		from  int
		tried string
		want  int // entries
	}{
		"nothing":                   {nil, 0, "", 0},
		"a token too few":           {[]*sessionlog.Entry{long(5_000), long(4_999)}, 0, "", 0},
		"just enough":               {[]*sessionlog.Entry{long(5_000), long(5_000)}, 0, "", 2},
		"told of before":            {[]*sessionlog.Entry{long(5_000), long(9_999)}, 1, "", 0},
		"the rest":                  {[]*sessionlog.Entry{long(5_000), long(10_000)}, 1, "", 1},
		"all that fits":             {[]*sessionlog.Entry{long(20_000), long(20_000)}, 0, "", 2},
		"one token too many":        {[]*sessionlog.Entry{long(20_000), long(20_001)}, 0, "", 1},
		"tried a short time ago":    {[]*sessionlog.Entry{long(10_000), {UUID: entryA}, long(9_999)}, 0, entryA, 0},
		"tried a long time ago":     {[]*sessionlog.Entry{long(10_000), {UUID: entryA}, long(10_000)}, 0, entryA, 3},
		"tried before it was told":  {[]*sessionlog.Entry{{UUID: entryA}, long(5_000), long(10_000)}, 2, entryA, 1},
		"tried on another path":     {[]*sessionlog.Entry{long(10_000)}, 0, entryB, 1},
		"a single one too long":     {[]*sessionlog.Entry{long(90_000), long(1)}, 0, "", 1},
		"what the harness says too": {[]*sessionlog.Entry{{Type: sessionlog.Assistant, Notice: true, Message: long(20_000).Message}}, 0, "", 0},
	} {
		got := l.Due(c.path, c.from, c.tried)
		assert.Len(t, got, c.want, name)
		assert.LessOrEqual(t, Tokens(got), l.Request+1, name)
	}
	assert.Equal(t, 90_000, Tokens([]*sessionlog.Entry{long(90_000)}), "the log's own entry is not touched")
}

// What the small model reads is what was typed, said, called and answered, as it is sent: replaced results as they were
// replaced, nothing that was snipped, no thinking, no reminders, no notices, images by name (H-CMP-80).
func TestTranscript(t *testing.T) {
	image := `{"type":"image","source":{"type":"base64","media_type":"image/png","data":"QUJD"}}`
	shown := block("image", "", image)
	shown.Type = sessionlog.User
	snipped := saying("snipped")
	snipped.UUID = entryA
	call := toolUse("u")
	call.Message.Blocks[0].Name, call.Message.Blocks[0].Input = "Read", []byte(`{"file_path":"/a"}`)
	path := []*sessionlog.Entry{
		typed("do \"it\""), shown,
		block("thinking", "", `{"type":"thinking","thinking":"secret","signature":"c2ln"}`), saying("I do."), call, toolResult("u", "whole"),
		{Type: sessionlog.User, Message: sessionlog.Message{Blocks: []sessionlog.Block{{Type: "tool_result", ID: "v",
			Raw: []byte(`{"type":"tool_result","tool_use_id":"v","content":[{"type":"text","text":"part"},` + image + `]}`)}}}},
		{Type: sessionlog.User, Message: sessionlog.Message{Blocks: []sessionlog.Block{{Type: "tool_result", ID: "w", Raw: []byte(`{"type":"tool_result","tool_use_id":"w"}`)}}}},
		{Type: sessionlog.Attachment, Attach: sessionlog.Attach{Type: "queued_command", Mode: "prompt", Content: "and that"}},
		{Type: sessionlog.Attachment, Attach: sessionlog.Attach{Type: "current_time", Texts: [][]byte{[]byte(`"noon"`)}}},
		{Type: sessionlog.Assistant, Notice: true, Message: saying("failed").Message},
		block("compaction", "", `{"type":"compaction","content":"so far"}`), snipped, saying(" \n"),
	}
	d := &sessionlog.Decisions{Replaced: map[string][]byte{"u": []byte(`"saved to a file"`)}, Snipped: map[string]bool{entryA: true}}
	assert.Equal(t, strings.Join([]string{
		"[user]\ndo \"it\"", "[user]\n(image)", "[assistant]\nI do.", "[call of Read]\n{\"file_path\":\"/a\"}", "[result]\nsaved to a file",
		"[result]\npart\n(image)", "[user]\nand that", "[summary]\nso far",
	}, "\n\n"), Transcript(path, d))
	assert.Empty(t, Transcript(nil, d))
}
