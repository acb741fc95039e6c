package sessionlog

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// lines makes a file of short notations: "u1<r0" is a typed prompt u1 with parent r0, "a" an assistant
// entry, "t" an attachment, "p" progress, "s" a system entry, "b" a compact boundary, "m" a meta user
// entry, "x" a sidechain user entry, "z" an entry of unknown type. "pin:u1", "pin:", "pin:empty" and
// "last:u1" are last-prompt records. Anything else stands as it is.
func lines(words ...string) []byte {
	var b strings.Builder
	for _, w := range words {
		b.WriteString(oneLineOf(w))
		b.WriteByte('\n')
	}
	return []byte(b.String())
}

func oneLineOf(w string) string {
	if leaf, ok := strings.CutPrefix(w, "pin:"); ok {
		if leaf == "empty" {
			return `{"type":"last-prompt","leafUuid":null,"explicit":true,"emptyPath":true}`
		}
		return fmt.Sprintf(`{"type":"last-prompt","leafUuid":%q,"explicit":true}`, leaf)
	}
	if leaf, ok := strings.CutPrefix(w, "last:"); ok {
		return fmt.Sprintf(`{"type":"last-prompt","lastPrompt":"p","leafUuid":%q}`, leaf)
	}
	id, parent, ok := strings.Cut(w, "<")
	if !ok {
		return w
	}
	up := "null"
	if parent != "" {
		up = fmt.Sprintf("%q", parent)
	}
	typ, rest := map[byte]string{'u': "user", 'a': "assistant", 't': "attachment", 'p': "progress", 's': "system", 'b': "system",
		'm': "user", 'x': "user", 'z': "strange"}[id[0]], ""
	switch id[0] {
	case 'u':
		rest = `,"message":{"role":"user","content":"text"}`
	case 'a':
		rest = fmt.Sprintf(`,"message":{"id":"m%s","role":"assistant","model":"m","content":[{"type":"text","text":"t"}]}`, id)
	case 'b':
		rest = `,"subtype":"compact_boundary"`
	case 'm':
		rest = `,"isMeta":true,"message":{"role":"user","content":[{"type":"text","text":"t"}]}`
	case 'x':
		rest = `,"isSidechain":true,"message":{"role":"user","content":"t"}`
	}
	return fmt.Sprintf(`{"type":%q,"uuid":%q,"parentUuid":%s%s}`, typ, id, up, rest)
}

func ids(path []*Entry) []string {
	out := []string{}
	for _, e := range path {
		out = append(out, e.UUID)
	}
	return out
}

// Blank lines, non-objects, glued and torn lines cost only themselves (H-LOG-82, H-LOG-83). Bugs l-bad-line-stops-reader,
// l-glued-orphans-rest, l-truncated-tail-blank-resume.
func TestOddLinesCostOnlyThemselves(t *testing.T) {
	data := lines("u1<", "", `"a bare string"`, "42", "[1]", `{"uuid":"no type"}`, `{"type":"user","uuid":7}`,
		`{"type":"user","uuid":"u2","parentUuid":"u1","message":"a string"}`,
		oneLineOf("a1<u1")+oneLineOf("u3<a1"), oneLineOf("a2<u3")+`{"type":"us`, "a3<a2", "not json {", `{"type":"ai-title","aiTitle":"x"}`,
		"\x00\x00\x00", "u4<a3", `{"type":"user","uuid":"u5","parentUuid":"u4","message":{"role":"user","content":["bare",{"type":"text","text":"t"}]}}`)
	data = append(data, oneLineOf("a4<u5")...) // no line feed
	l := Load(data)
	assert.Equal(t, []string{"u1", "u2", "a1", "u3", "a2", "a3", "u4", "u5", "a4"}, ids(l.Entries))
	assert.Equal(t, Report{Blank: 1, Bad: 6, Glued: 1, Unreadable: 1, Open: true}, l.Report)
	path, cut := l.Path(l.Leaf())
	assert.Equal(t, []string{"u1", "a1", "u3", "a2", "a3", "u4", "u5", "a4"}, ids(path))
	assert.False(t, cut)
	assert.Len(t, l.Find("u5").Message.Blocks, 1)
}

// A torn tail is ignored, and the next append starts a fresh line (H-LOG-82, LOG-2).
func TestTornTailIsIgnoredAndTheNextAppendStartsAFreshLine(t *testing.T) {
	whole := lines("u1<", "a1<u1", "u2<a1")
	for n := range len(whole) + 1 {
		l := Load(whole[:n])
		path, _ := l.Path(l.Leaf())
		assert.LessOrEqual(t, len(path), strings.Count(string(whole[:n]), "\n")+1)

		d := disk{"f": append([]byte(nil), whole[:n]...)}
		w := NewWriter("f", Envelope{}, int64(n), Torn(whole[:n]))
		require.NoError(t, w.Append(d, lines("u9<")))
		require.NoError(t, w.Append(d, lines("u8<u9")))
		again := Load(d["f"])
		assert.Equal(t, []string{"u9", "u8"}, ids(again.Entries[len(again.Entries)-2:]), "cut at %d", n)
		assert.Equal(t, ids(l.Entries), ids(again.Entries[:len(again.Entries)-2]), "cut at %d", n)
	}
}

type disk map[string][]byte

func (d disk) Append(path string, data []byte) error { d[path] = append(d[path], data...); return nil }

// The leaf by file order and by pins (H-REB-2 to H-REB-4); progress, system entries and unknown types are walked through
// (H-LOG-31, H-LOG-37, H-LOG-40, H-LOG-85), agents take no leaf (H-LOG-35), of equal ids the later line wins (H-LOG-86).
// Bugs l-stale-branch-chosen, l-progress-forks-chain, l-rewind-then-resume-at-deleted.
func TestLeafChoice(t *testing.T) {
	for name, c := range map[string]struct {
		file []string
		leaf string
	}{
		"empty file":                       {nil, ""},
		"line":                             {[]string{"u1<", "a1<u1", "u2<a1"}, "u2"},
		"later branch wins":                {[]string{"u1<", "a1<u1", "u2<a1", "u3<u1"}, "u3"},
		"attachments and system stay in":   {[]string{"u1<", "a1<u1", "t1<a1", "s1<t1"}, "s1"},
		"candidate counts, not its tail":   {[]string{"u1<", "a1<u1", "u2<u1", "t1<a1"}, "u2"},
		"progress is walked through":       {[]string{"u1<", "p1<u1", "a1<p1", "p2<a1"}, "p2"},
		"unknown type is walked through":   {[]string{"u1<", "z1<u1", "a1<z1"}, "a1"},
		"meta is no candidate":             {[]string{"u1<", "a1<u1", "m1<u1"}, "a1"},
		"all meta: use all":                {[]string{"m1<", "m2<m1"}, "m2"},
		"sidechain is no candidate":        {[]string{"u1<", "a1<u1", "x1<", "x2<x1"}, "a1"},
		"sidechain hanging from the trunk": {[]string{"u1<", "a1<u1", "x1<a1"}, "a1"},
		"an agent of a team is no candidate": {[]string{"u1<", "a1<u1",
			`{"type":"user","uuid":"w1","parentUuid":null,"teamName":"crew","message":{"role":"user","content":"x"}}`}, "a1"},
		"later of equal uuids wins":               {[]string{"u1<", "a1<u1", "a2<u1", "a1<u1"}, "a1"},
		"pin":                                     {[]string{"u1<", "a1<u1", "u2<a1", "pin:a1"}, "a1"},
		"pin of an unknown leaf":                  {[]string{"u1<", "a1<u1", "pin:zz"}, "a1"},
		"pin against another writer":              {[]string{"u1<", "a1<u1", "u2<a1", "pin:a1", "a2<u2"}, "a1"},
		"pin, entries of another branch":          {[]string{"u1<", "a1<u1", "u2<a1", "a2<u2", "pin:u1", "u3<u1", "a3<u3"}, "a3"},
		"pin ended by a record that names a leaf": {[]string{"u1<", "a1<u1", "u2<u1", "pin:a1", "last:u2"}, "u2"},
		"record that names the pinned leaf":       {[]string{"u1<", "a1<u1", "u2<u1", "pin:a1", "last:a1"}, "a1"},
		"pin cleared by an explicit empty one":    {[]string{"u1<", "a1<u1", "u2<u1", "pin:a1", "pin:"}, "u2"},
		"pin ended by a boundary":                 {[]string{"u1<", "a1<u1", "u2<u1", "pin:a1", "b1<", "m1<b1"}, "u2"},
		"empty path":                              {[]string{"u1<", "a1<u1", "pin:empty"}, ""},
		"empty path, new root":                    {[]string{"u1<", "a1<u1", "pin:empty", "u2<", "a2<u2"}, "a2"},
		"empty path, old branch goes on":          {[]string{"u1<", "a1<u1", "pin:empty", "u2<a1"}, ""},
		"record without leaf changes nothing":     {[]string{"u1<", "a1<u1", "u2<u1", "pin:a1", `{"type":"last-prompt","lastPrompt":"x"}`}, "a1"},
	} {
		t.Run(name, func(t *testing.T) { assert.Equal(t, c.leaf, Load(lines(c.file...)).Leaf()) })
	}
}

// A path ends at a root, a boundary, a missing parent or a cycle (H-LOG-30, H-LOG-42, H-LOG-84). Bugs l-cycle-hangs,
// l-parent-in-compacted-region.
func TestPathIsCutAndReported(t *testing.T) {
	for name, c := range map[string]struct {
		file []string
		leaf string
		path []string
		cut  bool
	}{
		"dangling parent":           {[]string{"u1<", "a1<gone", "u2<a1"}, "u2", []string{"a1", "u2"}, true},
		"cycle":                     {[]string{"u1<a1", "a1<u1"}, "a1", []string{"u1", "a1"}, true},
		"boundary":                  {[]string{"u1<", "a1<u1", "b1<", "u2<b1"}, "u2", []string{"b1", "u2"}, false},
		"boundary with a parent":    {[]string{"u1<", "a1<u1", "b1<a1", "u2<b1"}, "u2", []string{"b1", "u2"}, false},
		"newest of two boundaries":  {[]string{"u1<", "b1<u1", "u2<b1", "b2<u2", "u3<b2"}, "u3", []string{"b2", "u3"}, false},
		"unknown leaf":              {[]string{"u1<"}, "zz", []string{}, true},
		"no leaf is the empty path": {[]string{"u1<"}, "", []string{}, false},
	} {
		t.Run(name, func(t *testing.T) {
			path, cut := Load(lines(c.file...)).Path(c.leaf)
			assert.Equal(t, c.path, ids(path))
			assert.Equal(t, c.cut, cut)
		})
	}
	l := Load([]byte(string(lines("u1<", "a1<u1")) +
		`{"type":"system","uuid":"b1","parentUuid":null,"logicalParentUuid":"a1","subtype":"compact_boundary"}` + "\n" + string(lines("u2<b1"))))
	assert.Equal(t, []string{"u1", "a1", "b1", "u2"}, ids(l.Whole("u2")))
}

// Results that hang from their own calls, and blocks of an answer that stand beside the path (H-REB-5).
func TestPathOfASourceToolLogIsCompleted(t *testing.T) {
	use := func(id, parent, call string) string {
		return fmt.Sprintf(`{"type":"assistant","uuid":%q,"parentUuid":%q,"message":{"id":"m1","role":"assistant","content":[{"type":"tool_use","id":%q,"name":"Read","input":{}}]}}`, id, parent, call)
	}
	result := func(id, parent, call string) string {
		return fmt.Sprintf(`{"type":"user","uuid":%q,"parentUuid":%q,"message":{"role":"user","content":[{"type":"tool_result","tool_use_id":%q,"content":"r"}]}}`, id, parent, call)
	}
	l := Load(lines("u1<", use("a1", "u1", "c1"), use("a2", "a1", "c2"), result("r1", "a1", "c1"), result("r2", "a2", "c2"), "a3<r2"))
	path, _ := l.Path(l.Leaf())
	assert.Equal(t, []string{"u1", "a1", "a2", "r1", "r2", "a3"}, ids(path))

	// The same answer id on an abandoned branch stays there.
	l = Load(lines("u1<", use("a1", "u1", "c1"), result("r1", "a1", "c1"), "u2<r1", use("a9", "u2", "c9"), "u3<r1"))
	path, _ = l.Path(l.Leaf())
	assert.Equal(t, []string{"u1", "a1", "r1", "u3"}, ids(path))
}
