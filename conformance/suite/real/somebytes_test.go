//go:build !processes

package real_test

const everyByte = false
