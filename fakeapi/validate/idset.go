package validate

import "maps"

// idSet holds the tool_use ids of a conversation's beginning. It never changes: a longer conversation adds
// a layer, and layers of like size are merged, so that a lookup asks few of them and each id is copied
// few times however long the conversation grows.
type idSet []idLayer

// idLayer are ids with the index of their message; those of message limit and later do not count.
type idLayer struct {
	at           map[string]int
	first, limit int
}

func (s idSet) has(id string) bool {
	for i := range s {
		if m, ok := s[i].at[id]; ok && m < s[i].limit {
			return true
		}
	}
	return false
}

// before is the set of the first n messages.
func (s idSet) before(n int) idSet {
	var out idSet
	for _, l := range s {
		if l.first >= n {
			break
		}
		l.limit = min(l.limit, n)
		out = append(out, l)
	}
	return out
}

// with adds the ids of messages from first on.
func (s idSet) with(fresh map[string]int, first int) idSet {
	if len(fresh) == 0 {
		return s
	}
	out := append(s[:len(s):len(s)], idLayer{fresh, first, int(^uint(0) >> 1)})
	for len(out) > 1 && len(out[len(out)-1].at)*2 >= len(out[len(out)-2].at) {
		a, b := out[len(out)-2], out[len(out)-1]
		merged := maps.Clone(b.at)
		for id, m := range a.at { // any order: a merge of sets
			if m < a.limit {
				merged[id] = m
			}
		}
		out = append(out[:len(out)-2:len(out)-2], idLayer{merged, a.first, b.limit})
	}
	return out
}
