package inject

import "strconv"

// ReadShown are the two reminders that show a file without a call: as if the Read tool had been called (H-INJ-12). shown
// is what a Read shows of it.
func ReadShown(path, shown string) []string {
	return []string{
		Reminder("Called the Read tool with the following input: {\"file_path\":" + strconv.Quote(path) + "}"),
		Reminder("Result of calling the Read tool:\n" + shown),
	}
}

// FileReference names a file that is too long to be shown again behind a summary (H-CMP-73).
func FileReference(path string) string {
	return Reminder("The file " + path + " was read before the conversation was summarised. It is too long to be shown again " +
		"here; read it when you need it.")
}

// SkillAgain brings a skill back that was invoked before a summary; cut tells that text is only its beginning (H-CMP-72).
func SkillAgain(name, text string, cut bool) string {
	rest := ""
	if cut {
		rest = "\n\n[The rest of this skill is left out here.]"
	}
	return Reminder("The skill " + name + " was invoked before the conversation was summarised, and still holds:\n\n" +
		text + rest)
}

// PlanAgain brings the active plan back (H-CMP-73, H-EXT-42).
func PlanAgain(path, text string) string {
	return Reminder("The plan in " + path + " is active. It says:\n\n" + text)
}
