package sessionlog

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// view is what a session that resumes asks of a log.
type view struct {
	Leaf, LastPrompt string
	Pinned, Cut      bool
	Path             []string
	State            State
	Calls            []bool
}

func viewOf(l *Log) view {
	v := view{Leaf: l.Leaf(), Pinned: l.Pinned(), State: l.State}
	path, cut := l.Path(v.Leaf)
	v.Cut, v.LastPrompt = cut, l.LastPrompt(v.Leaf)
	for _, e := range path {
		v.Path = append(v.Path, fmt.Sprintf("%d %s %s", e.Order, e.Raw, e.Message.Usage))
	}
	l.Claim(path)
	for i := range 40 {
		v.Calls = append(v.Calls, l.HasCall(fmt.Sprint("c", i)))
	}
	return v
}

// reader reads from bytes and counts what it gave.
func reader(data []byte, given *int) ReadAt {
	return func(offset int64, n int) ([]byte, error) {
		to := min(offset+int64(n), int64(len(data)))
		*given += int(to - offset)
		return slices.Clone(data[offset:to]), nil
	}
}

// A log read from its tail tells what a full load tells, the naive way (H-LOG-89): with a late, early or no boundary,
// several of them, restated state or none, kept segments, boundaries with parents as in forks, torn tails, records of
// state before and behind, branches and pins across the boundary, lines that name entries further on.
func TestTailEqualsTheFullLoad(t *testing.T) {
	partial, whole := 0, 0
	rapid.Check(t, func(rt *rapid.T) {
		file := drawLarge(rt)
		given := 0
		l, err := loadTail(reader(file, &given), int64(len(file)), false, 2000, 512)
		require.NoError(t, err)
		if l.Partial {
			partial++
		} else {
			whole++
		}
		require.Equal(rt, viewOf(Load(file)), viewOf(l))
	})
	assert.NotZero(t, partial)
	assert.NotZero(t, whole)
}

// drawLarge draws a file of few entries, with filling that makes it large.
func drawLarge(rt *rapid.T) []byte {
	var b strings.Builder
	var uuids []string
	leaf := ""
	add := func(line string) { b.WriteString(line); b.WriteByte('\n') }
	entry := func(parent string) {
		id := fmt.Sprintf("%s%d", rapid.SampledFrom([]string{"u", "u", "a", "a", "t", "s", "m", "x"}).Draw(rt, "kind"), len(uuids))
		if id[0] == 'a' && rapid.Bool().Draw(rt, "call") {
			up := "null"
			if parent != "" {
				up = fmt.Sprintf("%q", parent)
			}
			add(fmt.Sprintf(`{"type":"assistant","uuid":%q,"parentUuid":%s,"message":{"id":"m%d","content":[{"type":"tool_use","id":"c%d","name":"Read","input":{}}],"usage":{"input_tokens":1}}}`,
				id, up, len(uuids), len(uuids)%40))
		} else {
			add(oneLineOf(id + "<" + parent))
		}
		uuids = append(uuids, id)
		if id[0] != 'x' {
			leaf = id
		}
	}
	some := func(name string) string {
		if len(uuids) == 0 {
			return ""
		}
		return rapid.SampledFrom(uuids).Draw(rt, name)
	}
	filling := func(n int) {
		add(`{"type":"user","uuid":"` + fmt.Sprint("fill", b.Len()) + `","isSidechain":true,"parentUuid":null,"message":{"content":"` + strings.Repeat("filling ", n/8) + `"}}`)
	}
	filling(rapid.SampledFrom([]int{100, 4000}).Draw(rt, "before"))
	for range rapid.IntRange(0, 25).Draw(rt, "steps") {
		switch rapid.IntRange(0, 19).Draw(rt, "step") {
		case 0:
			add(oneLineOf("pin:" + some("pinned")))
			leaf = ""
			if rapid.Bool().Draw(rt, "goes on") && len(uuids) > 0 {
				leaf = some("from")
			}
		case 1:
			add(oneLineOf("last:" + some("last")))
		case 2:
			add(string(CustomTitle("s", rapid.SampledFrom([]string{"A", "B"}).Draw(rt, "title"))) + string(PermissionMode("s", "plan")))
		case 3:
			entry(some("branch"))
		case 4:
			entry(fmt.Sprint("u", len(uuids)+rapid.IntRange(1, 4).Draw(rt, "ahead"))) // names what comes later
		case 5:
			filling(rapid.SampledFrom([]int{100, 600, 1200}).Draw(rt, "between"))
		case 6:
			add(`{"type":"user","broken`)
		case 7, 8, 9, 10, 11:
			state := Load([]byte(b.String())).State
			id := fmt.Sprint("b", len(uuids))
			kept := ""
			if rapid.IntRange(0, 3).Draw(rt, "keeps") == 0 {
				kept = segmentOf(some("head"), rapid.SampledFrom([]string{id, fmt.Sprint("m", len(uuids)+1)}).Draw(rt, "anchor"), leaf)
			}
			line := boundaryLine(id, leaf, kept)
			if rapid.IntRange(0, 3).Draw(rt, "forked") == 0 {
				line = strings.Replace(line, `"parentUuid":null`, fmt.Sprintf(`"parentUuid":%q`, leaf), 1)
			}
			add(line)
			uuids = append(uuids, id)
			if rapid.IntRange(0, 9).Draw(rt, "torn compaction") > 0 {
				sum := fmt.Sprint("m", len(uuids))
				add(`{"type":"user","uuid":"` + sum + `","parentUuid":"` + id + `","isCompactSummary":true,"message":{"content":"sum"}}`)
				uuids, leaf = append(uuids, sum), sum
			}
			if rapid.IntRange(0, 9).Draw(rt, "restated") > 0 {
				b.Write(Restated(state, id, "s"))
			}
		default:
			entry(leaf)
		}
	}
	file := []byte(b.String())
	if rapid.Bool().Draw(rt, "torn") {
		file = file[:len(file)-rapid.IntRange(0, 60).Draw(rt, "cut")]
	}
	return file
}

// Only the tail is read when the boundary stands late and the state is restated; otherwise all of it (H-LOG-89).
func TestALateBoundaryIsReadFromTheTail(t *testing.T) {
	before := string(lines("u1<", "a1<u1")) + `{"type":"user","uuid":"f","isSidechain":true,"message":{"content":"` + strings.Repeat("x", 8<<20) + `"}}` + "\n" +
		string(CustomTitle("s", "A")) + string(lines("u2<a1"))
	boundary := boundaryLine("b1", "u2", "") + "\n" + `{"type":"user","uuid":"m1","parentUuid":"b1","isCompactSummary":true,"message":{"content":"sum"}}` + "\n"
	restated := string(Restated(State{Title: "A"}, "b1", "s"))
	read := func(file string) (*Log, int) {
		given := 0
		l, err := LoadTail(reader([]byte(file), &given), int64(len(file)), false)
		require.NoError(t, err)
		require.Equal(t, viewOf(Load([]byte(file))), viewOf(l))
		return l, given
	}
	l, given := read(before + boundary + restated + string(lines("u3<m1")))
	assert.True(t, l.Partial)
	assert.LessOrEqual(t, given, firstBlock)
	assert.Equal(t, "A", l.State.Title)
	l, given = read(before + boundary + restated)
	assert.True(t, l.Partial, "the newest prompt stands before the boundary")
	assert.Equal(t, "u2", l.LastPrompt(l.Leaf()))
	assert.LessOrEqual(t, given, 2*firstBlock)
	for name, tail := range map[string]string{
		"state is not restated":        boundary + string(lines("u3<m1")),
		"restated for another":         boundary + string(Restated(State{}, "b0", "s")) + string(lines("u3<m1")),
		"path before the boundary":     boundary + restated + string(lines("u3<u2")),
		"pin before the boundary":      boundary + restated + string(lines("pin:a1")),
		"kept segment":                 strings.Replace(boundary, `"compactMetadata":{`, `"compactMetadata":{`+segmentOf("u1", "b1", "u2"), 1) + restated + string(lines("u3<m1")),
		"boundary of an agent":         strings.Replace(boundary, `{`, `{"isSidechain":true,`, 1) + restated + string(lines("u3<u2")),
		"boundary in a text":           `{"type":"attachment","uuid":"t","parentUuid":"u2","x":"compact_boundary"}` + "\n" + string(lines("u3<t")),
		"boundary without its summary": boundaryLine("b1", "u2", "") + "\n" + restated,
	} {
		l, _ := read(before + tail)
		assert.False(t, l.Partial, name)
	}
	small, _ := read(string(lines("u1<")) + boundary + restated)
	assert.False(t, small.Partial)
}
