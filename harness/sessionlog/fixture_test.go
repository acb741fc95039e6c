package sessionlog

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func fixture(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name+".jsonl"))
	require.NoError(t, err)
	return data
}

// Logs of our own in the shapes of the public ones, one file a shape (the fixture list of the format): each loads, lists,
// gives its path and forks, and every object and unknown field survives byte for byte (H-LOG-16, H-LOG-25, H-LOG-27,
// H-LOG-35, H-LOG-45, H-LOG-83, H-LOG-85).
func TestLogsInTheShapesOfOthers(t *testing.T) {
	for name, c := range map[string]struct {
		title  string
		list   bool
		path   int // entries
		report Report
		first  string // text in the first entry of the path
	}{
		"f01":       {"Shop: totals", true, 30, Report{}, "<command-message>init"},
		"f02":       {"round half up", true, 10, Report{}, "round half up"},
		"f03":       {"delete the cache", true, 11, Report{}, "delete the cache"},
		"f04":       {"", false, 2, Report{}, "find it"},
		"f05":       {"Edge cases", true, 9, Report{Blank: 1, Bad: 3, Unreadable: 1, Open: true}, "hello"},
		"f06":       {"Shown", true, 5, Report{}, "show me"},
		"f07":       {"Todos", true, 10, Report{}, "plan it"},
		"f08":       {"first", true, 7, Report{Duplicate: 1}, "Conversation compacted"},
		"f09":       {"Two agents", true, 5, Report{}, "two agents"},
		"f09.agent": {"", false, 2, Report{}, `"x"`},
		"f10":       {"start", true, 4, Report{}, "start"},
		"f11":       {"ls", true, 4, Report{Linear: true}, "hi"},
		"f12":       {"", false, 0, Report{Unreadable: 3}, ""},
		"f13":       {"please\n<system-reminder>be brief</system-reminder>", true, 2, Report{}, "be brief"},
	} {
		t.Run(name, func(t *testing.T) {
			data := fixture(t, name)
			l := Load(data)
			assert.Equal(t, c.report, l.Report)
			listed := Describe(data)
			assert.Equal(t, c.title, listed.Title)
			assert.Equal(t, c.list, listed.InList())

			path, cut := l.Path(l.Leaf())
			assert.False(t, cut)
			require.Len(t, path, c.path)
			if c.path > 0 {
				assert.Contains(t, string(path[0].Raw), c.first)
			}
			everyObjectIsKept(t, data, l)
			forksWhole(t, l, path)
		})
	}
}

// everyObjectIsKept: each line that holds an object stands among the entries, those that came again later, or the
// records, in its own bytes.
func everyObjectIsKept(t *testing.T, data []byte, l *Log) {
	t.Helper()
	kept := map[string]bool{}
	for _, e := range l.Entries {
		kept[string(e.Raw)] = true
		assert.Equal(t, string(e.Raw), string(data[e.Order:e.Order+len(e.Raw)]), "its offset")
	}
	for _, r := range l.Records {
		kept[string(r.Raw)] = true
	}
	missing := 0
	for _, line := range bytes.Split(data, []byte("\n")) {
		if bytes.HasPrefix(line, []byte("{")) && !kept[string(line)] {
			missing++
		}
	}
	assert.Equal(t, l.Report.Duplicate, missing)
}

// forksWhole: the fork has the path's entries with their messages byte for byte, as a path of its own.
func forksWhole(t *testing.T, l *Log, path []*Entry) {
	t.Helper()
	f, err := Fork(l, l.Leaf(), ForkOptions{Source: "s", Session: "new", NewID: fresh()})
	if len(path) == 0 || path[0].Sidechain {
		assert.ErrorIs(t, err, ErrNothingToFork)
		return
	}
	require.NoError(t, err)
	forked := Load(f.Lines)
	assert.Zero(t, forked.Report.Bad+forked.Report.Unreadable+forked.Report.Duplicate)
	again, cut := forked.Path(forked.Leaf())
	assert.False(t, cut)
	require.Len(t, again, len(path))
	for i, e := range path {
		assert.Equal(t, f.IDs[e.UUID], again[i].UUID)
		assert.Equal(t, e.Message, again[i].Message)
		assert.Equal(t, e.Result, again[i].Result)
	}
}

// Kept messages stand once behind the summary, re-emitted or not, without their old usage; a logical parent that comes
// later in the file is no fault (H-LOG-42, H-LOG-45).
func TestKeptMessagesOfAnotherWriter(t *testing.T) {
	l := Load(fixture(t, "f08"))
	path, _ := l.Path(l.Leaf())
	var said []string
	for _, e := range path {
		said = append(said, string(e.Message.Text))
		for _, b := range e.Message.Blocks {
			said = append(said, string(b.Raw))
		}
	}
	assert.Equal(t, []string{"", `"So far: one."`, `"kept one"`, "", `{"type":"text","text":"kept two"}`, `"kept three"`, "", "", `{"type":"text","text":"on"}`}, said)
	assert.Equal(t, zeroUsage, string(path[3].Message.Usage))
	assert.NotEqual(t, zeroUsage, string(path[6].Message.Usage))
	_, isCut := l.CutOf(l.Leaf())
	assert.False(t, isCut)
}

// A file cut at any byte loads, its path never grows by the cut, and the next append starts on a fresh line (H-LOG-82).
// A file without any one of its lines loads too, and says where the path is cut (H-LOG-84).
func TestAFixtureCutAnywhere(t *testing.T) {
	whole := fixture(t, "f02")
	longest := 0
	for n := 0; n <= len(whole); n++ {
		l := Load(whole[:n])
		path, cut := l.Path(l.Leaf())
		assert.False(t, cut)
		assert.GreaterOrEqual(t, len(path), longest)
		longest = len(path)
	}
	lines := strings.SplitAfter(string(whole), "\n")
	cuts := 0
	for i := range lines[:len(lines)-1] {
		l := Load([]byte(strings.Join(append(append([]string{}, lines[:i]...), lines[i+1:]...), "")))
		if c, ok := l.CutOf(l.Leaf()); ok {
			cuts++
			assert.NotEmpty(t, c.Missing)
		}
		l.Bridge = true
		path, _ := l.Path(l.Leaf())
		assert.GreaterOrEqual(t, len(path), longest-1)
	}
	assert.Positive(t, cuts)
}
