package golden

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
)

// quoted is the number of characters of a text that are shown.
const quoted = 24

// quote shows the beginning of a text.
func quote(s string) string {
	n := 0
	for i := range s {
		if n == quoted {
			return strconv.Quote(s[:i]) + ".."
		}
		n++
	}
	return strconv.Quote(s)
}

// sized shows the beginning of a text, and how long it is when that is not all of it.
func sized(s string) string {
	out := quote(s)
	if strings.HasSuffix(out, "..") {
		out += fmt.Sprintf(" %d bytes", len(s))
	}
	return out
}

// seconds is a time since the beginning of the step, to the millisecond.
func seconds(d time.Duration) string {
	sign := "+"
	if d < 0 {
		sign, d = "-", -d
	}
	ms := d.Milliseconds()
	return fmt.Sprintf("%s%d.%03d", sign, ms/1000, ms%1000)
}

// pair is a line of the head or the foot: a word and what it says.
func pair(word, text string) string { return clean(fmt.Sprintf("%-9s %s", word, text)) }

// clean makes one line of it: control characters, which a foreign name could hold, become blanks.
func clean(line string) string {
	line = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, line)
	return strings.TrimRight(line, " ")
}

// counts are the four token counts of a call in fixed columns. Seven digits hold any window.
func counts(fresh, read, write, out int) string {
	return fmt.Sprintf("fresh %7d  read %7d  write %7d  out %7d", fresh, read, write, out)
}

func sorted(m map[string]string) []string { return slices.Sorted(maps.Keys(m)) }
