package scenarios

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// head is the beginning of a right story; steps begin on line 4.
const head = "story: s\nmodel: claude-sonnet-5\nsteps:\n"

func TestWhatIsWrongIsSaidWithItsPlaceAndWhatWouldBeRight(t *testing.T) {
	for _, tc := range []struct{ name, text, want string }{
		{"x", head, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, err := load(t, tc.text)
			require.EqualError(t, err, strings.TrimSpace(tc.want))
		})
	}
}
