package golden

import (
	"fmt"
	"strings"
)

// tree draws the log once, a line for each segment between forks, so that growth of one branch
// changes one line.
func (s *store) tree() []string {
	var out []string
	for i, file := range s.files {
		word := "tree"
		if len(s.files) > 1 {
			word = fmt.Sprintf("tree %d", i+1)
		}
		var roots []*group
		for _, g := range s.groups {
			if g.file == file && g.parent == nil {
				roots = append(roots, g)
			}
		}
		if len(roots) == 1 {
			s.segment(&out, word, "", "root ", roots[0])
			continue
		}
		out = append(out, pair(word, "root"))
		s.branches(&out, "  ", roots)
	}
	return out
}

// segment draws from g to the next fork or end. lead is the drawing before the names.
func (s *store) segment(out *[]string, word, indent, lead string, g *group) {
	names := []string{}
	for {
		names = append(names, g.name)
		if len(g.kids) != 1 {
			break
		}
		g = g.kids[0]
	}
	line := indent + lead + strings.Join(names, " ")
	switch {
	case g == groupOf(s.leaf):
		line = fmt.Sprintf("%-28s leaf", line)
	case g.left > 0:
		line = fmt.Sprintf("%-28s left in step %d", line, g.left)
	}
	*out = append(*out, pair(word, line))
	s.branches(out, indent+strings.Repeat(" ", 2), g.kids)
}

func (s *store) branches(out *[]string, indent string, kids []*group) {
	for i, k := range kids {
		lead := "|- "
		if i == len(kids)-1 {
			lead = "'- "
		}
		s.segment(out, "", indent, lead, k)
	}
}
