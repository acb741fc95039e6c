package compact

import (
	"unicode/utf8"

	"harnessbench/harness/inject"
	"harnessbench/harness/sessionlog"
)

// Material is what parts of the harness other than the conversation want to stand behind a summary (H-CMP-72, H-CMP-73,
// H-CMP-77). Empty fields bring nothing.
type Material struct {
	Announced []sessionlog.Attach // *_delta attachments: unfound tools, MCP instructions, agents; each in full
	Started   []string            // contexts of SessionStart(compact) hooks, in full (H-HOOK-16)
	Plan      *Plan               // the active one, in full
	Skills    []Skill             // invoked ones, the newest first
}

// Plan is a plan file.
type Plan struct{ Path, Text string }

// Skill is the body of a skill.
type Skill struct{ Name, Text string }

// File is a file that the model read. Shown is what a Read shows of it.
type File struct{ Path, Shown string }

// Types of attachments behind a summary (H-LOG-52, H-REB-18).
const (
	hookContext   = "hook_additional_context"
	planReference = "plan_file_reference"
	skillBody     = "invoked_skills"
	FileShown     = "file"
	FileReference = "compact_file_reference" // path only
)

// Restored words what is brought back, the most important first: announcements, hooks, plan, skills, files, of which the
// newest come first. Skills and files keep within their limits (H-CMP-72, H-CMP-73).
func (l *RestoreLimits) Restored(m Material, files []File) []sessionlog.Attach {
	out := append([]sessionlog.Attach(nil), m.Announced...)
	if len(m.Started) > 0 {
		a := attach(hookContext, "", m.Started...)
		a.Event = "SessionStart"
		out = append(out, a)
	}
	if m.Plan != nil {
		out = append(out, attach(planReference, m.Plan.Path, inject.PlanAgain(m.Plan.Path, m.Plan.Text)))
	}
	out = append(out, l.skills(m.Skills)...)
	return append(out, l.files(files)...)
}

func attach(typ, content string, texts ...string) sessionlog.Attach {
	a := sessionlog.Attach{Type: typ, Content: content}
	for _, text := range texts {
		a.Texts = append(a.Texts, sessionlog.Quote(text))
	}
	return a
}

// skills keeps the beginning of each, and of all of them the newest that fit (H-CMP-72).
func (l *RestoreLimits) skills(skills []Skill) (out []sessionlog.Attach) {
	if l.Skill == 0 {
		return nil
	}
	sum := 0
	for _, s := range skills {
		text := firstTokens(s.Text, l.Skill)
		if sum += tokens(text); sum > l.AllSkills {
			break
		}
		out = append(out, attach(skillBody, s.Name, inject.SkillAgain(s.Name, text, len(text) < len(s.Text))))
	}
	return out
}

// files shows each that keeps within its limit, names the others, and stops where all together would be too much
// (H-CMP-73).
func (l *RestoreLimits) files(files []File) (out []sessionlog.Attach) {
	sum := 0
	for _, f := range files[:min(len(files), l.Files)] {
		n := tokens(f.Shown)
		if n > l.File {
			out = append(out, attach(FileReference, f.Path, inject.FileReference(f.Path)))
			continue
		}
		if sum += n; sum > l.AllFiles {
			break
		}
		out = append(out, attach(FileShown, f.Path, inject.ReadShown(f.Path, f.Shown)...))
	}
	return out
}

// tokens is the estimate of a text: a quarter of its bytes, rounded up (H-ACC-4).
func tokens(text string) int { return (len(text) + 3) / 4 }

// firstTokens is the beginning of a text, no rune cut.
func firstTokens(text string, n int) string {
	if tokens(text) <= n {
		return text
	}
	end := 4 * n
	for end > 0 && !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end]
}
