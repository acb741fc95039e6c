//go:build !processes

package real_test

const thorough = false
