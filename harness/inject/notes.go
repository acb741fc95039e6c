package inject

// Notes tells the small model to bring a session's memory file up to date (H-CMP-80).
const Notes = "You keep the notes of a session in which a coding agent works for a user. You are shown the notes as they stand, if there are any, and " +
	"what was said since. Answer with the notes brought up to date, whole, in Markdown, and nothing else: they will stand in " +
	"place of all that was said. Keep what the user wants, in the user's words where they matter; decisions and their " +
	"reasons; the names of files, commands and things; what failed and how it was mended; what is under way, and what is " +
	"still to be done. Leave out what is over and done with. Write no more than 1,500 words."

// NotesSoFar shows the small model the notes as they stand, "" for none, and what was said since.
func NotesSoFar(notes, said string) string {
	text := "<said>\n" + said + "\n</said>"
	if notes != "" {
		text = "<notes>\n" + notes + "\n</notes>\n\n" + text
	}
	return text
}
