package model

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestModelsOfOtherVendors(t *testing.T) {
	for name, want := range map[string]bool{
		"glm-4.6": true, "zai/glm-4.6": true, "openrouter/deepseek/DeepSeek-V3.2": true, "gpt-5.2": true, "o3-mini": true, "kimi-k2": true,
		"": false, "m": false, "claude-sonnet-5-5": false, "anthropic/claude-sonnet-5": false, "us.anthropic.claude-opus-4-6-v1:0": false,
		"<synthetic>": false, "opus": false, "our-coder": false,
	} {
		assert.Equal(t, want, Foreign(name), name)
	}
	for _, m := range All() {
		assert.False(t, Foreign(m.ID), m.ID)
	}
}
