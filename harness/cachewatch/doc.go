// Package cachewatch says why a prompt cache was read less than the call before: which of the things that a cached prefix
// hangs on changed, where the requests first differ, how many tokens that lost and what they cost (harness.md 12.2). It
// looks at requests and usage alone, keeps the newest request of each source, and takes requests apart only once
// something was lost. It must not know of the session, its log or the server: who edits the history on purpose says so
// with Expect.
package cachewatch
