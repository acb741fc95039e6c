// Package trace is the one event stream of a run (D27): operations, calls with their exact bytes, log
// writes, tools, faults, leaves, and the server's view. Golden, judge, explain and report are folds
// over it; a recorded trace is this stream as JSON Lines, version 1, one event a line, read and
// written event by event. It imports neither harness nor server, so it can hold anybody's traffic.
package trace
