package real_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"harnessbench/conformance/trace"
)

// TestACutAtEveryByteOfTheLastLines ends a session's file inside its last three lines, at each byte, as a process leaves
// it that dies in the middle of a write: the session is resumed and answers the next prompt, every whole line counts, no
// byte that stood there changes, no pair is broken and no tool runs twice (H-LOG-82, LOG-8). Each byte takes the tag sweep.
func TestACutAtEveryByteOfTheLastLines(t *testing.T) {
	t.Run("a turn that ended", func(t *testing.T) { cuts(t, false) })
	t.Run("a call that is open", func(t *testing.T) { cuts(t, true) })
}

// passedOver is how many bytes inside a line there are for one at which it is cut, unless all are wanted.
const passedOver = 61

func cuts(t *testing.T, open bool) {
	b := newBed(t)
	require.False(t, b.whole(job{Model: model, Seed: 1}, story()...))
	file, all := b.log()
	if open { // what stands there up to the last call
		at := bytes.LastIndex(all, []byte(`"type":"tool_use"`))
		all = all[:at+bytes.IndexByte(all[at:], '\n')+1]
	}
	ran, err := os.ReadFile(filepath.Join(b.project, "runs"))
	require.NoError(t, err)
	lines := bytes.SplitAfter(bytes.TrimSuffix(all, []byte("\n")), []byte("\n"))
	from := len(bytes.Join(lines[:len(lines)-3], nil))
	for cut := from; cut <= len(all); cut++ {
		if !thorough && cut%passedOver != 0 && !bytes.Contains(all[max(0, cut-2):min(len(all), cut+3)], []byte("\n")) {
			continue
		}
		b.begin()
		require.NoError(t, os.WriteFile(file, all[:cut], 0o600))
		b.take(trace.Event{Kind: trace.KindLog, Log: &trace.Log{File: file, Data: bytes.Clone(all[:cut]), Given: true}}, nil)
		b.logged = map[string][]byte{file: bytes.Clone(all[:cut])}
		b.within(job{Model: model, Seed: uint64(cut), Resume: true}, still)
		data, err := os.ReadFile(file)
		require.NoError(t, err)
		require.Equal(t, string(b.logged[file]), string(data), "cut at byte %d", cut)
		require.Contains(t, string(data[cut:]), "I am here.", "cut at byte %d", cut)
		require.Subset(t, pathTo(t, data, b.leaf.Leaf), entries(all[:bytes.LastIndexByte(all[:cut], '\n')+1]), "cut at byte %d", cut)
		require.Empty(t, unpaired(t, data, b.leaf.Leaf), "cut at byte %d", cut)
		require.Empty(t, b.broken(), "cut at byte %d", cut)
		require.Empty(t, b.runs, "cut at byte %d", cut)
	}
	now, err := os.ReadFile(filepath.Join(b.project, "runs"))
	require.NoError(t, err)
	require.Equal(t, string(ran), string(now))
}
