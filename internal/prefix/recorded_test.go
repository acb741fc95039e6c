//go:build outside

package prefix

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"harnessbench/internal/model"
	"harnessbench/internal/wire"
)

const recordedDir = "../../../shared/recorded"

// exchange is what the tests need of one recorded call; recorded/README.md part 2.
type exchange struct {
	ID     string `json:"id"`
	Source struct {
		Repo string `json:"repo"`
		Path string `json:"path"`
	} `json:"source"`
	Recorded string          `json:"recorded"`
	Path     string          `json:"path"`
	Status   int             `json:"status"`
	Raw      string          `json:"request_raw"`
	Body     json.RawMessage `json:"request_body"`
	Usage    *struct {
		Input    int `json:"input_tokens"`
		Creation int `json:"cache_creation_input_tokens"`
		Read     int `json:"cache_read_input_tokens"`
	} `json:"usage"`
	Tags []string `json:"tags"`
}

// body is the request as sent, or as the recorder wrote it down.
func (e exchange) body() []byte {
	if json.Valid([]byte(e.Raw)) {
		return []byte(e.Raw)
	}
	return e.Body
}

// lines reads a compressed file of JSON lines.
func lines(t testing.TB, name string, each func(line []byte)) {
	t.Helper()
	f, err := os.Open(name)
	require.NoError(t, err, "the recordings must lie beside the module")
	defer f.Close()
	z, err := gzip.NewReader(f)
	require.NoError(t, err)
	in := bufio.NewReaderSize(z, 1<<20)
	for {
		line, err := in.ReadBytes('\n')
		if len(bytes.TrimSpace(line)) > 0 {
			each(line)
		}
		if err != nil {
			return
		}
	}
}

func exchanges(t testing.TB) []exchange {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(recordedDir, "exchanges-*.jsonl.gz"))
	require.NoError(t, err)
	require.NotEmpty(t, files, "the recordings must lie beside the module")
	sort.Strings(files)
	var all []exchange
	for _, name := range files {
		lines(t, name, func(line []byte) {
			var e exchange
			require.NoError(t, json.Unmarshal(line, &e))
			all = append(all, e)
		})
	}
	return all
}

// cached are the calls with a breakpoint whose counts say something, in the order they were made as far
// as it is known. Calls of one file are in order; calls with an exact time are ordered over a repository.
func cached(t testing.TB) []exchange {
	var list []exchange
	for _, e := range exchanges(t) {
		if e.Status == 200 && e.Usage != nil && bytes.Contains(e.Body, []byte(`"cache_control"`)) && e.Path != "/v1/messages/count_tokens" {
			list = append(list, e)
		}
	}
	sort.SliceStable(list, func(i, j int) bool {
		a, b := list[i], list[j]
		if a.Source.Repo != b.Source.Repo {
			return a.Source.Repo < b.Source.Repo
		}
		return exact(a) && exact(b) && a.Recorded < b.Recorded
	})
	return list
}

func exact(e exchange) bool { return len(e.Recorded) > len("2026-01-01") }

// account is how far the entries of a call may be seen: over a repository where times are known, else
// within one file.
func (e exchange) account() string {
	if exact(e) {
		return e.Source.Repo
	}
	return e.Source.Path
}

func (e exchange) at() time.Time {
	at, _ := time.Parse(time.RFC3339, e.Recorded)
	return at
}

type entryKey struct {
	account string
	chain   Hash
	ttl     time.Duration
}

type entry struct {
	size int // 0: not known, a marker before the last
	used time.Time
}

// serverSide tells requests with tools the server runs itself: their usage sums several steps (5.8).
func serverSide(req *wire.Request) bool {
	for _, t := range req.Get("tools").Elems() {
		typ := t.Get("type").Text()
		for _, p := range []string{"web_", "code_execution", "advisor", "tool_search", "mcp_"} {
			if strings.HasPrefix(typ, p) {
				return true
			}
		}
	}
	return req.Get("mcp_servers").Exists() || req.Get("context_management").Exists()
}

// Repeats and growing series of cached calls give the recorded hit, by identity and lookup alone: the
// size of an entry is what the call that wrote it read and wrote, never the counter's.
func TestRecordedCallsHitWhatWasWritten(t *testing.T) {
	store := map[entryKey]*entry{}
	count := map[string]int{}
	calls := cached(t)
	for _, e := range calls {
		req, err := wire.Parse(nil, e.body())
		require.NoError(t, err, e.ID)
		m, ok := model.Lookup(req.Model())
		if !ok {
			count["unknown model"]++
			continue
		}
		min := m.MinCacheable
		m.MinCacheable = 1
		r := Render(nil, req, m, Options{})
		marked := r.Eligible()
		if len(marked) == 0 {
			count["the marker is no breakpoint of the request"]++
			continue
		}
		if serverSide(req) {
			count["server tools: usage is a sum of steps"]++
			continue
		}
		size := e.Usage.Read + e.Usage.Creation
		key := func(c Hash, ttl time.Duration) entryKey { return entryKey{e.account(), c, ttl} }
		hit := r.Lookup(func(c Hash, ttl time.Duration) bool {
			s := store[key(c, ttl)]
			return s != nil && (!exact(e) || e.at().Sub(s.used) < ttl)
		})
		last := marked[len(marked)-1]
		switch {
		case size == 0 && hit.Block >= 0:
			t.Errorf("%s: block %d of the request is stored, yet the call read and wrote nothing", e.ID, hit.Block)
		case size == 0:
			count["nothing cached: below the minimum"]++
			if n := r.Blocks.At(last).Tokens; n > min*5/4 && !bytes.Contains(e.Body, []byte(`"url"`)) { // the size of a linked image is not known
				t.Errorf("%s: %d tokens counted up to the last marker, minimum %d, yet nothing was cached", e.ID, n, min)
			}
			continue
		case hit.Block < 0 && e.Usage.Read > 0 && bytes.Contains(e.Body, []byte(`"document"`)):
			count["read a document that was written in another form or by an earlier run"]++
		case hit.Block < 0 && e.Usage.Read > 0:
			count["read an entry of an earlier run that is not recorded"]++
		case hit.Block < 0:
			count["checked: miss"]++
		default:
			s := store[key(r.Blocks.At(hit.Block).Cache, r.Mark(hit.Breakpoint).TTL)]
			switch {
			case e.Usage.Read == 0:
				t.Errorf("%s: block %d is stored (%d tokens), recorded as a miss that wrote %d", e.ID, hit.Block, s.size, e.Usage.Creation)
			case s.size == 0:
				count["checked: hit at a marker whose size is not recorded"]++
			case s.size == e.Usage.Read:
				count["checked: hit, read as recorded"]++
			case e.Usage.Read > s.size:
				count["read a longer entry of an earlier run"]++
			default:
				t.Errorf("%s: block %d is stored with %d tokens, recorded read %d", e.ID, hit.Block, s.size, e.Usage.Read)
			}
			if hit.Block == last && e.Usage.Creation > 0 && e.Usage.Read == s.size {
				t.Errorf("%s: hit at the last marker, yet %d tokens were written", e.ID, e.Usage.Creation)
			}
			if hit.Block < last && e.Usage.Creation == 0 && e.Usage.Read == s.size {
				t.Errorf("%s: hit before the last marker, yet nothing was written", e.ID)
			}
			s.used = e.at()
		}
		if last == r.Blocks.Len()-1 {
			if tail := r.Total - r.Blocks.At(last).Tokens; tail != e.Usage.Input {
				t.Errorf("%s: tail %d, recorded %d", e.ID, tail, e.Usage.Input)
			}
			count["checked: tail behind a marker on the last block"]++
		}
		for _, i := range marked {
			b := r.Blocks.At(i)
			k := key(b.Cache, r.Mark(i).TTL)
			switch {
			case i == last:
				store[k] = &entry{size, e.at()}
			case b.Tokens >= min && store[k] == nil:
				store[k] = &entry{0, e.at()}
			case store[k] != nil:
				store[k].used = e.at()
			}
		}
	}
	for _, name := range []string{
		"checked: hit, read as recorded", "checked: miss", "checked: tail behind a marker on the last block", "checked: hit at a marker whose size is not recorded",
		"read an entry of an earlier run that is not recorded", "read a document that was written in another form or by an earlier run", "read a longer entry of an earlier run", "nothing cached: below the minimum",
		"the marker is no breakpoint of the request", "server tools: usage is a sum of steps", "unknown model",
	} {
		t.Logf("%4d %s", count[name], name)
	}
	t.Logf("%4d calls with a marker", len(calls))
	require.GreaterOrEqual(t, count["checked: hit, read as recorded"], 55)
}
