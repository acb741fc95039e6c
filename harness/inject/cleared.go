package inject

import (
	"fmt"
	"strings"
)

// Texts that stand for content that was taken from the payload (harness.md 5.7).
const (
	cleared      = "[Old tool result content cleared]"       // T-CLEARED
	storedOnDisk = "\nstored on disk, retrievable by path: " // H-CMP-25
	spilled      = "<persisted-output>\nOutput too large ("  // H-TOOL-70
	spilledTo    = "). Full output saved to: "               // H-TOOL-70
)

// ClearedResult stands for a cleared result; file is where its content was saved, "" for nowhere (T-CLEARED, H-CMP-25).
func ClearedResult(file string) string {
	if file == "" {
		return cleared
	}
	return cleared + storedOnDisk + file
}

// SpilledTo is the file that a spilled result names, "" for any other text (H-TOOL-70).
func SpilledTo(result string) string {
	rest, ok := strings.CutPrefix(result, spilled)
	if !ok {
		return ""
	}
	_, rest, ok = strings.Cut(rest, spilledTo)
	if !ok {
		return ""
	}
	file, _, _ := strings.Cut(rest, "\n")
	return file
}

// Snipped stands for n messages that were cut from the middle (T-SNIP).
func Snipped(n int) string {
	return fmt.Sprintf("[snipped %d messages from conversation middle]", n)
}
