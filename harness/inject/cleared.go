package inject

import "fmt"

// Texts that stand for content that was taken from the payload (harness.md 5.7).
const (
	cleared      = "[Old tool result content cleared]"       // T-CLEARED
	storedOnDisk = "\nstored on disk, retrievable by path: " // H-CMP-25
)

// ImageRemoved stands for an image that was taken from the payload (H-CMP-24).
const ImageRemoved = "[image removed]"

// ClearedTaught stands for a cleared result in the teaching profile (T-CLEARED-T).
const ClearedTaught = "[Earlier tool result compacted. Re-run if needed.]"

// ClearedResult stands for a cleared result; file is where its content was saved, "" for nowhere (T-CLEARED, H-CMP-25).
func ClearedResult(file string) string {
	if file == "" {
		return cleared
	}
	return cleared + storedOnDisk + file
}

// Snipped stands for n messages that were cut from the middle (T-SNIP).
func Snipped(n int) string {
	return fmt.Sprintf("[snipped %d messages from conversation middle]", n)
}
