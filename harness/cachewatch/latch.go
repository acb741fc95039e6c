package cachewatch

import "slices"

// Latch keeps what a session has used once: a beta that was sent stays in every later request, even when the mode it
// served is left, since its going would change the prefix again (H-CACHE-21). The zero value holds nothing; a new zero
// value is the reset of /clear and compaction.
type Latch struct{ used []string }

// Use adds what a request needs and gives all that it sends, in the order of first use.
func (l *Latch) Use(now ...string) []string {
	for _, v := range now {
		if !slices.Contains(l.used, v) {
			l.used = append(l.used, v)
		}
	}
	return slices.Clone(l.used)
}
