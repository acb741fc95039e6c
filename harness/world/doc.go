// Package world is everything outside the harness, as blocking ports: clock, ids, disk, transport,
// tools, and the only concurrency words there are (Go, Wait, Sleep, Interrupt).
//
// A fiber gets its world by handle and makes every port call through its own handle, so that an
// interrupt finds the right task in both worlds without select (D15, D26). There are two worlds:
// sim (fibers on virtual time, one thread) and real (goroutines behind one lock, files, HTTP). One
// contract test runs against both. Decorators (recorders, planted faults) embed a World and override
// Go so that child fibers are wrapped too.
//
// The ports know nothing of the Messages API beyond "a request goes out, chunks come back".
package world
