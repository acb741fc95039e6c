package harness_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"harnessbench/harness"
	"harnessbench/harness/world"
)

func TestToolRoundsGrowTheMessages(t *testing.T) {
	r := newRig(t, bound,
		says(thinking("look", "c2ln"), text("Running."), use("toolu_1", "Bash", `{"command":"make  test"}`)),
		says(text("Fails.")))
	r.session(func(w world.World, s *harness.Session) {
		out := r.prompt(w, s, "which test fails?")
		assert.Equal(t, harness.Outcome{Reason: "completed", Text: "Fails."}, out)
	})
	assert.Equal(t, []string{"user: text(The project keeps instru) text(which test fails?)*"}, r.shape(0))
	assert.Equal(t, []string{
		"user: text(The project keeps instru) text(which test fails?)",
		"assistant: thinking text(Running.) tool_use(toolu_1)",
		"user: tool_result(toolu_1 out|[rerun: b1])*",
	}, r.shape(1))
	assert.Contains(t, string(r.requests[1].Body), `"input":{"command":"make  test"}`)
}
