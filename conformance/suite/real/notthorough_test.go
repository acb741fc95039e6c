//go:build !sweep

package real_test

const thorough = false
