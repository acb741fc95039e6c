package sessionlog

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The id of a snapshot may be that of an entry, or look like one; it never enters the index of entries (H-LOG-60, H-LOG-65,
// bug l-snapshot-id-collides).
func TestSnapshotsHaveIDsOfTheirOwn(t *testing.T) {
	l := Load(lines("u1<", `{"type":"file-history-snapshot","messageId":"u1","isSnapshotUpdate":false,"snapshot":{"messageId":"u1","timestamp":"T","trackedFileBackups":{}}}`,
		"a1<u1", `{"type":"file-history-snapshot","messageId":"a1","isSnapshotUpdate":true,"snapshot":{"messageId":"a1","trackedFileBackups":{"f":{"backupFileName":null,"version":1}}}}`,
		"u2<a1"))
	path, _ := l.Path(l.Leaf())
	assert.Equal(t, []string{"u1", "a1", "u2"}, ids(path))
	assert.Equal(t, []byte(nil), l.Find("a1").Message.Text, "the entry, not the snapshot")
	assert.Len(t, l.Snapshots, 2)
	assert.Zero(t, l.Report.Duplicate)
}

// Of equal ids the later line wins at its later place, also where the earlier hangs from it (H-LOG-86, bug
// l-duplicate-id-makes-cycle).
func TestTheLaterOfEqualIDsWins(t *testing.T) {
	l := Load(lines("u1<", "a1<u1", "u2<a1", "u1<u2"))
	assert.Equal(t, 1, l.Report.Duplicate)
	assert.Equal(t, []string{"a1", "u2", "u1"}, ids(l.Entries))
	path, cut := l.Path(l.Leaf())
	assert.Equal(t, []string{"a1", "u2", "u1"}, ids(path))
	assert.True(t, cut, "a cycle ends at its first revisit")
}

// Of records of state the last holds; replaced results add up and the first for a call holds; records that are not
// interpreted are kept as they are (H-LOG-12, H-LOG-70, H-LOG-73, H-LOG-85).
func TestRecordsOfState(t *testing.T) {
	odd := `{"type":"bridge-session","x":[1.0]}`
	l := Load(lines(`{"type":"custom-title","customTitle":"A"}`, `{"type":"custom-title","customTitle":"B"}`, `{"type":"permission-mode","permissionMode":"plan"}`,
		`{"type":"permission-mode","permissionMode":"default"}`, `{"type":"model-state","model":"m","effort":"low"}`, `{"type":"model-state","model":"n"}`, odd,
		`{"type":"content-replacement","replacements":[{"tool_use_id":"t","replacement":"one"}]}`,
		`{"type":"content-replacement","replacements":[{"tool_use_id":"t","replacement":"two"},{"tool_use_id":"u","replacement":"three"}]}`))
	assert.Equal(t, State{Title: "B", Mode: "default", Model: "n"}, l.State)
	assert.Equal(t, map[string][]byte{"t": []byte(`"one"`), "u": []byte(`"three"`)}, l.Decisions.Replaced)
	assert.Equal(t, odd, string(l.Records[6].Raw))
	assert.Len(t, l.Records, 9)
}

// A snip and a collapse are read as they were written, one adding to the other, and a copy of the chain names the copies
// (H-CMP-17, H-CMP-32, H-LOG-70).
func TestRecordsOfSnipsAndCollapses(t *testing.T) {
	snip := Removal{Leaf: "a2", Gone: []string{"a1", "u2"}, Freed: 7}
	span := Removal{Leaf: "a3", Gone: []string{"a2"}, Freed: 9}
	file := append(lines("u1<", "a1<u1", "u2<a1", "a2<u2", "a3<a2"), SnipRecord("s", snip, 2)...)
	file = append(file, CollapseRecord("s", span, []byte(`"sum"`))...)
	l := Load(file)
	got := &l.Decisions
	assert.Equal(t, map[string]bool{"a1": true, "u2": true}, got.Snipped)
	assert.Equal(t, 2, got.SnipTotal)
	assert.Equal(t, []Collapse{{span.Gone, []byte(`"sum"`)}}, got.Collapsed)
	assert.Equal(t, []Removal{snip, span}, got.Removals)
	for uuid, hidden := range map[string]bool{"u1": false, "a1": true, "u2": true, "a2": true, "a3": false} {
		assert.Equal(t, hidden, got.Hides(uuid), uuid)
	}
	f, err := Fork(l, "a3", ForkOptions{Source: "s", Session: "n", NewID: func() func() string {
		n := 0
		return func() string { n++; return "n" + string(rune('0'+n)) }
	}()})
	require.NoError(t, err)
	forked := Load(f.Lines).Decisions
	assert.Equal(t, []Removal{{"n4", []string{"n2", "n3"}, 7}, {"n5", []string{"n4"}, 9}}, forked.Removals)
}

// A decision stands on the paths that hold the entry it was made behind, and something of what it is about; where the
// record names no such entry, everywhere. A copy of another path does without it (H-CMP-17, H-CMP-24, H-CMP-32, H-LOG-73).
func TestDecisionsStandOnTheirPath(t *testing.T) {
	file := lines("u1<", "a1<u1", "u2<a1", "a2<u2", "u3<a2", "a3<u3", "u4<a1", boundaryLine("b1", "a3", listOf("m1", []string{"a2"})), "m1<b1")
	file = append(file, SnipRecord("s", Removal{Leaf: "a1", Gone: []string{"u1"}, Freed: 1}, 1)...)
	file = append(file, SnipRecord("s", Removal{Leaf: "a2", Gone: []string{"u2"}, Freed: 2}, 2)...)
	file = append(file, CollapseRecord("s", Removal{Leaf: "u3", Gone: []string{"a1"}, Freed: 3}, []byte(`"sum"`))...)
	file = append(file, Replacement("s", "u3", "c", "short")...)
	file = append(file, Replacement("s", "", "d", "spilled")...)
	file = append(file, `{"type":"collapse-commit","spanUuids":["u1"],"summary":"old"}`+"\n"...)
	l := Load(file)
	for leaf, want := range map[string]struct {
		freed, total, spans, texts int
	}{
		"a3": {1 + 2 + 3, 2, 2, 2},
		"u3": {1 + 2 + 3, 2, 2, 2},
		"a2": {0, 0, 1, 1}, // kept by a boundary: nothing of what was left out stands there
		"u2": {1, 1, 1, 1},
		"u4": {1, 1, 1, 1},
		"u1": {0, 0, 1, 1},
	} {
		for range 2 { // as often as one likes
			path, _ := l.Path(leaf)
			l.Decisions.Stand(path)
			freed := 0
			for _, r := range l.Decisions.Removals {
				freed += r.Freed
			}
			assert.Equal(t, want.freed, freed, leaf)
			assert.Equal(t, want.total, l.Decisions.SnipTotal, leaf)
			assert.Len(t, l.Decisions.Collapsed, want.spans, leaf)
			assert.Len(t, l.Decisions.Replaced, want.texts, leaf)
		}
		f, err := Fork(l, leaf, ForkOptions{Source: "s", Session: "n", Preserve: true})
		require.NoError(t, err)
		forked := Load(f.Lines)
		path, _ := forked.Path(forked.Leaf())
		forked.Decisions.Stand(path)
		assert.Equal(t, l.Decisions.Snipped, forked.Decisions.Snipped, leaf)
		assert.Equal(t, l.Decisions.Replaced, forked.Decisions.Replaced, leaf)
	}
}
