package golden

import (
	"strings"

	"harnessbench/internal/wire"
)

// entry is one chain entry of a session log.
type entry struct {
	uuid   string
	parent *entry // nil for a root, or when the parent is unknown
	depth  int
	group  *group
}

// group is what has one name: an answer's entries together, any other entry alone.
type group struct {
	name   string
	index  int // in the order of naming
	file   string
	parent *group
	kids   []*group
	sent   bool // has blocks that can stand in a request
	left   int  // step in which the session went elsewhere from here
	answer string
}

// answerID names an answer in a session file: a fork holds its source's answers again, under the same message ids.
type answerID struct{ file, message string }

// store is the log as far as it was written: entries, names, and where the session stands.
type store struct {
	byUUID map[string]*entry
	byMsg  map[answerID]*group
	byKey  map[string][]*entry
	groups []*group
	files  []string
	runs   map[string]run // by tool_use id
	leaf   *entry
}

func newStore() *store {
	return &store{byUUID: map[string]*entry{}, byMsg: map[answerID]*group{}, byKey: map[string][]*entry{}, runs: map[string]run{}}
}

// put adds an entry under a name. A group that is given is extended, else a new one is made.
func (s *store) put(g *group, name, file, uuid, parent string, keys []string) *entry {
	e := &entry{uuid: uuid, parent: s.byUUID[parent]}
	if e.parent != nil {
		e.depth = e.parent.depth + 1
	}
	if g == nil {
		g = &group{name: name, index: len(s.groups), file: file}
		if e.parent != nil {
			g.parent = e.parent.group
			g.parent.kids = append(g.parent.kids, g)
		}
		s.groups = append(s.groups, g)
	}
	e.group = g
	g.sent = g.sent || len(keys) > 0
	s.byUUID[uuid] = e
	for _, k := range keys {
		s.byKey[k] = append(s.byKey[k], e)
	}
	s.leaf = e
	return e
}

// nameOf names the entry with this uuid: root for none, "unknown" for one that was never written.
func (s *store) nameOf(uuid string) string {
	if uuid == "" {
		return "root"
	}
	if e := s.byUUID[uuid]; e != nil {
		return e.group.name
	}
	return "unknown"
}

// key identifies a block of a request or of a log entry by what makes it itself; "" when nothing does.
func key(b wire.Value) string {
	if b.Kind() == '"' {
		return "text " + b.Text()
	}
	switch b.Get("type").Text() {
	case "text":
		return "text " + b.Get("text").Text()
	case "thinking":
		return "thinking " + b.Get("signature").Text() + b.Get("thinking").Text()
	case "tool_use":
		return "tool_use " + b.Get("id").Text()
	case "tool_result":
		return "tool_result " + b.Get("tool_use_id").Text()
	}
	return ""
}

// keysOf are the keys of a content: one for a string, else one a block.
func keysOf(content wire.Value) []string {
	if content.Kind() == '"' {
		return []string{key(content)}
	}
	var out []string
	for _, b := range content.Elems() {
		if k := key(b); k != "" {
			out = append(out, k)
		}
	}
	return out
}

// chain are the groups from the root to e.
func (e *entry) chain() []*group {
	var out []*group
	for g := groupOf(e); g != nil; g = g.parent {
		out = append(out, g)
	}
	for i, j := 0, len(out)-1; i < j; i, j = i+1, j-1 {
		out[i], out[j] = out[j], out[i]
	}
	return out
}

func groupOf(e *entry) *group {
	if e == nil {
		return nil
	}
	return e.group
}

// isLog tells a session log from the files beside it.
func isLog(file string) bool { return strings.HasSuffix(file, ".jsonl") }
