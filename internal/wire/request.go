package wire

// Request is one Messages API request body, parsed over its own bytes.
type Request struct {
	Body []byte
	Root Value // always an object

	messages []Message
	shared   int
}

// Parse parses a body. prev, which may be nil, is an earlier body of the same conversation:
// equal system, tools, messages, blocks are not parsed again (D31). The result equals a cold parse.
// Errors: *SyntaxError; *NotObjectError-like message for a root that is no object.
func Parse(prev *Request, body []byte) (*Request, error) { panic("unbuilt") }

func (r *Request) Get(name string) Value { return r.Root.Get(name) }
func (r *Request) Model() string         { return r.Get("model").Text() }

// Stream tells whether the request asks for SSE.
func (r *Request) Stream() bool { panic("unbuilt") }

// Messages are the elements of messages that are objects, in order, with their index.
func (r *Request) Messages() []Message { return r.messages }

// SharedMessages is the number of leading messages whose bytes are those of the previous
// request given to Parse: whoever kept results for them may go on from there.
func (r *Request) SharedMessages() int { return r.shared }

// Message is one element of messages.
type Message struct {
	Value
	Index int
}

func (m Message) Role() string { return m.Get("role").Text() }

// Blocks are the content blocks; string content is one text block whose Value is the string itself.
func (m Message) Blocks() []Block { panic("unbuilt") }

// Block is one content block. For string content Bare is true and Value is the JSON string.
type Block struct {
	Value
	Bare    bool
	Message int // index of its message
	Index   int // index in content; 0 when Bare
}

// Type is the block's type, "text" when Bare.
func (b Block) Type() string { panic("unbuilt") }

// TextValue is the JSON string of a text block (the value itself when Bare).
func (b Block) TextValue() Value { panic("unbuilt") }
