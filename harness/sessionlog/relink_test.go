package sessionlog

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

func boundaryLine(id, logical, kept string) string {
	return fmt.Sprintf(`{"type":"system","uuid":%q,"parentUuid":null,"logicalParentUuid":%q,"subtype":"compact_boundary","compactMetadata":{%s}}`, id, logical, kept)
}

func segmentOf(head, anchor, tail string) string {
	return fmt.Sprintf(`"preservedSegment":{"headUuid":%q,"anchorUuid":%q,"tailUuid":%q}`, head, anchor, tail)
}

// keptTwice is a turn that two compactions fell into: both kept its prompt, and the second brought a file back before it.
var keptTwice = []string{boundaryLine("b1", "a3", listOf("m1", []string{"u3"})), "m1<b1", "a4<u3",
	boundaryLine("b2", "a4", listOf("m2", []string{"t1", "u3"})), "m2<b2", "t1<m2"}

// What a boundary kept stands behind its anchor, what else hangs from the anchor behind that (H-LOG-45). A segment that
// does not hang together changes nothing; the path is then cut at the boundary. Of several boundaries that kept an entry
// the newest tells, of those that stand before what is written behind it.
func TestKeptMessagesAreRelinked(t *testing.T) {
	before := []string{"u1<", "a1<u1", "u2<a1", "a2<u2", "u3<a2", "a3<u3"}
	for name, c := range map[string]struct {
		file []string
		leaf string
		want string
	}{
		"summary of what came before, the rest kept": {[]string{boundaryLine("b1", "a3", segmentOf("u2", "m1", "a3")), "m1<b1", "u4<a3"}, "u4", "b1 m1 u2 a2 u3 a3 u4"},
		"next entry hangs from the summary":          {[]string{boundaryLine("b1", "a3", segmentOf("u2", "m1", "a3")), "m1<b1", "t1<m1", "u4<t1"}, "u4", "b1 m1 u2 a2 u3 a3 t1 u4"},
		"summary of what came behind, the head kept": {[]string{boundaryLine("b1", "a3", segmentOf("u1", "b1", "a1")), "m1<b1", "u4<m1"}, "u4", "b1 u1 a1 m1 u4"},
		"leaf inside the kept part":                  {[]string{boundaryLine("b1", "a3", segmentOf("u2", "m1", "a3")), "m1<b1"}, "a2", "b1 m1 u2 a2"},
		"leaf before the boundary, outside":          {[]string{boundaryLine("b1", "a3", segmentOf("u3", "m1", "a3")), "m1<b1"}, "a2", "u1 a1 u2 a2"},
		"list of entries":                            {[]string{boundaryLine("b1", "a3", `"preservedMessages":{"anchorUuid":"m1","uuids":["u2","gone","a3"]}`), "m1<b1", "u4<m1"}, "u4", "b1 m1 u2 a3 u4"},
		"list with a repetition":                     {[]string{boundaryLine("b1", "a3", `"preservedMessages":{"anchorUuid":"m1","uuids":["u2","u2","a2","u2"]}`), "m1<b1", "u4<m1"}, "u4", "b1 m1 u2 a2 u4"},
		"head is not there":                          {[]string{boundaryLine("b1", "a3", segmentOf("zz", "m1", "a3")), "m1<b1", "u4<m1"}, "u4", "b1 m1 u4"},
		"tail does not lead to the head":             {[]string{boundaryLine("b1", "a3", segmentOf("u3", "m1", "a1")), "m1<b1", "u4<m1"}, "u4", "b1 m1 u4"},
		"re-emitted behind the boundary": {[]string{boundaryLine("b1", "a3", segmentOf("u3", "m1", "a3")), "m1<b1", "u3<m1", "a3<u3", "u4<a3"},
			"u4", "b1 m1 u3 a3 u4"},
		"two compactions": {[]string{boundaryLine("b1", "a3", segmentOf("u2", "m1", "a3")), "m1<b1", "u4<a3", "a4<u4",
			boundaryLine("b2", "a4", segmentOf("m1", "b2", "a2")), "m2<b2", "u5<m2"}, "u5", "b2 m1 u2 a2 m2 u5"},
		"kept again, in a list behind what is restored": {keptTwice, "u3", "b2 m2 t1 u3"},
		"the turn goes on behind it":                    {append(keptTwice[:len(keptTwice):len(keptTwice)], "a5<u3"), "a5", "b2 m2 t1 u3 a5"},
		"leaf that the later boundary left behind":      {keptTwice, "a4", "b1 m1 u3 a4"},
		"kept alone, then in a stretch": {[]string{boundaryLine("b1", "a3", listOf("m1", []string{"u3"})), "m1<b1", "a4<u3",
			boundaryLine("b2", "a4", segmentOf("u3", "m2", "a4")), "m2<b2", "u5<a4"}, "u5", "b2 m2 u3 a4 u5"},
		"an anchor that a later boundary kept": {[]string{boundaryLine("b1", "a3", listOf("m1", []string{"u3"})), "m1<b1",
			boundaryLine("b2", "u3", listOf("m2", []string{"m1"})), "m2<b2", "u5<m1"}, "u5", "b2 m2 m1 u5"},
		"anchor in its own segment": {[]string{boundaryLine("b1", "a3", segmentOf("m1", "m1", "m1")), "m1<b1", "u4<m1"}, "u4", "b1 m1 u4"},
	} {
		t.Run(name, func(t *testing.T) {
			path, _ := Load(lines(append(before[:len(before):len(before)], c.file...)...)).Path(c.leaf)
			assert.Equal(t, c.want, strings.Join(ids(path), " "))
		})
	}
}

// The usage of a kept answer counted a payload that is no more: it reads as zero on the path, and only there (H-LOG-45).
func TestKeptAnswersHaveNoUsage(t *testing.T) {
	answer := `{"type":"assistant","uuid":"a1","parentUuid":"u1","message":{"id":"m","content":[],"usage":{"input_tokens":7}}}`
	later := strings.NewReplacer(`"a1"`, `"a2"`, `"u1"`, `"u2"`).Replace(answer)
	l := Load(lines("u1<", answer, boundaryLine("b1", "a1", segmentOf("u1", "m1", "a1")), "m1<b1", "u2<a1", later))
	path, _ := l.Path("a2")
	assert.Equal(t, "b1 m1 u1 a1 u2 a2", strings.Join(ids(path), " "))
	assert.Equal(t, zeroUsage, string(path[3].Message.Usage))
	assert.Equal(t, `{"input_tokens":7}`, string(path[5].Message.Usage))
	assert.Equal(t, `{"input_tokens":7}`, string(l.Find("a1").Message.Usage))
}

// Beyond boundaries the path goes along the logical parents, and what was kept stands in it once (H-CMD-30, H-LOG-42).
func TestTheWholePathCrossesBoundaries(t *testing.T) {
	file := lines("u1<", "a1<u1", "u2<a1", "a2<u2", boundaryLine("b1", "a2", segmentOf("u2", "m1", "a2")), "m1<b1", "u3<a2",
		boundaryLine("b2", "u3", ""), "m2<b2", "u4<m2")
	assert.Equal(t, "u1 a1 u2 a2 b1 m1 u3 b2 m2 u4", strings.Join(ids(Load(file).Whole("u4")), " "))
	cyclic := lines(boundaryLine("b1", "u1", ""), "u1<b1")
	assert.Equal(t, "b1 u1", strings.Join(ids(Load(cyclic).Whole("u1")), " "), "bug l-cycle-hangs")
}

// A path goes on behind a missing parent only where that is wanted (H-LOG-84, resume.dangling).
func TestDanglingParents(t *testing.T) {
	file := lines("u1<", "a1<u1", "x1<", "t1<a1", "u2<gone", "a2<u2")
	l := Load(file)
	path, cut := l.Path("a2")
	assert.Equal(t, "u2 a2", strings.Join(ids(path), " "))
	assert.True(t, cut)
	c, ok := l.CutOf("a2")
	assert.True(t, ok)
	assert.Equal(t, Cut{Entry: "u2", Missing: "gone", Lost: 3}, c)
	l.Bridge = true
	path, cut = l.Path("a2")
	assert.Equal(t, "u1 a1 u2 a2", strings.Join(ids(path), " "))
	assert.False(t, cut)
	_, ok = l.CutOf("a2")
	assert.False(t, ok)

	l = Load(lines("u1<", "a1<u1", "b1<", "m1<b1", "u2<gone"))
	l.Bridge = true
	path, _ = l.Path("u2")
	assert.Equal(t, "b1 m1 u2", strings.Join(ids(path), " "), "never beyond a boundary")
	l = Load(lines("u2<gone"))
	l.Bridge = true
	_, cut = l.Path("u2")
	assert.True(t, cut)
}
