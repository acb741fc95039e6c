//go:build outside

package wire

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// The tests with this tag read recordings of real traffic where they lie, beside the module, and fail
// when they are not there.

const (
	recordedGlob = "../../../shared/recorded/exchanges-*.jsonl.gz"
	capturesGlob = "../../../shared/clients/captures/*.json"
)

// exchange is one recorded call.
type exchange struct {
	id     string
	record Value
}

// body is the request as stored: its text where that was kept, else the span of the parsed form.
func (e exchange) body() []byte {
	if raw := e.record.Get("request_raw"); raw.Kind() == '"' {
		return []byte(raw.Text())
	}
	return e.record.Get("request_body").Raw()
}

func files(t *testing.T, glob string) []string {
	t.Helper()
	names, err := filepath.Glob(glob)
	require.NoError(t, err)
	require.NotEmpty(t, names, "no files at %s: these tests need the shared recordings beside the module", glob)
	return names
}

func exchanges(t *testing.T, visit func(e exchange)) {
	t.Helper()
	for _, name := range files(t, recordedGlob) {
		f, err := os.Open(name)
		require.NoError(t, err)
		z, err := gzip.NewReader(f)
		require.NoError(t, err)
		lines := bufio.NewReaderSize(z, 1<<20)
		for {
			line, err := lines.ReadBytes('\n')
			if len(bytes.TrimSpace(line)) > 0 {
				v, err := ParseValue(line)
				require.NoError(t, err, name)
				visit(exchange{v.Get("id").Text(), v})
			}
			if err == io.EOF {
				break
			}
			require.NoError(t, err)
		}
		require.NoError(t, f.Close())
	}
}

func captures(t *testing.T, visit func(name string, body []byte)) {
	t.Helper()
	for _, name := range files(t, capturesGlob) {
		data, err := os.ReadFile(name)
		require.NoError(t, err)
		v, err := ParseValue(data)
		require.NoError(t, err)
		visit(filepath.Base(name), v.Get("body").Raw())
	}
}

// bodies visits every request body there is.
func bodies(t *testing.T, visit func(id string, body []byte)) {
	captures(t, visit)
	exchanges(t, func(e exchange) {
		if body := e.body(); len(body) > 0 {
			visit(e.id, body)
		}
	})
}

// rewrite writes a value out again from its parts and what stands between them.
func rewrite(dst []byte, v Value) []byte {
	at := v.Offset()
	put := func(part Value) {
		dst = append(dst, v.Raw()[at-v.Offset():part.Offset()-v.Offset()]...)
		dst = rewrite(dst, part)
		at = part.Offset() + len(part.Raw())
	}
	for _, e := range v.Elems() {
		put(e)
	}
	for _, m := range v.Members() {
		put(m)
	}
	return append(dst, v.Raw()[at-v.Offset():]...)
}

func TestOutsideBodiesComeBackByteForByte(t *testing.T) {
	var objects, others, notJSON int
	bodies(t, func(id string, body []byte) {
		r, err := Parse(nil, body)
		if err != nil {
			v, err := ParseValue(body)
			require.Equal(t, json.Valid(body), err == nil, id)
			if err != nil {
				notJSON++
			} else {
				others++
				require.NotEqual(t, Kind('{'), v.Kind(), id)
			}
			return
		}
		objects++
		require.Equal(t, string(r.Root.Raw()), string(rewrite(nil, r.Root)), id)
		require.Equal(t, decoded(t, body), plain(r.Root), id)
	})
	t.Logf("bodies: %d objects, %d other JSON, %d no JSON (uploads, lines)", objects, others, notJSON)
	require.NotZero(t, objects)
}

// requireChangeWithin checks that b is a with nothing but the bytes [start, end) exchanged.
func requireChangeWithin(t *testing.T, id string, a, b []byte, start, end int) {
	t.Helper()
	require.Equal(t, string(a[:start]), string(b[:min(start, len(b))]), id)
	tail := len(a) - end
	require.GreaterOrEqual(t, len(b), start+tail, id)
	require.Equal(t, string(a[end:]), string(b[len(b)-tail:]), id)
}

func TestOutsideEditsChangeTheirOwnSpanOnly(t *testing.T) {
	marker := []byte(`{"type":"ephemeral","ttl":"1h"}`)
	var set, moved, removed, appended int
	bodies(t, func(id string, body []byte) {
		r, err := Parse(nil, body)
		if err != nil {
			return
		}
		var blocks, marked []Block
		for _, m := range r.Messages() {
			for _, b := range m.Blocks() {
				switch {
				case b.Kind() != '{':
				case b.Get("cache_control").Exists():
					marked = append(marked, b)
				default:
					blocks = append(blocks, b)
				}
			}
		}
		for _, b := range blocks {
			start, end := b.Offset(), b.Offset()+len(b.Raw())
			with := Apply(body, SetMember(b.Value, "cache_control", marker))
			requireChangeWithin(t, id, body, with, start, end)
			next, err := Parse(r, with)
			require.NoError(t, err, id)
			again := next.Message(b.Message).Blocks()[b.Index]
			require.Equal(t, string(marker), string(again.Get("cache_control").Raw()), id)
			require.Equal(t, b.Message, next.SharedMessages(), id)
			require.Equal(t, string(body), string(Apply(with, RemoveMember(again.Value, "cache_control"))), id)
			set++
		}
		for _, b := range marked {
			without := Apply(body, RemoveMember(b.Value, "cache_control"))
			requireChangeWithin(t, id, body, without, b.Offset(), b.Offset()+len(b.Raw()))
			next, err := Parse(r, without)
			require.NoError(t, err, id)
			again := next.Message(b.Message).Blocks()[b.Index]
			require.False(t, again.Get("cache_control").Exists(), id)
			require.Equal(t, b.Len()-1, again.Len(), id)
			removed++
			if len(blocks) == 0 {
				continue
			}
			to := blocks[len(blocks)-1]
			both := Apply(body, RemoveMember(b.Value, "cache_control"), SetMember(to.Value, "cache_control", b.Get("cache_control").Raw()))
			next, err = Parse(r, both)
			require.NoError(t, err, id)
			require.Equal(t, string(without), string(Apply(both, RemoveMember(next.Message(to.Message).Blocks()[to.Index].Value, "cache_control"))), id)
			for i, m := range r.Messages() {
				if i != b.Message && i != to.Message {
					require.True(t, next.Message(i).Same(m.Value), "%s: message %d", id, i)
				}
			}
			moved++
		}
		if list := r.Get("messages"); list.Kind() == '[' {
			more := Apply(body, AppendElem(list, []byte(`{"role":"user","content":"more"}`)))
			end := list.Offset() + len(list.Raw())
			requireChangeWithin(t, id, body, more, list.Offset(), end)
			next := requireParsesAlike(t, r, string(more))
			require.Equal(t, r.MessageCount(), next.SharedMessages(), id)
			require.Equal(t, "more", next.Message(r.MessageCount()).Blocks()[0].TextValue().Text(), id)
			appended++
		}
	})
	t.Logf("markers: %d set, %d removed, %d moved; messages appended: %d", set, removed, moved, appended)
	require.NotZero(t, set)
	require.NotZero(t, moved)
}

func TestOutsideSeriesParseIncrementallyAsCold(t *testing.T) {
	type call struct {
		request *Request
		extends Value
	}
	series := map[string]map[int64]call{}
	var order []string
	exchanges(t, func(e exchange) {
		s := e.record.Get("series")
		if s.Kind() != '{' {
			return
		}
		r, err := Parse(nil, e.body())
		if err != nil {
			return
		}
		name := s.Get("id").Text()
		if series[name] == nil {
			series[name] = map[int64]call{}
			order = append(order, name)
		}
		index, ok := s.Get("index").Int()
		require.True(t, ok, e.id)
		series[name][index] = call{r, s.Get("extends")}
	})
	var steps, shared, messages int
	for _, name := range order {
		for _, c := range series[name] {
			k, ok := c.extends.Int()
			if !ok {
				continue
			}
			prev, ok := series[name][k]
			if !ok {
				continue
			}
			r := requireParsesAlike(t, prev.request, string(c.request.Body))
			steps++
			shared += r.SharedMessages()
			messages += prev.request.MessageCount()
		}
	}
	t.Logf("%d series, %d calls that extend another: %d of %d messages shared", len(order), steps, shared, messages)
	require.NotZero(t, steps)
	require.NotZero(t, shared)
}
