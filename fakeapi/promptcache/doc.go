// Package promptcache holds the stored prefixes: what a request finds, what it writes, how long it stays
// (messages-api.md 5). It places no breakpoints and counts no tokens; package prefix does both.
//
// An entry is a prefix, by its cache chain, under one TTL. It can be read from the first byte of the answer
// that wrote it, for exactly its TTL from the start of the request that last used it. Times come from the
// caller; the package reads no clock.
//
// What one more turn costs does not grow with the conversation: a path goes on from the path before it, and the
// entries that each hit restarts share their span (see group).
package promptcache
