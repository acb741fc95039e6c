package invariant

import (
	"fmt"
	"strings"

	"harnessbench/internal/wire"
)

// textOf joins the texts of a message.
func textOf(blocks []wire.Block) string {
	var out strings.Builder
	for _, b := range blocks {
		if v := b.TextValue(); v.Kind() == '"' {
			out.WriteString(v.Text())
		}
	}
	return out.String()
}

// answeredText joins the texts of an answer.
func answeredText(a answer) string {
	var out strings.Builder
	for _, b := range a.Blocks {
		if b.Get("type").Text() == "text" {
			out.WriteString(b.Get("text").Text())
		}
	}
	return out.String()
}

// summaryIn takes the summary out of the answer to a request for one (H-CMP-48), without blanks.
func summaryIn(answer string) string {
	if before, in, found := strings.Cut(answer, "<analysis>"); found {
		if _, after, closed := strings.Cut(in, "</analysis>"); closed {
			answer = before + after
		}
	}
	if _, in, found := strings.Cut(answer, "<summary>"); found {
		answer = in
		if end := strings.LastIndex(in, "</summary>"); end >= 0 {
			answer = in[:end]
		}
	}
	return unspaced(answer)
}

func unspaced(s string) string { return strings.Join(strings.Fields(s), "") }

// asAnswered looks whether the summary behind a boundary is the one that was answered: its begin or its end stands there.
func asAnswered(c *commit, t *tally) {
	const probe = 40 // characters
	i := c.file.summaryOf(c.boundary)
	if c.attempt == nil || !c.attempt.answered || i < 0 {
		return
	}
	said := []rune(summaryIn(c.attempt.answer))
	if len(said) == 0 {
		return
	}
	e := c.file.entries[i]
	logged := unspaced(e.said)
	n := min(probe, len(said))
	if !strings.Contains(logged, string(said[:n])) && !strings.Contains(logged, string(said[len(said)-n:])) {
		t.broken("other "+e.uuid, fmt.Sprintf("%s is the summary, and holds neither begin nor end of what was answered", c.file.at(e)),
			fmt.Sprintf("call %d, which asked for it, was answered with %q", c.attempt.newest.number, excerptOf(strings.TrimSpace(c.attempt.answer))))
	}
}
