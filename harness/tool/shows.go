package tool

import "strings"

// Shows is the one file that a Bash command shows, "" for none: cat, head, tail, sed -n, grep or rg on one file, without
// anything that the shell would interpret (H-TOOL-23). whole: it shows all of it, as cat without options does.
func (c *Call) Shows() (file string, whole bool) {
	if strings.ContainsAny(c.Command, ";&|<>$`()*?[{~\n\\") {
		return "", false
	}
	words, ok := quoted(c.Command)
	if !ok || len(words) < 2 {
		return "", false
	}
	patterns, values := 0, ""
	switch words[0] {
	case "cat":
	case "head", "tail":
		values = "nc"
	case "sed":
		if words[1] != "-n" {
			return "", false
		}
		patterns = 1
	case "grep", "rg":
		patterns, values = 1, "ABCm"
	default:
		return "", false
	}
	options := 0
	var names []string
	for i := 1; i < len(words); i++ {
		switch w := words[i]; {
		case len(w) > 1 && w[0] == '-':
			options++
			if len(w) == 2 && strings.Contains(values, w[1:]) {
				i++ // its value is a word of its own
			}
		default:
			names = append(names, w)
		}
	}
	if len(names) != patterns+1 {
		return "", false
	}
	return names[patterns], words[0] == "cat" && options == 0
}

// quoted splits a command line into words, with quotes taken off.
func quoted(line string) (words []string, ok bool) {
	var word []byte
	inWord, quote := false, byte(0)
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case quote != 0 && c == quote:
			quote = 0
		case quote != 0:
			word = append(word, c)
		case c == '\'' || c == '"':
			quote, inWord = c, true
		case c == ' ' || c == '\t':
			if inWord {
				words, word, inWord = append(words, string(word)), nil, false
			}
		default:
			word, inWord = append(word, c), true
		}
	}
	if inWord {
		words = append(words, string(word))
	}
	return words, quote == 0
}
