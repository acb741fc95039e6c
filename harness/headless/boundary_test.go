package headless

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"harnessbench/harness"
	"harnessbench/harness/sessionlog"
	"harnessbench/harness/world"
	"harnessbench/harness/world/sim"
)

// A compaction has its line; what is no message of the main conversation, and the prompts that came in, have none
// (H-LOOP-60, H-LOOP-61).
func TestABoundaryHasItsLine(t *testing.T) {
	m := sim.New(sim.Config{Seed: 1})
	m.Run(func(w world.World) {
		s, err := harness.Start(w, harness.Config{Model: "claude-sonnet-5", ConfigDir: "/c", Cwd: "/w", APIKey: "k"})
		require.NoError(t, err)
		var out strings.Builder
		p := &printer{s: s, out: &out, opt: Options{Output: StreamJSON}}
		p.Logged(&sessionlog.Entry{Type: sessionlog.System, Subtype: "compact_boundary", UUID: "u1", Compact: []byte(`{"trigger":"manual","preTokens":984519,"postTokens":6384}`)})
		assert.Equal(t, `{"type":"system","subtype":"compact_boundary","session_id":"`+s.ID()+`","uuid":"u1","compact_metadata":{"trigger":"manual","pre_tokens":984519}}`+"\n", out.String())

		out.Reset()
		text := sessionlog.Message{Text: sessionlog.Quote("hello")}
		p.Logged(&sessionlog.Entry{Type: sessionlog.User, Typed: true, Message: text})
		p.Logged(&sessionlog.Entry{Type: sessionlog.User, Sidechain: true, Message: text})
		p.Logged(&sessionlog.Entry{Type: sessionlog.System, Subtype: "api_error"})
		p.Logged(&sessionlog.Entry{Type: sessionlog.Attachment, Attach: sessionlog.Attach{Type: "current_time"}})
		assert.Empty(t, out.String())
		p.opt.Output = JSON
		p.Logged(&sessionlog.Entry{Type: sessionlog.User, Message: text})
		assert.Empty(t, out.String(), "only a stream has lines for messages")
	})
}
