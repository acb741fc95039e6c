package run

import (
	"strings"

	"harnessbench/internal/model"
)

// overWindow is a prompt that cannot fit the model's window whatever stands before it: short words cost
// at least 0.96 tokens each on every tokenizer generation (messages-api.md 9.1).
func overWindow(text string, m model.Model) string {
	return text + "\n" + strings.Repeat("so ", m.Window*21/20)
}
