package compact

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The instructions open with the guard, close with the reminder and name the nine sections in order (H-CMP-47,
// H-CMP-49); what user and project want of the summary stands between (H-CMD-20, H-CMD-23).
func TestInstructionsNameNineSectionsInOrder(t *testing.T) {
	got := Instructions(Part{}, "Keep the file names.", "", " Mind the tests. ")
	assert.True(t, strings.HasPrefix(got, "CRITICAL: Respond with TEXT ONLY. Do NOT call any tools."))
	assert.True(t, strings.HasPrefix(got[strings.LastIndex(got, "\n")+1:], "REMINDER"))
	at := 0
	for _, title := range []string{
		"1. Primary Request and Intent", "2. Key Technical Concepts", "3. Files and Code Sections", "4. Errors and fixes",
		"5. Problem Solving", "6. All user messages", "7. Pending Tasks", "8. Current Work", "9. Optional Next Step",
		"Keep the file names.", "Mind the tests.",
	} {
		i := strings.Index(got[at:], title)
		require.Greater(t, i, 0, title)
		at += i
	}
	assert.Equal(t, 2, strings.Count(got, "Instructions for this summary:"))
	assert.NotContains(t, Instructions(Part{}), "Instructions for this summary:")
}

// A partial summary is told which prompt it begins at, or ends before (H-CMD-38, H-CMD-39).
func TestInstructionsQuoteThePromptOfAPart(t *testing.T) {
	whole := Instructions(Part{})
	from := Instructions(Part{From, "now the\nsecond part"})
	upTo := Instructions(Part{UpTo, strings.Repeat("x", 700)})
	assert.NotContains(t, whole, "\n> ")
	assert.Contains(t, from, "> now the\n> second part")
	assert.Contains(t, from, "later part")
	assert.Contains(t, upTo, "> "+strings.Repeat("x", 500)+"…")
	assert.NotContains(t, upTo, strings.Repeat("x", 501))
}

// The analysis is removed, the summary taken out of its tags; without tags all text counts, nothing is a failure
// (H-CMP-48).
func TestSummaryOfAnAnswer(t *testing.T) {
	for name, c := range map[string]struct{ answer, want string }{
		"both":                    {"<analysis>first <summary> is meant</analysis>\n<summary>\n1. A:\n   b\n</summary>\n", "1. A:\n   b"},
		"no tags":                 {" just text ", "just text"},
		"no tags but an analysis": {"<analysis>x</analysis> text", "text"},
		"cut short":               {"<analysis>x</analysis><summary>half of", "half of"},
		"open analysis":           {"<analysis>never closed <summary>the sum</summary>", "the sum"},
		"a tag quoted inside":     {"<summary>say </summary> at the end</summary>", "say </summary> at the end"},
	} {
		got, err := Summary(c.answer)
		require.NoError(t, err, name)
		assert.Equal(t, c.want, got, name)
	}
	for _, empty := range []string{"", " \n", "<summary> </summary>", "<analysis>all of it", "<analysis>a</analysis>"} {
		_, err := Summary(empty)
		assert.ErrorContains(t, err, "no summary", empty)
	}
}

// The text in the log has the exact head, the summary as it was written, and a tail of one line that ends with the path
// (H-INJ-51, T-SUMHEAD, T-SUMTAIL).
func TestTextOfASummary(t *testing.T) {
	got := Text("1. Primary Request and Intent:\n   x", "/c/projects/p/s.jsonl")
	assert.True(t, strings.HasPrefix(got, "This session is being continued from a previous conversation that ran out of context. "+
		"The summary below covers the earlier portion of the conversation.\n\nSummary:\n1. Primary Request and Intent:\n   x\n\n"))
	last := got[strings.LastIndex(got, "\n")+1:]
	assert.True(t, strings.HasPrefix(last, "If you need specific details from before compaction"))
	assert.True(t, strings.HasSuffix(last, "read the full transcript at: /c/projects/p/s.jsonl"))
}

// Only the section of that name counts, up to the next heading of its level; a heading in code is none (H-CMD-23).
func TestCompactInstructionsOfAMemoryFile(t *testing.T) {
	memory := "# Project\nUse tabs.\n\n## Compact instructions\n\nKeep test output.\n### Also\nand errors\n```\n# not a heading\n```\n## Next\nnot this\n"
	assert.Equal(t, "Keep test output.\n### Also\nand errors\n```\n# not a heading\n```", MemorySection(memory))
	assert.Equal(t, "to the end", MemorySection("# COMPACT INSTRUCTIONS:\nto the end"))
	for _, none := range []string{"", "Compact instructions\nno heading", "```\n# Compact instructions\n```\nx", "# Compact\nx", "#Compact instructions\nx"} {
		assert.Equal(t, "", MemorySection(none), none)
	}
}

// The numbers of a boundary, the part that stays and the summary's own usage are written and read again (H-LOG-43,
// H-ACC-13).
func TestMetadata(t *testing.T) {
	m := Metadata{Trigger: Manual, PreTokens: 9, PostTokens: 2, Summarized: 4, Context: "a \"b\"",
		Segment: &Segment{"h", "a", "t"}, Usage: []byte(`{"input_tokens":3}`)}
	assert.Equal(t, `{"trigger":"manual","preTokens":9,"postTokens":2,"messagesSummarized":4,"userContext":"a \"b\"",`+
		`"preservedSegment":{"headUuid":"h","anchorUuid":"a","tailUuid":"t"},"usage":{"input_tokens":3}}`, string(m.Encode()))
	assert.Equal(t, `{"input_tokens":3}`, string(Usage(m.Encode())))
	assert.Nil(t, Usage((&Metadata{}).Encode()))
	assert.Nil(t, Usage([]byte("{")))
}
