package real_test

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// line is what is looked at in a line of a log.
type line struct {
	UUID, ParentUUID string
	Message          struct{ Content json.RawMessage }
}

// parsed are the lines that are JSON.
func parsed(data []byte) (lines []line) {
	for l := range bytes.Lines(data) {
		var at line
		if json.Unmarshal(l, &at) == nil {
			lines = append(lines, at)
		}
	}
	return lines
}

// entries are the uuids of the chain entries.
func entries(data []byte) (ids []string) {
	for _, l := range parsed(data) {
		if l.UUID != "" {
			ids = append(ids, l.UUID)
		}
	}
	return ids
}

// path are the entries from a leaf up to its root.
func path(t *testing.T, data []byte, leaf string) (up []line) {
	at := map[string]line{}
	for _, l := range parsed(data) {
		at[l.UUID] = l
	}
	for id := leaf; id != ""; id = at[id].ParentUUID {
		require.Contains(t, at, id)
		up = append(up, at[id])
	}
	return up
}

// pathTo are the uuids of a path.
func pathTo(t *testing.T, data []byte, leaf string) (ids []string) {
	for _, l := range path(t, data, leaf) {
		ids = append(ids, l.UUID)
	}
	return ids
}

// unpaired are the calls on a path of the log that have no result there, or several, and results without a call.
func unpaired(t *testing.T, data []byte, leaf string) (ids []string) {
	calls, results := map[string]int{}, map[string]int{}
	for _, l := range path(t, data, leaf) {
		var blocks []struct {
			Type, ID string
			Of       string `json:"tool_use_id"`
		}
		_ = json.Unmarshal(l.Message.Content, &blocks) // a text is no block
		for _, b := range blocks {
			switch b.Type {
			case "tool_use":
				calls[b.ID]++
			case "tool_result":
				results[b.Of]++
			}
		}
	}
	all := maps.Clone(calls)
	maps.Copy(all, results)
	for _, id := range slices.Sorted(maps.Keys(all)) {
		if calls[id] != 1 || results[id] != 1 {
			ids = append(ids, id)
		}
	}
	return ids
}
