package tool

import (
	"fmt"
	"strings"

	"harnessbench/harness/sessionlog"
)

// patchContext is how many unchanged lines stand around the changes of a hunk.
const patchContext = 3

// maxPatchCells bounds the table of a line-by-line comparison; beyond it what lies between the equal beginning and the
// equal end of two texts counts as replaced whole.
const maxPatchCells = 1 << 22

// hunk is one run of changes with its surroundings: lines with ' ', '-' or '+' before them.
type hunk struct {
	oldStart, oldLines, newStart, newLines int
	lines                                  []string
}

// edit is a line of a comparison: kept (' '), gone ('-') or new ('+').
type edit struct {
	sign byte
	line string
}

// hunks compares two texts line by line.
func hunks(before, after string) []hunk {
	edits := compare(lines(before), lines(after))
	var out []hunk
	oldAt, newAt := 1, 1
	for i := 0; i < len(edits); {
		if edits[i].sign == ' ' {
			oldAt, newAt, i = oldAt+1, newAt+1, i+1
			continue
		}
		from := max(0, i-patchContext)
		h := hunk{oldStart: oldAt - (i - from), newStart: newAt - (i - from)}
		last := i // behind the last change
		for j := i; j < len(edits) && j < last+2*patchContext+1; j++ {
			if edits[j].sign != ' ' {
				last = j + 1
			}
		}
		end := min(last+patchContext, len(edits))
		for _, e := range edits[from:end] {
			h.add(e)
		}
		for _, e := range edits[i:end] {
			if e.sign != '+' {
				oldAt++
			}
			if e.sign != '-' {
				newAt++
			}
		}
		out = append(out, h)
		i = end
	}
	return out
}

func (h *hunk) add(e edit) {
	if e.sign != '+' {
		h.oldLines++
	}
	if e.sign != '-' {
		h.newLines++
	}
	text, ended := strings.CutSuffix(e.line, "\n")
	h.lines = append(h.lines, string(e.sign)+text)
	if !ended {
		h.lines = append(h.lines, `\ No newline at end of file`)
	}
}

// lines splits a text behind its line feeds.
func lines(text string) []string {
	if text == "" {
		return nil
	}
	split := strings.SplitAfter(text, "\n")
	if split[len(split)-1] == "" {
		split = split[:len(split)-1]
	}
	return split
}

// compare finds a shortest way from a to b; removed lines stand before added ones.
func compare(a, b []string) []edit {
	head := 0
	for head < len(a) && head < len(b) && a[head] == b[head] {
		head++
	}
	tail := 0
	for tail < len(a)-head && tail < len(b)-head && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	var out []edit
	for _, line := range a[:head] {
		out = append(out, edit{' ', line})
	}
	out = append(out, between(a[head:len(a)-tail], b[head:len(b)-tail])...)
	for _, line := range a[len(a)-tail:] {
		out = append(out, edit{' ', line})
	}
	return out
}

// between compares by the longest common subsequence.
func between(a, b []string) []edit {
	var out []edit
	if len(a) == 0 || len(b) == 0 || len(a) > maxPatchCells/len(b) {
		for _, line := range a {
			out = append(out, edit{'-', line})
		}
		for _, line := range b {
			out = append(out, edit{'+', line})
		}
		return out
	}
	width := len(b) + 1
	common := make([]int32, (len(a)+1)*width) // of a[i:] and b[j:]
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if a[i] == b[j] {
				common[i*width+j] = common[(i+1)*width+j+1] + 1
			} else {
				common[i*width+j] = max(common[(i+1)*width+j], common[i*width+j+1])
			}
		}
	}
	i, j := 0, 0
	for i < len(a) || j < len(b) {
		switch {
		case i < len(a) && j < len(b) && a[i] == b[j]:
			out = append(out, edit{' ', a[i]})
			i, j = i+1, j+1
		case j == len(b) || i < len(a) && common[(i+1)*width+j] >= common[i*width+j+1]:
			out = append(out, edit{'-', a[i]})
			i++
		default:
			out = append(out, edit{'+', b[j]})
			j++
		}
	}
	return out
}

// appendPatch writes a structuredPatch (H-TOOL-20, H-TOOL-21).
func appendPatch(b []byte, list []hunk) []byte {
	b = append(b, '[')
	for i, h := range list {
		if i > 0 {
			b = append(b, ',')
		}
		b = fmt.Appendf(b, `{"oldStart":%d,"oldLines":%d,"newStart":%d,"newLines":%d,"lines":[`,
			h.oldStart, h.oldLines, h.newStart, h.newLines)
		for j, line := range h.lines {
			if j > 0 {
				b = append(b, ',')
			}
			b = append(b, sessionlog.Quote(short(line))...)
		}
		b = append(b, "]}"...)
	}
	return append(b, ']')
}
