package httpfront

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"time"

	"harnessbench/fakeapi"
)

// controlPrefix is where the control endpoints stand. They never touch the machine's answers.
//
//	GET  /_bench/info                   {"name":"bench","version":1,"now":RFC 3339 with nanoseconds}
//	POST /_bench/clock  {"advance_ms":N} moves the clock on; answers like info
//	POST /_bench/reset                  cache, ids, script and clock as at the start; answers like info
//	GET  /_bench/struck                 {"faults":[{"name","at","missed"}]}: the faults that met requests since last asked
//	GET  /_bench/view?request_id=ID     the server's view of one of the last requests, 404 when it is not kept
//	POST /_bench/validate  BODY         headers and body of a request to /v1/messages: {"faults":[...],"not_judged":[...]},
//	                                    every fault in the order of checking; nothing is sent to a model (see fakeapi.Inspection)
//
// Errors are {"error":"..."} with status 400, 404 or 405.
const controlPrefix = "/_bench/"

// ControlVersion is the version of the control endpoints.
const ControlVersion = 1

func (f *front) control(w http.ResponseWriter, r *http.Request) {
	f.mu.Lock()
	defer f.mu.Unlock()
	endpoint := r.URL.Path[len(controlPrefix):]
	want := http.MethodGet
	if endpoint == "clock" || endpoint == "reset" || endpoint == "validate" {
		want = http.MethodPost
	}
	if r.Method != want {
		problem(w, http.StatusMethodNotAllowed, fmt.Sprintf("%s takes %s, not %s", r.URL.Path, want, r.Method))
		return
	}
	switch endpoint {
	case "info":
		f.info(w)
	case "clock":
		f.clock(w, r)
	case "reset":
		f.server.Reset()
		f.fresh()
		f.info(w)
	case "struck":
		reply(w, http.StatusOK, map[string][]fakeapi.Struck{"faults": f.server.TakeStruck()})
	case "validate":
		f.validate(w, r)
	case "view":
		f.view(w, r.URL.Query().Get("request_id"))
	default:
		problem(w, http.StatusNotFound, fmt.Sprintf("no control endpoint %q; there are info, clock, reset, struck, validate, view", endpoint))
	}
}

func (f *front) info(w http.ResponseWriter) {
	reply(w, http.StatusOK, struct {
		Name    string    `json:"name"`
		Version int       `json:"version"`
		Now     time.Time `json:"now"`
	}{"bench", ControlVersion, f.now().UTC()})
}

func (f *front) validate(w http.ResponseWriter, r *http.Request) {
	body, err := readBody(r)
	if err != nil {
		return // the client went away in the middle of its request
	}
	reply(w, http.StatusOK, f.server.Inspect(fields(r), body))
}

func (f *front) clock(w http.ResponseWriter, r *http.Request) {
	var in struct {
		AdvanceMS *int64 `json:"advance_ms"`
	}
	body, err := io.ReadAll(io.LimitReader(r.Body, 1<<10))
	if err == nil {
		err = json.Unmarshal(body, &in)
	}
	if err != nil || in.AdvanceMS == nil || *in.AdvanceMS < 0 || *in.AdvanceMS > maxAdvance.Milliseconds() {
		problem(w, http.StatusBadRequest, fmt.Sprintf(`the body must be {"advance_ms": N} with N from 0 to %d`, maxAdvance.Milliseconds()))
		return
	}
	f.offset += time.Duration(*in.AdvanceMS) * time.Millisecond
	f.info(w)
}

// maxAdvance is one step of the clock at most; years of steps still fit the clock.
const maxAdvance = 366 * 24 * time.Hour

func (f *front) view(w http.ResponseWriter, id string) {
	if v, ok := f.views.find(id); ok {
		reply(w, http.StatusOK, v)
		return
	}
	problem(w, http.StatusNotFound, fmt.Sprintf("no view of request %q; the last %d requests are kept", id, keptViews))
}

// views is a ring of the newest views.
type views struct {
	ring [keptViews]fakeapi.View
	next int
}

const keptViews = 256

func (v *views) keep(view fakeapi.View) {
	v.ring[v.next%keptViews] = view
	v.next++
}

func (v *views) find(id string) (fakeapi.View, bool) {
	for _, view := range v.ring {
		if id != "" && view.RequestID == id {
			return view, true
		}
	}
	return fakeapi.View{}, false
}

func reply(w http.ResponseWriter, status int, body any) {
	data, err := json.Marshal(body)
	if err != nil {
		status, data = http.StatusInternalServerError, []byte(`{"error":"the answer cannot be written as JSON"}`)
	}
	w.Header().Set("content-type", "application/json")
	w.WriteHeader(status)
	_, err = w.Write(append(data, '\n'))
	if err != nil {
		return // the client went away
	}
}

func problem(w http.ResponseWriter, status int, text string) {
	reply(w, status, map[string]string{"error": text})
}
