package fakeapi

import (
	"time"

	"harnessbench/internal/wire"
)

// DefaultBatchPace is how long a batch takes when Options says nothing (batch_pace).
const DefaultBatchPace = time.Minute

// Times of a batch (messages-api.md 1.7). cancelTime is ours: how long rows under way hold up the end of one that was
// cancelled is not published.
const (
	batchLife    = 24 * time.Hour      // rows still open then expire
	batchArchive = 29 * 24 * time.Hour // results are gone then
	cancelTime   = time.Second
)

// batch is one message batch. Its rows run one behind the other, evenly spread over the time it takes; each is run
// when somebody looks at the server at or after its time.
type batch struct {
	id        string
	scope     string
	account   *account
	head      headers // of the create call; they hold for every row
	created   time.Time
	pace      time.Duration
	cancelled time.Time // zero: not
	rows      []batchRow
	done      int // rows that have a result
}

type batchRow struct {
	id     string
	params []byte
	kind   string // succeeded, errored, canceled, expired; "" while it is open
	result []byte // message or error of the first two
}

func newBatch(id string, a *account, head headers, now time.Time, pace time.Duration, requests wire.Value) *batch {
	b := &batch{id: id, scope: a.scope(), account: a, head: head, created: now, pace: pace, rows: make([]batchRow, 0, requests.Len())}
	for _, r := range requests.Elems() {
		b.rows = append(b.rows, batchRow{id: r.Get("custom_id").Text(), params: r.Get("params").Raw()})
	}
	return b
}

// due is when row i has its result, were nothing to come between.
func (b *batch) due(i int) time.Time {
	return b.created.Add(time.Duration(int64(b.pace) / int64(len(b.rows)) * int64(i+1)))
}

func (b *batch) expires() time.Time { return b.created.Add(batchLife) }

// ends is when every row has its result.
func (b *batch) ends() time.Time {
	end := b.due(len(b.rows) - 1)
	for _, t := range []time.Time{b.expires(), b.cancelled.Add(cancelTime)} {
		if t.Before(end) && t.After(b.created) {
			end = t
		}
	}
	return end
}

func (b *batch) ended(now time.Time) bool    { return !now.Before(b.ends()) }
func (b *batch) archived(now time.Time) bool { return !now.Before(b.created.Add(batchArchive)) }

// close gives a result to the rows that no longer run at this time: those cancelled before they began, and those expired.
func (b *batch) close(now time.Time) {
	for i := b.done; i < len(b.rows) && b.ended(now); i++ {
		kind := "expired"
		if !b.cancelled.IsZero() && b.cancelled.Before(b.expires()) {
			kind = "canceled"
		}
		b.rows[i].kind = kind
		b.done++
	}
}

// runs tells whether the next open row runs to its end by now.
func (b *batch) runs(now time.Time) bool {
	if b.done == len(b.rows) {
		return false
	}
	at := b.due(b.done)
	return !now.Before(at) && !at.After(b.expires()) && (b.cancelled.IsZero() || !at.After(b.cancelled))
}

// object is the batch as the API shows it, keys in the recorded order. While it runs, every row counts as processing.
func (b *batch) object(now time.Time, base string) []byte {
	ended := b.ended(now)
	counts := map[string]int{}
	status := "in_progress"
	switch {
	case ended:
		status = "ended"
		for _, r := range b.rows {
			counts[r.kind]++
		}
	case !b.cancelled.IsZero():
		status = "canceling"
	}
	if !ended {
		counts["processing"] = len(b.rows)
	}
	out := quote([]byte(`{"id":`), b.id)
	out = quote(append(out, `,"type":"message_batch","processing_status":`...), status)
	for i, kind := range []string{"processing", "succeeded", "errored", "canceled", "expired"} {
		if i == 0 {
			out = append(out, `,"request_counts":{`...)
		} else {
			out = append(out, ',')
		}
		out = number(append(quote(out, kind), ':'), counts[kind])
	}
	moment := func(name string, t time.Time, known bool) {
		out = append(quote(append(out, ','), name), ':')
		if !known {
			out = append(out, "null"...)
			return
		}
		out = quote(out, t.UTC().Format("2006-01-02T15:04:05.000000")+"+00:00")
	}
	out = append(out, '}')
	moment("ended_at", b.ends(), ended)
	moment("created_at", b.created, true)
	moment("expires_at", b.expires(), true)
	moment("archived_at", b.created.Add(batchArchive), b.archived(now))
	moment("cancel_initiated_at", b.cancelled, !b.cancelled.IsZero())
	if !ended {
		return append(out, `,"results_url":null}`...)
	}
	return append(quote(append(out, `,"results_url":`...), base+batchesPath+"/"+b.id+"/results"), '}')
}

// results are the lines of an ended batch.
func (b *batch) results() []byte {
	var out []byte
	for _, r := range b.rows {
		out = quote(append(out, `{"custom_id":`...), r.id)
		out = quote(append(out, `,"result":{"type":`...), r.kind)
		switch r.kind {
		case "succeeded":
			out = append(append(out, `,"message":`...), r.result...)
		case "errored":
			out = append(append(out, `,"error":`...), r.result...)
		}
		out = append(out, "}}\n"...)
	}
	return out
}
