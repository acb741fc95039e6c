package wire

// Usage is the token count of an answer; see messages-api.md 3. Raw is the object as it came
// (streams: message_start overlaid with the fields of message_delta).
type Usage struct {
	Input, CacheCreation, CacheRead, Output int
	Creation5m, Creation1h                  int
	Raw                                     []byte
}

// Total is input + creation + read: the size of the prompt.
func (u Usage) Total() int { return u.Input + u.CacheCreation + u.CacheRead }

// Answer is a message that came from a server, whichever way it was delivered. Blocks hold each
// content block as raw JSON in which nothing was re-encoded: a streamed block is its start skeleton
// with the concatenated bytes of its deltas put in.
type Answer struct {
	ID, Model, Role string
	Blocks          []Value // completed blocks, in index order; each parsed from its own bytes
	StopReason      string  // "" for null or not yet seen
	StopSequence    string
	Usage           Usage
	Complete        bool // message_stop seen, or a whole JSON message
}

// ParseAnswer reads a non-streamed message body.
func ParseAnswer(body []byte) (*Answer, error) { panic("unbuilt") }

// Assembler builds an Answer from events. It follows the grammar of messages-api.md 4: an event
// that breaks it is an error that says which event and why; unknown event and delta types are skipped.
type Assembler struct {
	answer Answer
}

// Event takes one event. An "error" event of the stream is returned as *StreamError.
func (a *Assembler) Event(e Event) error { panic("unbuilt") }

// Answer is what is assembled so far: completed blocks only.
func (a *Assembler) Answer() *Answer { return &a.answer }

// Open is the type of the block that is being streamed, "" between blocks.
func (a *Assembler) Open() string { panic("unbuilt") }

// StreamError is the error event of a stream (messages-api.md 1.6).
type StreamError struct{ Type, Message string }

func (e *StreamError) Error() string { return "stream error: " + e.Type + ": " + e.Message }

// APIError reads an error body: ok is false when it is not one (a gateway page).
func APIError(body []byte) (typ, message string, ok bool) { panic("unbuilt") }
