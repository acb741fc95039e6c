// Package recorded holds no code but the suite that plays recorded exchanges with the real API against the server
// (tests with the tag outside): what was accepted is accepted, what was refused is refused in the same words, and
// answers with the recorded content have the recorded form, events and use of the cache.
package recorded
