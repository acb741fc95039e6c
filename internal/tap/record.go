package tap

import (
	"strconv"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"harnessbench/internal/secret"
	"harnessbench/internal/wire"
)

// Record is one call (H-TRACE-2).
type Record struct {
	Time      time.Time // when the request left
	RequestID string
	Turn      int // number of the call from 1; API calls count, not turns of the user
	Duration  time.Duration
	Request   Request
	Response  Response
	Upstream  string // base URL of the API, "" when it was not noted
	Capture   []byte // what else the recorder noted, a JSON object, nil for nothing
}

// Request is what was sent.
type Request struct {
	Method, Path string
	Header       []Field
	Body         []byte
}

// Response is what came back. Status 0: no answer came.
type Response struct {
	Status int
	Header []Field
	Body   []byte       // a whole body, or the message a stream gave
	Events []wire.Event // of a stream
}

// Field is one header field.
type Field struct{ Name, Value string }

// timeForm is ISO 8601 with milliseconds in UTC.
const timeForm = "2006-01-02T15:04:05.000Z"

// Line is the record as a line with its line feed. Secrets in headers are hidden.
func (r *Record) Line() []byte {
	o := object{}
	o.str("timestamp", r.Time.UTC().Format(timeForm))
	o.str("request_id", r.RequestID)
	o.raw("turn", strconv.AppendInt(nil, int64(r.Turn), 10))
	o.raw("duration_ms", strconv.AppendInt(nil, r.Duration.Milliseconds(), 10))
	req := object{}
	req.str("method", r.Request.Method)
	req.str("path", r.Request.Path)
	req.raw("headers", headers(r.Request.Header))
	req.body(r.Request.Body)
	o.raw("request", req.close())
	resp := object{}
	resp.raw("status", strconv.AppendInt(nil, int64(r.Response.Status), 10))
	resp.raw("headers", headers(r.Response.Header))
	resp.body(r.Response.Body)
	if r.Response.Events != nil {
		list := []byte{'['}
		for i, e := range r.Response.Events {
			if i > 0 {
				list = append(list, ',')
			}
			ev := object{}
			ev.str("event", e.Name)
			ev.raw("data", jsonOrString(e.Data))
			list = append(list, ev.close()...)
		}
		resp.raw("sse_events", append(list, ']'))
	}
	o.raw("response", resp.close())
	if r.Upstream != "" {
		o.str("upstream_base_url", r.Upstream)
	}
	if r.Capture != nil {
		o.raw("capture", r.Capture)
	}
	return append(o.close(), '\n')
}

// Note is a Capture of one remark.
func Note(name, text string) []byte {
	o := object{}
	o.str(name, text)
	return o.close()
}

// headers is an object; of fields with one name the values are joined, as HTTP allows.
func headers(fields []Field) []byte {
	o := object{}
	for i, f := range fields {
		if first(fields, f.Name) < i {
			continue
		}
		value := secret.Shown(f.Name, f.Value)
		for _, other := range fields[i+1:] {
			if other.Name == f.Name {
				value += ", " + secret.Shown(other.Name, other.Value)
			}
		}
		o.str(f.Name, value)
	}
	return o.close()
}

func first(fields []Field, name string) int {
	for i, f := range fields {
		if f.Name == name {
			return i
		}
	}
	return len(fields)
}

// jsonOrString is the value as it is when it is JSON on one line, else as a string.
func jsonOrString(data []byte) []byte {
	v := jsontext.Value(append([]byte(nil), data...))
	if len(data) > 0 && v.Compact() == nil {
		return v
	}
	return quote(string(data))
}

// object builds a JSON object member by member.
type object struct{ buf []byte }

func (o *object) raw(name string, value []byte) {
	if o.buf == nil {
		o.buf = append(o.buf, '{')
	} else {
		o.buf = append(o.buf, ',')
	}
	o.buf = append(append(append(o.buf, quote(name)...), ':'), value...)
}

func (o *object) str(name, value string) { o.raw(name, quote(value)) }

// body leaves out an empty body.
func (o *object) body(body []byte) {
	if len(body) > 0 {
		o.raw("body", jsonOrString(body))
	}
}

func (o *object) close() []byte {
	if o.buf == nil {
		return []byte("{}")
	}
	return append(o.buf, '}')
}

// quote gives a JSON string; what is not UTF-8 becomes U+FFFD.
func quote(s string) []byte {
	b, _ := jsontext.AppendQuote(nil, s) // the error only says that something was replaced
	return b
}
