package golden

import (
	"slices"
	"strconv"
	"strings"

	"harnessbench/internal/wire"
)

// reader finds, for each message of a thread's requests, the log entries it is made of.
type reader struct {
	prev  *wire.Request
	names [][]*group // by message
	depth []int      // depth of the deepest entry up to and with each message
	leaf  *entry     // where the session stood when they were found
}

// read takes the next body. It reports false when the body is no request.
func (rd *reader) read(s *store, body []byte) bool {
	req, err := wire.Parse(rd.prev, body)
	if err != nil {
		return false
	}
	path := map[*entry]bool{} // where the session stands
	for e := s.leaf; e != nil; e = e.parent {
		path[e] = true
	}
	shared := 0
	if rd.prev != nil && path[rd.leaf] { // on another branch the same text is another entry
		shared = min(req.SharedMessages(), len(rd.names))
	}
	rd.prev, rd.names, rd.depth, rd.leaf = req, rd.names[:shared], rd.depth[:shared], s.leaf
	for _, m := range req.Messages()[shared:] {
		floor := -1
		if n := len(rd.depth); n > 0 {
			floor = rd.depth[n-1]
		}
		deepest := floor
		var found []*group
		for _, b := range m.Blocks() {
			e := find(s.byKey[key(b.Value)], path, floor)
			if e == nil {
				continue
			}
			deepest = max(deepest, e.depth)
			if !slices.Contains(found, e.group) {
				found = append(found, e.group)
			}
		}
		slices.SortFunc(found, func(a, b *group) int { return a.index - b.index })
		rd.names, rd.depth = append(rd.names, found), append(rd.depth, deepest)
	}
	return true
}

// find is the entry a block comes from. Where several hold it (a text typed twice), it is the first one
// on the path behind the messages before, else any on the path, else the newest.
func find(all []*entry, path map[*entry]bool, floor int) *entry {
	var next, other *entry
	for _, e := range all {
		if path[e] && e.depth > floor && (next == nil || e.depth < next.depth) {
			next = e
		}
		if other == nil || path[e] || !path[other] {
			other = e
		}
	}
	if next != nil {
		return next
	}
	return other
}

// path is the whole request in names.
func (rd *reader) path(s *store) string {
	var all []*group
	for i, found := range rd.names {
		if len(found) == 0 {
			found = []*group{{name: "messages." + strconv.Itoa(i), index: -2}}
		}
		all = append(all, found...)
	}
	return s.compress(all, " ")
}

// message names what message i is made of.
func (rd *reader) message(s *store, i int) string {
	if i < 0 || i >= len(rd.names) || len(rd.names[i]) == 0 {
		return "messages." + strconv.Itoa(i)
	}
	return s.compress(rd.names[i], "+")
}

// compress lists groups, those that follow each other as first..last.
func (s *store) compress(all []*group, sep string) string {
	var out []string
	for i := 0; i < len(all); {
		j := i
		for j+1 < len(all) && s.neighbours(all[j], all[j+1]) {
			j++
		}
		name := all[i].name
		if j > i {
			name += ".." + all[j].name
		}
		out = append(out, name)
		i = j + 1
	}
	return strings.Join(out, sep)
}

// neighbours tells whether b follows a both on a branch and in the file, but for entries that can stand
// in no request. So a run never hides a branch that was left out, nor one that leaked in.
func (s *store) neighbours(a, b *group) bool {
	if b.index <= a.index || a.index < 0 {
		return false
	}
	for _, g := range s.groups[a.index+1 : b.index] {
		if g.sent {
			return false
		}
	}
	up := b.parent
	for up != nil && up != a && !up.sent {
		up = up.parent
	}
	return up == a
}
