// Package compact knows the layers that keep a conversation within its window: their numbers, and what they would do
// with the entries of a path (harness.md 10). It words and reads summaries: the request, the summary in the answer, the
// text that takes the history's place, the numbers of the boundary, what comes back behind it. It sends nothing and
// writes nothing, and knows no session.
package compact
