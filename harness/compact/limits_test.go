package compact

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

// The threshold lies 13,000 tokens below the window without its reserve, which is capped at 20,000: 83.5 % of 200,000
// (H-CMP-35, H-CMP-36, oc 21208 of H-CMP-76: it scales with the window). A percentage can only lower it (H-CMP-37).
func TestThresholdToTheToken(t *testing.T) {
	full := Full().Auto
	for _, c := range []struct{ window, output, percent, threshold, blocked int }{
		{200_000, 64_000, 0, 167_000, 177_000},
		{200_000, 20_000, 0, 167_000, 177_000},
		{200_000, 19_999, 0, 167_001, 177_001},
		{200_000, 8_192, 0, 178_808, 188_808},
		{1_000_000, 128_000, 0, 967_000, 977_000},
		{100_000, 64_000, 0, 67_000, 77_000},
		{200_000, 64_000, 1, 2_000, 177_000},
		{200_000, 64_000, 50, 100_000, 177_000},
		{200_001, 64_000, 50, 100_000, 177_001},
		{200_000, 64_000, 83, 166_000, 177_000},
		{200_000, 64_000, 84, 167_000, 177_000},
		{200_000, 64_000, 100, 167_000, 177_000},
	} {
		assert.Equal(t, c.threshold, full.Threshold(c.window, c.output, c.percent), "%+v", c)
		assert.Equal(t, c.blocked, full.Blocked(c.window, c.output), "%+v", c)
	}
	assert.InDelta(t, 0.835, float64(full.Threshold(200_000, 64_000, 0))/200_000, 0)
	teaching := Teaching().Auto
	assert.Equal(t, 50_000, teaching.Threshold(200_000, 64_000, 0), "H-CMP-39: whatever the window")
	assert.Equal(t, 50_000, teaching.Threshold(1_000_000, 64_000, 1))
}

// The constants of harness.md 10.12.
func TestConstants(t *testing.T) {
	teaching, full := Teaching(), Full()
	assert.Equal(t, SnipLimits{Over: 50, Head: 3, Tail: 47}, teaching.Snip)
	assert.Equal(t, 3, teaching.Micro.Keep)
	assert.Equal(t, 120, teaching.Micro.Short)
	assert.Equal(t, 200_000, teaching.MessageChars)
	assert.Equal(t, 2_000, teaching.Preview)
	assert.Equal(t, 5, teaching.Reactive.Tail)
	assert.Equal(t, RestoreLimits{}, teaching.Restore, "H-CMP-75")
	assert.Equal(t, 200_000, full.MessageChars)
	assert.Equal(t, 13_000, full.Auto.Buffer)
	assert.Equal(t, 20_000, full.Auto.Reserve)
	assert.Equal(t, 3, full.Auto.Failures)
	assert.Equal(t, 2, full.Auto.StreamRetries)
	assert.Equal(t, 1, full.Reactive.Retries)
	assert.Equal(t, RestoreLimits{Files: 5, File: 5_000, AllFiles: 50_000, Skill: 5_000, AllSkills: 25_000}, full.Restore)
	assert.Equal(t, time.Hour, full.Micro.Gap)
	assert.Equal(t, 5, full.Micro.Keep)
	assert.Equal(t, 12, full.Micro.Cached)
}
