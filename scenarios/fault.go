package scenarios

import (
	"fmt"
	"slices"
	"strings"
)

// Error is one fault of a story file. It prints as
//
//	file:line:column: what is wrong; what would be right
//
// Line and Column count from 1, Column in characters; both are 0 when the file could not be read at all.
type Error struct {
	File         string
	Line, Column int
	What, Want   string
}

func (e *Error) Error() string {
	at := e.File
	if e.Line > 0 {
		at = fmt.Sprintf("%s:%d:%d", e.File, e.Line, e.Column)
	}
	return at + ": " + e.What + "; " + e.Want
}

// Errors are the faults of one or more files, by file as given, then by place. It prints one a line;
// errors.As finds the first *Error in it.
type Errors []*Error

func (e Errors) Error() string {
	lines := make([]string, len(e))
	for i, one := range e {
		lines[i] = one.Error()
	}
	return strings.Join(lines, "\n")
}

// Unwrap gives the single faults to errors.As and errors.Is.
func (e Errors) Unwrap() []error {
	all := make([]error, len(e))
	for i, one := range e {
		all[i] = one
	}
	return all
}

// faults collects what is wrong with one file.
type faults struct {
	file   string
	script bool // the file is a script of a server, not a story
	listed bool // the file lists policies
	list   Errors

	pauses bool    // an answer leaves a server tool's call open
	strays []place // answers that hold a server tool's result without its call
}

// place is where something stands in the file.
type place struct{ line, column int }

func (f *faults) add(at place, what, want string) {
	f.list = append(f.list, &Error{File: f.file, Line: at.line, Column: at.column, What: what, Want: want})
}

// err is nil when nothing was collected, else the faults in the order of the file.
func (f *faults) err() error {
	if len(f.list) == 0 {
		return nil
	}
	slices.SortStableFunc(f.list, func(a, b *Error) int {
		if a.Line != b.Line {
			return a.Line - b.Line
		}
		return a.Column - b.Column
	})
	return f.list
}

// nearest is the known word a typing slip most likely meant, "" when none is near: at most two
// letters away, and less than half of the word.
func nearest(word string, known []string) string {
	best, dist := "", 3
	for _, k := range known {
		if d := distance(word, k); d < dist && d*2 < max(len(word), len(k)) {
			best, dist = k, d
		}
	}
	return best
}

// distance is the edit distance of two words, a swap of neighbours counting one.
func distance(a, b string) int {
	s, t := []rune(a), []rune(b)
	if len(s) > 64 || len(t) > 64 { // no known word is that long
		return 64
	}
	row := make([][]int, len(s)+1)
	for i := range row {
		row[i] = make([]int, len(t)+1)
		row[i][0] = i
	}
	for j := range row[0] {
		row[0][j] = j
	}
	for i := 1; i <= len(s); i++ {
		for j := 1; j <= len(t); j++ {
			change := 1
			if s[i-1] == t[j-1] {
				change = 0
			}
			d := min(row[i-1][j]+1, row[i][j-1]+1, row[i-1][j-1]+change)
			if i > 1 && j > 1 && s[i-1] == t[j-2] && s[i-2] == t[j-1] {
				d = min(d, row[i-2][j-2]+1)
			}
			row[i][j] = d
		}
	}
	return row[len(s)][len(t)]
}

// suggest words what would be right where one of several known words is wanted.
func suggest(word string, known []string) string {
	all := "known here: " + strings.Join(known, ", ")
	if len(known) > 12 { // too many to read
		all = fmt.Sprintf("%d are known, such as %s", len(known), strings.Join(known[:3], ", "))
	}
	if near := nearest(word, known); near != "" {
		return fmt.Sprintf("did you mean %q? %s", near, all)
	}
	return all
}
