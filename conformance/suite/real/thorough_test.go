//go:build processes

package real_test

// thorough has a session's file cut at each byte, and processes killed on every model of the matrix. Without it the cuts
// are made around the ends of lines and at every few bytes between, and one model is enough.
const thorough = true
