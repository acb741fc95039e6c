package compare

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Table prints rows as an aligned table, one policy a line. The share behind the cost compares it with the first row's.
// Under it stand, by policy and check, how often a check found something and what that lost; with every, each finding
// and each turn without an answer.
func Table(rows []Row, every bool) string {
	lines := [][]string{{"policy", "calls", "fresh", "read", "write 5m", "write 1h", "output", "cost", "to first", "longest", "findings"}}
	for _, r := range rows {
		if r.Error != "" {
			lines = append(lines, []string{r.Policy, "", "", "", "", "", "", "", "", "", "NOT PLAYED"})
			continue
		}
		lines = append(lines, []string{
			r.Policy, strconv.Itoa(r.Calls), grouped(r.Fresh), grouped(r.Read), grouped(r.Write5m), grouped(r.Write1h), grouped(r.Output),
			fmt.Sprintf("$%.4f", r.CostUSD), share(r.CostUSD, rows[0].CostUSD), grouped(r.Longest), r.summary(),
		})
	}
	var b strings.Builder
	align(&b, lines)
	for _, r := range rows {
		r.details(&b, every)
	}
	return b.String()
}

// align pads all columns but the last; numbers stand to the right, the first column to the left.
func align(b *strings.Builder, lines [][]string) {
	widths := make([]int, len(lines[0]))
	for _, l := range lines {
		for i, cell := range l {
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	for _, l := range lines {
		for i, cell := range l {
			pad := strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell))
			switch {
			case i == 0:
				b.WriteString(cell + pad)
			case i == len(l)-1:
				b.WriteString("  " + cell)
			default:
				b.WriteString("  " + pad + cell)
			}
		}
		b.WriteByte('\n')
	}
}

// grouped writes a number with a comma between thousands.
func grouped(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// share is how much more or less something costs than the first.
func share(cost, first float64) string {
	if first == 0 {
		return ""
	}
	return fmt.Sprintf("%+.1f%%", 100*(cost-first)/first)
}

// summary tells what the checks made of a row.
func (r Row) summary() string {
	var parts []string
	for _, t := range r.tallies() {
		text := t.check
		if t.times > 1 {
			text += " x" + strconv.Itoa(t.times)
		}
		if t.level == "C" {
			text += fmt.Sprintf(" (%s tokens)", grouped(t.loss))
		}
		parts = append(parts, text)
	}
	if len(r.Missed)+len(r.Faults) > 0 {
		parts = append(parts, strconv.Itoa(len(r.Missed)+len(r.Faults))+" faults")
	}
	switch n := len(r.Unanswered); {
	case n == 1:
		parts = append(parts, "1 turn unanswered")
	case n > 1:
		parts = append(parts, strconv.Itoa(n)+" turns unanswered")
	}
	switch {
	case r.Broken:
		parts = append(parts, "BROKEN")
	case !r.Checked:
		parts = append(parts, "NOTHING CHECKED")
	case len(parts) == 0:
		parts = append(parts, "none")
	}
	return strings.Join(parts, ", ")
}

// tally is what one check found in a row.
type tally struct {
	check, level string
	times, loss  int
}

func (r Row) tallies() []tally {
	var out []tally
	for _, f := range r.Findings {
		i := slices.IndexFunc(out, func(t tally) bool { return t.check == f.Check && t.level == f.Level })
		if i < 0 {
			i = len(out)
			out = append(out, tally{check: f.Check, level: f.Level})
		}
		out[i].times++
		out[i].loss += f.Loss
	}
	return out
}

// details are the lines under the table: what broke, and every finding where that is asked for.
func (r Row) details(b *strings.Builder, every bool) {
	for _, f := range r.Findings {
		if !every && f.Level == "C" {
			continue
		}
		loss := ""
		if f.Level == "C" {
			loss = fmt.Sprintf(" (cost only: %d tokens)", f.Loss)
		}
		fmt.Fprintf(b, "%s: %s%s: %s\n  but %s\n", r.Policy, f.Check, loss, f.Fact, f.Other)
	}
	if every {
		for _, text := range r.Unanswered {
			fmt.Fprintf(b, "%s: unanswered: %s\n", r.Policy, text)
		}
	}
	for _, text := range r.Missed {
		fmt.Fprintf(b, "%s: expected: %s\n", r.Policy, text)
	}
	for _, text := range r.Faults {
		fmt.Fprintf(b, "%s: harness: %s\n", r.Policy, text)
	}
}
