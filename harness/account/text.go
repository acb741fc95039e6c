package account

import (
	"fmt"
	"strings"
)

// Text is what /context prints, with a line feed at its end (H-ACC-3).
func (c Context) Text() string {
	var b strings.Builder
	b.WriteString(" Context Usage\n")
	name := strings.TrimPrefix(c.Model, "Claude ")
	if c.Window >= million {
		name += fmt.Sprintf(" (%dM context)", c.Window/million)
	}
	fmt.Fprintf(&b, "  %s\n", name)
	fmt.Fprintf(&b, "  %s/%s tokens (%.0f%%)\n", short(c.Used), round(c.Window), c.percent(c.Used))
	b.WriteString("\n  Estimated usage by category\n")
	for _, row := range c.Categories {
		fmt.Fprintf(&b, "  ⛁ %s: %s tokens (%.1f%%)\n", row.Name, short(row.Tokens), c.percent(row.Tokens))
	}
	if c.Over > 0 {
		limit := "the window"
		if c.OverKind == CompactionWindow {
			limit = "the size at which the conversation is compacted"
		}
		fmt.Fprintf(&b, "\n  %s tokens over %s\n", short(c.Over), limit)
	}
	return b.String()
}

const (
	thousand = 1_000
	million  = 1_000_000
)

func (c Context) percent(tokens int) float64 {
	if c.Window == 0 {
		return 0
	}
	return 100 * float64(tokens) / float64(c.Window)
}

// short writes tokens with one decimal: 7.2k, 1.1m.
func short(n int) string {
	if n >= million {
		return fmt.Sprintf("%.1fm", float64(n)/million)
	}
	return fmt.Sprintf("%.1fk", float64(n)/thousand)
}

// round writes a window without decimals: 200k, 1m.
func round(n int) string {
	if n >= million {
		return fmt.Sprintf("%dm", n/million)
	}
	return fmt.Sprintf("%dk", n/thousand)
}
