// Package run plays one scenario end to end: a world, the reference harness in it, a server behind it,
// and one ordered stream of events (D27) that is handed to whoever listens: the judge, the golden
// renderer, a trace file.
//
// It decides nothing about right or wrong beyond the story's own expectations; the judge does. It opens
// no file and no socket: an Engine brings the machine and the server.
package run
