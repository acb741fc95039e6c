package invariant

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"harnessbench/conformance/trace"
)

// What the server edits is no fault of the client; what the client edits is, edits of the server or not.
func TestServerSideEditsAreNotTheClients(t *testing.T) {
	talk := func(effective func(body string) string) []trace.Event {
		h := newHand(bound)
		h.turn("first", "one")
		h.turn("second", "two")
		for i := range h.events {
			if r := h.events[i].Request; r != nil {
				r.Effective = trace.JSONText(effective(string(r.Body)))
			}
		}
		return h.events
	}
	calls := 0
	edited := talk(func(body string) string {
		calls++
		return strings.Replace(body, "first", strings.Repeat("x", calls), 1)
	})
	assert.Empty(t, brokenOnes(judge(edited)))

	calls = 0
	asThread := talk(func(body string) string {
		calls++
		return strings.Replace(body, "first", strings.Repeat("x", calls), 1)
	})
	for i := range asThread {
		if r := asThread[i].Request; r != nil {
			r.Body = trace.JSONText(`{"thread":{"type":"continue","previous_message_id":"msg_1"},"messages":[]}`)
		}
	}
	assert.Contains(t, brokenOnes(judge(asThread)), "CACHE-1", "the whole conversation of a thread is the client's own")
}
