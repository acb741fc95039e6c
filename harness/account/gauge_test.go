package account

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// All three parts of the input count, and the output; each token once (H-CMP-38, H-CMP-76: no double count, oc 4416). bug
// c-ignores-cache-read.
func TestGaugeCountsEachTokenOnce(t *testing.T) {
	var g Gauge
	assert.True(t, g.Answer([]byte(`{"input_tokens":2,"cache_creation_input_tokens":379,"cache_read_input_tokens":50803,"output_tokens":16}`), 200_000))
	assert.Equal(t, 51_200, g.Tokens(999_999), "what stands before the messages is in the report")
	assert.True(t, g.Answer([]byte(`{"input_tokens":10,"cache_creation":{"ephemeral_5m_input_tokens":3},"cache_creation_input_tokens":3,"output_tokens":1}`), 0))
	assert.Equal(t, 14, g.Tokens(0), "a newer answer replaces the older; a breakdown is no further count")
	g = Gauge{}
	assert.True(t, g.Answer([]byte(`{"input_tokens":5,"output_tokens":2,"iterations":[{"type":"compaction","input_tokens":900,"output_tokens":80},`+
		`{"type":"message","input_tokens":5,"output_tokens":2}]}`), 0))
	assert.Equal(t, 7, g.Tokens(0), "what the server compacted before the answer is gone")
}

// What came since is a quarter of its characters, rounded up, an image 2,000 whatever its bytes; what was freed goes
// off, never below nothing (H-CMP-38).
func TestGaugeEstimatesWhatCameSince(t *testing.T) {
	var g Gauge
	g.Add([]byte(`"` + strings.Repeat("x", 5) + `"`))
	assert.Equal(t, 2, g.Tokens(0))
	assert.Equal(t, 4, g.Tokens(8), "without an answer all counts")
	g.Answer([]byte(`{"input_tokens":100}`), 0)
	g.Add([]byte(`"` + strings.Repeat("ü", 8) + `"`))
	assert.Equal(t, 102, g.Tokens(400), "characters, not bytes")
	image := `{"type":"image","source":{"type":"base64","media_type":"image/png","data":"` + strings.Repeat("A", 400_000) + `"}}`
	g.Add([]byte(image))
	assert.InDelta(t, 2_102, g.Tokens(0), 25)
	g.Add([]byte(`{"type":"tool_result","tool_use_id":"a","content":[` + image + `,` + image + `]}`))
	assert.InDelta(t, 6_102, g.Tokens(0), 80)
	g.Free(6_000)
	assert.InDelta(t, 102, g.Tokens(0), 80)
	g.Free(6_000)
	assert.Zero(t, g.Tokens(0))
}

// A usage that counts nothing, or more than a window holds, changes nothing: the characters go on counting, those before
// the messages included. bug c-underreport-no-usage, c-overhead-not-counted, c-usage-larger-than-window.
func TestGaugeWithoutUsage(t *testing.T) {
	var g Gauge
	g.Add([]byte(`"12345678"`))
	for _, usage := range []string{"", "{}", `{"input_tokens":0,"output_tokens":0}`, `{"input_tokens":-4}`, "[", `"x"`} {
		assert.False(t, g.Answer([]byte(usage), 0), usage)
	}
	assert.Equal(t, 2, g.Tokens(0))
	assert.False(t, g.Answer([]byte(`{"input_tokens":200000,"output_tokens":1}`), 200_000))
	assert.Equal(t, 102, g.Tokens(400))
	g.Add([]byte(`{"type":"text","text":"say \"base64\" twice"}`))
	assert.Equal(t, 14, g.Tokens(0), "a text about images is text")
}
