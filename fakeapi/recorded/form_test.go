//go:build outside

package recorded

import (
	"fmt"
	"sort"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"harnessbench/fakeapi"
	"harnessbench/fakeapi/script"
	"harnessbench/internal/wire"
)

// scripted is recorded content as a script, so that the server says the same.
func scripted(content []wire.Value, stop wire.Value) script.Script {
	a := &script.Answer{StopReason: stop.Get("stop_reason").Text(), StopSequence: stop.Get("stop_sequence").Text()}
	if d := stop.Get("stop_details"); d.Kind() == '{' {
		a.Refusal = &script.Refusal{Category: d.Get("category").Text(), Explanation: d.Get("explanation").Text()}
	}
	for _, b := range content {
		out := script.Block{Kind: b.Get("type").Text(), Text: b.Get("text").Text(), Name: b.Get("name").Text()}
		switch out.Kind {
		case "thinking":
			out.Text = b.Get("thinking").Text()
		case "compaction":
			out.Text = b.Get("content").Text()
		case "redacted_thinking":
			out.Text = b.Get("data").Text()
		}
		if in := b.Get("input"); in.Exists() {
			out.Input = in.Raw()
		}
		if c := b.Get("content"); c.Exists() {
			out.Content = c.Raw()
		}
		for _, c := range b.Get("citations").Elems() {
			out.Citations = append(out.Citations, c.Raw())
		}
		a.Blocks = append(a.Blocks, out)
	}
	return script.Script{Default: a}
}

// contentOf are the blocks of a message.
func contentOf(message wire.Value) []wire.Value {
	var out []wire.Value
	for _, b := range message.Get("content").Elems() {
		out = append(out, b)
	}
	return out
}

// inside are members whose inside is content, not form.
var inside = map[string]bool{"input": true, "citations": true}

// form is what a JSON value looks like without its values: keys in order, null or something. With sorted the order
// of keys does not count: some recorders sort.
func form(v wire.Value, sorted bool) string {
	var parts []string
	switch v.Kind() {
	case '{':
		for name, member := range v.Members() {
			f := "*"
			if !inside[name] {
				f = form(member, sorted)
			}
			parts = append(parts, name+":"+f)
		}
		if sorted {
			sort.Strings(parts)
		}
		return "{" + strings.Join(parts, " ") + "}"
	case '[':
		for _, e := range v.Elems() {
			parts = append(parts, form(e, sorted))
		}
		return "[" + strings.Join(parts, " ") + "]"
	case 'n':
		return "null"
	}
	return "*"
}

func value(t testing.TB, raw []byte) wire.Value {
	t.Helper()
	v, err := wire.ParseValue(raw)
	require.NoError(t, err)
	return v
}

// sortsKeys tells whether the recorder of a source wrote objects with sorted keys.
func (r *record) sortsKeys() bool { return r.Normalised || r.Source.Repo == "pydantic/pydantic-ai" }

// days are those whose form the answer may have: its own, and of a call known by its publication alone every form
// there was until then, the newest first.
func (r *record) days() []time.Time {
	out := []time.Time{r.at()}
	if r.dated() {
		return out
	}
	for _, d := range []string{"2026-08-31", "2026-07-31", "2026-05-27", "2026-04-15", "2026-03-31", "2026-02-28", "2026-02-10", "2026-01-31", "2025-10-31", "2025-09-30", "2025-08-10", "2025-08-02", "2025-05-14", "2025-02-28"} {
		if t, err := time.Parse(time.DateOnly, d); err == nil && t.Before(out[0]) {
			out = append(out, t)
		}
	}
	return out
}

const (
	mcp      = "blocks of the MCP connector cannot be scripted"
	advisor  = "usage.iterations of the advisor, which samples a second model"
	fromCode = "web tools called by the model's own code, which name the call they come from"
	history  = "usage counts server tools at zero, for a cause that is not known"
	bareWeb  = "a search result without caller, of an unknown day between others that have one"
	claude2  = "key order of Claude 2.1"
)

// otherForm are answers whose form differs, with the reason.
var otherForm = map[string]string{
	"0xPlaygrounds/rig:tests/cassettes/anthropic/opus_4_8/web_search_with_dynamic_filtering_succeeds.yaml#0":                                           fromCode,
	"pydantic/pydantic-ai:tests/models/anthropic/cassettes/test_unpaired_native_tool_calls/test_in_flight_mcp_call_history_is_accepted.yaml#0":         mcp,
	"pydantic/pydantic-ai:tests/models/anthropic/cassettes/test_unpaired_native_tool_calls/test_in_flight_native_tool_call_history_is_accepted.yaml#0": history,
	"pydantic/pydantic-ai:tests/models/anthropic/cassettes/test_web_tools/test_anthropic_supported_model_uses_20260209_web_tools.yaml#0":               fromCode,
	"pydantic/pydantic-ai:tests/models/cassettes/test_anthropic/test_anthropic_advisor_tool.yaml#0":                                                    advisor,
	"pydantic/pydantic-ai:tests/models/cassettes/test_anthropic/test_anthropic_advisor_tool_message_replay.yaml#0":                                     advisor,
	"pydantic/pydantic-ai:tests/models/cassettes/test_anthropic/test_anthropic_advisor_tool_message_replay.yaml#1":                                     advisor,
	"pydantic/pydantic-ai:tests/models/cassettes/test_anthropic/test_anthropic_advisor_tool_redacted.yaml#0":                                           advisor,
	"pydantic/pydantic-ai:tests/models/cassettes/test_anthropic/test_anthropic_compaction_end_to_end.yaml#0":                                           history,
	"pydantic/pydantic-ai:tests/models/cassettes/test_anthropic/test_anthropic_mcp_servers.yaml#0":                                                     mcp,
	"pydantic/pydantic-ai:tests/models/cassettes/test_anthropic/test_anthropic_mcp_servers.yaml#1":                                                     mcp,
	"pydantic/pydantic-ai:tests/models/cassettes/test_anthropic/test_pause_turn_web_search_vcr.yaml#0":                                                 bareWeb,
	"pydantic/pydantic-ai:tests/models/cassettes/test_anthropic/test_pause_turn_web_search_vcr.yaml#1":                                                 bareWeb,
	"traceloop/openllmetry:packages/opentelemetry-instrumentation-langchain/tests/cassettes/test_llms/test_anthropic.yaml#0":                           claude2,
}

func TestRecordedAnswersHaveTheFormOfTheirDay(t *testing.T) {
	failed, checked := map[string]string{}, 0
	for _, r := range records(t) {
		if r.Status != 200 || !strings.HasPrefix(r.Path, "/v1/messages") || !r.hasRequest() || len(r.Answer) == 0 {
			continue
		}
		want := value(t, r.Answer)
		if want.Get("type").Text() != "message" {
			continue
		}
		checked++
		sorted := r.sortsKeys()
		for k, day := range r.days() {
			opt := r.asRecorded()
			opt.AnswerAs, opt.Script = day, scripted(contentOf(want), want)
			resp := r.send(fakeapi.New(opt), "good")
			if resp.Status != 200 {
				break // the test of verdicts reports it
			}
			a, b := form(want, sorted), form(value(t, resp.Body()), sorted)
			if a == b {
				delete(failed, r.ID)
				break
			}
			if k == 0 {
				failed[r.ID] = fmt.Sprintf("%s %s %s\n\twant %s\n\tgot  %s", r.Recorded, r.NotAfter, r.Model, a, b)
			}
		}
	}
	unexpected(t, otherForm, failed, checked)
}

// apiHeaders are those that say something about the call or the account; the others are the edge's.
func apiHeaders(names []string) string {
	var out []string
	for _, n := range names {
		if n == "request-id" || n == "cache-control" || n == "x-should-retry" || strings.HasPrefix(n, "anthropic-") {
			out = append(out, n)
		}
	}
	sort.Strings(out)
	return strings.ReplaceAll(strings.Join(out, " "), "anthropic-ratelimit-", "~")
}

// edgeHeaders are the headers of the edge whose days are known (messages-api.md 1.4).
func edgeHeaders(names []string) string {
	var out []string
	for _, n := range names {
		switch n {
		case "server", "cf-cache-status", "x-robots-tag", "strict-transport-security", "content-security-policy":
			out = append(out, n)
		}
	}
	sort.Strings(out)
	return strings.Join(out, " ")
}

// ownLimits leaves out the limits that the record's account did not have.
func ownLimits(r *record, names []string) (out []string) {
	for _, n := range names {
		if _, has := r.Headers[n]; has || !strings.HasPrefix(n, "anthropic-ratelimit-") {
			out = append(out, n)
		}
	}
	return out
}

// otherHeaders are answers whose headers differ, with the reason.
var otherHeaders = map[string]string{
	"traceloop/openllmetry:packages/opentelemetry-instrumentation-anthropic/tests/cassettes/test_messages/test_async_anthropic_beta_message_stream_manager_legacy.yaml#0": "the recorder of this file left most headers out",
}

func TestRecordedAnswersHaveTheHeadersOfTheirDay(t *testing.T) {
	all := records(t)
	kept, answers := map[string]int{}, map[string]int{} // by source: which headers its recorder kept
	for _, r := range all {
		answers[r.Source.Repo]++
		for name := range r.Headers {
			kept[r.Source.Repo+" "+name]++
		}
	}
	filter := func(r *record, names []string) (out []string) {
		for _, n := range names {
			if 20*kept[r.Source.Repo+" "+n] > answers[r.Source.Repo] {
				out = append(out, n)
			}
		}
		return out
	}
	failed, checked := map[string]string{}, 0
	for _, r := range all {
		if !r.inScope() || r.Method == "POST" && !r.hasRequest() || len(r.Headers) < 3 {
			continue
		}
		key := "good"
		if r.Status == 401 {
			key = "bad"
		}
		checked++
		for k, day := range r.days() {
			opt := r.asRecorded()
			opt.AnswerAs = day
			resp := r.send(fakeapi.New(opt), key)
			if resp.Status != r.Status {
				break // the test of verdicts reports it
			}
			var got []string
			for _, h := range resp.Header {
				got = append(got, h.Name)
			}
			got = ownLimits(r, filter(r, got))
			names := filter(r, sortedIDs(r.Headers))
			want := apiHeaders(names) + " | " + edgeHeaders(names)
			have := apiHeaders(got) + " | " + edgeHeaders(got)
			if want == have {
				delete(failed, r.ID)
				break
			}
			if k == 0 {
				failed[r.ID] = fmt.Sprintf("%s %s %d %s\n\twant %s\n\tgot  %s", r.Recorded, r.NotAfter, r.Status, r.Path, want, have)
			}
		}
	}
	unexpected(t, otherHeaders, failed, checked)
}
