package compact

import "strings"

// Kind is what of the conversation a summary is to cover.
type Kind int

const (
	Whole Kind = iota
	From       // a prompt and all behind it (H-CMD-38)
	UpTo       // all before a prompt (H-CMD-39)
)

// Part is what of the conversation a summary is to cover; Prompt is the text of the prompt at its edge.
type Part struct {
	Kind   Kind
	Prompt string
}

// guard and reminder open and close the instructions: no answer but text is of use (H-CMP-47).
const (
	guard = "CRITICAL: Respond with TEXT ONLY. Do NOT call any tools. Everything you need stands in the conversation " +
		"above; a tool call would not be run, and this request would be lost."
	reminder = "REMINDER: no tool calls. Plain text, first <analysis>, then <summary>."
)

// sections are the parts of a summary, in order, with what belongs there (H-CMP-49).
var sections = [...]struct{ title, holds string }{
	{"Primary Request and Intent", "what the user wants, all of it and in detail, with the reasons the user gave"},
	{"Key Technical Concepts", "the technologies, terms and rules the work rests on"},
	{"Files and Code Sections", "each file that was read, changed or made, why it matters, and the code that must be at hand to go on"},
	{"Errors and fixes", "what went wrong, how it was mended, and what the user said about it"},
	{"Problem Solving", "what was found out, and what is still being looked into"},
	{"All user messages", "every message of the user that is no tool result, in order; what the user wants changes with them"},
	{"Pending Tasks", "what the user asked for and is not done"},
	{"Current Work", "exactly what was going on right before this request, with file names and code"},
	{"Optional Next Step", "the step that follows from the latest work, only if the user's last wishes call for it, with direct " +
		"quotes from the latest exchange that show where it stood"},
}

// Instructions asks for a summary in <analysis> and <summary>, nine sections (H-CMP-46 to H-CMP-49). focus holds what
// the user and the project want of it (H-CMD-20, H-CMD-23), each a paragraph; empty ones are left out.
func Instructions(part Part, focus ...string) string {
	var b strings.Builder
	b.WriteString(guard + "\n\n")
	b.WriteString(part.task() + "\n\n" +
		"Think first, inside <analysis> tags: go through that part in the order of time and note for each step what the " +
		"user asked, what was done, which decisions were taken, which files and names matter. Nothing of the analysis " +
		"is kept. Then write the summary inside <summary> tags. It has these sections, each begun by a line with its " +
		"number, a full stop, its title and a colon; the text of a section is indented by 3 spaces, and a blank line " +
		"stands between sections:\n")
	for i, s := range sections {
		b.WriteString("\n" + string(rune('1'+i)) + ". " + s.title + ": " + s.holds + ".")
	}
	for _, f := range focus {
		if f = strings.TrimSpace(f); f != "" {
			b.WriteString("\n\nInstructions for this summary:\n" + f)
		}
	}
	b.WriteString("\n\n" + reminder)
	return b.String()
}

func (p Part) task() string {
	switch p.Kind {
	case From:
		return "Summarise the later part of the conversation above: from the user's message quoted here, that message " +
			"included, to the end. What stands before it stays as it is and needs no summary.\n\n" + quoted(p.Prompt)
	case UpTo:
		return "Summarise the conversation above, all of it. It goes on behind the summary with the user's message quoted " +
			"here, which stays as it is.\n\n" + quoted(p.Prompt)
	}
	return "Summarise the conversation above. The summary takes its place: what it does not say is gone for the work that follows."
}

// quoteRunes is how much of a prompt is quoted to name it.
const quoteRunes = 500

func quoted(text string) string {
	if r := []rune(text); len(r) > quoteRunes {
		text = string(r[:quoteRunes]) + "…"
	}
	return "> " + strings.ReplaceAll(text, "\n", "\n> ")
}

// MemorySection is the section `Compact instructions` of a memory file, "" for none (H-CMD-23): from its heading to
// the next one of the same or a higher level.
func MemorySection(memory string) string {
	level, fenced := 0, false
	var lines []string
	for line := range strings.Lines(memory) {
		text := strings.TrimRight(line, "\r\n")
		if strings.HasPrefix(strings.TrimSpace(text), "```") {
			fenced = !fenced
		}
		n := 0
		if !fenced {
			n = heading(text)
		}
		switch {
		case level == 0 && n > 0 && strings.EqualFold(strings.Trim(text, "# \t:"), "compact instructions"):
			level = n
		case level > 0 && n > 0 && n <= level:
			return strings.TrimSpace(strings.Join(lines, "\n"))
		case level > 0:
			lines = append(lines, text)
		}
	}
	return strings.TrimSpace(strings.Join(lines, "\n"))
}

// heading is the level of a Markdown heading, 0 for any other line.
func heading(line string) int {
	n := len(line) - len(strings.TrimLeft(line, "#"))
	if n > 6 || len(line) == n || line[n] != ' ' && line[n] != '\t' {
		return 0
	}
	return n
}
