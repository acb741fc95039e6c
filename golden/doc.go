// Package golden turns the event stream of a run into readable text, one fact a line, and compares it
// with the text that was agreed on (simulation.md 3.14; D28, D32, D33).
//
// The text holds nothing that differs between two right runs: no id, hash, host, date or real time.
// Names are local to the step: 4u is the prompt entry of step 4, 4a1 its first answer, 4r1 its first
// tool result, 4v1 its first volatile attachment, 4i its interrupt marker, 4.1 its first call, run#1 its
// first tool call; so a call more in step 1 renames nothing in step 4.
//
// It renders what the trace holds and computes no verdict (law 4): the counts of a prefix come from
// the server's view, the checks from the caller. It imports neither harness nor server.
package golden
