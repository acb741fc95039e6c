package model

import "strconv"

// ReadsThinkingOf tells whether m can read thinking blocks the producer made (messages-api.md 6.6,
// the table of readers). Unreadable blocks are dropped without an error.
func (m Model) ReadsThinkingOf(producer Model) bool {
	if m.ID == producer.ID {
		return true
	}
	from := producer.rank()
	switch {
	case m.top() && m.rank() >= 5.1:
		switch {
		case producer.top():
			return from <= m.rank()
		case producer.Line == "opus":
			return true
		}
		return from < 5.5 // Sonnet 5.5 and Haiku 5.5 stay unread
	case m.Line == "opus" && m.rank() == 5.5:
		return !producer.top()
	case m.rank() == 5.5: // Sonnet 5.5, Haiku 5.5
		switch producer.Line {
		case "sonnet":
			return from <= 5
		case "opus":
			return from <= 4.8
		case "haiku":
			return from <= 4.5 || m.Line == "sonnet"
		}
		return false
	}
	return from <= m.rank() && from <= 5
}

// top tells the two restricted lines above Opus.
func (m Model) top() bool { return m.Line == "fable" || m.Line == "mythos" }

// rank orders generations. Mythos Preview came out together with 4.7.
func (m Model) rank() float64 {
	if m.Generation == "preview" {
		return 4.7
	}
	n, err := strconv.ParseFloat(m.Generation, 64)
	if err != nil {
		return 0
	}
	return n
}
