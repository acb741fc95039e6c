package scenarios

import (
	"regexp"

	"github.com/goccy/go-yaml/ast"
)

// positionForm is a place in an answer, as package fakeapi/fault reads it.
var positionForm = regexp.MustCompile(`^((before_headers|after_headers|end)|(byte [1-9][0-9]{0,8} of )?event ([1-9][0-9]{0,8}|[a-z_]+( of [a-z_]+)?( [1-9][0-9]{0,8})?))$`)

// faultNames are the faults that the server knows, in its order.
func faultNames() []string {
	return []string{
		"refused", "unreachable", "timeout", "lost", "twice",
		"refuse", "overloaded", "rate_limit", "spend_limit", "server_error", "unavailable", "gateway_timeout", "not_json", "gateway_page",
		"reset", "end", "error_event", "json", "compressed",
		"silence", "pings", "statuses", "drip", "held",
		"ping", "comment", "crlf", "data_lines", "long_line", "unknown_event", "unknown_delta", "empty_delta", "split_input", "split_utf8", "usage_absent",
		"usage_zero", "usage_doubled", "usage_with_cached", "tokens_backwards", "index_gap", "index_reuse", "stray_delta", "double_stop", "start_twice", "start_other", "reuse_call_id",
	}
}

func faultShape() *shape {
	return &shape{kind: record, doc: "One thing that the server does wrong.", keys: []key{
		{name: "do", required: true, shape: &shape{doc: "What it does.", noun: "fault", choices: faultNames()}},
		{name: "call", shape: &shape{kind: number, least: 1, most: 999_999_999, doc: "Number of the call in this turn, retries counted; every call by default."}},
		{name: "at", shape: &shape{doc: "The place in the answer.", pattern: positionForm,
			form: "before_headers, after_headers, end, or an event such as event 5, byte 3 of event 5, event message_delta, event content_block_stop of tool_use 2"}},
		{name: "status", shape: &shape{kind: number, least: 200, most: 599, doc: "Status of a refusal or page."}},
		{name: "retry_after", shape: &shape{doc: "When to come back: 2s, 500ms, date, none, absurd or junk.", pattern: regexp.MustCompile(`^(date|none|absurd|junk|([0-9]+(\.[0-9]+)?(ms|s|m|h))+)$`), form: "a duration such as 2s, or date, none, absurd, junk"}},
		{name: "should_retry", shape: &shape{kind: truth, doc: "The header x-should-retry, whatever the status says."}},
		{name: "body", shape: &shape{doc: "The body of a refusal in place of the API's.", choices: []string{"text", "html", "empty"}}},
		{name: "type", shape: &shape{doc: "The type of the error."}},
		{name: "message", shape: &shape{doc: "The text of the error."}},
		{name: "for", shape: spanShape("How long it lasts.")},
		{name: "every", shape: spanShape("Between the pieces.")},
	}}
}

func faultsOf(n ast.Node) []Fault {
	var out []Fault
	for _, one := range elements(n) {
		f := Fault{Line: where(one).line, Do: str(child(one, "do")), Call: whole(child(one, "call"))}
		all, _ := pairs(one)
		for _, p := range all {
			if p.name != "do" && p.name != "call" {
				f.With = append(f.With, Setting{p.name, written(p.value)})
			}
		}
		out = append(out, f)
	}
	return out
}
