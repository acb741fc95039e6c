package model

// Model is one row of the table; field meanings as in messages-api.md 10. Unknown numbers are 0.
type Model struct {
	ID           string   `json:"id"`
	Aliases      []string `json:"aliases"`
	Display      string   `json:"display_name"`
	CreatedAt    string   `json:"created_at"`    // a date, "" when it is not known (1.1; recorded up to Opus 5, a year before "not before" behind it)
	Line         string   `json:"line"`          // haiku, sonnet, opus, fable, mythos, claude
	Generation   string   `json:"generation"`    // "4.5"
	Lifecycle    string   `json:"lifecycle"`     // active, deprecated, retired
	DeprecatedAt string   `json:"deprecated_at"` // a date, a month, or ""
	RetiresAt    string   `json:"retires_at"`    // a date, "not before " and a date, or ""

	Window         int         `json:"context_window_tokens"`
	MaxOutput      int         `json:"max_output_tokens"`
	BatchMaxOutput int         `json:"batch_max_output_tokens"` // with the batch beta; 0: MaxOutput
	MaxImages      int         `json:"max_images"`              // images or PDF pages in a request
	MinCacheable   int         `json:"min_cacheable_tokens"`    // 5.6; 0: the model caches nothing
	Price          Price       `json:"price"`
	PriceTiers     []PriceTier `json:"price_tiers"` // by rising prompt length

	ThinkingDefault  string `json:"thinking_default"`        // on, off
	ThinkingAdaptive string `json:"thinking_adaptive"`       // yes, no
	ThinkingBudget   string `json:"thinking_enabled_budget"` // yes, no, deprecated
	ThinkingDisabled string `json:"thinking_disabled"`       // yes, no, effort_high_or_below
	ThinkingBetween  string `json:"thinking_between_tools"`
	DisplayDefault   string `json:"thinking_display_default"` // summarized, omitted
	Interleaved      string `json:"interleaved_thinking"`     // automatic, beta_header, none
	KeepsThinking    bool   `json:"keeps_thinking"`           // false: only the last turn's blocks are shown (6.5)
	// ThinkingInvalidatesSystem: a change of thinking or effort also misses on tools and system (5.7).
	ThinkingInvalidatesSystem bool   `json:"thinking_invalidates_system"`
	Bound                     bool   `json:"bound"`          // thinking_prefix_check (6.6)
	BoundAccounts             string `json:"bound_accounts"` // all, created_from_2026-08-31, ""
	AccountBound              bool   `json:"account_bound"`

	Prefill           bool     `json:"prefill"`
	ForcedToolChoice  bool     `json:"forced_tool_choice"`
	Sampling          string   `json:"sampling"`             // yes, defaults_only
	TemperatureOrTopP bool     `json:"temperature_or_top_p"` // the two exclude each other
	Effort            []string `json:"effort_levels"`
	EffortDefault     string   `json:"effort_default"`
	PerMessageEffort  bool     `json:"per_message_effort"` // output_config.effort of a system message (2.4)
	SystemMessages    bool     `json:"mid_conversation_system_messages"`
	ToolChanges       bool     `json:"mid_conversation_tool_changes"` // tool_addition, tool_removal (2.4)
	RefusedTools      []string `json:"refused_tools"`                 // types of tools (10, notes)

	ThresholdCompaction bool   `json:"threshold_compaction"` // compact_20260112 (8.3)
	ContextAwareness    bool   `json:"context_awareness"`    // hidden budget tags (7)
	OverflowStops       bool   `json:"overflow_stops"`       // input + max_tokens over the window is accepted
	Tokenizer           string `json:"tokenizer"`            // 3.x, 4.x, 4.7+
	// FastMode is what becomes of speed "fast" (2.2): yes, beta_header (with its header), runs_standard, no (refused).
	FastMode   string `json:"fast_mode"`
	Confidence string `json:"confidence"` // documented, inferred
	Notes      string `json:"notes"`
}

// Caches tells whether the model has prompt caching at all.
func (m Model) Caches() bool { return m.MinCacheable > 0 }

// Cacheable tells whether a prefix of so many tokens may be stored (messages-api.md 5.6).
func (m Model) Cacheable(prefixTokens int) bool { return m.Caches() && prefixTokens >= m.MinCacheable }

// TakesEffort tells whether the model has this effort level.
func (m Model) TakesEffort(level string) bool {
	for _, e := range m.Effort {
		if e == level {
			return true
		}
	}
	return false
}
