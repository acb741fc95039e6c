// Package contextedit is what the server does to a conversation before its model sees it: clearing of tool
// uses and of thinking, and both forms of compaction (messages-api.md 8).
//
// The client's array is never changed: every edit is worked out anew for each request and gives another request
// in which each message and block that is left keeps its place, so that paths in answers and errors still name
// what was sent. Signatures of summaries are self-contained, as those of thinking are.
package contextedit
