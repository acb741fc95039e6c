package validate

import (
	"strings"

	"harnessbench/internal/model"
	"harnessbench/internal/wire"
)

// containerField is a container to go on with, or one to be set up with skills.
var containerField = byKind{text: str{}, object: &object{
	origin: origin{"params", "messages-api.md 2.2, SDK BetaContainerParams", "medium"}, name: "container", wrong: notShape,
	fields: []field{may("id", str{}), may("skills", list{of: &object{
		origin: origin{"params", "SDK BetaSkillParams", "medium"}, name: "container.skills.item", wrong: notObject,
		fields: []field{must("type", word("anthropic", "custom")), must("skill_id", str{nonEmpty: true}), may("version", str{})},
	}})},
}}

var mcpServersField = list{of: &object{
	origin: origin{"tools", "messages-api.md 2.2, SDK BetaRequestMCPServerURLDefinitionParam", "medium"}, name: "mcp_servers.item", wrong: notObject,
	fields: []field{
		must("type", word("url")),
		must("url", str{nonEmpty: true}),
		must("name", str{nonEmpty: true}),
		may("authorization_token", str{}),
		may("tool_configuration", &object{
			origin: origin{"tools", "SDK BetaRequestMCPServerToolConfigurationParam", "medium"}, name: "mcp_servers.tool_configuration", wrong: notObject,
			fields: []field{may("allowed_tools", list{of: str{}}), may("enabled", boolean)},
		}),
	},
	also: func(w *walk, _ owner, v wire.Value) *Fault {
		if isHTTPS(v.Get("url").Text()) {
			return nil
		}
		w.in("url")
		return mcpPlain.fault("path", w.where())
	},
	alsoRule: []rule{mcpPlain},
}}

var (
	mcpPlain = rule{id: "mcp_servers.url", area: "tools", source: "api-verdicts.jsonl mcp-server-bad-url", confidence: "low",
		text: "{path}: URL scheme should be 'https'"}
	mcpUnused = rule{id: "mcp_servers.unused", area: "tools", source: "messages-api.md 2.2", confidence: "low",
		text: "mcp_servers: MCP server '{name}' is not referenced by any mcp_toolset in tools"}
	mcpMissing = rule{id: "mcp_servers.not-declared", area: "tools", source: "messages-api.md 2.2", confidence: "low",
		text: "tools.{n}.mcp_toolset.mcp_server_name: MCP server '{name}' not found in mcp_servers"}
)

// judgeServers pairs servers with toolsets. Under the first header there were no toolsets.
func judgeServers(r *reading) *Fault {
	h := &r.walk.head
	if h.has("mcp-client-2025-04-04") || !h.has("mcp-client-2025-11-20") && !h.has("mcp-client-2026-09-15") {
		return nil
	}
	servers, used := namesIn(r.req.Get("mcp_servers")), map[string]bool{}
	for i, t := range r.req.Get("tools").Elems() {
		if t.Get("type").Text() != "mcp_toolset" {
			continue
		}
		name := t.Get("mcp_server_name").Text()
		used[name] = true
		if !servers[name] {
			if f := mcpMissing.fault("n", itoa(i), "name", name); !r.walk.goesOn(f, 0) {
				return f
			}
		}
	}
	if r.conv.changed || r.conv.added {
		return nil // a toolset may come later in the conversation
	}
	for _, s := range r.req.Get("mcp_servers").Elems() {
		if name := s.Get("name").Text(); !used[name] {
			if f := mcpUnused.fault("name", name); !r.walk.goesOn(f, 0) {
				return f
			}
		}
	}
	return nil
}

var diagnosticsField = &object{
	origin: origin{"params", "messages-api.md 5.10", "medium"}, name: "diagnostics", wrong: notObject,
	fields: []field{may("previous_message_id", str{})},
}

var billingField = &object{
	origin: origin{"params", "SDK BetaBillingPolicyParam", "medium"}, name: "billing_policy", wrong: notObject,
	fields: []field{{name: "type", check: anything{}}, may("bill_to", word("self", "user_profile"))},
}

var fallbacksField = byKind{text: word("default"), list: list{of: &object{
	origin: origin{"params", "messages-api.md 2.11", "medium"}, name: "fallbacks.item", wrong: notObject,
	fields: []field{must("model", str{nonEmpty: true}), may("max_tokens", integer{1, tooSmall}), may("thinking", thinkingField),
		may("output_config", outputConfig), may("speed", speedField)},
}}}

var creditField = byKind{text: str{nonEmpty: true}, object: &object{
	origin: origin{"params", "messages-api.md 2.11", "medium"}, name: "fallback_credit_token", wrong: notShape,
	fields: []field{must("token", str{nonEmpty: true}), may("mode", word("strict", "best_effort"))},
}}

var creditWithFallbacks = rule{id: "fallback_credit_token.fallbacks", area: "params", source: "messages-api.md 2.11", confidence: "low",
	text: "fallback_credit_token: cannot be used together with `fallbacks`"}

// judgeCredit leaves the token itself unjudged: no refusal here hands one out, and what a true one looks like is not
// published.
func judgeCredit(r *reading) *Fault {
	if !present(r.req.Get("fallback_credit_token")) {
		return nil
	}
	if present(r.req.Get("fallbacks")) {
		return creditWithFallbacks.fault()
	}
	r.walk.notJudged = append(r.walk.notJudged, "fallback_credit_token")
	return nil
}

// judgeFallbacks says what is not judged: which models take fallbacks, and which chain "default" is, nobody published.
func judgeFallbacks(r *reading) *Fault {
	if present(r.req.Get("fallbacks")) {
		r.walk.notJudged = append(r.walk.notJudged, "fallbacks")
	}
	return nil
}

var fallbackEntry = rule{id: "fallbacks.entry", area: "params", source: "messages-api.md 2.11", confidence: "low",
	text: "fallbacks.{n}: {fault}"}

// FallbackFault is the refusal of a request for what entry n of its fallbacks makes of it, judged as a request to the
// entry's model.
func FallbackFault(n int, f *Fault) *Fault {
	out := fallbackEntry.fault("n", itoa(n), "fault", f.Message)
	out.Status, out.Type = f.Status, f.Type
	return out
}

// UnknownModel is the refusal of a model that does not exist.
func UnknownModel(name string) *Fault { return unknownModel.fault("model", name) }

var speedField = word("standard", "fast")

var speedModel = rule{id: "speed.model", area: "params", source: "messages-api.md 2.2", confidence: "low", era: "2026-11",
	text: "speed: 'fast' is not supported for this model."}

// judgeSpeed: fast runs on a few models, on some of them with its header; one takes the word and runs as ever.
func judgeSpeed(r *reading) *Fault {
	if r.req.Get("speed").Text() != "fast" {
		return nil
	}
	switch r.model.FastMode {
	case "yes", "runs_standard":
		return nil
	case "beta_header":
		if r.walk.head.has("fast-mode-2026-02-01") {
			return nil
		}
	}
	return speedModel.fault()
}

var containerAlone = rule{id: "container.no-tool", area: "other", source: "messages-api.md 2.2", confidence: "high", era: "2026-08",
	text: "container: Container identifier can only be provided when using the code execution tool"}

// judgeContainer comes last of all (api-verdicts-notes.md 2.1).
func (r *reading) judgeContainer() *Fault {
	c := r.req.Get("container")
	if c.Kind() != '"' && !present(c.Get("id")) {
		return nil
	}
	for _, t := range r.req.Get("tools").Elems() {
		if runsCode(t.Get("type").Text()) {
			return nil
		}
		for _, by := range t.Get("allowed_callers").Elems() {
			if strings.HasPrefix(by.Text(), "code_execution_") {
				return nil
			}
		}
	}
	return containerAlone.fault()
}

var (
	prewarmWith = rule{id: "max_tokens.zero", area: "params", source: "messages-api.md 5.9", confidence: "low",
		text: "max_tokens: 0 is not supported with `{field}`"}
	userEmail = rule{id: "metadata.user_id.email", area: "params", source: "api-verdicts.jsonl user-id-email", confidence: "medium", era: "2025-04 on",
		text: "metadata.user_id: user_id appears to contain an email address. Please send a uuid or hash value instead."}
)

// judgePrewarm refuses what cannot go with a request that only fills the cache.
func judgePrewarm(r *reading) *Fault {
	if n, ok := r.req.Get("max_tokens").Int(); !ok || n != 0 {
		return nil
	}
	field := ""
	switch {
	case r.req.Stream():
		field = "stream"
	case r.req.Get("thinking").Get("type").Text() == "enabled":
		field = "thinking.type: enabled"
	case present(r.req.Get("output_config").Get("format")):
		field = "output_config.format"
	case present(r.req.Get("output_format")):
		field = "output_format"
	case forces(r.req.Get("tool_choice")):
		field = "tool_choice"
	default:
		return nil
	}
	return prewarmWith.fault("field", field)
}

// userID refuses email addresses; phone numbers are refused alike, but what counts as one is not published.
func userID(w *walk, _ owner, v wire.Value) *Fault {
	id := v.Get("user_id").Text()
	if at := strings.IndexByte(id, '@'); at > 0 && strings.IndexByte(id[at:], '.') > 1 && !strings.ContainsAny(id, " \t\n") {
		return userEmail.fault()
	}
	return nil
}

var metadataField = &object{
	origin: paramOrigin, name: "metadata", wrong: notShape,
	fields:   []field{may("user_id", str{max: model.MaxUserID})},
	also:     userID,
	alsoRule: []rule{userEmail},
}
