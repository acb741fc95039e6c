package fakeapi

import (
	"strconv"
	"strings"
	"time"
)

// headers reads request header fields.
type headers []Field

// Get joins the values of a field by ", "; names are in lower case.
func (h headers) Get(name string) string {
	v, n := "", 0
	for _, f := range h {
		if f.Name == name {
			if n++; n > 1 {
				v += ", "
			}
			v += f.Value
		}
	}
	return v
}

// beta tells whether an anthropic-beta value was sent.
func (h headers) beta(value string) bool {
	for _, v := range strings.Split(h.Get("anthropic-beta"), ",") {
		if strings.TrimSpace(v) == value {
			return true
		}
	}
	return false
}

// Limits that the rate limit headers show. Nothing counts against them.
const (
	requestLimit = 4_000
	inputLimit   = 2_000_000
	outputLimit  = 400_000
)

// acceptedHeaders are those of a 200 (messages-api.md 1.4).
func (x *exchange) acceptedHeaders(contentType string) []Field {
	out := []Field{{"content-type", contentType}}
	if strings.HasPrefix(contentType, "text/event-stream") {
		out = append(out, Field{"cache-control", "no-cache"})
	}
	out = append(out, x.identity()...)
	reset := x.now.UTC().Truncate(time.Second).Format(time.RFC3339)
	for _, l := range []struct {
		name  string
		limit int
	}{{"requests", requestLimit}, {"tokens", inputLimit + outputLimit}, {"input-tokens", inputLimit}, {"output-tokens", outputLimit}} {
		remaining := l.limit
		if l.name == "requests" {
			remaining--
		}
		out = append(out,
			Field{"anthropic-ratelimit-" + l.name + "-limit", strconv.Itoa(l.limit)},
			Field{"anthropic-ratelimit-" + l.name + "-remaining", strconv.Itoa(remaining)},
			Field{"anthropic-ratelimit-" + l.name + "-reset", reset})
	}
	return out
}

// identity are the fields of every authenticated answer.
func (x *exchange) identity() []Field {
	return []Field{
		{"request-id", x.id},
		{"anthropic-organization-id", x.s.org},
		{"anthropic-workspace-id", x.s.workspace},
	}
}
