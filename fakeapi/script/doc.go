// Package script is what the fake model says. A script is a list of turns; a turn is the prompt it
// answers and the answers in order. Which answer a request gets follows from the request alone: the
// newest prompt in it names the turn, the number of assistant messages behind it names the answer,
// so a retry gets the same answer and a second run of the story starts afresh. Only turns with equal
// prompts need memory: they are taken in order, anew when a conversation begins again.
package script
