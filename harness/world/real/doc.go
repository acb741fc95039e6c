// Package real is the real world: fibers are goroutines, the disk is a directory, the transport is
// HTTP, tools run under a context.
//
// One lock per process stands for the simulated world's single thread: harness code, decorators
// included, runs only while its fiber holds it, and a port call that waits lets go of it meanwhile.
// So sessions and decorators need no locks of their own (D15). Disk calls give others a turn first
// and then work under the lock, in one piece with what a decorator does right after them.
//
// Durability: Append hands the bytes to the operating system in one write and does not sync, so they
// survive the death of the process and not a power cut. Replace syncs the new file before the rename
// and the directory after it.
//
// Commands run under bash in process groups of their own (Bash). What is in the background when the process ends is
// ended with it.
//
// A kill is a flag: calls that wait are cancelled, and each fiber is unwound at its port call. When
// Run returns, no goroutine of the process is left.
package real
