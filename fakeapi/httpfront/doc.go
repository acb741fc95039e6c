// Package httpfront serves the machine of package fakeapi over HTTP. It adds what belongs to the wire alone:
// the clock, the padding of event lines, and control endpoints under /_bench/ for the clock, a fresh start and
// the server's view of a request.
//
// Answers leave at once, in one write; their times are virtual, and what they write to the cache can be read as
// soon as they are sent. Options.Speed sends them at their own times instead, each frame in a write of its own, and
// tells the machine when a client hangs up in the middle. Requests are taken one after another; a Watcher is told of
// each and of what was sent.
package httpfront
