package harness_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"harnessbench/harness"
	"harnessbench/harness/world"
)

// compacted is a log of another writer with a compact boundary, parallel results that hang from their own
// calls, an abandoned branch, lines that are no entries, and a torn end.
const compacted = `{"type":"summary","summary":"Old","leafUuid":"zz"}
{"type":"user","uuid":"u1","parentUuid":null,"message":{"role":"user","content":"first"}}
{"type":"assistant","uuid":"a1","parentUuid":"u1","message":{"id":"m1","role":"assistant","model":"claude-sonnet-4-6","content":[{"type":"text","text":"A."}]}}
{"type":"system","uuid":"b1","parentUuid":null,"logicalParentUuid":"a1","subtype":"compact_boundary","content":"Conversation compacted"}
{"type":"user","uuid":"c1","parentUuid":"b1","isCompactSummary":true,"isVisibleInTranscriptOnly":true,"message":{"role":"user","content":"This session is being continued"}}
{"type":"user","uuid":"u2","parentUuid":"c1","message":{"role":"user","content":"second"}}
{"type":"assistant","uuid":"a2","parentUuid":"u2","message":{"id":"m2","role":"assistant","model":"claude-sonnet-4-6","content":[{"type":"tool_use","id":"t1","name":"Read","input":{}}]}}
{"type":"assistant","uuid":"a3","parentUuid":"a2","message":{"id":"m2","role":"assistant","model":"claude-sonnet-4-6","content":[{"type":"tool_use","id":"t2","name":"Read","input":{}}]}}
{"type":"user","uuid":"r1","parentUuid":"a2","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"one"}]}}
{"type":"user","uuid":"r2","parentUuid":"a3","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t2","content":"two"}]}}
{"type":"user","uuid":"u3","parentUuid":"r2","message":{"role":"us`

// A log of another writer goes on: one path from its leaf (H-REB-1, H-REB-2, H-REB-3), cut at its newest boundary
// (H-REB-6), with results that hang from their own calls (H-REB-5, H-LOG-32), the compact summary (H-LOG-90), lines of no
// entry and a torn end (H-LOG-82, H-LOG-83).
func TestForeignLogWithABoundaryGoesOn(t *testing.T) {
	for _, model := range []string{plain, bound} {
		t.Run(model, func(t *testing.T) {
			r := newRig(t, model, says(text("Hi.")))
			file := configDir + "/projects/-w-app/0794013f-1111-4111-8111-0123456789ab.jsonl"
			require.NoError(t, r.disk.Write(file, []byte(compacted)))
			r.resumed(func(w world.World, s *harness.Session) {
				assert.Equal(t, "r2", s.Leaf())
				assert.Equal(t, "u2", s.LastPrompt())
				r.prompt(w, s, "third")
				require.NoError(t, s.Rewind(w, "u1"))
				assert.Equal(t, "", s.Leaf(), "the first prompt has no parent")
				r.prompt(w, s, "again")
			})
			assert.Equal(t, []string{
				"user: text(The project keeps instru) text(This session is being co) text(second)",
				"assistant: tool_use(t1) tool_use(t2)",
				"user: tool_result(t1 one) tool_result(t2 two) text(third)*",
			}, r.shape(0))
			assert.Equal(t, []string{"user: text(The project keeps instru) text(again)*"}, r.shape(1))
			r.resumed(func(w world.World, s *harness.Session) { r.prompt(w, s, "and more") })
			assert.Equal(t, []string{"user: text(The project keeps instru) text(again)", "assistant: text(Hi.)", "user: text(and more)*"}, r.shape(2))
		})
	}
}

// A rewind to before a boundary makes the full history current again (H-CMD-33, H-REB-6).
func TestRewindBeforeABoundaryBringsTheFullHistoryBack(t *testing.T) {
	r := newRig(t, plain, says(text("Hi.")))
	file := configDir + "/projects/-w-app/0794013f-1111-4111-8111-0123456789ab.jsonl"
	more := `{"type":"user","uuid":"u0","parentUuid":null,"message":{"role":"user","content":"zero"}}
{"type":"user","uuid":"u1","parentUuid":"u0","message":{"role":"user","content":"first"}}
{"type":"system","uuid":"b1","parentUuid":null,"logicalParentUuid":"u1","subtype":"compact_boundary"}
{"type":"user","uuid":"c1","parentUuid":"b1","isCompactSummary":true,"message":{"role":"user","content":"This session"}}
`
	require.NoError(t, r.disk.Write(file, []byte(more)))
	r.resumed(func(w world.World, s *harness.Session) {
		require.NoError(t, s.Rewind(w, "u1"))
		assert.Equal(t, "u0", s.Leaf())
		r.prompt(w, s, "other")
	})
	assert.Equal(t, []string{"user: text(The project keeps instru) text(zero) text(other)*"}, r.shape(0))
}
