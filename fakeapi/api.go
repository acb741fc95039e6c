package fakeapi

import "time"

// Request is one HTTP request as the server got it.
type Request struct {
	Method, Path string // Path with query, as on the request line
	Header       []Field
	Body         []byte
	// AtOnce: the frames are sent as soon as they are made, whatever their times say, so that what the request
	// writes to the cache can be read from now on and not from the first frame's time.
	AtOnce bool
	// Speed divides the times of the frames as they are sent, what the request leaves behind included; 0 stands
	// for 1.
	Speed float64
	// Base is how the client reached the server, such as "http://127.0.0.1:8402", for addresses in answers; "" stands
	// for the real API's.
	Base string
}

// Field is a header field, name in lower case.
type Field struct{ Name, Value string }

// Frame is a piece of the response body and when it leaves, counted from the start of the request. A streamed
// answer has one event a frame, any other answer one frame.
type Frame struct {
	After time.Duration
	Data  []byte
}

// Response is the whole answer. Status and headers leave with the first frame.
type Response struct {
	Status int
	Header []Field
	Frames []Frame
	View   View

	thread threaded
	// Broken is how the connection ends, "" for a clean end: refused, unreachable, timeout or reset. With a Status it
	// breaks behind the last frame; Status 0 is a connection on which no answer comes at all, at the time of the
	// one frame, which is empty. Faults on demand do this.
	Broken string
	// Pauses are the waits that a fault put in.
	Pauses []Pause
}

// Body is the response body in one piece.
func (r Response) Body() []byte {
	var b []byte
	for _, f := range r.Frames {
		b = append(b, f.Data...)
	}
	return b
}

// View is what the server saw in one request (D28). Golden and explain print it and count nothing.
type View struct {
	RequestID string `json:"request_id"`
	Model     string `json:"model,omitempty"`
	// Rule is the id of the rule that refused the request, "" when it was accepted.
	Rule string `json:"rule,omitempty"`
	// Effective is the body that was judged, where it differs from the one that was sent: the whole conversation of
	// a thread's continue (D10). Its breakpoints are those that counted.
	Effective string `json:"effective,omitempty"`
	// Edits are the server's own edits of the conversation that did something, Compaction what writing a summary
	// cost (messages-api.md 8); Effective is then the conversation that they left.
	Edits      []Edit `json:"edits,omitempty"`
	Compaction *Usage `json:"compaction,omitempty"`
	// Faults are the faults on demand that met the request, in order.
	Faults []Struck `json:"faults,omitempty"`
	// NotJudged lists JSON paths of fields and blocks whose rules are not built; they passed through.
	NotJudged []string `json:"not_judged,omitempty"`

	Total       int          `json:"total,omitempty"`     // tokens of the whole prompt
	Positions   int          `json:"positions,omitempty"` // of the rendered prompt
	Breakpoints []Breakpoint `json:"breakpoints,omitempty"`
	// Base is the longest prefix that an earlier request has marked, live or not; nil when there is none.
	Base *Entry `json:"base,omitempty"`
	// Parts are the pieces of the prompt behind Base, in render order: system (with tools) and each message.
	Parts []Part `json:"parts,omitempty"`
	// Read is the entry that was read, nil when nothing was.
	Read *Entry `json:"read,omitempty"`
	// Cold says why nothing, or less than Base, was read: "first", "expired", "not yet available",
	// "below minimum", "no breakpoint", "outside the lookback window", "ttl differs"; "" when Base was read in full.
	Cold  string `json:"cold,omitempty"`
	Usage Usage  `json:"usage"`
	// ServedBy is the fallback model that the answer came from, "" when it was the one asked.
	ServedBy string `json:"served_by,omitempty"`
	// Dropped are thinking blocks left out of the prompt by a binding check.
	Dropped []Dropped `json:"dropped,omitempty"`
}

// Edit is one edit of context_management: what it cleared, tool uses or thinking turns, and the tokens that saved.
type Edit struct {
	Type   string `json:"type"`
	Count  int    `json:"count"`
	Tokens int    `json:"tokens"`
}

// Breakpoint is a cache_control mark as the server counted it.
type Breakpoint struct {
	Path     string `json:"path"`
	TTL      string `json:"ttl"`
	Tokens   int    `json:"tokens"` // of the prefix up to it
	Eligible bool   `json:"eligible"`
	Written  bool   `json:"written,omitempty"`
}

// Entry is a stored prefix: the request that wrote it, where it ends in the request at hand, its size.
type Entry struct {
	RequestID string `json:"request_id"`
	Path      string `json:"path"`
	Tokens    int    `json:"tokens"`
	AgeMS     int64  `json:"age_ms"` // since its last use
}

// Part is a piece of the prompt: "system" or "messages.N", and the tokens it adds.
type Part struct {
	Path   string `json:"path"`
	Tokens int    `json:"tokens"`
}

// Dropped is one thinking block that did not enter the prompt, and why (messages-api.md 6.6).
type Dropped struct {
	Path   string `json:"path"`
	Reason string `json:"reason"`
}

// Usage is the answer's token count (messages-api.md 3).
type Usage struct {
	Input   int `json:"input"`
	Read    int `json:"read"`
	Write5m int `json:"write_5m"`
	Write1h int `json:"write_1h"`
	Output  int `json:"output"`
}
