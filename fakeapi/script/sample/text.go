package sample

import (
	"regexp/syntax"
	"strings"
	"unicode/utf8"

	"harnessbench/internal/wire"
)

// formats are values of string formats.
var formats = map[string][]string{
	"date":          {"2026-11-30", "2026-01-15"},
	"date-time":     {"2026-11-30T09:00:00Z", "2026-01-15T12:30:00Z"},
	"time":          {"09:00:00Z"},
	"duration":      {"PT5M"},
	"email":         {"dev@example.com"},
	"hostname":      {"example.com"},
	"ipv4":          {"192.0.2.1"},
	"ipv6":          {"2001:db8::1"},
	"uri":           {"https://example.com/docs", "https://example.com/"},
	"uri-reference": {"/docs"},
	"uuid":          {"6f9619ff-8b86-4d01-b42d-00cf4fc964ff"},
	"regex":         {"TODO"},
	"json-pointer":  {"/a"},
}

// words are values by what the name of a property holds, the first that fits. They only look, never change: a
// harness may act on them.
var words = []struct {
	name   string
	values []string
}{
	{"command", []string{"ls", "pwd", "git status", "ls -la", "cat README.md", "echo done"}},
	{"cmd", []string{"ls", "pwd", "git status"}},
	{"script", []string{"ls", "pwd"}},
	{"url", []string{"https://example.com/docs", "https://example.com/"}},
	{"glob", []string{"**/*.go", "*.md", "src/**/*.ts"}},
	{"regex", []string{"TODO", "func main", "import"}},
	{"pattern", []string{"TODO", "*.md", "main"}},
	{"dir", []string{".", "src", "docs"}},
	{"cwd", []string{"."}},
	{"path", []string{"README.md", "src/main.go", "docs/notes.md", "go.mod"}},
	{"file", []string{"README.md", "src/main.go", "docs/notes.md"}},
	{"query", []string{"where is the entry point", "failing test", "how to build"}},
	{"search", []string{"TODO", "entry point"}},
	{"description", []string{"Look at the project", "List the files", "Check the state"}},
	{"explanation", []string{"to see what is there"}},
	{"prompt", []string{"Summarise what you find", "Look for the entry point"}},
	{"content", []string{"A note.\n", "One line.\nAnother.\n"}},
	{"text", []string{"A note.", "One line."}},
	{"old", []string{"before"}},
	{"new", []string{"after"}},
	{"id", []string{"a1", "b2", "c3"}},
	{"name", []string{"notes", "main", "build"}},
	{"title", []string{"A look around", "Notes"}},
	{"message", []string{"All is well.", "Done so far."}},
	{"status", []string{"pending", "in_progress"}},
	{"language", []string{"go", "python"}},
}

var anyWords = []string{"alpha", "beta", "gamma", "delta", "epsilon", "zeta"}

// text draws a string: by its format, its pattern, else by the name of the property.
func (d *drawing) text(name string, v view) string {
	least, most := int(whole(v.get("minLength"), 0)), int(whole(v.get("maxLength"), 1<<15))
	if f := formats[v.get("format").Text()]; len(f) > 0 {
		return f[d.draw.IntN(len(f))]
	}
	if p := v.get("pattern").Text(); p != "" {
		if re, err := syntax.Parse(p, syntax.Perl); err == nil {
			var b strings.Builder
			d.match(&b, re, 0)
			return fit(b.String(), 0, most) // padding would break the pattern
		}
	}
	for _, example := range [...]wire.Value{v.get("default"), first(v.get("examples"))} {
		if example.Kind() == '"' && d.draw.IntN(2) == 0 {
			return fit(example.Text(), least, most)
		}
	}
	list := anyWords
	lower := strings.ToLower(name)
	for _, w := range words {
		if strings.Contains(lower, w.name) {
			list = w.values
			break
		}
	}
	return fit(list[d.draw.IntN(len(list))], least, most)
}

// fit makes a text as long as it must be, in characters.
func fit(s string, least, most int) string {
	for n := utf8.RuneCountInString(s); n < least; n++ {
		s += "a"
	}
	if r := []rune(s); len(r) > most {
		s = string(r[:most])
	}
	return s
}

// match writes a string that a regular expression takes.
func (d *drawing) match(b *strings.Builder, re *syntax.Regexp, depth int) {
	if b.Len() > 1<<12 || depth > 64 {
		return
	}
	switch re.Op {
	case syntax.OpLiteral:
		b.WriteString(string(re.Rune))
	case syntax.OpCharClass:
		b.WriteRune(d.rune(re.Rune))
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		b.WriteByte("abcdefgh"[d.draw.IntN(8)])
	case syntax.OpCapture:
		d.match(b, re.Sub[0], depth+1)
	case syntax.OpConcat:
		for _, s := range re.Sub {
			d.match(b, s, depth+1)
		}
	case syntax.OpAlternate:
		d.match(b, re.Sub[d.draw.IntN(len(re.Sub))], depth+1)
	case syntax.OpStar, syntax.OpPlus, syntax.OpQuest, syntax.OpRepeat:
		low, high := 0, 3
		switch re.Op {
		case syntax.OpPlus:
			low, high = 1, 4
		case syntax.OpQuest:
			high = 1
		case syntax.OpRepeat:
			if low, high = re.Min, re.Max; high < 0 {
				high = low + 3
			}
		}
		for n := low + d.draw.IntN(high-low+1); n > 0; n-- {
			d.match(b, re.Sub[0], depth+1)
		}
	}
}

// rune draws a character of a class, a printable one where the class has some.
func (d *drawing) rune(ranges []rune) rune {
	var plain []rune
	for i := 0; i+1 < len(ranges); i += 2 {
		for r := max(ranges[i], ' '+1); r <= min(ranges[i+1], '~'); r++ {
			plain = append(plain, r)
		}
	}
	switch {
	case len(plain) > 0:
		return plain[d.draw.IntN(len(plain))]
	case len(ranges) > 0:
		return ranges[0]
	}
	return 'a'
}

func first(list wire.Value) wire.Value {
	if list.Len() == 0 {
		return wire.Value{}
	}
	return list.At(0)
}
