package tokens

import "harnessbench/internal/model"

// Counter counts for one model. Weights are fractions of tokens: sums are rounded once, where a
// number is shown.
type Counter struct {
	Tokenizer
	Request
}

// For is the counter of a model, by its tokenizer, line and generation (messages-api.md 9.1). Lines
// without a column of their own count as the newest Opus of their time, and so does a model that the
// table does not hold.
func For(m model.Model) *Counter {
	return &Counter{Tokenizer: Generation(m), Request: requests[column(m)]}
}

// Generation is the tokenizer of a model; of one that the table does not hold, the newest.
func Generation(m model.Model) *Linear {
	if t, ok := generations[m.Tokenizer]; ok {
		return t
	}
	return generations["4.7+"]
}

// column names the column of the third table of 9.1 that holds for the model.
func column(m model.Model) string {
	switch m.Generation {
	case "3", "2.1", "1.2":
		switch m.Line {
		case "opus", "haiku":
			return m.Line + " 3"
		}
		return "sonnet 3"
	case "3.5":
		switch {
		case m.Line == "haiku":
			return "haiku 3"
		case m.ID == "claude-3-5-sonnet-20240620":
			return "3.5 june"
		}
		return "3.5"
	case "3.7":
		return "3.5"
	case "4", "4.1":
		return "4"
	case "4.5":
		return "4.5"
	case "4.6":
		if m.Line == "opus" {
			return "opus 4.6"
		}
		return "4.6"
	case "4.7", "preview":
		return "4.7"
	case "4.8":
		return "5"
	case "5":
		if m.Line == "sonnet" {
			return "sonnet 5"
		}
		return "5"
	}
	return "5.5"
}

// Base is the weight of a request with one turn of nothing, its tail included.
func (c *Counter) Base() float64 { return c.Frame().Base + c.Extra }

// Turn is the weight of each turn beyond the first; messages of one role in a row are one turn.
func (c *Counter) Turn() float64 { return c.Frame().Turn }

// System is the weight of having a system prompt, beside its texts.
func (c *Counter) System() float64 { return c.Frame().System }

// ToolPrompt splits the hidden tool prompt: what is rendered with the tools, and what stands behind
// system at the head of messages (messages-api.md 5.1). The second part moves with the choice.
func (c *Counter) ToolPrompt(forced, noParallel bool) (ahead, behind float64) {
	ahead = c.Tools * toolsAhead
	whole := c.Tools
	if forced {
		whole = c.Forced
	}
	if noParallel {
		whole += c.NoParallel
	}
	return ahead, whole - ahead
}

// TailOf is the rest behind a breakpoint on the last block (messages-api.md 5.4).
func (c *Counter) TailOf(afterResult, forced, enabled bool) int {
	n := c.Tail.Plain
	if afterResult {
		n = c.Tail.AfterResult
	}
	if forced {
		n += c.Tail.Forced
	}
	if enabled {
		n += c.Tail.Enabled
	}
	return n
}
