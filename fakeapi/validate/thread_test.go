package validate_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"harnessbench/fakeapi/validate"
	"harnessbench/internal/wire"
)

func theFieldThread(run func(...row)) {
	thread := func(value string) string { return `{"thread":` + value + `}` }
	good := thread(`{"type":"create"}`)
	rows := []row{
		{rule: "thread.object", bad: thread(`"create"`), want: "thread: Input should be an object", good: thread(`null`)},
		{rule: "thread.type.missing", bad: thread(`{}`), want: "thread.type: Field required"},
		{rule: "thread.tag", bad: thread(`{"type":"fork"}`),
			want: "thread: Input tag 'fork' found using 'type' does not match any of the expected tags: 'continue', 'create'"},
		{rule: "thread.create.extra", bad: thread(`{"type":"create","previous_message_id":"m"}`), want: "thread.create.previous_message_id: Extra inputs are not permitted"},
		{rule: "thread.continue.previous_message_id.missing", bad: thread(`{"type":"continue"}`), want: "thread.continue.previous_message_id: Field required"},
		{rule: "thread.continue.previous_message_id.string", bad: thread(`{"type":"continue","previous_message_id":1}`), want: "thread.continue.previous_message_id: Input should be a valid string"},
		{rule: "thread.continue.previous_message_id.short", bad: thread(`{"type":"continue","previous_message_id":""}`), want: "thread.continue.previous_message_id: String should have at least 1 character"},
		{rule: "thread.continue.extra", bad: thread(`{"type":"continue","previous_message_id":"m","x":1}`), want: "thread.continue.x: Extra inputs are not permitted"},
	}
	for i := range rows {
		rows[i].beta = validate.ThreadBeta
		if rows[i].good == "" {
			rows[i].good = good
		}
	}
	run(rows...)
}

func TestOnlyAContinueMayBringNoMessages(t *testing.T) {
	part := func(body string) *validate.Fault {
		req, err := wire.Parse(nil, overlay(t, body))
		require.NoError(t, err)
		return validate.CheckPart(req, usual(validate.ThreadBeta))
	}
	assert.Nil(t, part(`{"thread":{"type":"continue","previous_message_id":"m"},"messages":[]}`))
	f := part(`{"thread":{"type":"continue","previous_message_id":"m"},"messages":[{"role":"user"}]}`)
	require.NotNil(t, f)
	assert.Equal(t, "messages.0.content: Field required", f.Message)
	_, f = check(t, overlay(t, `{"thread":{"type":"create"},"messages":[]}`), usual(validate.ThreadBeta))
	require.NotNil(t, f)
	assert.Equal(t, "messages: at least one message is required", f.Message)
}

func TestAPausedTurnAtTheEndIsNoPrefill(t *testing.T) {
	req, err := wire.Parse(nil, overlay(t, talk(u, assistant(text))))
	require.NoError(t, err)
	_, f := validate.CheckResumed(nil, req, usual(""))
	assert.Nil(t, f)
	_, f = validate.Check(nil, req, usual(""))
	require.NotNil(t, f)
	assert.Equal(t, "prefill.model", f.Rule)
}

func TestFaultsOfThreadsCarryTheirCodes(t *testing.T) {
	for _, c := range []struct {
		fault   *validate.Fault
		status  int
		details string
	}{
		{validate.ThreadNotFound("m"), 404, `{"error_code":"thread_not_found"}`},
		{validate.ThreadContinued("m"), 400, `{"error_code":"thread_already_continued"}`},
		{validate.ThreadInFlight("m"), 400, `{"error_code":"thread_continue_in_flight"}`},
		{validate.ThreadFingerprint([]string{"model", "thinking"}), 400, `{"error_code":"thread_fingerprint_mismatch"}`},
		{validate.ThreadFields([]string{"context_management"}, "context_management"), 400, `{"error_code":"thread_unsupported_request","unsupported":["context_management"]}`},
		{validate.ThreadMarks(3, 4), 400, `{"error_code":"thread_unsupported_request","unsupported":["cache_control"]}`},
		{validate.ThreadAccount(nil), 400, `{"error_code":"thread_unsupported_request"}`},
		{validate.ThreadAccount([]string{"hipaa"}), 400, `{"error_code":"thread_unsupported_request","unsupported":["hipaa"]}`},
	} {
		assert.Equal(t, c.status, c.fault.Status, c.fault.Rule)
		assert.Equal(t, c.details, c.fault.Details, c.fault.Rule)
	}
}
