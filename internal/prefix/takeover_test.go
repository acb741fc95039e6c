package prefix

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"harnessbench/internal/model"
	"harnessbench/internal/wire"
)

// same compares all there is in two renderings of one request.
func same(t require.TestingT, want, got *Rendered) {
	opt := cmp.Options{
		cmp.AllowUnexported(Block{}, Rendered{}, settings{}, facts{}, turns{}),
		cmp.Comparer(func(a, b wire.Value) bool { return string(a.Raw()) == string(b.Raw()) && a.Offset() == b.Offset() }),
		cmp.Comparer(func(a, b *wire.Request) bool { return string(a.Body) == string(b.Body) }),
		cmp.Comparer(func(a, b model.Model) bool { return a.ID == b.ID }),
		cmp.Comparer(func(a, b []int) bool { return slices.Equal(a, b) }),
	}
	require.Empty(t, cmp.Diff(want, got, opt), "taken over (+) differs from cold (-)")
}

func TestARenderingTakenOverEqualsAColdOne(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := drawDraft(t)
		var prev *Rendered
		for range rapid.IntRange(2, 4).Draw(t, "calls") {
			body := d.String()
			var before *wire.Request
			if prev != nil {
				before = prev.Request
			}
			req, err := wire.Parse(before, []byte(body))
			require.NoError(t, err, body)
			m := modelOf(t, req.Model())
			var opt Options
			if rapid.IntRange(0, 4).Draw(t, "drop") == 0 {
				opt.Dropped = map[Place]string{{rapid.IntRange(0, 8).Draw(t, "message"), 0}: "dropped"}
			}
			got := Render(prev, req, m, opt)
			same(t, Render(nil, parse(t, body), m, opt), got)
			prev = got
			d = d.change(t)
		}
	})
}

// Which of the earlier blocks are really taken over: growth must not walk the history again.
func TestGrowthTakesTheHistoryOver(t *testing.T) {
	turn := `{"role":"user","content":"a"},{"role":"assistant","content":[{"type":"text","text":"b"}]}`
	first := parse(t, sonnet(`"system":"s","messages":[`+turn+`,`+turn+`]`))
	r1 := Render(nil, first, modelOf(t, "claude-sonnet-4-6"), Options{})
	second, err := wire.Parse(first, []byte(sonnet(`"system":"s","messages":[`+turn+`,`+turn+`,`+turn+`]`)))
	require.NoError(t, err)
	f := &fold{Rendered: &Rendered{Request: second, Model: r1.Model, set: readSettings(second, r1.Model, Options{})}}
	f.turn = findTurns(second, nil, 0)
	require.Equal(t, 4, f.takeOver(compare(r1, f.Rendered)))
	require.Len(t, f.Blocks, 5)
}
