package sessionlog

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// fresh gives uuids n1, n2 and so on.
func fresh() func() string {
	n := 0
	return func() string { n++; return fmt.Sprint("n", n) }
}

func forked(t *testing.T, file []byte, opt ForkOptions) (*Log, Copy) {
	t.Helper()
	l := Load(file)
	f, err := Fork(l, l.Leaf(), opt)
	require.NoError(t, err)
	return Load(f.Lines), f
}

// A fork is the active chain with new uuids: no abandoned branch, no agent, no progress (H-CMD-50, H-CMD-52, D6). Bugs
// l-fork-reuses-uuids, l-branch-resurrects-rewound.
func TestForkCopiesTheActiveChain(t *testing.T) {
	file := lines("u1<", "a1<u1", "p1<a1", "u2<p1", "a2<u2", "u3<a2", "pin:u2", "a4<u2", "x1<", "u5<a4")
	l, f := forked(t, file, ForkOptions{Source: "s", Session: "new", NewID: fresh(), Now: "2026-01-01T00:00:00.000Z"})
	path, cut := l.Path(l.Leaf())
	assert.False(t, cut)
	assert.Equal(t, []string{"n1", "n2", "n3", "n4", "n5"}, ids(path))
	assert.Equal(t, []string{"", "n1", "n2", "n3", "n4"}, []string{path[0].Parent, path[1].Parent, path[2].Parent, path[3].Parent, path[4].Parent})
	assert.Equal(t, "n5", f.IDs["u5"])
	assert.Len(t, l.Entries, 5)
	assert.Equal(t, "2026-01-01T00:00:00.000Z", path[4].Time)
	assert.Contains(t, string(f.Lines), `"forkedFrom":{"sessionId":"s","messageUuid":"u5"}`)

	same, _ := forked(t, file, ForkOptions{Source: "s", Session: "new", Preserve: true, Now: "T"})
	path, _ = same.Path(same.Leaf())
	assert.Equal(t, []string{"u1", "a1", "u2", "a4", "u5"}, ids(path), "log.fork=preserve")
}

// Of a line only what must change is rewritten; unknown fields and types stay byte for byte (H-LOG-16, H-LOG-85).
func TestForkKeepsEveryOtherByte(t *testing.T) {
	odd := ` {"future":{"x":[1.0e2,"\u00e9"]},"uuid" : "z1","slug":"a-b-c","type":"strange","teamName":"t","parentUuid":"u1" , "sessionId":"s","agentName":"n","last":1}`
	l, f := forked(t, []byte(oneLineOf("u1<")+"\n"+odd+"\n"+oneLineOf("a1<z1")+"\n"), ForkOptions{Source: "s", Session: "new", NewID: fresh()})
	got := strings.Split(string(f.Lines), "\n")[1]
	assert.Equal(t, `{"future":{"x":[1.0e2,"\u00e9"]},"uuid" : "n2","type":"strange","parentUuid":"n1" , "sessionId":"new","last":1,`+
		`"forkedFrom":{"sessionId":"s","messageUuid":"z1"}}`, got)
	assert.Len(t, l.Entries, 3)
	_, again := forked(t, f.Lines, ForkOptions{Source: "new", Session: "third", Preserve: true})
	assert.Contains(t, string(again.Lines), `"sessionId":"third","last":1,"forkedFrom":{"sessionId":"new","messageUuid":"n2"}}`)

	whole := []byte(`{"type":"system","uuid":"b1","parentUuid":null,"logicalParentUuid":"gone","subtype":"compact_boundary"}` + "\n" + oneLineOf("u1<b1"))
	_, cut := forked(t, whole, ForkOptions{Source: "s", Session: "new", NewID: fresh()})
	assert.NotContains(t, string(cut.Lines), "logicalParentUuid", "its target is not copied")
}

// What names entries inside a copied line names the copies: a boundary's kept segment, cleared attachments, entries
// left out. A logical parent that is not copied, or not before its entry, is left out; replaced results go along,
// snapshots do not (H-CMD-50,
// H-CMD-51).
func TestForkRenamesWhatNamesEntries(t *testing.T) {
	file := []byte(strings.Join([]string{
		oneLineOf("u1<"), oneLineOf("a1<u1"), oneLineOf("u2<a1"), oneLineOf("a2<u2"),
		`{"type":"system","uuid":"b1","parentUuid":null,"logicalParentUuid":"a2","subtype":"compact_boundary","compactMetadata":{"trigger":"manual","preservedSegment":{"headUuid":"u2","anchorUuid":"s1","tailUuid":"a2"}}}`,
		`{"type":"user","uuid":"s1","parentUuid":"b1","isCompactSummary":true,"message":{"role":"user","content":"so far"}}`,
		oneLineOf("pin:a2"), oneLineOf("u3<a2"),
		`{"type":"system","uuid":"m1","parentUuid":"u3","subtype":"microcompact_boundary","microcompactMetadata":{"clearedAttachmentUUIDs":["u2","gone"]}}`,
		oneLineOf("a3<m1"),
		`{"type":"content-replacement","sessionId":"s","replacements":[{"tool_use_id":"t","replacement":"r"}]}`,
		`{"type":"content-replacement","sessionId":"s","agentId":"x","replacements":[]}`,
		`{"type":"snip","removedUuids":["u2","u1"],"total":2,"sessionId":"s"}`,
		`{"type":"snip","removedUuids":["u1"],"total":2,"sessionId":"s"}`,
		`{"type":"file-history-snapshot","messageId":"u3","snapshot":{}}`,
	}, "\n"))
	src := Load(file)
	path, _ := src.Path(src.Leaf())
	require.Equal(t, []string{"b1", "s1", "u2", "a2", "u3", "m1", "a3"}, ids(path))
	l, f := forked(t, file, ForkOptions{Source: "s", Session: "new", NewID: fresh()})
	path, cut := l.Path(l.Leaf())
	assert.False(t, cut)
	assert.Equal(t, []string{"n1", "n2", "n3", "n4", "n5", "n6", "n7"}, ids(path))
	text := string(f.Lines)
	assert.NotContains(t, text, "logicalParentUuid", "its target stands further down in the copy")
	assert.Contains(t, text, `"preservedSegment":{"headUuid":"n3","anchorUuid":"n2","tailUuid":"n4"}`)
	assert.Contains(t, text, `"clearedAttachmentUUIDs":["n3","gone"]`)
	assert.Contains(t, text, `{"type":"content-replacement","sessionId":"new","replacements":[{"tool_use_id":"t","replacement":"r"}]}`)
	assert.NotContains(t, text, "agentId")
	assert.Contains(t, text, `{"type":"snip","removedUuids":["n3","u1"],"total":2,"sessionId":"new"}`)
	assert.Equal(t, 1, strings.Count(text, `"snip"`))
	assert.NotContains(t, text, "snapshot")
}

// The boundary of a forked file may have a parent; the cut is at the boundary all the same (H-LOG-46).
func TestABoundaryWithAParentCuts(t *testing.T) {
	path, cut := Load(lines("u1<", "a1<u1", "b1<a1", "u2<b1")).Path("u2")
	assert.Equal(t, []string{"b1", "u2"}, ids(path))
	assert.False(t, cut)
}

// There is no fork of nothing, and none of what was never in a file.
func TestForkRefusals(t *testing.T) {
	_, err := Fork(New(), "", ForkOptions{})
	assert.ErrorIs(t, err, ErrNothingToFork)
	_, err = Fork(Load(lines("x1<", "x2<x1")), "x2", ForkOptions{})
	assert.ErrorIs(t, err, ErrNothingToFork, "an agent's log")
	l := New()
	l.Add(&Entry{Type: User, UUID: "u1"}) // as if it were logged
	_, err = Fork(l, "u1", ForkOptions{Preserve: true})
	assert.EqualError(t, err, "fork: entry u1 was not read from a file")
}
