package validate

import (
	"strconv"

	"harnessbench/internal/model"
	"harnessbench/internal/wire"
)

var (
	batchOrigin = origin{"batches", "messages-api.md 1.7", "low"}

	batchNone = rule{id: "batch.requests.none", area: "batches", source: "messages-api.md 1.7", confidence: "low",
		text: "requests: List should have at least 1 item after validation, not 0"}
	batchMany = rule{id: "batch.requests.many", area: "batches", source: "messages-api.md 1.7", confidence: "low",
		text: "requests: List should have at most {max} items after validation, not {n}"}
	batchTwice = rule{id: "batch.custom_id.twice", area: "batches", source: "messages-api.md 1.7", confidence: "low",
		text: "requests.{n}.custom_id: custom_id must be unique within the batch. '{id}' was used before"}
	rowTokens = rule{id: "batch.row.max_tokens", area: "batches", source: "api-verdicts.jsonl batch-max-tokens-zero", confidence: "high",
		text: "max_tokens: must be greater than or equal to 1"}
	rowField = rule{id: "batch.row.field", area: "batches", source: "messages-api.md 1.7", confidence: "low",
		text: "{field}: not supported in a message batch"}
)

// batchRequests is the list of rows. What params holds is judged when the row runs.
var batchRequests = list{of: &object{
	origin: batchOrigin, name: "batch.requests.item", wrong: notObject,
	fields: []field{
		must("custom_id", str{pattern: "^[a-zA-Z0-9_-]{1,64}$", match: isCustomID}),
		must("params", dict),
	},
}}

var batchStops = []stop{{field: field{name: "requests", required: true, check: batchRequests}}}

func isCustomID(s string) bool {
	if s == "" || len(s) > 64 {
		return false
	}
	for _, c := range []byte(s) {
		if !('a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '_' || c == '-') {
			return false
		}
	}
	return true
}

// CheckBatch validates the body that creates a batch, its rows' params left out.
func CheckBatch(req *wire.Request, h Headers) *Fault {
	r := &reading{req: req, walk: walk{head: readHead(h)}, order: batchStops}
	if f := r.schema(r.order); f != nil {
		return f
	}
	rows := req.Get("requests")
	switch n := rows.Len(); {
	case n == 0:
		return batchNone.fault()
	case n > model.MaxBatchRows:
		return batchMany.fault("max", strconv.Itoa(model.MaxBatchRows), "n", strconv.Itoa(n))
	}
	seen := make(map[string]bool, rows.Len())
	for i, row := range rows.Elems() {
		id := row.Get("custom_id").Text()
		if seen[id] {
			return batchTwice.fault("n", itoa(i), "id", id)
		}
		seen[id] = true
	}
	return nil
}

// CheckRow is Check for a row of a batch: what a batch does not take is refused, and where a model says more there,
// the header of that opens its limit (messages-api.md 1.7).
func CheckRow(prev *Checked, req *wire.Request, h Headers) (*Checked, *Fault) {
	r := &reading{req: req, walk: walk{head: readHead(h)}, order: stops, row: true}
	c, f := r.check(prev)
	if f != nil {
		return nil, f
	}
	if n, _ := req.Get("max_tokens").Int(); n == 0 {
		return nil, rowTokens.fault()
	}
	switch {
	case req.Stream():
		return nil, rowField.fault("field", "stream")
	case present(req.Get("speed")):
		return nil, rowField.fault("field", "speed")
	case req.Get("billing_policy").Get("bill_to").Text() == "user_profile":
		return nil, rowField.fault("field", "billing_policy.bill_to")
	}
	if own, whole := req.Get("user_profile_id").Text(), h.Get("anthropic-user-profile-id"); own != "" && whole != "" && own != whole {
		return nil, rowField.fault("field", "user_profile_id")
	}
	return c, nil
}

// maxOutput is the most that max_tokens may ask for.
func (r *reading) maxOutput() int {
	if m := r.model; r.row && m.BatchMaxOutput > 0 && r.walk.head.has("output-300k-2026-03-24") {
		return m.BatchMaxOutput
	}
	return r.model.MaxOutput
}

func batchRules() []rule {
	all := append([]rule{missing.of(topOwner("requests"))}, batchRequests.rules(topOwner("requests"))...)
	return append(all, batchNone, batchMany, batchTwice, rowTokens, rowField)
}
