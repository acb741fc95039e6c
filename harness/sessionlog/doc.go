// Package sessionlog is the session file: an append-only tree of JSON lines, linked by parentUuid
// (harness.md 2). It encodes and parses lines, loads files with all their oddities, chooses the leaf
// and walks the path.
//
// Whatever a line holds of a server's answer stands there in the server's bytes, and parsing hands out
// the same bytes again (architecture.md 3).
package sessionlog
