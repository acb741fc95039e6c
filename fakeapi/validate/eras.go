package validate

// current is the era of what the SDK types and the documentation of 2026-11 have and no dated row speaks of.
const current = "current (2026-11)"

// eras are the dates and models at which the text of a rule was seen, as the catalogue's models_or_era has them. Rules
// that hold for some models or dates only say so themselves.
var eras = map[string]string{
	"auth.bearer":                          "2025 to 2026",
	"batch.row.max_tokens":                 "2026-09-02",
	"block.not-in-assistant":               "2025 to 2026",
	"body.json":                            "2025-07 to 2026-05",
	"cache.ttl-order":                      "2025-05 to 2026-08",
	"clear_thinking.needs-thinking":        "2025-11 to 2026",
	"container.required":                   "2025-11 to 2026",
	"grammar.additional-properties":        "2026",
	"grammar.regexp":                       "documented 2026",
	"image.base64":                         "2024-11 to 2026-07",
	"image.empty":                          "2025-11",
	"image.oversized":                      "documented 2026-08",
	"image.undecodable":                    "2025 to 2026",
	"max_tokens.model":                     "2024 to 2026; the bound is that of the model",
	"messages.none":                        "2024 to 2026",
	"not-found":                            "2024 to 2026",
	"pairing.double-result":                "2025-08 to 2026-06",
	"pairing.no-call":                      "2025 to 2026-08",
	"pdf.password":                         "2025 to 2026",
	"prompt-too-long":                      "2024-11 to 2026-08; the bound is the window of the model",
	"request-size-exceeds-window":          "2025-08",
	"source.url.https":                     "2026-05",
	"stop_sequences.blank":                 "2024-04 to 2026-06",
	"system.empty-text":                    "2024-04 to 2026-09",
	"system.item.empty-marked":             "2025-07 to 2026-08",
	"system_role.blank":                    "2026-08 to 2026-10: Sonnet 5, Opus 5.5",
	"system_role.block-type":               "2026-08 to 2026-10: Sonnet 5, Opus 5.5",
	"system_role.empty":                    "2026-08 to 2026-10: Sonnet 5, Opus 5.5",
	"system_role.first":                    "2026-08 to 2026-10: Sonnet 5, Opus 5.5",
	"system_role.follow":                   "2026-08 to 2026-10: Sonnet 5, Opus 5.5",
	"system_role.precede":                  "2026-08 to 2026-10: Sonnet 5, Opus 5.5",
	"text.empty-marked":                    "2025-07 to 2026-08",
	"thinking-latest-modified":             "2025-10 to 2026-09",
	"thinking-signature-invalid":           "2025-07 on, strictly since 2025-10",
	"thinking_block.empty":                 "2025 to 2026",
	"tool_choice.any-without-tools":        "2026-08 and 2026-09",
	"tool_choice.not-found":                "2026-08 and 2026-09",
	"tools.custom.input_schema.properties": "2025-06 to 2026-09",
	"tools.custom.input_schema.union":      "2025-03 to 2026-09",
	"tools.unique":                         "2025-05 to 2026-08",
	"version.unknown":                      "2026-02",
	"web_search_result.encrypted_content":  "2026",
}

// when is the era of a rule.
func (r rule) when() string {
	if r.era != "" {
		return r.era
	}
	if seen, ok := eras[r.id]; ok {
		return seen
	}
	return current
}
