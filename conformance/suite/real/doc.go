// Package real is the engine that plays stories in the real world: the harness on goroutines, its files
// in a directory, its requests over HTTP to whatever listens at a URL.
//
// Behind our own server it uses the control endpoints of httpfront: a reset before each run, the server's
// views, and its clock for waits. Behind any other server there is no view, and a wait is really waited.
package real
