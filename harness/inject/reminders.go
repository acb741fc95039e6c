package inject

import (
	"strings"
	"time"
)

// Date is the form in which dates stand in payloads.
func Date(t time.Time) string { return t.Format(time.DateOnly) }

// Head is the block before the first prompt: memory and date (H-REB-43). memory is the text of the
// project's memory file, "" for none.
func Head(file, memory, date string) string {
	var b strings.Builder
	if memory != "" {
		b.WriteString("The project keeps instructions in " + file + ". Follow them wherever they apply:\n\n")
		b.WriteString(strings.TrimRight(memory, "\n"))
		b.WriteString("\n\n")
	}
	b.WriteString("Today's date is " + date + ".")
	return Reminder(b.String())
}

// MemoryUpdate brings a memory file that changed between two processes to a conversation whose head
// must stay as it was (H-REB-46).
func MemoryUpdate(file, memory string) string {
	if memory == "" {
		return Reminder("The instructions in " + file + " are gone since this conversation began. " +
			"What they said no longer holds.")
	}
	return Reminder("The instructions in " + file + " have changed since this conversation began. " +
		"They replace the earlier ones:\n\n" + strings.TrimRight(memory, "\n"))
}

// DateChange says that the date of the head is over (H-REB-43).
func DateChange(date string) string {
	return Reminder("The date has changed. Today's date is now " + date + ".")
}

// Time is T-TIME (H-INJ-47).
func Time(t time.Time) string {
	return Reminder("The current time is " + t.Format(time.RFC3339) + ".")
}
