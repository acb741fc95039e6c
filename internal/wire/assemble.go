package wire

import "fmt"

// Assembler builds an Answer from events. It follows the grammar of messages-api.md 4: an event
// that breaks it is an error that says which event and why; unknown event and delta types are skipped.
type Assembler struct {
	answer Answer
	events int // events taken so far
	phase  phase
	open   *block
	next   int // index the next block must have
}

type phase uint8

const (
	beforeStart phase = iota
	inContent
	inWhole // message_start held the whole message
	inTail  // a message_delta was seen
	stopped
	failed // an error event was seen
)

var phaseNames = [...]string{"before message_start", "between message_start and message_delta",
	"after a message_start with a stop reason", "after message_delta", "after message_stop", "after the error event"}

// GrammarError says which event of a stream breaks the grammar of messages-api.md 4.
type GrammarError struct {
	Event int    // number of the event in its stream, from 0
	Name  string // its type
	Msg   string
}

func (e *GrammarError) Error() string {
	return fmt.Sprintf("stream event %d (%s): %s", e.Event, e.Name, e.Msg)
}

// InputError says that the tool input of a block is no JSON when the block stops, as happens when
// max_tokens cuts it. The block is left out of the answer; the stream may go on.
type InputError struct {
	Event    int    // number of the content_block_stop event in its stream, from 0
	Index    int    // index of the block
	ID, Name string // of the tool call
	Input    []byte // what the deltas make together
	Err      *SyntaxError
}

func (e *InputError) Error() string {
	return fmt.Sprintf("stream event %d (content_block_stop): block %d, tool call %s of %s: the input is %v", e.Event, e.Index, e.ID, e.Name, e.Err)
}

// Event takes one event. Errors: *GrammarError, after which the event counts as not seen; *InputError;
// *StreamError for an "error" event of the stream.
func (a *Assembler) Event(e Event) error {
	number := a.events
	a.events++
	bad := func(format string, args ...any) error {
		return &GrammarError{number, e.Name, fmt.Sprintf(format, args...)}
	}
	v, err := ParseValue(e.Data)
	if e.Name == "" {
		e.Name = v.Get("type").Text()
	}
	takes, known := grammar[e.Name]
	if !known && e.Name != "" {
		return nil
	}
	if err != nil {
		return bad("data is %v", err)
	}
	if typ := v.Get("type"); typ.Text() != e.Name || e.Name == "" {
		return bad("data must have the type of its event, not %s", shown(typ))
	}
	if takes.phases&(1<<a.phase) == 0 {
		return bad("may not come %s", phaseNames[a.phase])
	}
	if err := takes.do(a, v, number); err != nil {
		if _, text := err.(problem); text {
			return bad("%s", err.Error())
		}
		return err
	}
	return nil
}

// problem is the text of a GrammarError on its way to Event, which knows where it happened.
type problem string

func (p problem) Error() string { return string(p) }

func problemf(format string, args ...any) error { return problem(fmt.Sprintf(format, args...)) }

// grammar says in which phases each event may come and what it does.
var grammar = map[string]struct {
	phases uint
	do     func(a *Assembler, v Value, number int) error
}{
	"message_start":       {1 << beforeStart, (*Assembler).messageStart},
	"content_block_start": {1 << inContent, (*Assembler).blockStart},
	"content_block_delta": {1 << inContent, (*Assembler).blockDelta},
	"content_block_stop":  {1 << inContent, (*Assembler).blockStop},
	"message_delta":       {1<<inContent | 1<<inWhole | 1<<inTail, (*Assembler).messageDelta},
	"message_stop":        {1<<inWhole | 1<<inTail, (*Assembler).messageStop},
	"error":               {1<<beforeStart | 1<<inContent | 1<<inWhole | 1<<inTail, (*Assembler).streamError},
}

// messageStart begins the answer. When the model takes no new step, as between the tool calls of one code
// execution, the real API sends the whole message in this event, stop reason included, and message_stop
// right behind it (recorded 2025-12); content that stands here is taken as complete blocks.
func (a *Assembler) messageStart(v Value, _ int) error {
	m := v.Get("message")
	if m.Kind() != '{' {
		return problemf("message must be an object, not %s", m.Kind())
	}
	var blocks []Value
	for i, b := range m.Get("content").Elems() {
		if b.Kind() != '{' {
			return problemf("message.content.%d must be an object, not %s", i, b.Kind())
		}
		blocks = append(blocks, b.own())
	}
	a.answer.head(m)
	a.answer.Blocks, a.next = blocks, len(blocks)
	a.phase = inContent
	if a.answer.StopReason != "" {
		a.phase = inWhole
	}
	return nil
}

func (a *Assembler) blockStart(v Value, _ int) error {
	i, err := a.index(v)
	if err != nil {
		return err
	}
	if a.open != nil {
		return problemf("block %d starts while block %d is open", i, a.open.index)
	}
	if i != a.next {
		return problemf("block %d starts where block %d is due", i, a.next)
	}
	b, err := newBlock(i, v.Get("content_block"))
	if err != nil {
		return problemf("block %d: %v", i, err)
	}
	a.open = b
	a.next++
	return nil
}

func (a *Assembler) blockDelta(v Value, _ int) error {
	if err := a.opened(v); err != nil {
		return err
	}
	d := v.Get("delta")
	if d.Kind() != '{' {
		return problemf("block %d: delta must be an object, not %s", a.open.index, d.Kind())
	}
	if err := a.open.delta(d); err != nil {
		return problemf("block %d: %v", a.open.index, err)
	}
	return nil
}

func (a *Assembler) blockStop(v Value, number int) error {
	if err := a.opened(v); err != nil {
		return err
	}
	b := a.open
	a.open = nil
	done, err := b.finish()
	if err != nil {
		err.Event = number
		return err
	}
	a.answer.Blocks = append(a.answer.Blocks, done)
	return nil
}

func (a *Assembler) messageDelta(v Value, _ int) error {
	if a.open != nil {
		return problemf("comes while block %d is open", a.open.index)
	}
	if d := v.Get("delta"); d.Kind() == '{' {
		a.answer.stop(d)
	}
	if u := v.Get("usage"); u.Kind() == '{' {
		a.answer.Usage = a.answer.Usage.overlay(u)
	}
	a.answer.edited(v)
	a.phase = inTail
	return nil
}

func (a *Assembler) messageStop(Value, int) error {
	a.phase = stopped
	a.answer.Complete = true
	return nil
}

func (a *Assembler) streamError(v Value, _ int) error {
	typ, message, ok := errorOf(v)
	if !ok {
		return problemf("must hold an error object with a type")
	}
	a.phase = failed
	return &StreamError{typ, message}
}

func (a *Assembler) index(v Value) (int, error) {
	i, ok := v.Get("index").Int()
	if !ok || i < 0 {
		return 0, problemf("index must be an integer from 0, not %s", shown(v.Get("index")))
	}
	return int(i), nil
}

// opened checks that an event speaks of the block that is open.
func (a *Assembler) opened(v Value) error {
	i, err := a.index(v)
	switch {
	case err != nil:
		return err
	case a.open != nil && i == a.open.index:
		return nil
	case a.open != nil:
		return problemf("block %d is not open, block %d is", i, a.open.index)
	case i < a.next:
		return problemf("block %d has stopped", i)
	}
	return problemf("block %d was not started", i)
}

// Answer is what is assembled so far: completed blocks only.
func (a *Assembler) Answer() *Answer { return &a.answer }

// Open is the type of the block that is being streamed, "" between blocks.
func (a *Assembler) Open() string {
	if a.open == nil {
		return ""
	}
	return a.open.typ
}
