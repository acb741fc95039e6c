package tool

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// A spilled result tells where it lies, a text that only speaks of it does not (H-TOOL-70, H-CMP-25).
func TestWhereASpilledResultLies(t *testing.T) {
	r := Result{Text: "x"}
	call := Full().Check("t", "WebFetch", []byte(`{"url":"u","prompt":"p"}`), none)
	call.Persist(&r, Raw{}, "all of it", "/s/t.txt")
	assert.Equal(t, "/s/t.txt", SavedTo(r.Text))
	for _, text := range []string{"", "no\n" + r.Text, "<persisted-output>\nOutput\nOutput too large (1.0KB). Full output saved to: /x\n", "<persisted-output>"} {
		assert.Empty(t, SavedTo(text), text)
	}
}
