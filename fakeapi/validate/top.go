package validate

import (
	"harnessbench/internal/wire"
)

var (
	paramOrigin  = origin{"params", "messages-api.md 2.2", "high"}
	systemOrigin = origin{"content", "messages-api.md 2.2", "high"}
)

var (
	noMessages = rule{id: "messages.none", area: "roles", source: "messages-api.md 2.2", confidence: "high",
		text: "messages: at least one message is required"}
	tooManyMessages = rule{id: "messages.many", area: "size", source: "messages-api.md 2.2", confidence: "low",
		text: "messages: List should have at most {max} items after validation, not {n}"}
	stopBlank = rule{id: "stop_sequences.blank", area: "params", source: "messages-api.md 2.2", confidence: "high",
		text: "stop_sequences: each stop sequence must contain non-whitespace"}
	unknownModel = rule{id: "model.unknown", area: "other", source: "messages-api.md 1.5", confidence: "high",
		status: 404, kind: "not_found_error", text: "model: {model}"}
	systemEmpty = rule{id: "system.empty-text", area: "content", source: "messages-api.md 2.2", confidence: "medium",
		text: "system: text content blocks must be non-empty"}
	systemBlank = rule{id: "system.blank-text", area: "content", source: "messages-api.md 2.2", confidence: "medium",
		text: "system: text content blocks must contain non-whitespace text"}
)

// systemField: its blocks are no union, so their paths carry no tag.
var systemField = list{text: true, of: &object{
	origin: systemOrigin, name: "system.item", wrong: notObject,
	fields: []field{
		{name: "type", required: true, check: enum{words: []string{"text"}}},
		{name: "text", required: true, check: str{}},
		cacheField(),
		may("citations", citations),
	},
	also:     markedEmpty,
	alsoRule: []rule{emptyMarked.of(owner{origin: systemOrigin, name: "system.item"})},
}}

func judgeSystem(r *reading) *Fault {
	for _, b := range r.req.Get("system").Elems() {
		if text := b.Get("text"); emptyString(text) {
			return systemEmpty.fault()
		} else if blank(text) {
			return systemBlank.fault()
		}
	}
	return nil
}

// stopSequences: the blank rule names no index.
type stopSequences struct{ list }

func (s stopSequences) judge(w *walk, o owner, v wire.Value) *Fault {
	if f := s.list.judge(w, o, v); f != nil {
		return f
	}
	for _, e := range v.Elems() {
		if blank(e) {
			return stopBlank.fault()
		}
	}
	return nil
}

func (s stopSequences) rules(o owner) []rule { return append(s.list.rules(o), stopBlank) }
