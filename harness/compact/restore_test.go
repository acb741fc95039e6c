package compact

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"harnessbench/harness/sessionlog"
)

func kinds(attached []sessionlog.Attach) (out []string) {
	for _, a := range attached {
		out = append(out, a.Type+" "+a.Content)
	}
	return out
}

// Five files come back, those of up to 5,000 tokens with their text and longer ones by name, in the form of a Read; all
// texts together keep within 50,000 (H-CMP-73).
func TestRestoredFiles(t *testing.T) {
	l := Full().Restore
	file := func(name string, tokens int) File { return File{"/w/" + name, strings.Repeat("x", 4*tokens)} }
	got := l.Restored(Material{}, []File{file("a", 5_000), file("b", 5_001), file("c", 1), file("d", 2), file("e", 3), file("f", 4)})
	assert.Equal(t, []string{"file /w/a", "compact_file_reference /w/b", "file /w/c", "file /w/d", "file /w/e"}, kinds(got))
	assert.Equal(t, `"<system-reminder>\nCalled the Read tool with the following input: {\"file_path\":\"/w/c\"}\n</system-reminder>"`, string(got[2].Texts[0]))
	assert.Equal(t, `"<system-reminder>\nResult of calling the Read tool:\nxxxx\n</system-reminder>"`, string(got[2].Texts[1]))
	assert.NotContains(t, string(got[1].Texts[0]), "xxx")
	assert.Contains(t, string(got[1].Texts[0]), "/w/b")

	l.AllFiles = 12_000
	got = l.Restored(Material{}, []File{file("a", 5_000), file("b", 5_000), file("c", 2_000), file("d", 1)})
	assert.Equal(t, []string{"file /w/a", "file /w/b", "file /w/c"}, kinds(got), "exactly 12,000")
}

// Of each skill the first 5,000 tokens come back, of all of them the newest that keep within 25,000; no rune is cut
// (H-CMP-72).
func TestRestoredSkills(t *testing.T) {
	l := Full().Restore
	var skills []Skill
	for i := range 7 {
		skills = append(skills, Skill{fmt.Sprint("s", i), strings.Repeat("é", 20_000)})
	}
	got := l.Restored(Material{Skills: skills}, nil)
	assert.Equal(t, []string{"invoked_skills s0", "invoked_skills s1", "invoked_skills s2", "invoked_skills s3", "invoked_skills s4"}, kinds(got))
	assert.Contains(t, string(got[0].Texts[0]), "é\\n\\n[The rest of this skill is left out here.]")
	assert.Equal(t, 10_000, strings.Count(string(got[0].Texts[0]), "é"))
	exact := l.Restored(Material{Skills: []Skill{{"e", strings.Repeat("x", 20_000)}, {"f", strings.Repeat("x", 20_001)}}}, nil)
	assert.NotContains(t, string(exact[0].Texts[0]), "left out")
	assert.Contains(t, string(exact[1].Texts[0]), "left out")
	assert.Equal(t, 20_000, strings.Count(string(exact[1].Texts[0]), "x"))
	odd := l.Restored(Material{Skills: []Skill{{"o", "x" + strings.Repeat("é", 20_000)}}}, nil)
	assert.NotContains(t, string(odd[0].Texts[0]), "\\ufffd")
}

// Announcements, hooks and the plan come back in full and before the rest; nothing gives nothing, and the teaching
// profile brings back nothing but what has no limit (H-CMP-73, H-CMP-75, H-CMP-77, H-HOOK-16).
func TestRestoredMaterial(t *testing.T) {
	l := Full().Restore
	assert.Empty(t, l.Restored(Material{}, nil))
	m := Material{
		Announced: []sessionlog.Attach{attach("agent_listing_delta", "", "agents")},
		Started:   []string{"from the hook"},
		Plan:      &Plan{"/c/plans/p.md", strings.Repeat("step\n", 40_000)},
		Skills:    []Skill{{"s", "body"}},
	}
	got := l.Restored(m, []File{{"/w/a", "x"}})
	assert.Equal(t, []string{"agent_listing_delta ", "hook_additional_context ", "plan_file_reference /c/plans/p.md", "invoked_skills s", "file /w/a"}, kinds(got))
	assert.Equal(t, "SessionStart", got[1].Event)
	assert.Equal(t, 40_000, strings.Count(string(got[2].Texts[0]), "step"))
	none := Teaching().Restore
	assert.Empty(t, none.Restored(Material{Skills: m.Skills}, []File{{"/w/a", "x"}}))
}
