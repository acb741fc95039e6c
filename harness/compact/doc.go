// Package compact words and reads a compaction: the request for a summary, the summary in the answer, the text that
// takes the history's place, the numbers of its boundary (harness.md 9.3, 10.7). It sends nothing and writes nothing.
package compact
