package trace

import (
	"slices"
	"strings"
)

// secretNames are the header fields that carry a key or a session. Of a name that is not among them
// only the ending counts, so that anthropic-ratelimit-tokens-remaining stays readable.
var (
	secretNames   = []string{"authorization", "proxy-authorization", "cookie", "set-cookie", "api-key"}
	secretEndings = []string{"-api-key", "-token", "-secret"}
)

const hidden = "[redacted]"

// Redact returns the fields with keys hidden; of an authorization the scheme stays. The fields given
// are not changed.
func Redact(fields []Field) []Field {
	out := fields
	for i, f := range fields {
		if !secret(f.Name) {
			continue
		}
		if &out[0] == &fields[0] {
			out = slices.Clone(fields)
		}
		out[i].Value = hide(f)
	}
	return out
}

func secret(name string) bool {
	name = strings.ToLower(name)
	return slices.Contains(secretNames, name) ||
		slices.ContainsFunc(secretEndings, func(end string) bool { return strings.HasSuffix(name, end) })
}

func hide(f Field) string {
	if !strings.HasSuffix(strings.ToLower(f.Name), "authorization") {
		return hidden
	}
	if scheme, _, ok := strings.Cut(f.Value, " "); ok {
		return scheme + " " + hidden
	}
	return hidden
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
