// Package rebuild turns the path of a session log into the bytes of the next request (harness.md 3).
//
// A Conversation is fed entries in order and keeps the messages they make as one buffer that only
// grows: what an answer has followed never changes again (H-REB-37, H-REB-60). A request is that buffer
// with the open last message behind it and markers spliced in, so its cost is one copy. Feeding a live
// session's entries and feeding the entries read back from its log give the same bytes (H-ARCH-11,
// H-ARCH-12).
package rebuild
