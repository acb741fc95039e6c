// Package script is what the fake model says: turns, rules in lanes, a default, an autopilot.
//
// A turn is the prompt it answers and the answers in order. Which answer a request gets follows from the request
// alone: the newest prompt in it names the turn, the number of assistant messages behind it names the answer,
// so a retry gets the same answer and a second run of the story starts afresh. Only turns with equal
// prompts need memory: they are taken in order, anew when a conversation begins again.
//
// Rules look at the model, what the user wrote, the system prompt, the tools, a tool's result, and where in its turn
// or lane a request stands. They count what they have given, over all conversations of a server; Undo takes back an
// answer that a fault kept from its client. The autopilot remembers nothing: what it says follows from its seed and the
// conversation.
//
// Scripts name tools as one harness does; an answer goes out with the names and the parameters of the harness that asks.
package script
