//go:build processes

package real_test

// everyByte has the cuts of a session's file made at each byte; without it they are made around the ends of lines and at
// every few bytes between.
const everyByte = true
