package trace

import (
	"slices"

	"harnessbench/internal/secret"
)

// Redact returns the fields with keys hidden; of an authorization the scheme stays. The fields given
// are not changed.
func Redact(fields []Field) []Field {
	out := fields
	for i, f := range fields {
		if !secret.Is(f.Name) {
			continue
		}
		if &out[0] == &fields[0] {
			out = slices.Clone(fields)
		}
		out[i].Value = secret.Shown(f.Name, f.Value)
	}
	return out
}

// redacted is the event as it may stand in a file.
func redacted(e Event) Event {
	switch {
	case e.Request != nil:
		r := *e.Request
		r.Header = Redact(r.Header)
		e.Request = &r
	case e.Response != nil:
		r := *e.Response
		r.Header = Redact(r.Header)
		e.Response = &r
	}
	return e
}
