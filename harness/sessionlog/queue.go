package sessionlog

// Operations on the queue of text typed ahead (harness.md 2.9).
const (
	Enqueue = "enqueue"
	Dequeue = "dequeue"
	PopAll  = "popAll"
)

// QueueOperation is the record of a change of the queue (H-LOG-70: these records add up); content is the text that
// came or went, "" when all of it went. at is the timestamp of the record.
func QueueOperation(session, operation, content, at string) []byte {
	l := line{}
	l.str("type", "queue-operation")
	l.str("operation", operation)
	if content != "" {
		l.str("content", content)
	}
	l.str("timestamp", at)
	l.str("sessionId", session)
	return append(l.buf, "}\n"...)
}
