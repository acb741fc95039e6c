//go:build outside

package recorded

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

	"harnessbench/fakeapi"
)

// recordedDir holds exchanges with the real API, read in place.
const recordedDir = "../../../shared/recorded"

// record is one recorded call.
type record struct {
	ID     string `json:"id"`
	Source struct {
		Repo string `json:"repo"`
		Path string `json:"path"`
	} `json:"source"`
	Recorded       string `json:"recorded"`
	NotAfter       string `json:"recorded_not_after"`
	Normalised     bool   `json:"normalised"`
	Method         string `json:"method"`
	Path           string `json:"path"`
	Model          string `json:"model"`
	RequestHeaders map[string]string
	RequestBody    json.RawMessage `json:"request_body"`
	RequestRaw     string          `json:"request_raw"`
	Status         int             `json:"status"`
	Headers        map[string]string
	Answer         json.RawMessage `json:"response_body"`
	SSE            string          `json:"sse"`
	Usage          json.RawMessage `json:"usage"`
	Tags           []string        `json:"tags"`

	RawRequestHeaders  map[string]any `json:"request_headers"`
	RawResponseHeaders map[string]any `json:"response_headers"`
}

// records reads every recorded call, in the order of the files.
func records(t testing.TB) []*record {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(recordedDir, "exchanges-*.jsonl.gz"))
	require.NoError(t, err)
	require.NotEmpty(t, files, "the recordings must lie beside the module")
	sort.Strings(files)
	var out []*record
	for _, name := range files {
		f, err := os.Open(name)
		require.NoError(t, err)
		z, err := gzip.NewReader(f)
		require.NoError(t, err)
		in := bufio.NewReaderSize(z, 1<<20)
		for err == nil {
			var line []byte
			if line, err = in.ReadBytes('\n'); len(bytes.TrimSpace(line)) == 0 {
				continue
			}
			r := &record{}
			require.NoError(t, json.Unmarshal(line, r))
			r.RequestHeaders, r.Headers = texts(r.RawRequestHeaders), texts(r.RawResponseHeaders)
			out = append(out, r)
		}
		require.NoError(t, f.Close())
	}
	return out
}

// texts are the headers that have one value.
func texts(in map[string]any) map[string]string {
	out := map[string]string{}
	for k, v := range in {
		if s, ok := v.(string); ok {
			out[k] = s
		}
	}
	return out
}

// at is when the call was made, as far as it is known.
func (r *record) at() time.Time {
	for _, s := range []string{r.Recorded, r.NotAfter} {
		for _, form := range []string{time.RFC3339, time.DateOnly} {
			if t, err := time.Parse(form, s); err == nil {
				return t
			}
		}
	}
	return time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)
}

// dated tells whether the day of the call itself is known, and not only that of its publication.
func (r *record) dated() bool { return r.Recorded != "" }

// body is the request as sent, or as the recorder wrote it down.
func (r *record) body() []byte {
	if json.Valid([]byte(r.RequestRaw)) {
		return []byte(r.RequestRaw)
	}
	return r.RequestBody
}

// hasRequest: some sources kept answers alone.
func (r *record) hasRequest() bool {
	b := r.body()
	return len(b) > 0 && string(b) != "null"
}

func (r *record) tagged(tag string) bool {
	for _, t := range r.Tags {
		if t == tag {
			return true
		}
	}
	return false
}

// opens are the beta values that a request needs for what it holds: recorders left the header out.
var opens = []struct{ holds, beta string }{
	{`"compact_20260112"`, "compact-2026-01-12"},
	{`"type":"compaction"`, "compact-2026-01-12"},
	{`"context_management"`, "context-management-2025-06-27"},
	{`"mcp_toolset"`, "mcp-client-2025-11-20"},
	{`"mcp_servers"`, "mcp-client-2025-04-04"},
	{`"advisor_20260301"`, "advisor-tool-2026-03-01"},
	{`"memory_20250818"`, "context-management-2025-06-27"}, // its clients sent it until it needed none
	{`"computer_20241022"`, "computer-use-2024-10-22"},
	{`"computer_20250124"`, "computer-use-2025-01-24"},
	{`"computer_20251124"`, "computer-use-2025-11-24"},
	{`"task_budget"`, "task-budgets-2026-03-13"},
	{`"tool_addition"`, "mid-conversation-tool-changes-2026-07-01"},
	{`"tool_removal"`, "mid-conversation-tool-changes-2026-07-01"},
	{`"skills"`, "skills-2025-10-02"},
	{`"file_id"`, "files-api-2025-04-14"},
}

// betas are those the record names, else those its request needs.
func (r *record) betas() string {
	if sent := r.RequestHeaders["anthropic-beta"]; sent != "" {
		return sent
	}
	body := bytes.ReplaceAll(r.body(), []byte(`": `), []byte(`":`))
	var out []string
	for _, o := range opens {
		if bytes.Contains(body, []byte(o.holds)) {
			out = append(out, o.beta)
		}
	}
	if strings.Contains(r.Path, "beta=true") && bytes.Contains(body, []byte(`"web_search_20250305"`)) {
		out = append(out, "web-fetch-2025-09-10") // clients of the beta path sent the values of all server tools
	}
	return strings.Join(out, ",")
}

// send puts the request of a record to a server.
func (r *record) send(s *fakeapi.Server, key string) fakeapi.Response {
	return r.sendAt(s, key, r.at())
}

func (r *record) sendAt(s *fakeapi.Server, key string, at time.Time) fakeapi.Response {
	h := map[string]string{"anthropic-version": "2023-06-01", "content-type": "application/json"}
	for k, v := range r.RequestHeaders {
		h[k] = v
	}
	if betas := r.betas(); betas != "" {
		h["anthropic-beta"] = betas
	}
	h["x-api-key"] = key
	var fields []fakeapi.Field
	for k, v := range h {
		fields = append(fields, fakeapi.Field{Name: k, Value: v})
	}
	sort.Slice(fields, func(i, j int) bool { return fields[i].Name < fields[j].Name })
	var body []byte
	if r.Method == "POST" {
		body = r.body()
	}
	return s.Handle(at, fakeapi.Request{Method: r.Method, Path: r.Path, Header: fields, Body: body})
}

// inScope: the endpoints that the server has.
func (r *record) inScope() bool {
	path, _, _ := strings.Cut(r.Path, "?")
	return path == "/v1/messages" || path == "/v1/messages/count_tokens" || path == "/v1/models" || strings.HasPrefix(path, "/v1/models/")
}

// asRecorded is a server that answers in the form of the record's day and knows no signature.
func (r *record) asRecorded() fakeapi.Options {
	return fakeapi.Options{Seed: 1, TrustSignatures: true, AnswerAs: r.at(), Keys: []string{"good"}}
}

// faultOf is the text of an error body.
func faultOf(body []byte) (kind, message string) {
	var e struct {
		Error struct {
			Type    string `json:"type"`
			Message string `json:"message"`
		} `json:"error"`
	}
	_ = json.Unmarshal(body, &e)
	return e.Error.Type, e.Error.Message
}

// unexpected reports records that a check fails on and that are not on its list, and entries of the list that are
// not needed.
func unexpected(t *testing.T, exceptions map[string]string, failed map[string]string, checked int) {
	t.Helper()
	for _, id := range sortedIDs(failed) {
		if exceptions[id] == "" {
			t.Errorf("%s: %s", id, failed[id])
		}
	}
	for _, id := range sortedIDs(exceptions) {
		if _, ok := failed[id]; !ok {
			t.Errorf("%s is on the list of exceptions and passes", id)
		}
	}
	t.Logf("%d checked, %d exceptions", checked, len(exceptions))
}

// TestExceptionsStayFew: under 2 % of the records may be excepted from anything.
func TestExceptionsStayFew(t *testing.T) {
	ids := map[string]bool{}
	for _, list := range []map[string]string{notAccepted, otherwiseRefused, otherForm, otherHeaders, otherEvents, otherUse} {
		for id := range list {
			ids[id] = true
		}
	}
	all := len(records(t))
	t.Logf("%d of %d records", len(ids), all)
	require.Less(t, 50*len(ids), all)
}

func sortedIDs(m map[string]string) []string {
	out := make([]string, 0, len(m))
	for k := range m {
		out = append(out, k)
	}
	sort.Strings(out)
	return out
}
