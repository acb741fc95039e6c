package headless

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"harnessbench/internal/wire"
)

// Message is one user message of a stream-json input.
type Message struct {
	Text string
	// Held waits for the next message that is not, and goes with it (shouldQuery false, H-LOOP-63).
	Held bool
}

// ParseMessage reads a line of stream-json input (H-LOOP-63): an object of type user whose message has the role user and,
// as content, a string or text blocks, which are joined by line feeds. The error says what was wrong and what would be
// right.
func ParseMessage(line []byte) (Message, error) {
	v, err := wire.ParseValue(line)
	switch {
	case err != nil:
		return Message{}, fmt.Errorf("it is no JSON: %w", err)
	case v.Kind() != '{':
		return Message{}, fmt.Errorf("it is %s, want an object", v.Kind())
	case v.Get("type").Text() != "user":
		return Message{}, fmt.Errorf("its type is %q, want user", v.Get("type").Text())
	case v.Get("message").Kind() != '{':
		return Message{}, errors.New(`it has no message, an object such as {"role":"user","content":"hello"}`)
	}
	m := v.Get("message")
	if role := m.Get("role"); role.Exists() && role.Text() != "user" {
		return Message{}, fmt.Errorf("message.role is %q, want user", role.Text())
	}
	text, err := textOf(m.Get("content"))
	if err != nil {
		return Message{}, err
	}
	if strings.TrimSpace(text) == "" {
		return Message{}, errors.New("message.content is empty")
	}
	query, given := v.Get("shouldQuery").Bool()
	return Message{Text: text, Held: given && !query}, nil
}

func textOf(content wire.Value) (string, error) {
	switch content.Kind() {
	case '"':
		return content.Text(), nil
	case '[':
	default:
		return "", errors.New("message.content is neither a string nor an array of text blocks")
	}
	var texts []string
	for i, b := range content.Elems() {
		if b.Get("type").Text() != "text" || b.Get("text").Kind() != '"' {
			return "", fmt.Errorf("message.content.%d is no text block; only those are taken", i)
		}
		texts = append(texts, b.Get("text").Text())
	}
	return strings.Join(texts, "\n"), nil
}

// messages reads an input line by line and hands on each message; blank lines are nothing. It stops at the first error,
// which names the line.
func messages(in io.Reader, each func(Message) error) error {
	r := bufio.NewReader(in)
	for n := 1; ; n++ {
		line, readErr := r.ReadBytes('\n')
		if len(bytes.TrimSpace(line)) > 0 {
			m, err := ParseMessage(bytes.TrimSpace(line))
			if err != nil {
				return fmt.Errorf("input line %d: %w", n, err)
			}
			if err := each(m); err != nil {
				return err
			}
		}
		switch {
		case errors.Is(readErr, io.EOF):
			return nil
		case readErr != nil:
			return fmt.Errorf("input line %d: %w", n, readErr)
		}
	}
}
