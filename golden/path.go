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
	last  []*entry   // the last entry found up to and with each message
}

// read takes the next body. It reports false when the body is no request.
func (rd *reader) read(s *store, body []byte) bool {
	req, err := wire.Parse(rd.prev, body)
	if err != nil {
		return false
	}
	shared := 0
	if rd.prev != nil {
		shared = min(req.SharedMessages(), len(rd.names))
	}
	rd.prev, rd.names, rd.last = req, rd.names[:shared], rd.last[:shared]
	for _, m := range req.Messages()[shared:] {
		var last *entry
		if n := len(rd.last); n > 0 {
			last = rd.last[n-1]
		}
		var found []*group
		for _, b := range m.Blocks() {
			e := s.find(key(b.Value), last)
			if e == nil {
				continue
			}
			last = e
			if !slices.Contains(found, e.group) {
				found = append(found, e.group)
			}
		}
		slices.SortFunc(found, func(a, b *group) int { return a.index - b.index })
		rd.names, rd.last = append(rd.names, found), append(rd.last, last)
	}
	return true
}

// find is the entry that holds a block. Where several do (a text typed twice), it is the one next to
// the entry found before it, on its line of descent; else the newest.
func (s *store) find(key string, last *entry) *entry {
	if key == "" {
		return nil
	}
	all := s.byKey[key]
	if len(all) == 0 {
		return nil
	}
	best, gap := all[len(all)-1], -1
	for _, e := range all {
		if d := distance(last, e); d >= 0 && (gap < 0 || d < gap) {
			best, gap = e, d
		}
	}
	return best
}

// distance is the number of links between two entries of which one descends from the other, -1 for others.
func distance(a, b *entry) int {
	if a == nil || b == nil {
		return -1
	}
	if a.depth > b.depth {
		a, b = b, a
	}
	up := b
	for up != nil && up.depth > a.depth {
		up = up.parent
	}
	if up != a {
		return -1
	}
	return b.depth - a.depth
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

// compress lists groups, those that follow each other in the log as first..last. What can stand in no
// request does not part two neighbours.
func (s *store) compress(all []*group, sep string) string {
	var out []string
	for i := 0; i < len(all); {
		j := i
		for j+1 < len(all) && s.neighbours(all[j], all[j+1]) {
			j++
		}
		if all[i].name == all[j].name {
			out = append(out, all[i].name)
		} else {
			out = append(out, all[i].name+".."+all[j].name)
		}
		i = j + 1
	}
	return strings.Join(out, sep)
}

func (s *store) neighbours(a, b *group) bool {
	if a.index < 0 || b.index < 0 || b.index < a.index {
		return false
	}
	for _, g := range s.groups[min(a.index+1, b.index):b.index] {
		if g.sent {
			return false
		}
	}
	return true
}
