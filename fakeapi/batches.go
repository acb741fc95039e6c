package fakeapi

import (
	"bytes"
	"cmp"
	"encoding/json"
	"net/url"
	"slices"
	"strings"
	"time"

	"harnessbench/fakeapi/validate"
	"harnessbench/internal/wire"
)

const batchesPath = "/v1/messages/batches"

// apiBase is what addresses in answers begin with when the request does not say how it was reached.
const apiBase = "https://api.anthropic.com"

// batches keeps the batches of a server, the oldest first. They are kept for good: a batch outlives its results.
type batches struct{ all []*batch }

func (s *batches) find(scope, id string) *batch {
	i := slices.IndexFunc(s.all, func(b *batch) bool { return b.id == id && b.scope == scope })
	if i < 0 {
		return nil
	}
	return s.all[i]
}

// batchRoute answers below batchesPath; rest is what follows it.
func (x *exchange) batchRoute(req Request, rest string) Response {
	x.s.settle(x.now)
	base := cmp.Or(req.Base, apiBase)
	path, query, _ := strings.Cut(rest, "?")
	if path == "" {
		if req.Method == "POST" {
			return x.posted(req, func(body []byte) Response { return x.createBatch(body, base) })
		}
		return x.read(req, func() Response { return x.listBatches(query, base) })
	}
	id, action, _ := strings.Cut(strings.TrimPrefix(path, "/"), "/")
	switch {
	case id == "":
	case action == "" && req.Method == "DELETE":
		return x.onBatch(req, "DELETE", id, x.deleteBatch)
	case action == "":
		return x.onBatch(req, "GET", id, func(b *batch) Response { return x.plain(RefusalTime, b.object(x.now, base)) })
	case action == "cancel":
		return x.onBatch(req, "POST", id, func(b *batch) Response { return x.cancelBatch(b, base) })
	case action == "results":
		return x.onBatch(req, "GET", id, x.batchResults)
	}
	return x.refuse(validate.Told(RuleNotFound))
}

// onBatch runs an endpoint of one batch.
func (x *exchange) onBatch(req Request, method, id string, answer func(*batch) Response) Response {
	asked := req.Method
	if asked == "HEAD" && method == "GET" {
		asked = method
	}
	if fault := x.enter(asked, method); fault != nil {
		return x.refuse(fault)
	}
	b := x.s.batches.find(x.account.scope(), unescaped(id))
	if b == nil {
		return x.refuse(validate.Told("batch-unknown", "id", unescaped(id)))
	}
	return answer(b)
}

func (x *exchange) createBatch(body []byte, base string) Response {
	req, err := wire.ParseWhole(nil, body)
	if err != nil {
		return x.refuse(validate.SyntaxFault(err))
	}
	if fault := validate.CheckBatch(req, x.head); fault != nil {
		return x.refuse(fault)
	}
	b := newBatch(x.s.ids.random("msgbatch_"), x.account, x.head, x.now, cmp.Or(x.s.opt.BatchPace, DefaultBatchPace), req.Get("requests"))
	x.s.batches.all = append(x.s.batches.all, b)
	return x.plain(RefusalTime, b.object(x.now, base))
}

func (x *exchange) listBatches(query, base string) Response {
	q, err := url.ParseQuery(query)
	if err != nil { // what can be read of it was read
		q = url.Values{}
	}
	var own []*batch
	var ids []string
	for _, b := range slices.Backward(x.s.batches.all) {
		if b.scope == x.account.scope() {
			own, ids = append(own, b), append(ids, b.id)
		}
	}
	from, to, more, fault := page(ids, q)
	if fault != nil {
		return x.refuse(fault)
	}
	list := listing(own[from:to], more, func(b *batch) string { return b.id })
	data := make([]json.RawMessage, 0, to-from)
	for _, b := range own[from:to] {
		data = append(data, b.object(x.now, base))
	}
	list.Data = data
	return x.json(list)
}

// cancelBatch stops what has not run; the answer still counts every row as processing (messages-api.md 1.7).
func (x *exchange) cancelBatch(b *batch, base string) Response {
	if b.ended(x.now) {
		return x.refuse(validate.Told("batch-cancel-ended", "id", b.id))
	}
	if b.cancelled.IsZero() {
		b.cancelled = x.now
	}
	return x.plain(RefusalTime, b.object(x.now, base))
}

func (x *exchange) deleteBatch(b *batch) Response {
	if !b.ended(x.now) {
		return x.refuse(validate.Told("batch-delete-running", "id", b.id))
	}
	x.s.batches.all = slices.DeleteFunc(x.s.batches.all, func(o *batch) bool { return o == b })
	return x.plain(RefusalTime, append(quote([]byte(`{"id":`), b.id), `,"type":"message_batch_deleted"}`...))
}

func (x *exchange) batchResults(b *batch) Response {
	if !b.ended(x.now) || b.archived(x.now) {
		return x.refuse(validate.Told("batch-no-results", "id", b.id))
	}
	return Response{Status: 200, Header: x.identity([]Field{{"content-type", "application/x-jsonl"}}), Frames: []Frame{{RefusalTime, b.results()}}, View: x.view}
}

// settle runs every row of every batch whose time has come.
func (s *Server) settle(now time.Time) {
	for _, b := range s.batches.all {
		for b.runs(now) {
			b.rows[b.done].kind, b.rows[b.done].result = s.runRow(now, b, b.rows[b.done].params)
			b.done++
		}
		b.close(now)
	}
}

// runRow answers one row as the request that it is, at half the price (messages-api.md 1.7).
func (s *Server) runRow(now time.Time, b *batch, params []byte) (kind string, result []byte) {
	x := &exchange{s: s, now: now, head: b.head, id: s.ids.timed("req_", now), account: b.account, atOnce: true, known: true, batched: true}
	a, fault := x.sample(params, validate.CheckRow)
	var server *exchange
	if fault == nil {
		server, a, fault = x.fallBack(a, validate.CheckRow)
	}
	if fault != nil {
		out := quote([]byte(`{"type":"error","error":{"type":`), fault.Type)
		out = quote(append(out, `,"message":`...), fault.Message)
		return "errored", append(out, `,"details":{"error_visibility":"user_facing"}},"request_id":null}`...)
	}
	x.diagnose(a)
	return "succeeded", bytes.Clone(a.message(server, true))
}
