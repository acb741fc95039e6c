package fakeapi_test

import (
	"encoding/json"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"harnessbench/fakeapi"
	"harnessbench/fakeapi/script"
	"harnessbench/internal/model"
	"harnessbench/internal/wire"
)

// batcher is a client of the batch endpoints.
type batcher struct {
	t      *testing.T
	s      *fakeapi.Server
	now    time.Time
	header []fakeapi.Field
}

func (b *batcher) do(method, path string, body any) fakeapi.Response {
	b.t.Helper()
	var raw []byte
	switch body := body.(type) {
	case nil:
	case string:
		raw = []byte(body)
	default:
		var err error
		raw, err = json.Marshal(body)
		require.NoError(b.t, err)
	}
	return b.s.Handle(b.now, fakeapi.Request{Method: method, Path: "/v1/messages/batches" + path, Header: b.header, Body: raw, Base: "http://bench"})
}

func (b *batcher) create(rows ...obj) string {
	b.t.Helper()
	return accepted(b.t, b.do("POST", "", obj{"requests": rows}))["id"].(string)
}

// lines are the results by their custom_id.
func (b *batcher) lines(id string) map[string]obj {
	b.t.Helper()
	resp := b.do("GET", "/"+id+"/results", nil)
	require.Equal(b.t, 200, resp.Status, "%s", resp.Body())
	all := map[string]obj{}
	for _, line := range strings.Split(strings.TrimSuffix(string(resp.Body()), "\n"), "\n") {
		l := decode(b.t, []byte(line))
		all[l["custom_id"].(string)] = l["result"].(obj)
	}
	return all
}

func row(id string, over obj) obj {
	params := obj{"model": "claude-sonnet-4-6", "max_tokens": 100, "messages": said("go")}
	for k, v := range over {
		params[k] = v
	}
	return obj{"custom_id": id, "params": params}
}

func newBatcher(t *testing.T, opt fakeapi.Options) *batcher {
	opt.Script = script.Script{Rules: []script.Rule{{Repeat: true, Answers: []script.Answer{{Blocks: []script.Block{ok}}}}}}
	return &batcher{t, fakeapi.New(opt), begin, usual}
}

func counts(processing, succeeded, errored, canceled, expired float64) obj {
	return obj{"processing": processing, "succeeded": succeeded, "errored": errored, "canceled": canceled, "expired": expired}
}

// A batch from its creation to the day when its results are gone (messages-api.md 1.7).
func TestTheLifeOfABatch(t *testing.T) {
	b := newBatcher(t, fakeapi.Options{})
	resp := b.do("POST", "", obj{"requests": []any{row("a", nil), row("b", obj{"max_tokens": 0})}})
	require.Equal(t, 200, resp.Status)
	id := decode(t, resp.Body())["id"].(string)
	assert.Regexp(t, `^msgbatch_01[1-9A-HJ-NP-Za-km-z]{22}$`, id)
	assert.Equal(t, `{"id":"`+id+`","type":"message_batch","processing_status":"in_progress","request_counts":{"processing":2,"succeeded":0,"errored":0,"canceled":0,"expired":0},`+
		`"ended_at":null,"created_at":"2026-10-01T12:00:00.000000+00:00","expires_at":"2026-10-02T12:00:00.000000+00:00","archived_at":null,"cancel_initiated_at":null,"results_url":null}`, string(resp.Body()))

	b.now = begin.Add(fakeapi.DefaultBatchPace - 1)
	assert.Equal(t, counts(2, 0, 0, 0, 0), accepted(t, b.do("GET", "/"+id, nil))["request_counts"], "all count as processing until the end")
	assert.Equal(t, "Message Batch "+id+" has no available results.", errorText(t, b.do("GET", "/"+id+"/results", nil)))
	assert.Equal(t, "batch-delete-running", b.do("DELETE", "/"+id, nil).View.Rule)

	b.now = begin.Add(fakeapi.DefaultBatchPace)
	o := accepted(t, b.do("GET", "/"+id, nil))
	assert.Equal(t, "ended", o["processing_status"])
	assert.Equal(t, counts(0, 1, 1, 0, 0), o["request_counts"])
	assert.Equal(t, "2026-10-01T12:01:00.000000+00:00", o["ended_at"])
	assert.Equal(t, "http://bench/v1/messages/batches/"+id+"/results", o["results_url"])
	lines := b.lines(id)
	message := lines["a"]["message"].(obj)
	assert.Equal(t, "succeeded", lines["a"]["type"])
	assert.Equal(t, "ok", message["content"].([]any)[0].(obj)["text"])
	assert.Equal(t, "batch", message["usage"].(obj)["service_tier"])
	assert.Equal(t, obj{"type": "errored", "error": obj{"type": "error", "request_id": nil, "error": obj{
		"type": "invalid_request_error", "message": "max_tokens: must be greater than or equal to 1", "details": obj{"error_visibility": "user_facing"}}}}, lines["b"])
	assert.Equal(t, "batch-cancel-ended", b.do("POST", "/"+id+"/cancel", nil).View.Rule)

	b.now = begin.Add(29*24*time.Hour - 1)
	assert.Len(t, b.lines(id), 2)
	b.now = b.now.Add(1)
	assert.Equal(t, "batch-no-results", b.do("GET", "/"+id+"/results", nil).View.Rule)
	assert.Equal(t, "2026-10-30T12:00:00.000000+00:00", accepted(t, b.do("GET", "/"+id, nil))["archived_at"])
	assert.Equal(t, obj{"id": id, "type": "message_batch_deleted"}, accepted(t, b.do("DELETE", "/"+id, nil)))
	assert.Equal(t, 404, b.do("GET", "/"+id, nil).Status)
}

func TestACancelledBatchKeepsWhatHadRun(t *testing.T) {
	b := newBatcher(t, fakeapi.Options{BatchPace: 40 * time.Second})
	id := b.create(row("a", nil), row("b", nil), row("c", nil), row("d", nil))
	b.now = begin.Add(20 * time.Second)
	o := accepted(t, b.do("POST", "/"+id+"/cancel", nil))
	assert.Equal(t, "canceling", o["processing_status"])
	assert.Equal(t, counts(4, 0, 0, 0, 0), o["request_counts"])
	assert.Equal(t, "2026-10-01T12:00:20.000000+00:00", o["cancel_initiated_at"])
	b.now = b.now.Add(time.Second - 1)
	assert.Equal(t, o, accepted(t, b.do("POST", "/"+id+"/cancel", nil)), "once more changes nothing")
	b.now = b.now.Add(1)
	o = accepted(t, b.do("GET", "/"+id, nil))
	assert.Equal(t, "ended", o["processing_status"])
	assert.Equal(t, counts(0, 2, 0, 2, 0), o["request_counts"])
	assert.Equal(t, obj{"type": "canceled"}, b.lines(id)["c"])
}

func TestRowsStillOpenAfterADayExpire(t *testing.T) {
	b := newBatcher(t, fakeapi.Options{BatchPace: 48 * time.Hour})
	id := b.create(row("a", nil), row("b", nil), row("c", nil), row("d", nil))
	b.now = begin.Add(24*time.Hour - 1)
	assert.Equal(t, "in_progress", accepted(t, b.do("GET", "/"+id, nil))["processing_status"])
	b.now = b.now.Add(1)
	assert.Equal(t, counts(0, 2, 0, 0, 2), accepted(t, b.do("GET", "/"+id, nil))["request_counts"])
	assert.Equal(t, obj{"type": "expired"}, b.lines(id)["d"])
}

func TestBatchesAreListedNewestFirst(t *testing.T) {
	b := newBatcher(t, fakeapi.Options{})
	var ids []any
	for range 3 {
		ids = append([]any{b.create(row("a", nil))}, ids...)
		b.now = b.now.Add(time.Hour)
	}
	list := func(query string) (got []any, o obj) {
		o = accepted(t, b.do("GET", query, nil))
		for _, d := range o["data"].([]any) {
			got = append(got, d.(obj)["id"])
		}
		return got, o
	}
	got, o := list("?limit=2")
	assert.Equal(t, ids[:2], got)
	assert.Equal(t, []any{true, ids[0], ids[1]}, []any{o["has_more"], o["first_id"], o["last_id"]})
	got, o = list("?limit=2&after_id=" + ids[1].(string))
	assert.Equal(t, ids[2:], got)
	assert.Equal(t, false, o["has_more"])
	b.header = append([]fakeapi.Field{{Name: "anthropic-workspace-id", Value: "w"}}, usual...)
	got, _ = list("")
	assert.Empty(t, got, "another workspace")
	assert.Equal(t, 404, b.do("GET", "/"+ids[0].(string), nil).Status)
}

// What the create call refuses, and the nearest body that it takes; a row's params wait for their turn.
func TestWhatTheCreateCallOfABatchRefuses(t *testing.T) {
	good := `{"custom_id":"a","params":{}}`
	of := func(rows string) string { return `{"requests":[` + rows + `]}` }
	pattern := " String should match pattern '^[a-zA-Z0-9_-]{1,64}$'"
	many := func(n int) string {
		var rows []string
		for i := range n {
			rows = append(rows, `{"custom_id":"r`+strconv.Itoa(i)+`","params":{}}`)
		}
		return of(strings.Join(rows, ","))
	}
	for _, c := range []struct{ rule, bad, good, want string }{
		{"requests.missing", `{}`, "", "requests: Field required"},
		{"requests.array", `{"requests":{}}`, "", "requests: Input should be a valid array"},
		{"top.extra", `{"requests":[` + good + `],"x":1}`, "", "x: Extra inputs are not permitted"},
		{"batch.requests.none", of(""), "", "requests: List should have at least 1 item after validation, not 0"},
		{"batch.requests.many", many(model.MaxBatchRows + 1), many(model.MaxBatchRows), "requests: List should have at most 100000 items after validation, not 100001"},
		{"batch.requests.item.object", of(`1`), "", "requests.0: Input should be an object"},
		{"batch.requests.item.custom_id.missing", of(`{"params":{}}`), "", "requests.0.custom_id: Field required"},
		{"batch.requests.item.custom_id.string", of(`{"custom_id":1,"params":{}}`), "", "requests.0.custom_id: Input should be a valid string"},
		{"batch.requests.item.custom_id.pattern", of(`{"custom_id":"` + strings.Repeat("a", 65) + `","params":{}}`), of(`{"custom_id":"` + strings.Repeat("a", 64) + `","params":{}}`), "requests.0.custom_id:" + pattern},
		{"batch.requests.item.custom_id.pattern", of(good + `,{"custom_id":"","params":{}}`), of(good + `,{"custom_id":"_-","params":{}}`), "requests.1.custom_id:" + pattern},
		{"batch.requests.item.params.missing", of(`{"custom_id":"a"}`), "", "requests.0.params: Field required"},
		{"batch.requests.item.params.dictionary", of(`{"custom_id":"a","params":[]}`), "", "requests.0.params: Input should be a valid dictionary"},
		{"batch.requests.item.extra", of(`{"custom_id":"a","params":{},"x":1}`), "", "requests.0.x: Extra inputs are not permitted"},
		{"batch.custom_id.twice", of(good + "," + good), of(good + `,{"custom_id":"b","params":{}}`),
			"requests.1.custom_id: custom_id must be unique within the batch. 'a' was used before"},
	} {
		t.Run(c.rule, func(t *testing.T) {
			b := newBatcher(t, fakeapi.Options{})
			resp := b.do("POST", "", c.bad)
			assert.Equal(t, 400, resp.Status)
			assert.Equal(t, c.rule, resp.View.Rule)
			assert.Equal(t, c.want, errorText(t, resp))
			if c.good == "" {
				c.good = of(good)
			}
			resp = b.do("POST", "", c.good)
			assert.Equal(t, 200, resp.Status, "%.200s", resp.Body())
		})
	}
}

// What a row is refused for that a call of its own is not, and the nearest that succeeds.
func TestWhatARowOfABatchRefuses(t *testing.T) {
	const profiles = "user-profiles-billing-2026-10-01"
	for _, c := range []struct {
		rule      string
		bad, good obj
		beta      string
		want      string
	}{
		{"batch.row.max_tokens", obj{"max_tokens": 0}, obj{"max_tokens": 1}, "", "max_tokens: must be greater than or equal to 1"},
		{"batch.row.field", obj{"stream": true}, obj{"stream": false}, "", "stream: not supported in a message batch"},
		{"batch.row.field", obj{"model": "claude-opus-5-5", "speed": "fast"}, obj{"model": "claude-opus-5-5"}, "", "speed: not supported in a message batch"},
		{"batch.row.field", obj{"billing_policy": obj{"bill_to": "user_profile"}}, obj{"billing_policy": obj{"bill_to": "self"}}, profiles, "billing_policy.bill_to: not supported in a message batch"},
		{"batch.row.field", obj{"user_profile_id": "other"}, obj{"user_profile_id": "one"}, "", "user_profile_id: not supported in a message batch"},
		{"max_tokens.model", obj{"model": "claude-opus-4-8", "max_tokens": 300_001}, obj{"model": "claude-opus-4-8", "max_tokens": 300_000}, "output-300k-2026-03-24",
			"max_tokens: 300001 > 300000, which is the maximum allowed number of output tokens for claude-opus-4-8"},
		{"model.unknown", obj{"model": "claude-none"}, obj{}, "", "model: claude-none"},
	} {
		b := newBatcher(t, fakeapi.Options{})
		b.header = append([]fakeapi.Field{{Name: "anthropic-beta", Value: c.beta}, {Name: "anthropic-user-profile-id", Value: "one"}}, usual...)
		id := b.create(row("bad", c.bad), row("good", c.good))
		b.now = b.now.Add(time.Hour)
		lines := b.lines(id)
		require.Equal(t, "errored", lines["bad"]["type"], c.rule)
		assert.Equal(t, c.want, lines["bad"]["error"].(obj)["error"].(obj)["message"])
		assert.Equal(t, "succeeded", lines["good"]["type"], "%s: %v", c.rule, lines["good"])
	}
}

// The endpoints of one batch where it is not theirs to answer, and where it is.
func TestWhatTheEndpointsOfABatchRefuse(t *testing.T) {
	for _, c := range []struct {
		rule, method, action string
		status               int
		want                 string
		badAt, goodAt        time.Duration
		other                bool // of an id nobody has
	}{
		{"batch-unknown", "GET", "", 404, "Message Batch {id}x not found.", 0, 0, true},
		{"batch-no-results", "GET", "/results", 404, "Message Batch {id} has no available results.", time.Minute - 1, time.Minute, false},
		{"batch-cancel-ended", "POST", "/cancel", 400, "Message Batch {id} cannot be canceled because it has ended.", time.Minute, time.Minute - 1, false},
		{"batch-delete-running", "DELETE", "", 400, "Message Batch {id} cannot be deleted before it has ended. Cancel it first.", time.Minute - 1, time.Minute, false},
		{"method-not-allowed", "PUT", "", 405, "Method Not Allowed", 0, -1, false},
		{"not-found", "GET", "/other", 404, "Not Found", 0, -1, false},
	} {
		b := newBatcher(t, fakeapi.Options{})
		id := b.create(row("a", nil))
		b.now = begin.Add(c.badAt)
		asked := id
		if c.other {
			asked += "x"
		}
		resp := b.do(c.method, "/"+asked+c.action, nil)
		assert.Equal(t, c.status, resp.Status)
		assert.Equal(t, c.rule, resp.View.Rule)
		assert.Equal(t, strings.ReplaceAll(c.want, "{id}", id), errorText(t, resp))
		if c.goodAt >= 0 {
			b = newBatcher(t, fakeapi.Options{})
			id = b.create(row("a", nil))
			b.now = begin.Add(c.goodAt)
			assert.Equal(t, 200, b.do(c.method, "/"+id+c.action, nil).Status, c.rule)
		}
	}
}

// Half of every price, those of the cache among them, by what the answer says of its tier (messages-api.md 5.11).
func TestARowCostsHalf(t *testing.T) {
	b := newBatcher(t, fakeapi.Options{})
	marked := obj{"system": []any{obj{"type": "text", "text": long, "cache_control": obj{"type": "ephemeral"}}}}
	id := b.create(row("a", marked), row("b", marked))
	b.now = b.now.Add(time.Hour)
	lines := b.lines(id)
	own := accepted(t, messages(t, fakeapi.New(fakeapi.Options{}), row("", marked)["params"].(obj)))
	cost := func(message obj) float64 {
		raw, err := json.Marshal(message)
		require.NoError(t, err)
		a, err := wire.ParseAnswer(raw)
		require.NoError(t, err)
		m, _ := model.Lookup(a.Model)
		u := a.Usage
		return m.Cost(model.Spent{Input: u.Input, Write5m: u.Creation5m, Write1h: u.Creation1h, Read: u.CacheRead, Served: model.Served{Fast: u.Fast, Batch: u.Batch}})
	}
	assert.InDelta(t, cost(own)/2, cost(lines["a"]["message"].(obj)), 1e-12)
	second := lines["b"]["message"].(obj)
	assert.Positive(t, tokensOf(second["usage"])[1], "rows share the cache")
	assert.Less(t, cost(second), cost(own)/4)
}

// In a batch, thinking that stands behind a changed prompt is dropped where elsewhere it is an error (messages-api.md 6.6).
func TestThinkingThatIsNotBoundIsDroppedInABatch(t *testing.T) {
	c := newChat(t, fakeapi.New(fakeapi.Options{Script: endless}), "claude-sonnet-5-5")
	talk(c)
	c.block(0, 0)["text"] = "go on, please"
	require.Equal(t, 400, c.do().Status)
	b := &batcher{t, c.s, c.now, usual}
	id := b.create(obj{"custom_id": "a", "params": c.body})
	b.now = b.now.Add(time.Hour)
	assert.Equal(t, "succeeded", b.lines(id)["a"]["type"])
}
