package fakeapi

import (
	"strings"
	"time"

	"harnessbench/fakeapi/script"
)

// formPart is a part of an answer that real answers have had since a known day.
type formPart int

const (
	modelAhead       formPart = iota // model stands before content in a message
	cacheCounts                      // cache_creation_input_tokens and cache_read_input_tokens
	organization                     // header anthropic-organization-id
	twelveLimits                     // rate limit headers of input and of output tokens
	serviceTier                      // usage.service_tier
	cacheSplit                       // usage.cache_creation
	deltaInput                       // the input side in message_delta
	modelFirst                       // model stands first in a message
	errorID                          // request_id in the body of an error
	inferenceGeo                     // usage.inference_geo
	toolCaller                       // caller of a tool_use
	fetchRequests                    // web_fetch_requests beside web_search_requests, also at zero
	webCaller                        // caller of a web search's or fetch's result
	stopDetails                      // stop_details
	editsAsked                       // no context_management unless the request asked for edits
	serverCallerGone                 // server_tool_use has no caller any more
	outputDetails                    // usage.output_tokens_details
	workspace                        // header anthropic-workspace-id
	plainNulls                       // container and diagnostics, null, on plain answers
)

// firstSeen are the days from which on recorded answers have each part (messages-api.md 1.4, 3).
var firstSeen = [...]time.Time{
	modelAhead:    day(2024, time.May, 7),
	cacheCounts:   day(2025, time.March, 1),
	organization:  day(2025, time.March, 1),
	twelveLimits:  day(2025, time.March, 1),
	serviceTier:   day(2025, time.May, 15),
	cacheSplit:    day(2025, time.August, 3),
	deltaInput:    day(2025, time.August, 14),
	modelFirst:    day(2025, time.October, 1),
	errorID:       day(2025, time.November, 1),
	inferenceGeo:  day(2026, time.February, 1),
	toolCaller:    day(2026, time.February, 15),
	fetchRequests: day(2026, time.February, 15),
	webCaller:     day(2026, time.March, 1),
	stopDetails:   day(2026, time.April, 1),

	editsAsked:       day(2026, time.May, 1),
	serverCallerGone: day(2026, time.May, 1),
	outputDetails:    day(2026, time.May, 28),
	workspace:        day(2026, time.August, 1),
	plainNulls:       day(2026, time.September, 1),
}

func day(year int, month time.Month, d int) time.Time {
	return time.Date(year, month, d, 0, 0, 0, 0, time.UTC)
}

// gives tells whether answers have a part in the form the server was asked for.
func (s *Server) gives(p formPart) bool {
	return s.opt.AnswerAs.IsZero() || !s.opt.AnswerAs.Before(firstSeen[p])
}

// uncalled tells whether a call of this kind has no caller. The client's tools have one; server tools had one for a
// while, and have it since only where the model calls them from code (web tools of 2026-02-09).
func (x *exchange) uncalled(b script.Block) bool {
	if b.Kind != "server_tool_use" || !x.s.gives(serverCallerGone) {
		return !x.s.gives(toolCaller)
	}
	for _, t := range x.req.Get("tools").Elems() {
		if typ := t.Get("type").Text(); strings.HasPrefix(typ, "web_") && strings.HasSuffix(typ, "_20260209") && strings.HasPrefix(b.Name, "web_") {
			return false
		}
	}
	return true
}

// resultCaller is the member that ends the result of a server tool, "" for none.
func (x *exchange) resultCaller(kind string) string {
	if (kind == "web_search_tool_result" || kind == "web_fetch_tool_result") && x.s.gives(webCaller) {
		return `,"caller":{"type":"direct"}`
	}
	return ""
}

// container appends the member container of an answer: the code execution container if one was used, else null in
// the present form and nothing before.
func (a *answer) container(dst []byte, x *exchange) []byte {
	for _, b := range a.blocks {
		if b.kind == "server_tool_use" && strings.HasSuffix(b.name, "code_execution") {
			dst = append(dst, `,"container":{"id":"container_`...)
			dst = append(dst, strings.TrimPrefix(a.id, "msg_")...) // one per answer, and the answer's id is unique
			dst = append(dst, `","expires_at":"`...)
			dst = x.now.UTC().Add(containerLife).AppendFormat(dst, "2006-01-02T15:04:05.000000Z")
			return append(dst, `"}`...)
		}
	}
	if x.s.gives(plainNulls) {
		dst = append(dst, `,"container":null`...)
	}
	return dst
}

// containerLife is how long the container of a code execution stays.
const containerLife = 5 * time.Minute

// edge are the headers that the proxy before the API adds, with the days between which recorded answers have them.
// No client needs them, so the present form leaves them out.
var edge = []struct {
	Field
	from, to time.Time // to is zero for those that are still there
}{
	{Field: Field{"server", "cloudflare"}},
	{Field: Field{"cf-cache-status", "DYNAMIC"}},
	{Field: Field{"x-robots-tag", "none"}, from: day(2024, time.September, 1)},
	{Field: Field{"strict-transport-security", "max-age=31536000; includeSubDomains; preload"}, from: day(2025, time.May, 1)},
	{Field: Field{"via", "1.1 google"}, to: day(2025, time.October, 1)},
	{Field: Field{"x-envoy-upstream-service-time", "1000"}, from: day(2025, time.October, 1), to: day(2026, time.May, 1)},
	{Field: Field{"content-security-policy", "default-src 'none'; frame-ancestors 'none'"}, from: day(2026, time.February, 1)},
	{Field: Field{"vary", "Accept-Encoding"}, from: day(2026, time.March, 15)},
}

// plainCounts is the day from which count_tokens has no strict-transport-security.
var plainCounts = day(2026, time.July, 1)

// edgeHeaders appends them, as they were on the day whose form was asked for.
func (x *exchange) edgeHeaders(out []Field) []Field {
	at := x.s.opt.AnswerAs
	if at.IsZero() {
		return out
	}
	for _, e := range edge {
		if x.counts && e.Name == "strict-transport-security" && !at.Before(plainCounts) {
			continue
		}
		if !at.Before(e.from) && (e.to.IsZero() || at.Before(e.to)) {
			out = append(out, e.Field)
		}
	}
	return out
}

// Places of the ping in a stream.
const (
	PingAfterStart = "after_start" // directly behind the first content_block_start: what nearly all streams show
	PingAfterDelta = "after_delta" // behind the first delta, as from August 2025 to January 2026
	PingNone       = "none"
)

// pingAfter tells whether the ping of a stream stands behind the start of its first block (delta 0) or behind a
// delta of it.
func (x *exchange) pingAfter(block, delta int) bool {
	if block > 0 {
		return false
	}
	switch x.s.opt.PingPlace {
	case PingNone:
		return false
	case PingAfterDelta:
		return delta == 1
	}
	return delta == 0
}
