package inject

// Texts of table T (harness.md 5.7).
const (
	// Reject answers a call that the user stopped or refused (T-REJECT, H-LOOP-20).
	Reject = "The user doesn't want to proceed with this tool use. The tool use was rejected, and nothing of it " +
		"was carried out or written. STOP what you are doing and wait for the user to tell you how to proceed."
	// InterruptedTool follows the results of an interrupted answer that held calls (T-INT-TOOL).
	InterruptedTool = "[Request interrupted by user for tool use]"
	// Interrupted follows an answer interrupted while it streamed (T-INT, H-LOOP-22).
	Interrupted = "[Request interrupted by user]"
	// Missing stands for a result that was lost with its process (T-MISSING, H-REB-31).
	Missing = "[Tool result missing due to internal error]"
	// NoContent keeps an emptied assistant message in place (T-NOCONTENT, H-REB-35).
	NoContent = "(no content)"
	// Continue asks for the rest of an answer that the output limit cut (T-CONTINUE, H-LOOP-31).
	Continue = "Output token limit hit. Go on exactly where the answer was cut, without repeating or summing up what it " +
		"already says. Do what is left in smaller pieces."
	// Condensed follows an answer in which the server compacted the conversation (H-CMP-84).
	Condensed = "The earlier part of this conversation was condensed. Go on with the task."
	// EmptyFile replaces the content of an empty file (T-EMPTY).
	EmptyFile = "<system-reminder>Warning: the file exists but the contents are empty.</system-reminder>"
	// Unchanged stands for a file whose content an earlier result still shows (T-UNCHANGED, H-TOOL-13).
	Unchanged = "File unchanged since last read. The earlier result in this conversation is still current; use that one."
)

// Reminder wraps a text in the tag that only the harness writes (H-INJ-2, H-INJ-3).
func Reminder(text string) string { return "<system-reminder>\n" + text + "\n</system-reminder>" }
