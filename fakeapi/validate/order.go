package validate

// stop is one stop of the walk over the top level: what is judged there, and how far its rules are built.
type stop struct {
	field
	schema func(r *reading) *Fault // replaces check where a value alone is not enough
	has    []rule                  // what schema reports
	mean   func(r *reading) *Fault // relations, judged once every field is well formed and the model is known
	means  []rule                  // what mean reports
}

// stops is the measured walking order of the top level (api-verdicts-notes.md 2.1) and, behind it, the
// fields whose place was not measured. A field without check is known and not judged. Members of the body
// that are not in this table, or not open under the headers sent, are refused after the last stop.
var stops = func() []stop {
	return []stop{
		{field: field{name: "model", required: true, check: str{nonEmpty: true}}},
		{field: field{name: "tool_choice", check: toolChoice},
			mean: judgeToolChoice, means: []rule{forcedUnsupported, anyWithoutTools, choiceNotFound}},
		{field: field{name: "tools", check: toolsField},
			mean: judgeTools, means: toolRules()},
		{field: field{name: "messages", required: true}, schema: judgeMessages, has: messageRules(),
			mean: judgeMessagesMeaning, means: []rule{systemRoleLong, systemRoleShort, changeModel, changeUnresolved, changeConflict, referenceUnknown, effortPerTurn, effortChanges}},
		{field: field{name: "system", check: systemField},
			mean: judgeSystem, means: []rule{systemEmpty, systemBlank}},
		{field: field{name: "thinking", check: thinkingField}, mean: judgeThinking, means: thinkingRules()},
		{field: field{name: "output_config", check: outputConfig},
			mean: judgeOutput, means: []rule{effortUnsupported, effortLevel, formatCitations, formatPrefill}},
		{field: field{name: "cache_control", null: true, check: cacheControl},
			mean: judgeCaching, means: []rule{tooManyMarks, ttlOrder, automaticTTL}},
		{field: field{name: "max_tokens", required: true, check: integer{0, belowBound}},
			mean: judgeMaxTokens, means: []rule{overMaxTokens, prewarmWith}},
		{field: field{name: "metadata", null: true, check: metadataField}},
		{field: field{name: "stop_sequences", null: true, check: stopSequences{list{of: str{}}}}},
		{field: field{name: "temperature", closed: isNewVersion, check: unit{}}, mean: judgeSampling,
			means: []rule{bothSampling, samplingDeprecated, temperatureThinking, topKThinking, topPThinking}},
		{field: field{name: "service_tier", check: enum{words: []string{"auto", "standard_only"}}}},
		{field: field{name: "top_k", closed: isNewVersion, check: integer{0, tooSmall}}},
		{field: field{name: "top_p", closed: isNewVersion, check: unit{}}},
		{field: field{name: "stream", check: boolean}},
		{field: field{name: "container", null: true, check: containerField}},
		{field: field{name: "inference_geo", null: true, check: place{"global", "us"}}},

		// Place not measured.
		{field: field{name: "billing_policy", betas: []string{"user-profiles-billing-2026-10-01"}, check: billingField}},
		{field: field{name: "compaction", null: true}, schema: schemaCompaction, has: append([]rule{compactionBeta}, summarize.rules(owner{})...),
			mean: judgeCompaction, means: compactionRules()},
		{field: field{name: "context_management", null: true, betas: []string{EditBeta, CompactBeta}, check: contextManagement},
			mean: judgeEdits, means: editRules()},
		{field: field{name: "diagnostics", null: true, check: diagnosticsField}},
		{field: field{name: "fallback_credit_token", betas: []string{"fallback-credit-2026-06-01", "fallback-credit-2026-07-01"}, check: creditField},
			mean: judgeCredit, means: []rule{creditWithFallbacks}},
		{field: field{name: "fallbacks", betas: []string{"server-side-fallback-2026-06-01", "server-side-fallback-2026-07-01"}, check: fallbacksField},
			mean: judgeFallbacks, means: []rule{fallbackEntry}},
		{field: field{name: "mcp_servers", null: true, betas: mcpBetas, check: mcpServersField},
			mean: judgeServers, means: []rule{mcpMissing, mcpUnused}},
		{field: field{name: "output_format", null: true, check: outputFormat}},
		{field: field{name: "speed", null: true, check: speedField}, mean: judgeSpeed, means: []rule{speedModel}},
		{field: field{name: "thread", null: true, betas: []string{ThreadBeta}, check: threadField}},
		{field: field{name: "user_profile_id", null: true, check: str{}}},
	}
}()

// topOwner names top-level fields in rule ids by their bare name.
func topOwner(name string) owner { return owner{origin: paramOrigin, name: name} }

// Rules lists every rule in the order of checking.
func Rules() []Rule {
	var all []rule
	all = append(all, headerRules()...)
	all = append(all, notJSON, notAnObject)
	order := stops
	for _, s := range order {
		if s.required {
			all = append(all, missing.of(topOwner(s.name)))
		}
		if s.check != nil {
			all = append(all, s.check.rules(topOwner(s.name))...)
		}
		all = append(all, s.has...)
	}
	all = append(all, extra.of(topOwner("top")), unknownModel)
	for _, s := range order {
		all = append(all, s.means...)
	}
	all = append(all, threadRules()...)
	all = append(all, countRules()...)
	all = append(all, batchRules()...)
	all = append(all, conversationRules()...)
	all = append(all, containerAlone)
	all = append(all, told...)

	seen := map[string]bool{}
	var out []Rule
	for _, r := range all {
		if !seen[r.id] {
			seen[r.id] = true
			out = append(out, r.public())
		}
	}
	return out
}
