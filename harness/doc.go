// Package harness is the reference agent: Session, turns, commands, as straight-line code over the
// ports of package world (D15). It owns no clock, no goroutine, no file handle.
//
// It never imports the fake server (law 1). What a request must look like it knows from harness.md;
// what came from a server it sends back as the bytes it came in.
package harness
