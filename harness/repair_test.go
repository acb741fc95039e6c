package harness_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"harnessbench/harness"
	"harnessbench/harness/world"
)

// The API refuses a signature, redacted data, or thinking that it holds for changed: the request is sent once more without
// any thinking, the log says so, and the session goes on, live and resumed, with the thinking that is made from then on
// (REC-1, THINK-2, D1; bug t-recovery-pattern-missing).
func TestRefusedThinkingIsLeftOutOnce(t *testing.T) {
	for _, message := range []string{
		"messages.1.content.0: Invalid `signature` in `thinking` block",
		"messages.1.content.0: Invalid `data` in `redacted_thinking` block",
		"messages.1.content.0: `thinking` or `redacted_thinking` blocks in the latest assistant message cannot be modified. These blocks must remain as they were in the original response.",
		"messages.1.content.0: Invalid `signature` in `thinking` block. The block is bound to a different conversation. Remove the block, or set `thinking.block_binding.prefix_mismatch_behavior` to \"drop_block\".",
	} {
		for _, model := range []string{manual, plain, systems, bound} {
			for _, onBreak := range []string{"", "drop-block"} {
				r := newRig(t, model, says(thinking("one", "c2ln"), use("a", "Bash", making)), refusal(400, "invalid_request_error", message),
					says(thinking("two", "c2lo"), text("Done.")), says(thinking("three", "c2lp"), text("Again.")))
				r.cfg.Switches.OnBreak = onBreak
				r.session(func(w world.World, s *harness.Session) {
					assert.Equal(t, harness.Outcome{Reason: "completed", Text: "Done."}, r.prompt(w, s, "one"))
					assert.Contains(t, strings.Join(s.Report(), "\n"), "goes on without it")
					r.prompt(w, s, "two")
				})
				r.resumed(func(w world.World, s *harness.Session) { r.prompt(w, s, "three") })
				require.Len(t, r.requests, 5)
				assert.Contains(t, string(r.requests[1].Body), "c2ln")
				for i, req := range r.requests[2:] {
					legal(t, req.Body)
					assert.NotContains(t, string(req.Body), "c2ln", "%s, request %d", model, i+2)
				}
				if model == manual {
					assert.Contains(t, string(r.requests[2].Body), `"thinking":{"type":"disabled"}`, "the loop no longer begins with thinking")
				}
				assert.Contains(t, string(r.requests[3].Body), "c2lo", model)
				assert.Contains(t, string(r.requests[4].Body), "c2lp", model)
				assert.Equal(t, []string{"a"}, r.ran)
				assert.Equal(t, 1, strings.Count(r.logText(), `"subtype":"thinking_refused"`))
			}
		}
	}
}

// The repair happens once in a turn, and only where thinking was sent; another refusal is none of its business.
func TestTheRepairIsBounded(t *testing.T) {
	const message = "messages.1.content.0: Invalid `signature` in `thinking` block"
	again := refusal(400, "invalid_request_error", message)
	r := newRig(t, plain, says(thinking("one", "c2ln"), use("a", "Bash", making)), again)
	out, _, _ := listened(r, "one")
	assert.Equal(t, "api_error", out.Reason)
	assert.Len(t, r.requests, 3)

	for _, refused := range []answer{again, refusal(400, "invalid_request_error", "no"), refusal(500, "api_error", message)} {
		r = newRig(t, plain, says(use("a", "Bash", making)), refused)
		r.cfg.MaxRetries = -1
		listened(r, "one")
		assert.Len(t, r.requests, 2)
		assert.NotContains(t, r.logText(), "thinking_refused")
	}
}

// An empty signed block goes back when a model sent it. Where what came was not what was signed, as behind a gateway that
// strips texts, the API refuses, and the request is sent once more without (THINK-1, REC-1; bug t-empty-heuristic-conflict).
func TestEmptySignedBlocksAreJudgedByTheAPI(t *testing.T) {
	empty := says(thinking("", "c2ln"), use("a", "Bash", making))
	r := newRig(t, bound, empty, says(text("Done.")))
	listened(r, "one")
	require.Len(t, r.requests, 2)
	assert.Contains(t, string(r.requests[1].Body), thinking("", "c2ln"))

	r = newRig(t, bound, empty, refusal(400, "invalid_request_error", "messages.1.content.0: Invalid `signature` in `thinking` block"), says(text("Done.")))
	out, _, _ := listened(r, "one")
	assert.Equal(t, "completed", out.Reason)
	require.Len(t, r.requests, 3)
	assert.NotContains(t, string(r.requests[2].Body), "c2ln")
}
