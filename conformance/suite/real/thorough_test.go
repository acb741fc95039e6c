//go:build sweep

package real_test

// thorough has a session's file cut at each byte, and processes killed on both sides of each write on every model of the
// matrix. Without it the cuts are made around the ends of lines and at every few bytes between, and the kills on one model,
// before one write and after the next.
const thorough = true
