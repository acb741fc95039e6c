package model

// Model is one row of the table; field meanings as in messages-api.md 10. Unknown numbers are 0.
type Model struct {
	ID               string   `json:"id"`
	Aliases          []string `json:"aliases"`
	Display          string   `json:"display_name"`
	Line             string   `json:"line"`       // haiku, sonnet, opus, fable, mythos, claude
	Generation       string   `json:"generation"` // "4.5"
	Lifecycle        string   `json:"lifecycle"`  // active, deprecated, retired
	Window           int      `json:"context_window_tokens"`
	MaxOutput        int      `json:"max_output_tokens"`
	MinCacheable     int      `json:"min_cacheable_tokens"`
	Price            Price    `json:"price"`
	ThinkingDefault  string   `json:"thinking_default"`        // on, off
	ThinkingAdaptive string   `json:"thinking_adaptive"`       // yes, no
	ThinkingBudget   string   `json:"thinking_enabled_budget"` // yes, no, deprecated
	ThinkingDisabled string   `json:"thinking_disabled"`       // yes, no, effort_high_or_below
	ThinkingBetween  string   `json:"thinking_between_tools"`
	DisplayDefault   string   `json:"thinking_display_default"` // summarized, omitted
	Interleaved      string   `json:"interleaved_thinking"`     // automatic, beta_header, none
	KeepsThinking    bool     `json:"keeps_thinking"`           // thinking_preservation is "all"
	Bound            bool     `json:"bound"`                    // thinking_prefix_check
	BoundAccounts    string   `json:"bound_accounts"`           // all, created_from_2026-08-31, ""
	AccountBound     bool     `json:"account_bound"`
	Prefill          bool     `json:"prefill"`
	ForcedToolChoice bool     `json:"forced_tool_choice"`
	Effort           []string `json:"effort_levels"`
	EffortDefault    string   `json:"effort_default"`
	SystemMessages   bool     `json:"mid_conversation_system_messages"`
	OverflowStops    bool     `json:"overflow_stops"` // input + max_tokens over the window is accepted
	Tokenizer        string   `json:"tokenizer"`      // 3.x, 4.x, 4.7+
}

// Price is USD per million tokens.
type Price struct {
	Input, Output, Write5m, Write1h, Read float64
}

// Lookup finds a model by id or alias.
func Lookup(idOrAlias string) (Model, bool) { panic("unbuilt") }

// All is the table in its own order.
func All() []Model { panic("unbuilt") }
