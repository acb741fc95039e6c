package tool

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"harnessbench/harness/sessionlog"
)

// Texts of the checks before a write (H-TOOL-20, H-TOOL-21).
const (
	NotRead = "File has not been read yet. Read it first before writing to it."
	Changed = "The file has changed on disk since it was read. Read it again before writing to it."
)

// maxSnippet is how many lines of a changed file an Edit shows.
const maxSnippet = 100

// Edited is the text that an Edit makes of a file. changed: the file is not as it was read, which is allowed only where
// the old text stands in it once (H-TOOL-21). A fault is the text of an error, "" for none.
func (c *Call) Edited(text string, changed bool) (after, fault string) {
	n := strings.Count(text, c.Old)
	switch {
	case n != 1 && changed:
		return "", Changed
	case n == 0:
		return "", fmt.Sprintf("old_string was not found in %s. It must stand there exactly, blanks and line ends included.", c.Path)
	case n > 1 && !c.All:
		return "", fmt.Sprintf("old_string has %d matches in %s. Give more of its surroundings so that one is meant, "+
			"or set replace_all.", n, c.Path)
	}
	return strings.ReplaceAll(text, c.Old, c.New), ""
}

// EditRaw words a carried out Edit: a notice with the changed regions, and the structured result (H-TOOL-21).
func (c *Call) EditRaw(before, after string, changed bool) Raw {
	list := hunks(before, after)
	var b strings.Builder
	fmt.Fprintf(&b, "Updated %s.", c.Path)
	if changed {
		b.WriteString(" The file had changed on disk since it was read; the edit went into the new content.")
	}
	b.WriteString(" The changed lines now read:\n")
	b.WriteString(snippet(list))
	s := append([]byte(`{"filePath":`), sessionlog.Quote(c.Path)...)
	s = append(append(s, `,"oldString":`...), sessionlog.Quote(c.Old)...)
	s = append(append(s, `,"newString":`...), sessionlog.Quote(c.New)...)
	s = append(append(s, `,"originalFile":`...), original(before)...)
	s = appendPatch(append(s, `,"structuredPatch":`...), list)
	s = fmt.Appendf(s, `,"userModified":false,"replaceAll":%t}`, c.All)
	return Raw{Output: b.String(), Structured: s}
}

// Limits of what the log keeps of a file that was changed, in bytes (LOG-11): the file itself, and each changed line.
const (
	maxOriginal  = 256 << 10
	maxPatchLine = 2_000
)

// original is the file before a change, as JSON; null when it is too long for the log. What it held is then not known to
// later checks, which go by the time of the file instead.
func original(before string) []byte {
	if len(before) > maxOriginal {
		return []byte("null")
	}
	return sessionlog.Quote(Text([]byte(before)))
}

// short is a line as notices and patches show it: its beginning, when it is very long.
func short(line string) string {
	if len(line) <= maxPatchLine {
		return line
	}
	end := maxPatchLine
	for end > maxPatchLine-utf8.UTFMax && !utf8.RuneStart(line[end]) {
		end--
	}
	return fmt.Sprintf("%s... (%d bytes)", line[:end], len(line))
}

// snippet is the new state of the changed regions, numbered as Read does it.
func snippet(list []hunk) string {
	var b strings.Builder
	shown := 0
	for i, h := range list {
		if i > 0 {
			b.WriteString("...\n")
		}
		n := h.newStart
		for _, line := range h.lines {
			if line[0] == '-' || line[0] == '\\' {
				continue
			}
			if shown == maxSnippet {
				b.WriteString("...\n")
				return strings.TrimSuffix(b.String(), "\n")
			}
			fmt.Fprintf(&b, "%d\t%s\n", n, short(line[1:]))
			n, shown = n+1, shown+1
		}
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// WriteRaw words a carried out Write (H-TOOL-20). before is what the file held; created: there was none.
func (c *Call) WriteRaw(before string, created bool) Raw {
	kind, done, list, was := "update", "Updated ", []hunk(nil), original(before)
	if created {
		kind, done, was = "create", "Created ", []byte("null")
	} else {
		list = hunks(before, c.Content)
	}
	s := append([]byte(`{"type":"`+kind+`","filePath":`), sessionlog.Quote(c.Path)...)
	s = append(append(s, `,"content":`...), sessionlog.Quote(c.Content)...)
	s = appendPatch(append(s, `,"structuredPatch":`...), list)
	s = append(append(s, `,"originalFile":`...), was...)
	return Raw{Output: done + c.Path + ".", Structured: append(s, '}')}
}
