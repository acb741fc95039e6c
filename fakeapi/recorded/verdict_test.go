//go:build outside

package recorded

import (
	"fmt"
	"strings"
	"testing"

	"harnessbench/fakeapi"
)

// notAccepted are requests the real API took and this server does not, with the reason.
var notAccepted = map[string]string{
	"DataDog/dd-trace-py:tests/contrib/anthropic/cassettes/anthropic_completion_tools_call_with_tool_result_stream.yaml#0":        pairing2024,
	"DataDog/dd-trace-py:tests/contrib/anthropic/cassettes/anthropic_completion_tools_call_with_tool_result_stream_helper.yaml#0": pairing2024,
}

func TestRecordedRequestsAreAccepted(t *testing.T) {
	failed, checked := map[string]string{}, 0
	for _, r := range records(t) {
		if r.Status != 200 || !r.inScope() || r.Method == "POST" && !r.hasRequest() {
			continue
		}
		checked++
		resp := r.send(fakeapi.New(r.asRecorded()), "good")
		if resp.Status != 200 {
			_, message := faultOf(resp.Body())
			failed[r.ID] = fmt.Sprintf("%d %s: %s", resp.Status, resp.View.Rule, message)
		}
	}
	unexpected(t, notAccepted, failed, checked)
}

// otherwiseRefused are refusals that differ, with the reason.
var otherwiseRefused = map[string]string{
	"0xPlaygrounds/rig:tests/cassettes/anthropic/error_identity_edge/auth_rejection_carries_identity.yaml#0":                                       secondForm,
	"0xPlaygrounds/rig:tests/cassettes/anthropic/error_identity_edge/streamed_agent_run_failure_exposes_error_identity_accessors.yaml#0":           secondForm,
	"0xPlaygrounds/rig:tests/cassettes/anthropic/error_identity_edge/streaming_connect_auth_rejection_classifies_with_contract.yaml#0":             secondForm,
	"0xPlaygrounds/rig:tests/cassettes/anthropic/models/list_models_rejected_key_reports_api_error_with_context.yaml#0":                            secondForm,
	"DataDog/dd-trace-py:tests/contrib/anthropic/cassettes/anthropic_completion_error.yaml#0":                                                      shape2024,
	"crmne/ruby_llm:spec/fixtures/vcr_cassettes/chat_real_error_scenarios_anthropic_claude-haiku-4-5_handles_context_length_exceeded_errors.yml#0": cutText,
}

const (
	pairing2024 = "a result with another id than the call, taken in June 2024 and refused since"
	secondForm  = "the second text of a wrong key; which key gets it is not known (messages-api.md 13.22)"
	shape2024   = "the words of June 2024 for a message that is no object"
	cutText     = "the recorder left the text out that was too long"
)

func TestRecordedRefusalsAreGivenInTheirWords(t *testing.T) {
	failed, checked := map[string]string{}, 0
	for _, r := range records(t) {
		if r.Status < 400 || !r.inScope() {
			continue
		}
		checked++
		key := "good"
		if r.Status == 401 {
			key = "bad"
		}
		resp := r.send(fakeapi.New(r.asRecorded()), key)
		wantKind, want := faultOf(r.Answer)
		kind, got := faultOf(resp.Body())
		if resp.Status != r.Status || kind != wantKind || got != want {
			failed[r.ID] = fmt.Sprintf("\n\twant %d %s %s\n\tgot  %d %s %s", r.Status, wantKind, want, resp.Status, kind, got)
		}
		if a, b := form(value(t, r.Answer), true), form(value(t, resp.Body()), true); a != b && failed[r.ID] == "" {
			failed[r.ID] = fmt.Sprintf("%s: body %s, got %s", r.at(), a, b)
		}
		if strings.HasPrefix(got, "bench script") {
			t.Errorf("%s: %s", r.ID, got)
		}
	}
	unexpected(t, otherwiseRefused, failed, checked)
}
