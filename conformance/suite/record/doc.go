// Package record turns HTTP traffic with a Messages API into the event stream: a handler that records what
// passes it, for servers in tests, for bench serve, for proxies. It sees only the wire, so its streams carry
// no operations and no log; the judge says unknown to what needs them.
//
// Which conversation a request belongs to is inferred: of those that begin with the same message and offer tools
// alike, it goes on with the one whose newest answer it carries (invariants.md 1).
package record
