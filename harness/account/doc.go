// Package account adds up what a session used and says what fills its context (harness.md 11.1, 11.2).
//
// It reads usage objects and sizes in bytes. It knows no log file, no request and no port: the session hands it
// what it logged, and the times it measured.
package account
