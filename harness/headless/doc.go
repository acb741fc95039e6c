// Package headless runs a session for a program instead of a person: prompts come from a stream, and what happens goes out
// as plain text, as one JSON object, or as one object a line (harness.md 4.8).
//
// It listens to a session and drives it by its exported methods. It knows no port but that of the session's world, and
// decides nothing about the conversation.
package headless
