// Package fakeapi is the Messages API as a state machine: request bytes in at a time, timed frames
// out, with the server's own view of what it did. It opens no socket and reads no clock; package
// httpfront puts it behind net/http.
//
// Its exported types are plain (D21). It never imports the harness (law 1).
package fakeapi
