package real

import (
	"errors"
	"io"
	"log"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"harnessbench/harness/world"
)

// A certificate that is not trusted will not be trusted the next time: the error says so. A server that is not there may
// be there again (H-LOOP-45).
func TestErrorsThatWillComeAgainAreMarked(t *testing.T) {
	secret := httptest.NewUnstartedServer(http.NotFoundHandler())
	secret.Config.ErrorLog = log.New(io.Discard, "", 0) // it would note the handshake that fails
	secret.StartTLS()
	defer secret.Close()
	gone := httptest.NewServer(http.NotFoundHandler())
	gone.Close()
	for _, c := range []struct {
		base    string
		lasting bool
	}{{secret.URL, true}, {gone.URL, false}} {
		m, err := New(Config{BaseURL: c.base, Root: t.TempDir(), IDs: rand.NewPCG(1, 2)})
		require.NoError(t, err)
		out := m.Run(func(w world.World) {
			_, err := w.Call(world.Request{Method: "POST", Path: "/v1/messages"})
			require.Error(t, err)
			assert.Equal(t, c.lasting, errors.Is(err, world.ErrPermanent), "%v", err)
		})
		require.Empty(t, out.Panic)
	}
}
