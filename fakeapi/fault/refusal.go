package fault

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Refusal is an error answer to a request that was not processed.
type Refusal struct {
	Status        int
	Type, Message string
	Details       string  // error_code, "" for none
	Header        []Field // retry-after and x-should-retry
	// Body, with its content type, goes out in place of the API's envelope when ContentType is not "".
	Body        string
	ContentType string
	// Foreign: somebody before the API answers, who knows no request id.
	Foreign bool
}

// statuses are the error types of messages-api.md 1.5 with the texts seen.
var statusTable = map[int]struct{ typ, message string }{
	400: {"invalid_request_error", "Error"},
	401: {"authentication_error", "invalid x-api-key"},
	402: {"billing_error", "There is a problem with your billing or payment information."},
	403: {"permission_error", "Your API key does not have permission to use the specified resource."},
	404: {"not_found_error", "Not Found"},
	408: {"timeout_error", "Request timed out"},
	409: {"conflict_error", "Conflict"},
	413: {"request_too_large", "Request exceeds the maximum size"},
	429: {"rate_limit_error", "This request would exceed your organization's rate limit of 50,000 input tokens per minute."},
	500: {"api_error", "Internal server error"},
	502: {"api_error", "Bad Gateway"},
	503: {"api_error", "Service Unavailable"},
	504: {"timeout_error", "Request timed out"},
	529: {"overloaded_error", "Overloaded"},
}

// of is the status of a kind that names one.
var of = map[string]int{
	"overloaded": 529, "rate_limit": 429, "spend_limit": 429, "server_error": 500, "unavailable": 503,
	"gateway_timeout": 504, "not_json": 500, "gateway_page": 502,
}

// page is what a gateway shows people.
const page = "<html>\r\n<head><title>%d %s</title></head>\r\n<body>\r\n<center><h1>%d %s</h1></center>\r\n<hr><center>nginx</center>\r\n</body>\r\n</html>\r\n"

// Refusal is what the server answers; ok is false when the fault is none.
func (f Fault) Refusal(now time.Time) (r Refusal, ok bool) {
	if !f.Unprocessed() || f.Do == "refused" || f.Do == "unreachable" || f.Do == "timeout" || f.Do == "reset" {
		return Refusal{}, false
	}
	r.Status = f.Status
	if r.Status == 0 {
		r.Status = of[f.Do]
	}
	known, listed := statusTable[r.Status]
	if !listed { // the nearest the API has
		known.typ, known.message = "invalid_request_error", "Error"
		if r.Status >= 500 {
			known.typ, known.message = "api_error", "Internal server error"
		}
	}
	r.Type, r.Message = known.typ, known.message
	if f.Type != "" {
		r.Type = f.Type
	}
	if f.Do == "spend_limit" {
		r.Message, r.Details = "You have reached your API usage limits. You will regain access on 2026-12-01 at 00:00 UTC.", "enforced_spend_limit_reached"
	}
	if f.Message != "" {
		r.Message = f.Message
	}
	after := f.RetryAfter
	if after == "" && f.Do == "rate_limit" {
		after = "5s"
	}
	r.Header, _ = retryAfter(after, now) // Check has seen it
	if f.ShouldRetry != "" {
		r.Header = append(r.Header, Field{"x-should-retry", f.ShouldRetry})
	}
	body := f.Body
	switch f.Do {
	case "gateway_page":
		body, r.Foreign = "html", true
	case "not_json":
		if body == "" {
			body = "text"
		}
	}
	switch body {
	case "text":
		r.Body, r.ContentType = "upstream connect error or disconnect/reset before headers", "text/plain"
	case "html":
		title := "OK"
		if r.Status != 200 {
			title = known.message
		}
		r.Body, r.ContentType = fmt.Sprintf(page, r.Status, title, r.Status, title), "text/html"
	case "empty":
		r.ContentType = "text/plain"
	case "edge": // the proxy's own: neither the outer type nor a request id (api-verdicts-notes.md 1)
		r.Body, r.ContentType, r.Foreign = fmt.Sprintf(`{"error":{"type":%s,"message":%s}}`, quoted(r.Type), quoted(r.Message)), "application/json", true
	case "unnamed": // a null request id, as the second form of a 401 has it (messages-api.md 1.2)
		r.Body, r.ContentType, r.Foreign = fmt.Sprintf(`{"type":"error","error":{"type":%s,"message":%s},"request_id":null}`, quoted(r.Type), quoted(r.Message)), "application/json", true
	}
	return r, true
}

// retryAfter are the fields that tell a client when to come back: seconds, milliseconds, a date half a minute
// ahead, none, a wait of three years, or no time at all.
func retryAfter(s string, now time.Time) ([]Field, error) {
	switch s {
	case "", "none":
		return nil, nil
	case "date":
		return []Field{{"retry-after", now.Add(30 * time.Second).UTC().Format("Mon, 02 Jan 2006 15:04:05 GMT")}}, nil
	case "absurd":
		return []Field{{"retry-after", "99999999"}}, nil
	case "junk":
		return []Field{{"retry-after", "soon"}}, nil
	}
	d, err := time.ParseDuration(s)
	if err != nil || d < 0 {
		return nil, fmt.Errorf("retry_after %q is neither a duration such as 2s or 500ms nor date, none, absurd, junk", s)
	}
	if d%time.Second == 0 && !strings.HasSuffix(s, "ms") {
		return []Field{{"retry-after", strconv.FormatInt(int64(d/time.Second), 10)}}, nil
	}
	return []Field{{"retry-after-ms", strconv.FormatInt(d.Milliseconds(), 10)}}, nil
}

// messageOf is the text of an error of a type.
func messageOf(typ, message string) string {
	if message != "" {
		return message
	}
	switch typ {
	case "overloaded_error":
		return statusTable[529].message
	case "rate_limit_error":
		return statusTable[429].message
	case "timeout_error":
		return statusTable[504].message
	}
	return statusTable[500].message
}
