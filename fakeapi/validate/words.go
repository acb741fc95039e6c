package validate

import (
	"slices"
	"strconv"
	"unicode/utf8"

	"harnessbench/internal/wire"
)

// str is a string, with bounds and pattern when set; length speaks before the pattern (messages-api.md 2.7).
type str struct {
	nonEmpty bool
	max      int
	pattern  string
	match    func(string) bool
}

func (s str) fine(v wire.Value) bool {
	return v.Kind() == '"' && !s.nonEmpty && s.max == 0 && s.match == nil
}

func (s str) judge(w *walk, o owner, v wire.Value) *Fault {
	if v.Kind() != '"' {
		return w.refuse(o, notString)
	}
	if !s.nonEmpty && s.max == 0 && s.match == nil {
		return nil
	}
	text := v.Text()
	switch {
	case s.nonEmpty && text == "":
		return w.refuse(o, tooShort)
	case s.max > 0 && utf8.RuneCountInString(text) > s.max:
		return w.refuse(o, tooLong, "max", strconv.Itoa(s.max))
	case s.match != nil && !s.match(text):
		return w.refuse(o, noMatch, "pattern", s.pattern)
	}
	return nil
}

func (s str) rules(o owner) []rule {
	all := []rule{notString.of(o)}
	if s.nonEmpty {
		all = append(all, tooShort.of(o))
	}
	if s.max > 0 {
		all = append(all, tooLong.of(o))
	}
	if s.match != nil {
		all = append(all, noMatch.of(o))
	}
	return all
}

// enum is one of a few words. more, when set, adds words that a header opens.
type enum struct {
	words []string
	more  func(head) []string
}

// word is an enum of fixed words.
func word(words ...string) enum { return enum{words: words} }

func (e enum) judge(w *walk, o owner, v wire.Value) *Fault {
	words := e.words
	if e.more != nil {
		words = append(slices.Clip(words), e.more(w.head)...)
	}
	if v.Kind() != '"' || !slices.Contains(words, v.Text()) {
		return w.refuse(o, notEnum, "choices", choices(words))
	}
	return nil
}

func (e enum) rules(o owner) []rule { return []rule{notEnum.of(o)} }
