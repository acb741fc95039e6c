//go:build outside

package recorded

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"harnessbench/fakeapi"
)

// longestTail is the most that stays behind a marker on the last block of a plain request (messages-api.md 5.4).
const longestTail = 4

// counts are the input side of a usage.
type counts struct {
	Input    int `json:"input_tokens"`
	Creation int `json:"cache_creation_input_tokens"`
	Read     int `json:"cache_read_input_tokens"`
}

// otherUse are cached calls whose use of the cache differs, with the reason.
var otherUse = map[string]string{
	"0xPlaygrounds/rig:tests/cassettes/anthropic/reasoning_usage_matrix/blocking_with_prompt_caching.yaml#0": "where the tokens of a thinking budget lie is known from one call only (messages-api.md 13.23)",
}

// TestRecordedSeriesUseTheCacheAlike plays the cached calls of each recorded file in order, against one server a file.
// Sizes are the counter's own; what must agree is the relation: read nothing or all that an earlier call read and
// wrote, the same one as recorded; write something or nothing; and behind a marker on the last block the same tail.
func TestRecordedSeriesUseTheCacheAlike(t *testing.T) {
	failed, checked, tails, hits, unknown := map[string]string{}, 0, 0, 0, 0
	files := map[string][]*record{}
	var order []string
	for _, r := range records(t) {
		if r.Status != 200 || !strings.HasPrefix(r.Path, "/v1/messages") || strings.Contains(r.Path, "count_tokens") || !r.hasRequest() || len(r.Usage) == 0 {
			continue
		}
		file := r.Source.Repo + r.Source.Path
		if files[file] == nil {
			order = append(order, file)
		}
		files[file] = append(files[file], r)
	}
	for _, file := range order {
		var s *fakeapi.Server
		var want, got []counts
		for i, r := range files[file] {
			if s == nil {
				s = fakeapi.New(r.asRecorded())
			}
			var w counts
			require.NoError(t, json.Unmarshal(r.Usage, &w))
			at := r.at()
			if len(r.Recorded) <= len("2006-01-02") {
				at = at.Add(time.Duration(i) * 10 * time.Second)
			}
			resp := r.sendAt(s, "good", at)
			if resp.Status != 200 {
				break // the test of verdicts reports it
			}
			u := resp.View.Usage
			g := counts{u.Input, u.Write5m + u.Write1h, u.Read}
			if !bytes.Contains(r.body(), []byte(`"cache_control"`)) {
				if g.Read+g.Creation > 0 {
					failed[r.ID] = fmt.Sprintf("nothing is marked, yet got %+v", g)
				}
				continue
			}
			if runsServerTools(r.body()) {
				continue // usage is a sum over steps
			}
			if refers(r.body()) {
				continue // nobody here knows the size of what the link leads to
			}
			from := explained(w, want)
			want, got = append(want, w), append(got, g)
			if w.Read > 0 && len(from) == 0 {
				unknown++ // it read what an earlier, unrecorded run left
				continue
			}
			checked++
			if why := differs(w, g, from, got, r); why != "" {
				failed[r.ID] = fmt.Sprintf("%s: recorded %+v, got %+v", why, w, g)
				continue
			}
			if w.Read > 0 {
				hits++
			}
			if w.Read+w.Creation > 0 && w.Input <= longestTail {
				tails++
			}
		}
	}
	t.Logf("%d hits, %d tails, %d reads of unrecorded runs", hits, tails, unknown)
	unexpected(t, otherUse, failed, checked)
}

// explained are the earlier calls that stored as many tokens as the call read.
func explained(w counts, earlier []counts) []int {
	var out []int
	for j, e := range earlier {
		if w.Read > 0 && e.Read+e.Creation == w.Read {
			out = append(out, j)
		}
	}
	return out
}

// differs says in what a call uses the cache in another way than it was recorded.
func differs(w, g counts, from []int, got []counts, r *record) string {
	switch {
	case w.Read == 0 && g.Read > 0:
		return "a miss is a hit here"
	case w.Read > 0 && g.Read == 0:
		return "a hit is a miss here"
	case (w.Creation > 0) != (g.Creation > 0):
		return "it writes in one and not in the other"
	}
	if w.Read > 0 {
		same := false
		for _, j := range from {
			same = same || got[j].Read+got[j].Creation == g.Read
		}
		if !same {
			return "it reads another call's prefix"
		}
	}
	if w.Read+w.Creation == 0 {
		return ""
	}
	if w.Input <= longestTail && w.Input != g.Input {
		return "another tail"
	}
	if w.Input > longestTail && math.Abs(float64(w.Input-g.Input)) > 5+0.15*float64(w.Input) {
		return "another rest behind the last marker"
	}
	return ""
}

func refers(body []byte) bool {
	flat := bytes.ReplaceAll(body, []byte(`": `), []byte(`":`))
	return bytes.Contains(flat, []byte(`"type":"url"`)) || bytes.Contains(flat, []byte(`"type":"file"`))
}

func runsServerTools(body []byte) bool {
	flat := bytes.ReplaceAll(body, []byte(`": `), []byte(`":`))
	for _, p := range []string{"web_", "code_execution_", "advisor_", "tool_search_", "mcp_"} {
		if bytes.Contains(flat, []byte(`"type":"`+p)) {
			return true
		}
	}
	return bytes.Contains(flat, []byte(`"mcp_servers"`)) || bytes.Contains(flat, []byte(`"context_management"`))
}
