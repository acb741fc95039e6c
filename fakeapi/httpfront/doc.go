// Package httpfront serves the machine of package fakeapi over HTTP. It adds what belongs to the wire alone:
// the clock, the padding of event lines, and control endpoints under /_bench/ for the clock, a fresh start and
// the server's view of a request.
//
// Answers leave unpaced, in one write; their times are virtual, and what they write to the cache can be read as
// soon as they are sent. Requests are taken one after another.
package httpfront
