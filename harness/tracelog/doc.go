// Package tracelog records the calls of a process as files (harness.md 11.3): a decorator of its world
// writes one complete and one readable file, a call at a time, and a server for the simulated world answers
// from such a file. It judges nothing and knows nothing of what the calls are for.
package tracelog
