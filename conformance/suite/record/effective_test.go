package record_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"harnessbench/conformance/suite/record"
	"harnessbench/conformance/trace"
)

// server is one that says in its views what it judged.
func server() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		w.Header().Set("request-id", "req_1")
		if !bytes.Contains(body, []byte("silence")) {
			_, _ = w.Write([]byte("{}"))
		}
	})
}

func TestARequestHoldsTheBodyThatWasJudged(t *testing.T) {
	const whole = `{"messages":[{"role":"user","content":"begin"},{"role":"assistant","content":"a"},{"role":"user","content":"go on"}],"thread":{}}`
	for _, tc := range []struct {
		name, body, effective string
	}{
		{"a part of a thread", `{"thread":{"type":"continue"},"messages":[{"role":"user","content":"go on"}]}`, whole},
		{"no answer at all", `{"thread":{"type":"continue"},"silence":1,"messages":[]}`, whole},
		{"the body as it was sent", `{"thread":{"type":"create"},"messages":[{"role":"user","content":"begin"}]}`, ""},
		{"a body that nobody changes", `{"messages":[{"role":"user","content":"begin"}]}`, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var events []trace.Event
			views := 0
			srv := httptest.NewServer(record.New(server(), record.Options{
				Emit: func(e trace.Event) { events = append(events, e) },
				View: func(string) json.RawMessage {
					views++
					v, _ := json.Marshal(map[string]string{"effective": tc.effective})
					return v
				},
			}))
			defer srv.Close()
			resp, err := http.Post(srv.URL+"/v1/messages", "application/json", strings.NewReader(tc.body))
			require.NoError(t, err)
			_ = resp.Body.Close()
			srv.Close()
			require.Len(t, events, 3)
			req := events[1].Request
			assert.Equal(t, tc.body, string(req.Body))
			assert.Equal(t, tc.effective, string(req.Effective))
			assert.Equal(t, 1, req.Call)
			assert.Equal(t, 1, events[2].Response.Call)
			assert.NotEmpty(t, events[2].Response.View)
			assert.Equal(t, 1, views, "a view is asked for once")
		})
	}
}
