// Package mutant is the table of planted faults: for each, which check must catch it, on which story it
// shows, and which other checks it trips by necessity (D14). Faults are planted by wrapping the ports
// between harness and recorder, so no product code has a switch for them.
package mutant
