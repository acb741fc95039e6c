package invariant

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// situation is a history and what one check must say about it.
type situation struct {
	name  string
	check string
	model string // the bound one by default
	play  func(h *hand)
	want  Verdict
	level Level  // of the first finding
	says  string // part of its fact or other fact
	count int    // occasions, -1: any
}

func play(t *testing.T, situations []situation) {
	for _, s := range situations {
		t.Run(s.check+": "+s.name, func(t *testing.T) {
			model := s.model
			if model == "" {
				model = bound
			}
			h := newHand(model)
			s.play(h)
			got := judge(h.events)[s.check]
			require.Equal(t, s.want, got.Verdict, "%+v", got)
			if s.count >= 0 {
				require.Equal(t, s.count, got.Occasions)
			}
			if s.want == Broken {
				first := got.Findings[0]
				require.Equal(t, s.level, first.Level)
				require.Contains(t, first.Fact+" / "+first.Other, s.says)
			}
			if s.want == Unknown {
				require.NotEmpty(t, got.Note)
			}
		})
	}
}

// raw sends a request with these messages and nothing logged.
func raw(messages string) func(h *hand) {
	return func(h *hand) {
		h.sendBytes(`{"model":"` + h.model + `","messages":[` + messages + `]}`)
	}
}
