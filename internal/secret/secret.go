// Package secret knows which header fields carry a key or a session, so that no log, trace or golden
// holds one. It knows nothing else of requests.
package secret

import (
	"slices"
	"strings"
)

// Of a name that is not among the names only the ending counts, so that
// anthropic-ratelimit-tokens-remaining stays readable.
var (
	names   = []string{"authorization", "proxy-authorization", "cookie", "set-cookie", "api-key"}
	endings = []string{"-api-key", "-token", "-secret"}
)

// Hidden is what stands for a secret.
const Hidden = "[redacted]"

// Is tells whether the field of this name, in any case, carries a secret.
func Is(name string) bool {
	name = strings.ToLower(name)
	return slices.Contains(names, name) ||
		slices.ContainsFunc(endings, func(end string) bool { return strings.HasSuffix(name, end) })
}

// Shown is the value of a field as it may be shown: a secret is hidden, of an authorization the scheme stays.
func Shown(name, value string) string {
	if !Is(name) {
		return value
	}
	if !strings.HasSuffix(strings.ToLower(name), "authorization") {
		return Hidden
	}
	if scheme, _, ok := strings.Cut(value, " "); ok {
		return scheme + " " + Hidden
	}
	return Hidden
}
