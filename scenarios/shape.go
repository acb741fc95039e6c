package scenarios

import (
	"fmt"
	"regexp"
	"strings"
)

// A shape says what may stand at one place of a story. The loader checks files against it and
// Schema prints it as JSON Schema, so that editor and loader cannot disagree.
type shape struct {
	kind kind
	doc  string // for people: shown by editors

	keys  []key          // record: the keys it knows, in the order they are listed in messages
	oneOf []string       // record: exactly one of these keys is there
	unit  string         // record: what it is one of, a step by default; for messages
	anyOf []string       // record: at least one of these keys is there
	of    *shape         // list: its elements; table: its values
	named []key          // table: when set, the only names it knows, with their values; of is unused
	name  *regexp.Regexp // table: the form of its names
	entry string         // list: what one element is called; "an entry" by default
	alone bool           // list: one element may stand there without the brackets

	least, most int // number: its bounds, when most is not 0

	noun    string         // text: what its words are called; the key by default
	choices []string       // text: the words it may be
	orMap   *shape         // text, yes: a record that may stand in its place
	blank   bool           // text: it may be empty
	pattern *regexp.Regexp // text: its form
	form    string         // the form in words, with an example
}

type key struct {
	name     string
	shape    *shape
	required bool
	with     string // has a meaning only beside this key
}

type kind int

const (
	text     kind = iota // a string
	number               // a whole number from 0
	truth                // true or false
	yes                  // true alone: a step that happens
	call                 // STEP.N; YAML may take it for a number, the written characters count
	list                 // at least one element
	record               // a map whose keys are all known
	table                // a map by name
	object               // any map: it becomes a JSON object, keys in the order written
	anything             // it becomes a JSON value
	fraction             // a number above 0, at most 1
)

func (k kind) String() string {
	switch k {
	case text:
		return "text"
	case number:
		return "a whole number from 0"
	case truth:
		return "true or false"
	case yes:
		return "true; what does not happen is left out"
	case call:
		return "a call such as 1.2"
	case list:
		return "a list"
	case anything:
		return "a map, a list or a plain value"
	case fraction:
		return "a number above 0, at most 1"
	}
	return "a map"
}

func (s *shape) find(name string) *key {
	for i := range s.keys {
		if s.keys[i].name == name {
			return &s.keys[i]
		}
	}
	for i := range s.named {
		if s.named[i].name == name {
			return &s.named[i]
		}
	}
	return nil
}

func names(keys []key) []string {
	out := make([]string, len(keys))
	for i, k := range keys {
		out[i] = k.name
	}
	return out
}

// wanted says in words what a shape takes.
func (s *shape) wanted() string {
	switch {
	case s.kind == number && s.most > 0:
		return fmt.Sprintf("a whole number from %d to %d", s.least, s.most)
	case s.kind == yes && s.orMap != nil:
		return "true or " + s.orMap.wanted()
	case len(s.choices) == 1 && s.orMap != nil:
		return s.choices[0] + " or " + s.orMap.wanted()
	case len(s.choices) > 0:
		return "one of " + strings.Join(s.choices, ", ")
	case s.form != "":
		return s.form
	case s.kind == record:
		return "a map with the keys " + strings.Join(names(s.keys), ", ")
	case s.kind == table && len(s.named) > 0:
		return "a map with the keys " + strings.Join(names(s.named), ", ")
	case s.kind == list && s.alone:
		return s.of.wanted() + ", or a list of them"
	case s.kind == list:
		return "a list, each entry " + s.of.wanted()
	}
	return s.kind.String()
}
