package benchtest

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
)

// view asks the front's own control endpoint, without a socket.
func view(front http.Handler, id string) json.RawMessage {
	w := httptest.NewRecorder()
	front.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/_bench/view?request_id="+url.QueryEscape(id), nil))
	if w.Code != http.StatusOK {
		return nil
	}
	return w.Body.Bytes()
}
