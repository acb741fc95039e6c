// Package sim is the simulated world: one process at a time, its fibers on virtual time in one
// thread, the server, the tools and the shell as functions, the disk in memory. The same seed gives the same
// order of everything, under any GOMAXPROCS (D15; simulation.md 3.1, 3.2).
//
// A fiber is a coroutine (iter.Pull). Every port call that could let another fiber go first parks the
// fiber with its time and a tie-break; the scheduler takes the earliest, and among equal times the
// smallest tie-break, which is drawn from the seed, the fiber's name and the number of its calls, so
// that neither insertion order nor what other fibers did moves it. The operation takes effect when
// the fiber is taken, in one piece. Virtual time advances only when nothing is runnable now.
//
// Now and UUID do not park: nothing another fiber does can change what they give, except the order
// of ids, which is that of the calls.
package sim
