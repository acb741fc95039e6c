package fakeapi

import (
	"strconv"
	"strings"
	"time"

	"harnessbench/fakeapi/validate"
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

// limits are the trios of rate limit headers, names spelled out once.
var limits = []rateLimit{
	trio("ratelimit-requests", requestLimit, requestLimit-1),
	trio("ratelimit-tokens", inputLimit+outputLimit, inputLimit+outputLimit),
	trio("ratelimit-input-tokens", inputLimit, inputLimit),
	trio("ratelimit-output-tokens", outputLimit, outputLimit),
}

// fastLimits are those of the budgets that fast mode has of its own.
var fastLimits = []rateLimit{
	trio("fast-input-tokens", inputLimit, inputLimit),
	trio("fast-output-tokens", outputLimit, outputLimit),
}

// rateLimit are the names of three fields and the values of the first two.
type rateLimit struct{ limit, remaining, reset, most, left string }

func trio(kind string, most, left int) rateLimit {
	name := "anthropic-" + kind
	return rateLimit{name + "-limit", name + "-remaining", name + "-reset", strconv.Itoa(most), strconv.Itoa(left)}
}

func (l *rateLimit) fields(out []Field, reset string) []Field {
	return append(out, Field{l.limit, l.most}, Field{l.remaining, l.left}, Field{l.reset, reset})
}

// acceptedHeaders are those of a 200 (messages-api.md 1.4).
func (x *exchange) acceptedHeaders(contentType string) []Field {
	out := make([]Field, 0, 5+3*(len(limits)+len(fastLimits)))
	out = append(out, Field{"content-type", contentType})
	if strings.HasPrefix(contentType, "text/event-stream") {
		out = append(out, Field{"cache-control", "no-cache"})
	}
	return x.rateLimits(x.identity(out))
}

// rateLimits appends the trios: to a 200 of Messages and to a 429. Nothing counts against them but the request at
// hand, so the budgets are full at once.
func (x *exchange) rateLimits(out []Field) []Field {
	reset := x.now.UTC().Truncate(time.Second).Format(time.RFC3339)
	for i := range limits {
		l := &limits[i]
		if i >= 2 && !x.s.gives(twelveLimits) {
			break
		}
		out = l.fields(out, reset)
	}
	if x.req != nil && x.fast() {
		for i := range fastLimits {
			out = fastLimits[i].fields(out, reset)
		}
	}
	return out
}

// identity appends the request's id and, once the key was taken, whose it is.
func (x *exchange) identity(out []Field) []Field {
	out = x.edgeHeaders(append(out, Field{"request-id", x.id}))
	if !x.known {
		return out
	}
	if x.s.gives(organization) {
		out = append(out, Field{"anthropic-organization-id", x.account.org})
	}
	if x.s.gives(workspace) {
		out = append(out, Field{"anthropic-workspace-id", x.account.workspace})
	}
	return out
}

// refusedHeaders are those of an error. A 429 tells when to come back, in whole seconds to the next minute, unless
// a spend limit caused it: that does not pass by waiting.
func (x *exchange) refusedHeaders(f *validate.Fault) []Field {
	out := x.identity([]Field{{"content-type", "application/json"}})
	switch f.Status {
	case 400, 401, 404:
		out = append(out, Field{"x-should-retry", "false"})
	case 405:
		out = append(out, Field{"allow", x.allow})
	case 429:
		out = x.rateLimits(out)
		if !strings.Contains(f.Details, "spend_limit") {
			out = append(out, Field{"retry-after", strconv.Itoa(60 - x.now.UTC().Second())})
		}
	}
	return out
}
