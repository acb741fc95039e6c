// Package tap is the form of recorded calls that proxies and transports write beside a client: one JSON
// object a line with request and response, as in harness.md 11.3. It writes and reads the form; it knows
// neither who recorded nor who judges.
package tap
