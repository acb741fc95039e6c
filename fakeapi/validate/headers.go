package validate

import (
	"slices"
	"strings"
)

// newVersion is the API version that refuses sampling parameters (messages-api.md 1.3).
const newVersion = "2026-10-21"

// head is what the body's rules need of the headers.
type head struct {
	version string
	betas   []string
}

func readHead(h Headers) head {
	out := head{version: h.Get("anthropic-version")}
	for _, b := range strings.Split(h.Get("anthropic-beta"), ",") {
		if b = strings.TrimSpace(b); b != "" {
			out.betas = append(out.betas, b)
		}
	}
	return out
}

func (h head) has(beta string) bool { return slices.Contains(h.betas, beta) }

func (h head) equal(o head) bool { return h.version == o.version && slices.Equal(h.betas, o.betas) }

func isNewVersion(h head) bool { return h.version == newVersion }

var (
	keyMissing = rule{id: "auth.missing", area: "auth", source: "messages-api.md 1.2", confidence: "high",
		status: 401, kind: "authentication_error", text: "x-api-key header is required"}
	keyWrong = rule{id: "auth.key", area: "auth", source: "messages-api.md 1.2", confidence: "high",
		status: 401, kind: "authentication_error", text: "invalid x-api-key"}
	bearerWrong = rule{id: "auth.bearer", area: "auth", source: "messages-api.md 1.2", confidence: "high",
		status: 401, kind: "authentication_error", text: "Invalid bearer token"}
	versionMissing = rule{id: "version.missing", area: "headers", source: "messages-api.md 1.2", confidence: "medium",
		text: "anthropic-version: header is required"}
	versionWrong = rule{id: "version.unknown", area: "headers", source: "messages-api.md 1.2", confidence: "high",
		text: `anthropic-version: "{value}" is not a valid version`}
	betaUnknown = rule{id: "beta.unknown", area: "headers", source: "messages-api.md 1.2", confidence: "medium",
		text: "Unexpected value(s) {values} for the `anthropic-beta` header. Please consult our documentation at platform.claude.com/docs or try again without the header."}
)

func headerRules() []rule {
	return []rule{keyMissing, keyWrong, bearerWrong, versionMissing, versionWrong, betaUnknown}
}

// CheckHeaders runs the checks that come before the body: authentication, version, beta values, in this
// order (messages-api.md 1.5). keys, when not empty, are the only API keys taken; as a bearer token a key
// counts too. With both headers x-api-key decides.
func CheckHeaders(h Headers, keys []string) *Fault {
	hd := readHead(h)
	for _, f := range [...]*Fault{CheckKey(h, keys), checkVersion(hd), checkBetas(hd)} {
		if f != nil {
			return f
		}
	}
	return nil
}

// CheckKey is the first of them.
func CheckKey(h Headers, keys []string) *Fault {
	key := h.Get("x-api-key")
	token := Bearer(h)
	switch {
	case key != "":
		if len(keys) > 0 && !slices.Contains(keys, key) {
			return keyWrong.fault()
		}
	case token == "":
		return keyMissing.fault()
	case len(keys) > 0 && !slices.Contains(keys, token):
		return bearerWrong.fault()
	}
	return nil
}

// Bearer is the token of an authorization header, "" when it holds none. The name of a scheme has no case (RFC 9110, 11.1).
func Bearer(h Headers) string {
	scheme, token, _ := strings.Cut(strings.TrimSpace(h.Get("authorization")), " ")
	if !strings.EqualFold(scheme, "bearer") {
		return ""
	}
	return strings.TrimSpace(token)
}

// CheckVersion is the rest of them.
func CheckVersion(h Headers) *Fault {
	hd := readHead(h)
	if f := checkVersion(hd); f != nil {
		return f
	}
	return checkBetas(hd)
}

func checkVersion(h head) *Fault {
	switch h.version {
	case "2023-01-01", "2023-06-01", newVersion:
		return nil
	case "":
		return versionMissing.fault()
	}
	return versionWrong.fault("value", h.version)
}

func checkBetas(h head) *Fault {
	var unknown []string
	for _, b := range h.betas {
		if !slices.Contains(knownBetas, b) && !strings.HasPrefix(b, "user-profiles-") {
			unknown = append(unknown, "`"+b+"`")
		}
	}
	if len(unknown) > 0 {
		return betaUnknown.fault("values", strings.Join(unknown, ", "))
	}
	return nil
}

// knownBetas are the values of anthropic-beta that pass: those of messages-api.md 1.2, retired ones included, those
// that recorded requests and captured clients sent with success, and the constants of the official SDK, also the ones
// of other endpoints. user-profiles-* pass besides, whatever their date.
var knownBetas = []string{
	"admin-user-sign-out-2026-10-08",
	"advanced-tool-use-2025-11-20",
	"advisor-tool-2026-03-01",
	"agent-memory-2026-07-22",
	"analytics-usage-cost-2026-08-24",
	"cache-diagnosis-2026-04-07",
	"ce-claude-code-managed-settings-2026-10-06",
	"ce-plugins-2026-09-01",
	"ce-user-management-2026-07-13",
	"claude-code-20250219",
	"code-execution-2025-05-22",
	"code-execution-2025-08-25",
	"compact-2026-01-12",
	"compact-2026-09-04",
	"computer-use-2024-10-22",
	"computer-use-2025-01-24",
	"computer-use-2025-11-24",
	"context-1m-2025-08-07",
	"context-management-2025-06-27",
	"dev-full-thinking-2025-05-14",
	"dreaming-2026-04-21",
	"effort-2025-11-24",
	"efs-2026-10-01",
	"experimental-claude-tag-2026-10-21",
	"extended-cache-ttl-2025-04-11",
	"fallback-credit-2026-06-01",
	"fallback-credit-2026-07-01",
	"fast-mode-2026-02-01",
	"files-api-2025-04-14",
	"fine-grained-tool-streaming-2025-05-14",
	"google-managed-data-controls-2026-09-01",
	"inline-tools-2026-09-15",
	"interleaved-thinking-2025-05-14",
	"managed-agents-2026-04-01",
	"max-tokens-3-5-sonnet-2024-07-15",
	"mcp-client-2025-04-04",
	"mcp-client-2025-11-20",
	"mcp-client-2026-09-15",
	"mcp-tunnels-2026-06-22",
	"message-batches-2024-09-24",
	"message-threads-2026-08-12",
	"mid-conversation-output-config-2026-07-01",
	"mid-conversation-system-2026-04-07",
	"mid-conversation-system-clear-at-2026-08-21",
	"mid-conversation-tool-changes-2026-07-01",
	"model-context-window-exceeded-2025-08-26",
	"oauth-2025-04-20",
	"output-128k-2025-02-19",
	"output-300k-2026-03-24",
	"pdfs-2024-09-25",
	"prompt-caching-2024-07-31",
	"prompt-caching-scope-2026-01-05",
	"redact-thinking-2026-02-12",
	"server-side-fallback-2026-06-01",
	"server-side-fallback-2026-07-01",
	"skills-2025-10-02",
	"spend-limit-reads-2026-09-26",
	"structured-outputs-2025-11-13",
	"task-budgets-2026-03-13",
	"telemetry-destinations-2026-08-11",
	"thinking-binding-controls-2026-08-01",
	"thinking-display-updates-2026-08-18",
	"thinking-token-count-2026-05-13",
	"token-counting-2024-11-01",
	"token-efficient-tools-2025-02-19",
	"tool-search-tool-2025-10-19",
	"tools-2024-04-04",
	"tools-2024-05-16",
	"user-profiles-billing-2026-10-01",
	"web-fetch-2025-09-10",
	"web-search-2025-03-05",
	"webhooks-2026-10-07",
}

// KnownBetas are the values of anthropic-beta that pass, sorted.
func KnownBetas() []string { return slices.Sorted(slices.Values(knownBetas)) }
