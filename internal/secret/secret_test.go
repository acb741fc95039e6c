package secret_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"harnessbench/internal/secret"
)

func TestKeysAreHiddenAndLimitsAreNot(t *testing.T) {
	for _, c := range []struct{ name, value, want string }{
		{"x-api-key", "sk-1", "[redacted]"},
		{"X-Api-Key", "sk-1", "[redacted]"},
		{"Authorization", "Bearer abc", "Bearer [redacted]"},
		{"authorization", "abc", "[redacted]"},
		{"Set-Cookie", "a=b", "[redacted]"},
		{"x-session-token", "t", "[redacted]"},
		{"anthropic-ratelimit-tokens-remaining", "12", "12"},
		{"request-id", "req_1", "req_1"},
	} {
		require.Equal(t, c.want, secret.Shown(c.name, c.value), c.name)
		require.Equal(t, c.want != c.value, secret.Is(c.name), c.name)
	}
}
