package prefix

import (
	"fmt"
	"slices"
	"strings"
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
		cmp.Transformer("blocks", func(b Blocks) (list []Block) {
			for _, block := range b.All() {
				list = append(list, *block)
			}
			return list
		}),
		cmp.AllowUnexported(Block{}, Rendered{}, settings{}, facts{}, turns{}),
		cmp.Comparer(func(a, b wire.Value) bool { return string(a.Raw()) == string(b.Raw()) && a.Offset() == b.Offset() }),
		cmp.Comparer(func(a, b *wire.Request) bool { return string(a.Body) == string(b.Body) }),
		cmp.Comparer(func(a, b model.Model) bool { return a.ID == b.ID }),
		cmp.Comparer(func(a, b []int) bool { return slices.Equal(a, b) }),
		cmp.Comparer(func(a, b []Mark) bool { return slices.Equal(a, b) }),
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

// A rendering is never changed, whatever is rendered over it.
func TestARenderingStaysAsItIs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		turn := func(i int) string {
			return fmt.Sprintf(`{"role":"user","content":"a%d"},{"role":"assistant","content":[{"type":"text","text":"b%d"}]}`, i, i)
		}
		var turns []string
		for i := range rapid.IntRange(1, 2*pieceLen).Draw(t, "turns") {
			turns = append(turns, turn(i))
		}
		text := func(turns []string) string { return sonnet(`"messages":[` + strings.Join(turns, ",") + `]`) }
		m := modelOf(t, "claude-sonnet-4-6")
		base, err := wire.Parse(nil, []byte(text(turns)))
		require.NoError(t, err)
		r := Render(nil, base, m, Options{})
		for k := range 3 {
			n := rapid.IntRange(0, len(turns)).Draw(t, "kept")
			next := append(slices.Clone(turns[:n]), turn(1000+k), turn(2000+k))
			req, err := wire.Parse(base, []byte(text(next)))
			require.NoError(t, err)
			got := Render(r, req, m, Options{})
			same(t, Render(nil, req, m, Options{}), got)
			shared := got.Shared(r)
			require.LessOrEqual(t, shared, 2*n)
			require.Greater(t, shared, 2*n-pieceLen)
			for i := range shared {
				require.Equal(t, r.Blocks.At(i), got.Blocks.At(i))
			}
		}
		same(t, Render(nil, base, m, Options{}), r)
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
	require.Equal(t, 5, f.Blocks.Len())
}
