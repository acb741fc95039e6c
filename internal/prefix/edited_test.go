package prefix

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"harnessbench/internal/model"
	"harnessbench/internal/wire"
)

func TestThinkingOfEarlierTurnsStaysUntilItIsCleared(t *testing.T) {
	m, _ := model.Lookup("claude-haiku-4-5")
	body := func(more string) string {
		return `{"model":"claude-haiku-4-5","thinking":{"type":"enabled","budget_tokens":1024},` + more + `"messages":[
		{"role":"user","content":"a"},
		{"role":"assistant","content":[{"type":"thinking","thinking":"so","signature":"x"},{"type":"text","text":"b"}]},
		{"role":"user","content":"c"}]}`
	}
	plain := Render(nil, parse(t, body("")), m, Options{})
	req, err := wire.Parse(plain.Request, []byte(body(`"context_management":{"edits":[{"type":"clear_thinking_20251015"}]},`)))
	require.NoError(t, err)
	stays := Render(plain, req, m, Options{})
	assert.False(t, plain.Blocks.At(1).Shown)
	assert.True(t, stays.Blocks.At(1).Shown)
	assert.Greater(t, stays.Total, plain.Total)
	dropped := Render(stays, req, m, Options{Dropped: map[Place]string{{1, 0}: "cleared"}})
	assert.Equal(t, plain.Total, dropped.Total)
}

func TestWhatStandsBehindAnAdoptedSummaryIsBoundToWhatWasSummarised(t *testing.T) {
	m, _ := model.Lookup("claude-sonnet-5-5")
	before := Render(nil, parse(t, `{"model":"claude-sonnet-5-5","system":"s","messages":[
		{"role":"user","content":"a"},{"role":"assistant","content":"b"}]}`), m, Options{})
	whole := Render(nil, parse(t, `{"model":"claude-sonnet-5-5","system":"s","messages":[
		{"role":"user","content":"a"},{"role":"assistant","content":"b"},{"role":"user","content":"c"}]}`), m, Options{})
	short := parse(t, `{"model":"claude-sonnet-5-5","system":"s","messages":[
		{"role":"assistant","content":[{"type":"compaction","content":"a, b"}]},{"role":"user","content":"c"}]}`)
	plain := Render(nil, short, m, Options{})
	assert.NotEqual(t, whole.BindEnd, plain.BindEnd)
	adopted := Options{Adopted: Adopted{At: Place{0, 0}, Bind: before.BindEnd}}
	assert.Equal(t, whole.BindEnd, Render(nil, short, m, adopted).BindEnd)
	assert.Equal(t, whole.BindEnd, Render(plain, short, m, adopted).BindEnd)
	assert.Equal(t, plain.Blocks.At(plain.Blocks.Len()-1).Cache, Render(nil, short, m, adopted).Blocks.At(plain.Blocks.Len()-1).Cache, "the cache knows nothing of it")
}

func TestASummaryWeighsItsFrame(t *testing.T) {
	m, _ := model.Lookup("claude-sonnet-4-6")
	count := func(content string) int {
		return Render(nil, parse(t, `{"model":"claude-sonnet-4-6","messages":[{"role":"assistant","content":[{"type":"compaction","content":`+content+`}]},{"role":"user","content":"go on"}]}`), m, Options{}).Total
	}
	assert.Equal(t, 94, count(`"so"`)-count(`null`))
}
