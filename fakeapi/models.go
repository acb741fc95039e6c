package fakeapi

import (
	"encoding/json"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"harnessbench/fakeapi/validate"
	"harnessbench/internal/model"
)

// modelsTime is how long an answer about models takes in virtual time.
const modelsTime = 30 * time.Millisecond

// support is a leaf of capabilities.
type support struct {
	Supported bool `json:"supported"`
}

// modelObject is a model as the API shows it, keys in the order recorded up to 2026-08 with the later ones between
// (messages-api.md 1.1).
type modelObject struct {
	Type           string       `json:"type"`
	ID             string       `json:"id"`
	DisplayName    string       `json:"display_name"`
	CreatedAt      string       `json:"created_at"`
	Line           *string      `json:"line"`
	Lifecycle      string       `json:"lifecycle"`
	DeprecatedAt   *string      `json:"deprecated_at"`
	RetiresAt      *string      `json:"retires_at"`
	MaxInputTokens int          `json:"max_input_tokens"`
	MaxTokens      int          `json:"max_tokens"`
	Capabilities   capabilities `json:"capabilities"`
}

type capabilities struct {
	Batch             support            `json:"batch"`
	Citations         support            `json:"citations"`
	CodeExecution     support            `json:"code_execution"`
	Compaction        *support           `json:"compaction,omitempty"` // with its beta
	ContextManagement contextCapability  `json:"context_management"`
	Effort            map[string]any     `json:"effort"` // encoded with sorted keys
	ImageInput        support            `json:"image_input"`
	PDFInput          support            `json:"pdf_input"`
	ServerTools       serverCapability   `json:"server_tools"`
	StructuredOutputs support            `json:"structured_outputs"`
	Thinking          thinkingCapability `json:"thinking"`
}

type contextCapability struct {
	Supported     bool    `json:"supported"`
	ClearToolUses support `json:"clear_tool_uses_20250919"`
	ClearThinking support `json:"clear_thinking_20251015"`
	Compact       support `json:"compact_20260112"`
}

type serverCapability struct {
	Supported     bool    `json:"supported"`
	CodeExecution support `json:"code_execution"`
	WebSearch     support `json:"web_search"`
}

type thinkingCapability struct {
	Supported bool `json:"supported"`
	Types     struct {
		Enabled      support `json:"enabled"`
		Adaptive     support `json:"adaptive"`
		Disabled     support `json:"disabled"`
		BetweenTools support `json:"between_tools"`
	} `json:"types"`
}

// oneModel is GET /v1/models/{id}; an alias shows the model it stands for.
func (x *exchange) oneModel(id string) Response {
	m, known := model.Lookup(unescaped(id))
	if !known {
		return x.refuse(validate.Told("models-unknown", "model", unescaped(id)))
	}
	return x.json(x.dated(x.modelObject(m)))
}

// listModels is GET /v1/models: newest first, retired ones only when they are asked for.
func (x *exchange) listModels(query string) Response {
	q, err := url.ParseQuery(query)
	if err != nil { // what can be read of it was read
		q = url.Values{}
	}
	lifecycles := q["lifecycle"]
	for _, l := range lifecycles {
		if !slices.Contains([]string{"active", "deprecated", "retired"}, l) {
			return x.refuse(validate.Told("models-lifecycle"))
		}
	}
	if len(lifecycles) == 0 {
		lifecycles = []string{"active", "deprecated"}
	}
	var all []modelObject
	for _, m := range model.All() {
		if slices.Contains(lifecycles, m.Lifecycle) {
			all = append(all, x.modelObject(m))
		}
	}
	slices.SortStableFunc(all, func(a, b modelObject) int { return strings.Compare(b.CreatedAt, a.CreatedAt) })
	ids := make([]string, len(all))
	for i, m := range all {
		ids[i] = m.ID
	}
	from, to, more, fault := page(ids, q)
	if fault != nil {
		return x.refuse(fault)
	}
	list := listing(all[from:to], more, func(m modelObject) string { return m.ID })
	list.Data = x.datedAll(all[from:to])
	return x.json(list)
}

// objects is a page of a list (messages-api.md 1.1).
type objects struct {
	Data    any     `json:"data"`
	HasMore bool    `json:"has_more"`
	FirstID *string `json:"first_id"`
	LastID  *string `json:"last_id"`
}

func listing[T any](data []T, more bool, id func(T) string) objects {
	l := objects{Data: data, HasMore: more}
	if n := len(data); n > 0 {
		first, last := id(data[0]), id(data[n-1])
		l.FirstID, l.LastID = &first, &last
	} else {
		l.Data = []T{}
	}
	return l
}

// page cuts a list by limit, after_id and before_id; more tells whether it goes on in that direction.
func page(ids []string, q url.Values) (from, to int, more bool, fault *validate.Fault) {
	limit := 20
	if text := q.Get("limit"); text != "" {
		n, err := strconv.Atoi(text)
		switch {
		case err != nil:
			return 0, 0, false, validate.Told("models-limit-integer")
		case n < 1:
			return 0, 0, false, validate.Told("models-limit-minimum")
		case n > 1000:
			return 0, 0, false, validate.Told("models-limit-maximum")
		}
		limit = n
	}
	if before := q.Get("before_id"); before != "" {
		to := slices.Index(ids, before)
		if to < 0 {
			return 0, 0, false, validate.Told("models-cursor", "name", "before_id", "id", before)
		}
		from := max(0, to-limit)
		return from, to, from > 0, nil
	}
	if after := q.Get("after_id"); after != "" {
		i := slices.Index(ids, after)
		if i < 0 {
			return 0, 0, false, validate.Told("models-cursor", "name", "after_id", "id", after)
		}
		from = i + 1
	}
	to = min(len(ids), from+limit)
	return from, to, to < len(ids), nil
}

// json answers with a value of plain structs.
func (x *exchange) json(v any) Response {
	out, err := json.Marshal(v)
	if err != nil { // plain structs always marshal
		return x.refuse(&validate.Fault{Rule: RuleInternal, Status: 500, Type: "api_error", Message: "Internal server error"})
	}
	return x.plain(modelsTime, out)
}

func (x *exchange) modelObject(m model.Model) modelObject {
	gen := generation(m)
	o := modelObject{
		Type: "model", ID: m.ID, DisplayName: m.Display, CreatedAt: timestamp(m.CreatedAt), Lifecycle: m.Lifecycle,
		MaxInputTokens: m.Window, MaxTokens: m.MaxOutput,
	}
	if o.CreatedAt == "" {
		o.CreatedAt = "1970-01-01T00:00:00Z" // when it is not known
	}
	if m.Line != "claude" {
		o.Line = &m.Line
	}
	if at := timestamp(m.DeprecatedAt); at != "" && m.Lifecycle != "active" {
		o.DeprecatedAt = &at
	}
	if at := timestamp(m.RetiresAt); at != "" && m.Lifecycle != "active" {
		o.RetiresAt = &at
	}
	c := &o.Capabilities
	yes := func(b bool) support { return support{b} }
	c.Batch, c.Citations = yes(gen >= 3), yes(gen >= 3)
	c.CodeExecution = yes(gen >= 4)
	c.ContextManagement = contextCapability{gen >= 4, yes(gen >= 4), yes(gen >= 4), yes(m.ThresholdCompaction)}
	if x.head.beta("compact-2026-09-04") {
		on := yes(m.ThresholdCompaction)
		c.Compaction = &on
	}
	c.Effort = map[string]any{"supported": len(m.Effort) > 0}
	for _, level := range []string{"low", "medium", "high", "xhigh", "max"} {
		c.Effort[level] = yes(m.TakesEffort(level))
	}
	c.ImageInput, c.PDFInput = yes(m.MaxImages > 0), yes(m.MaxImages > 0 && gen >= 3.5)
	c.ServerTools = serverCapability{gen >= 3.5, yes(gen >= 4), yes(gen >= 3.5)}
	c.StructuredOutputs = yes(gen >= 4.5 || m.ID == "claude-opus-4-1-20250805")
	t := &c.Thinking.Types
	t.Adaptive, t.Enabled = yes(m.ThinkingAdaptive == "yes"), yes(m.ThinkingBudget == "yes" || m.ThinkingBudget == "deprecated")
	t.Disabled, t.BetweenTools = yes(m.ThinkingDisabled != "no"), yes(m.ThinkingBetween != "no" && m.ThinkingBetween != "")
	c.Thinking.Supported = t.Adaptive.Supported || t.Enabled.Supported
	return o
}

// timestamp is a date or a month of the table as a time; "" for what names no day, such as "not before".
func timestamp(day string) string {
	if len(day) == len("2006-01") {
		day += "-01"
	}
	at, err := time.Parse(time.DateOnly, day)
	if err != nil {
		return ""
	}
	return at.Format(time.RFC3339)
}
