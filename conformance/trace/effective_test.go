package trace

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestTheEffectiveBodyIsReadFromTheView(t *testing.T) {
	assert.Equal(t, JSONText(`{"a":1}`), EffectiveOf([]byte(`{"request_id":"r","effective":"{\"a\":1}"}`)))
	for _, view := range []string{"", "{", `{"request_id":"r"}`} {
		assert.Empty(t, EffectiveOf([]byte(view)), view)
	}
}

func TestBodiesThatAServerMayJudgeInAnotherForm(t *testing.T) {
	for body, want := range map[string]bool{
		`{"messages":[]}`: false, `{"thread":{"type":"create"}}`: true, `{"context_management":{}}`: true,
		`{"messages":[{"role":"assistant","content":[{"type":"compaction"}]}]}`: true,
	} {
		assert.Equal(t, want, MayDiffer([]byte(body)), body)
	}
}
