package wire

import (
	"bytes"
	"sync"
)

// Request is one Messages API request body, parsed over its own bytes. It may be read by several goroutines.
type Request struct {
	Body []byte
	Root Value // always an object

	list     Value // the messages array, absent when there is none
	shared   int
	once     sync.Once
	messages []Message
}

// Parse parses a body. prev, which may be nil, is an earlier body of the same conversation:
// equal system, tools, messages, blocks are not parsed again (D31). The result equals a cold parse
// and keeps nothing of prev's bytes. Body must not change afterwards.
// Errors: *SyntaxError; *NotObjectError for a root that is no object.
func Parse(prev *Request, body []byte) (*Request, error) {
	var known Value
	if prev != nil {
		known = prev.Root
	}
	root, err := scan(body, known)
	if err != nil {
		return nil, err
	}
	if root.Kind() != '{' {
		return nil, &NotObjectError{root.Kind()}
	}
	r := &Request{Body: body, Root: root}
	if list := root.Get("messages"); list.Kind() == '[' {
		r.list = list
	}
	if prev != nil {
		r.shared = sharedElems(prev.list, r.list)
	}
	return r, nil
}

// sharedElems is the number of leading elements whose bytes are equal.
func sharedElems(a, b Value) int {
	n := min(a.Len(), b.Len())
	for i := 0; i < n; i++ {
		p, q := a.n.at(i), b.n.at(i)
		if p == q && i%pieceLen == 0 && i+pieceLen <= n && a.n.at(i+pieceLen-1) == b.n.at(i+pieceLen-1) {
			i += pieceLen - 1 // a piece they share
			continue
		}
		if p.n != nil && p.n == q.n {
			continue
		}
		if !bytes.Equal(a.src[p.start:p.end], b.src[q.start:q.end]) {
			return i
		}
	}
	return n
}

// Get is a top-level member.
func (r *Request) Get(name string) Value { return r.Root.Get(name) }

// Model is the model as asked for, "" when it is missing or no string.
func (r *Request) Model() string { return r.Get("model").Text() }

// Stream tells whether the request asks for SSE.
func (r *Request) Stream() bool {
	on, _ := r.Get("stream").Bool()
	return on
}

// MessageCount is the number of elements of messages.
func (r *Request) MessageCount() int { return r.list.Len() }

// Message is element i of messages; absent beyond the end. It costs the same however long the
// conversation is, where Messages builds the whole list on its first call.
func (r *Request) Message(i int) Message { return Message{r.list.At(i), i} }

// Messages are the elements of messages in order, whatever their kind; Index is the index in the array.
func (r *Request) Messages() []Message {
	r.once.Do(func() {
		if n := r.list.Len(); n > 0 {
			r.messages = make([]Message, n)
			for i := range r.messages {
				r.messages[i] = r.Message(i)
			}
		}
	})
	return r.messages
}

// SharedMessages is the number of leading messages whose bytes are those of the previous
// request given to Parse: whoever kept results for them may go on from there.
func (r *Request) SharedMessages() int { return r.shared }

// Message is one element of messages.
type Message struct {
	Value
	Index int
}

// Role is the role as sent, "" when it is missing or no string.
func (m Message) Role() string { return m.Get("role").word() }

// Blocks are the content blocks; string content is one text block whose Value is the string itself.
// Elements that are no objects are blocks too, of Type "", so that a validator can name them. Content of
// another kind has no blocks.
func (m Message) Blocks() []Block {
	content := m.Get("content")
	if content.Kind() == '"' {
		return []Block{{Value: content, Bare: true, Message: m.Index}}
	}
	if content.Kind() != '[' || content.Len() == 0 {
		return nil
	}
	blocks := make([]Block, content.Len())
	for i, v := range content.Elems() {
		blocks[i] = Block{Value: v, Message: m.Index, Index: i}
	}
	return blocks
}

// Block is one content block. For string content Bare is true and Value is the JSON string.
type Block struct {
	Value
	Bare    bool
	Message int // index of its message
	Index   int // index in content; 0 when Bare
}

// Type is the block's type, "text" when Bare.
func (b Block) Type() string {
	if b.Bare {
		return "text"
	}
	return b.Get("type").word()
}

// TextValue is the JSON string of a text block (the value itself when Bare).
func (b Block) TextValue() Value {
	if b.Bare {
		return b.Value
	}
	return b.Get("text")
}

// word is Text without a copy for the words that stand in every message.
func (v Value) word() string {
	switch string(v.src) {
	case `"user"`:
		return "user"
	case `"assistant"`:
		return "assistant"
	case `"system"`:
		return "system"
	case `"text"`:
		return "text"
	case `"thinking"`:
		return "thinking"
	case `"tool_use"`:
		return "tool_use"
	case `"tool_result"`:
		return "tool_result"
	}
	return v.Text()
}
