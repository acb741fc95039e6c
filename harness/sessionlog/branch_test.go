package sessionlog

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
)

func promptAt(id, parent, when, text string) string {
	return fmt.Sprintf(`{"type":"user","uuid":%q,"parentUuid":%q,"timestamp":%q,"message":{"role":"user","content":%q}}`, id, parent, when, text)
}

// Typed prompts of different times are branches; structure, results of the entry's own calls, further blocks of its
// answer and copies are not (H-LOG-34).
func TestRealBranches(t *testing.T) {
	l := Load(lines("u1<", "a1<u1", promptAt("u2", "a1", "T1", "x"), promptAt("u3", "a1", "T2", "x"), "t1<a1", "s1<a1", "p1<a1", "x1<a1"))
	assert.Equal(t, []string{"u2", "u3"}, ids(l.Branches("a1")))
	l = Load(lines("u1<", "a1<u1", promptAt("u2", "a1", "T1", "x"), promptAt("u3", "a1", "T1", "x"), "t1<a1"))
	assert.Empty(t, l.Branches("a1"), "a copy")
	use := `{"type":"assistant","uuid":"a1","parentUuid":"u1","message":{"id":"m","content":[{"type":"tool_use","id":"c","name":"Read","input":{}}]}}`
	next := `{"type":"assistant","uuid":"a2","parentUuid":"a1","message":{"id":"m","content":[{"type":"text","text":"t"}]}}`
	result := `{"type":"user","uuid":"r1","parentUuid":"a1","message":{"content":[{"type":"tool_result","tool_use_id":"c"}]}}`
	assert.Empty(t, Load(lines("u1<", use, next, result)).Branches("a1"))
}

// Branches that grew in turns are two writers'; a rewind, and structure beside the path, are not (H-LOG-87, H-CMD-47).
func TestTwoWritersAreSeenInTheFile(t *testing.T) {
	for name, c := range map[string]struct {
		file []string
		want string
	}{
		"two writers":                 {[]string{"u1<", "a1<u1", "u2<a1", "u3<a1", "a2<u2", "a3<u3"}, "a1"},
		"the other is in a turn":      {[]string{"u1<", "a1<u1", "a2<a1", "u3<a1", "a4<a2"}, "a1"},
		"rewind":                      {[]string{"u1<", "a1<u1", "u2<a1", "a2<u2", "pin:a1", "u3<a1", "a3<u3"}, ""},
		"rewind without a record":     {[]string{"u1<", "a1<u1", "u2<a1", "a2<u2", "u3<a1", "a3<u3"}, ""},
		"rewind there and back again": {[]string{"u1<", "a1<u1", "u2<a1", "a2<u2", "pin:a1", "u3<a1", "pin:a2", "u4<a2"}, ""},
		"two rewinds to one point":    {[]string{"u1<", "a1<u1", "u2<a1", "u3<a1", "u4<a1", "a4<u4"}, ""},
		"late bookkeeping":            {[]string{"u1<", "a1<u1", "u2<a1", "u3<a1", "s1<u2", "a3<u3"}, ""},
		"agents":                      {[]string{"u1<", "a1<u1", "x1<a1", "u2<a1", "x2<x1", "a2<u2"}, ""},
		"results beside":              {[]string{"u1<", "a1<u1", "a2<a1", "m1<a1", "m2<a2", "u2<m2"}, ""},
	} {
		t.Run(name, func(t *testing.T) { assert.Equal(t, c.want, Load(lines(c.file...)).Interleaved()) })
	}
}
