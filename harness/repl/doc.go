// Package repl lets a person talk to a session on plain lines: prompts, slash commands, and what happens as text.
//
// It drives a session by its exported methods and listens to it. It knows no terminal: lines come from an Input, text goes
// to a writer, and where a signal or an approval comes from is the business of whoever runs it. It decides nothing about
// the conversation.
package repl
