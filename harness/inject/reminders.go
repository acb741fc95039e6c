package inject

import (
	"strings"
	"time"
)

// Date is the form in which dates stand in payloads.
func Date(t time.Time) string { return t.Format(time.DateOnly) }

// MemoryFile is one file of standing instructions.
type MemoryFile struct {
	Path, Text string
	User       bool // the user's for all projects, not the project's own
}

// Memory joins memory files in the order given, the broader first; "" when none says anything (H-REB-43).
func Memory(files []MemoryFile) string {
	var b strings.Builder
	for _, f := range files {
		text := strings.TrimRight(f.Text, "\n")
		if text == "" {
			continue
		}
		if b.Len() > 0 {
			b.WriteString("\n\n")
		}
		whose := "The project keeps"
		if f.User {
			whose = "For all projects the user keeps"
		}
		b.WriteString(whose + " instructions in " + f.Path + ". Follow them wherever they apply:\n\n" + text)
	}
	return b.String()
}

// Head is the block before the first prompt: memory as Memory joins it, and the date (H-REB-43).
func Head(memory, date string) string {
	if memory != "" {
		memory += "\n\n"
	}
	return Reminder(memory + "Today's date is " + date + ".")
}

// MemoryUpdate brings memory that changed between two processes to a conversation whose head must stay as it was
// (H-REB-46).
func MemoryUpdate(memory string) string {
	if memory == "" {
		return Reminder("The instruction files are gone since this conversation began. What they said no longer holds.")
	}
	return Reminder("The instruction files have changed since this conversation began. What they say now replaces the " +
		"earlier:\n\n" + memory)
}

// DateChange says that the date of the head is over (H-REB-43).
func DateChange(date string) string {
	return Reminder("The date has changed. Today's date is now " + date + ".")
}

// Time is T-TIME (H-INJ-47).
func Time(t time.Time) string {
	return Reminder("The current time is " + t.Format(time.RFC3339) + ".")
}
