package validate

import "harnessbench/internal/wire"

var cacheOrigin = origin{"cache", "messages-api.md 5.2", "high"}

var cacheControl = &union{
	origin: cacheOrigin,
	name:   "cache_control",
	arms: []arm{{tag: "ephemeral", shape: &object{
		origin: cacheOrigin,
		name:   "cache_control.ephemeral",
		wrong:  notObject,
		fields: []field{
			{name: "type", check: anything{}},
			{name: "ttl", check: enum{words: []string{"5m", "1h"}}},
			{name: "scope", betas: []string{"prompt-caching-scope-2026-01-05"}},
		},
	}}},
}

// cacheField is the cache_control member of whatever takes one.
func cacheField() field { return field{name: "cache_control", null: true, check: cacheControl} }

// marked tells whether v carries a cache mark.
func marked(v wire.Value) bool {
	m := v.Get("cache_control")
	return m.Exists() && !m.IsNull()
}

// markedEmpty is the refusal of a mark on an empty text block; it speaks before the empty-text rule
// (api-verdicts-notes.md 2.3).
func markedEmpty(w *walk, o owner, v wire.Value) *Fault {
	if v.Len() > plainMembers && marked(v) && emptyString(v.Get("text")) {
		return w.refuse(o, emptyMarked)
	}
	return nil
}
