// Package wire is the Messages API on the wire: request, answer and server-sent-event forms, kept
// byte for byte in both directions.
//
// A document is parsed once into views over its own bytes; reading a field never loses the span it
// stands in, an edit touches only its own span, and what came from a server goes back as the bytes
// it came in. wire knows JSON and SSE; it knows no rule of validity, no model and no price.
package wire
