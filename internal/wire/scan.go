package wire

import (
	"bytes"
	"encoding/binary"
	"math"
	"math/bits"
	"sort"
)

// maxDepth is how deep containers may nest; it bounds the recursion here and in everything that walks values.
const maxDepth = 1000

// scanner reads one document. Its functions take an offset and give the offset behind what they read,
// or -1 after fail.
//
// Each value may come with a hint: the same place of an earlier document. Bytes that equal the
// hint's are taken over with its nodes. A hint is only a guess: a wrong one costs a compare, never
// another result, because equal bytes at equal depth parse equally.
type scanner struct {
	data  []byte
	stack []part // parts of the containers that are open
	err   *SyntaxError
}

// hint is the value that stood at this place. same is how many of its first bytes are known to be
// those that stand here now (exactly so many), -1 when nobody has compared.
type hint struct {
	src  []byte
	n    *node
	same int
}

// scan parses a document with a hint for its root.
func scan(data []byte, prev Value) (Value, error) {
	if len(data) > math.MaxInt32 {
		return Value{}, syntaxAt(data, 0, "the document is larger than 2 GiB")
	}
	s := scanner{data: data, stack: make([]part, 0, min(4+len(data)/32, 64))}
	start := s.blank(0)
	end, n := s.value(start, 1, hint{prev.src, prev.n, -1})
	if end >= 0 {
		if rest := s.blank(end); rest < len(data) {
			s.fail(rest, "more data after the value")
		}
	}
	if s.err != nil {
		return Value{}, s.err
	}
	return Value{src: data[start:end:end], off: start, n: n}, nil
}

func (s *scanner) fail(at int, msg string) int {
	s.err = syntaxAt(s.data, at, msg)
	return -1
}

// failAt reports the character that stands where something else was due.
func (s *scanner) failAt(at int, due string) int {
	if at >= len(s.data) {
		return s.fail(at, "the data ends where "+due+" is due")
	}
	return s.fail(at, "found "+quoteRune(s.data[at:])+" where "+due+" is due")
}

func (s *scanner) blank(i int) int {
	for i < len(s.data) {
		switch s.data[i] {
		case ' ', '\n', '\t', '\r':
			i++
		default:
			return i
		}
	}
	return i
}

func (s *scanner) value(i, depth int, h hint) (int, *node) {
	if i >= len(s.data) {
		return s.failAt(i, "a value"), nil
	}
	switch c := s.data[i]; c {
	case '{', '[':
		if depth > maxDepth {
			return s.fail(i, "nested deeper than 1000 levels"), nil
		}
		if h.n == nil || h.src[0] != c {
			h = hint{}
		}
		if c == '{' {
			return s.object(i, depth, h)
		}
		return s.array(i, depth, h)
	case '"':
		if len(h.src) > 0 && h.src[0] == '"' && bytes.HasPrefix(s.data[i:], h.src) {
			return i + len(h.src), nil
		}
		return s.str(i), nil
	case 't':
		return s.literal(i, "true"), nil
	case 'f':
		return s.literal(i, "false"), nil
	case 'n':
		return s.literal(i, "null"), nil
	case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
		return s.number(i), nil
	}
	return s.failAt(i, "a value"), nil
}

func (s *scanner) array(i, depth int, h hint) (int, *node) {
	mark := len(s.stack)
	j, k, resumed := s.resume(i, &h)
	if resumed == whole {
		return j, h.n
	}
	long := s.long(h, k)
	if long == nil {
		s.takeOver(h, k)
	}
	if resumed == fresh {
		if j = s.blank(j); j < len(s.data) && s.data[j] == ']' {
			return s.close(j, mark)
		}
	}
	for {
		if resumed == fresh {
			end, n := s.value(j, depth+1, h.elem(k, j-i))
			if end < 0 {
				return -1, nil
			}
			p := part{start: uint32(j - i), end: uint32(end - i), n: n}
			if long != nil {
				long.parts = append(long.parts, p)
			} else {
				s.stack = append(s.stack, p)
			}
			k++
			j = end
		}
		resumed = fresh
		j = s.blank(j)
		switch {
		case j < len(s.data) && s.data[j] == ',':
			j = s.blank(j + 1)
		case j < len(s.data) && s.data[j] == ']':
			if long != nil {
				return j + 1, long
			}
			return s.close(j, mark)
		default:
			return s.failAt(j, "a comma or the end of the array"), nil
		}
	}
}

func (s *scanner) object(i, depth int, h hint) (int, *node) {
	mark := len(s.stack)
	j, k, resumed := s.resume(i, &h)
	if resumed == whole {
		return j, h.n
	}
	s.takeOver(h, k)
	if resumed == fresh {
		if j = s.blank(j); j < len(s.data) && s.data[j] == '}' {
			return s.close(j, mark)
		}
	}
	for {
		if resumed == fresh {
			if j >= len(s.data) || s.data[j] != '"' {
				return s.failAt(j, "a member name"), nil
			}
			name := j
			nameEnd := s.str(j)
			if nameEnd < 0 {
				return -1, nil
			}
			if j = s.blank(nameEnd); j >= len(s.data) || s.data[j] != ':' {
				return s.failAt(j, "a colon"), nil
			}
			j = s.blank(j + 1)
			end, n := s.value(j, depth+1, h.member(len(s.stack)-mark, s.data[name:nameEnd], j-i))
			if end < 0 {
				return -1, nil
			}
			s.stack = append(s.stack, part{uint32(name - i), uint32(nameEnd - i), uint32(j - i), uint32(end - i), n})
			j = end
		}
		resumed = fresh
		j = s.blank(j)
		switch {
		case j < len(s.data) && s.data[j] == ',':
			j = s.blank(j + 1)
		case j < len(s.data) && s.data[j] == '}':
			return s.close(j, mark)
		default:
			return s.failAt(j, "a comma or the end of the object"), nil
		}
	}
}

// close ends the container whose parts stand on the stack from mark on; j is its last byte.
func (s *scanner) close(j, mark int) (int, *node) {
	n := &node{parts: make([]part, len(s.stack)-mark)}
	copy(n.parts, s.stack[mark:])
	s.stack = s.stack[:mark]
	return j + 1, n
}

// resumption says where a container goes on after its hint was compared.
type resumption uint8

const (
	fresh  resumption = iota // before a first part
	behind                   // behind a part that was taken over
	whole                    // behind the container, which is the hint's
)

// resume finds the leading parts of the hint whose bytes stand here too, k of them, and gives where to go on. It
// leaves in h.same how far the bytes agree, so that each byte is compared once however deep the change lies.
func (s *scanner) resume(i int, h *hint) (at, k int, r resumption) {
	if h.n == nil {
		return i + 1, 0, fresh
	}
	if h.same < 0 {
		h.same = commonPrefix(s.data[i:], h.src)
	}
	if h.same == len(h.src) {
		return i + h.same, 0, whole
	}
	// A part counts only when the byte behind it agrees as well: a number could go on there.
	k = sort.Search(h.n.len(), func(k int) bool { return int(h.n.at(k).end) >= h.same })
	if k == 0 {
		return i + 1, 0, fresh
	}
	return i + int(h.n.at(k-1).end), k, behind
}

// takeOver puts the first k parts of the hint on the stack.
func (s *scanner) takeOver(h hint, k int) {
	for i := range k {
		s.stack = append(s.stack, *h.n.at(i))
	}
}

// long shares the first k parts of the hint when they are many; nil when they are few.
func (s *scanner) long(h hint, k int) *node {
	if k < pieceLen {
		return nil
	}
	return h.n.beginning(k)
}

// elem is the hint for element k, which starts at offset at of its container.
func (h *hint) elem(k, at int) hint {
	if h.n == nil || k >= h.n.len() {
		return hint{}
	}
	return h.child(k, at)
}

// member is the hint for the member whose name was read as the k-th: the k-th of the earlier object when
// it has that name, else the last of that name. Very wide objects are not searched.
func (h *hint) member(k int, name []byte, at int) hint {
	if h.n == nil {
		return hint{}
	}
	named := func(p *part) bool { return bytes.Equal(h.src[p.name:p.nameEnd], name) }
	if k < h.n.len() && named(h.n.at(k)) {
		return h.child(k, at)
	}
	if h.n.len() <= 64 {
		for k := h.n.len() - 1; k >= 0; k-- {
			if named(h.n.at(k)) {
				return h.child(k, at)
			}
		}
	}
	return hint{}
}

func (h *hint) child(k, at int) hint {
	p := h.n.at(k)
	c := hint{src: h.src[p.start:p.end], n: p.n, same: -1}
	if int(p.start) == at && at < h.same {
		// The bytes agree from the container's start into this part and no further than h.same.
		c.same = min(h.same-at, len(c.src))
	}
	return c
}

// commonPrefix is the number of leading bytes that a and b share.
func commonPrefix(a, b []byte) int {
	const chunk = 4096
	n := min(len(a), len(b))
	a, b = a[:n], b[:n]
	i := 0
	for i+chunk <= n && bytes.Equal(a[i:i+chunk], b[i:i+chunk]) {
		i += chunk
	}
	for i+8 <= n {
		if x := binary.LittleEndian.Uint64(a[i:]) ^ binary.LittleEndian.Uint64(b[i:]); x != 0 {
			return i + bits.TrailingZeros64(x)/8
		}
		i += 8
	}
	for i < n && a[i] == b[i] {
		i++
	}
	return i
}
