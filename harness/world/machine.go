package world

import "time"

// Machine is one computer on which processes run, one after the other: its disk and its clock outlive them.
type Machine interface {
	// Run starts a process whose first fiber is f and returns when all its fibers have ended, or were
	// unwound after Kill.
	Run(f func(World)) Outcome
	// Kill ends the running process as kill -9 does: the next port call of each fiber unwinds it. It
	// may be called from inside a decorator, within a port call.
	Kill()
	Now() time.Time
}

// Outcome says how a process ended.
type Outcome struct {
	Killed bool
	// Panic is a real panic of a fiber with its stack, "" for none. It is a fault of the harness.
	Panic string
	// Left names the fibers that had not ended when the first fiber did; waiting for them is not
	// forgiven (D15). They are unwound as by a kill. Sorted.
	Left []string
	// Stuck is set when every fiber waits and nothing can wake one (deadlock), or when a run goes past
	// the simulated world's limits (livelock): the reason, then each fiber and what it waits for. The
	// fibers are unwound as by a kill.
	Stuck []string
}
