package inject

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

// The anchors of table T stand byte for byte (harness.md 5.7).
func TestTextsCarryTheirAnchors(t *testing.T) {
	assert.Regexp(t, `^The user doesn't want to proceed with this tool use\. The tool use was rejected.*STOP what you are doing and wait for the user to tell you how to proceed\.$`, Reject)
	assert.NotContains(t, Reject, "\n")
	at := time.Date(2026, 11, 30, 9, 0, 5, 7, time.FixedZone("", 3600))
	assert.Equal(t, "<system-reminder>\nThe current time is 2026-11-30T09:00:05+01:00.\n</system-reminder>", Time(at))
	assert.Equal(t, "<system-reminder>\nToday's date is 2026-11-30.\n</system-reminder>", Head("", Date(at)))
	assert.Contains(t, Head(Memory([]MemoryFile{{Path: "/w/CLAUDE.md", Text: "Use tabs.\n"}}), Date(at)), "Use tabs.\n\nToday's date")
	assert.Contains(t, MemoryUpdate(""), "no longer holds")
}
