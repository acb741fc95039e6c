// Package fault breaks answers on purpose: refusals, lost connections, broken, slow, odd and illegal streams, and
// answers whose fate the client cannot know (invariants.md 4, simulation.md 3.6).
//
// A Fault says on which call it strikes, at what place of the answer, and what it does there. It is a
// transformation of a whole answer (status, headers, timed frames, how the connection ends), so that the simulated
// transport and the HTTP front play the same thing. Everything follows from the plan, the seed and the order of the
// calls; nothing here reads a clock.
package fault
