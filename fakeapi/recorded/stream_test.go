//go:build outside

package recorded

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"harnessbench/fakeapi"
	"harnessbench/internal/wire"
)

// otherEvents are streams whose events differ, with the reason.
var otherEvents = map[string]string{
	"pydantic/pydantic-ai:tests/models/cassettes/test_anthropic/test_anthropic_advisor_tool_stream.yaml#0":    advisor,
	"pydantic/pydantic-ai:tests/models/cassettes/test_anthropic/test_anthropic_mcp_servers_stream.yaml#0":     mcp,
	"pydantic/pydantic-ai:tests/models/cassettes/test_anthropic/test_anthropic_web_search_tool_stream.yaml#0": "the input side at the end earlier than in other streams of those days",
}

// TestRecordedStreamsHaveTheirEvents: scripted with what the recorded stream says, ours has the same events in the same
// order, later pings left out and runs of deltas of one kind taken as one since sizes are chosen freely, each in the
// form of its day, and the same relations between its counts.
func TestRecordedStreamsHaveTheirEvents(t *testing.T) {
	failed, checked := map[string]string{}, 0
	for _, r := range records(t) {
		if r.Status != 200 || !strings.HasPrefix(r.Path, "/v1/messages") || !r.hasRequest() || !strings.Contains(r.SSE, "message_start") {
			continue
		}
		checked++
		want := eventsOf(t, []byte(r.SSE))
		answer, err := assembled(want)
		require.NoError(t, err, r.ID)
		for k, day := range r.days() {
			opt := r.asRecorded()
			opt.AnswerAs, opt.PingPlace, opt.Script = day, pingOf(want), scripted(answer.Blocks, stopOf(t, want))
			resp := r.send(fakeapi.New(opt), "good")
			if resp.Status != 200 {
				break // the test of verdicts reports it
			}
			got := eventsOf(t, resp.Body())
			a, b := grammar(t, want, r.sortsKeys()), grammar(t, got, r.sortsKeys())
			if a == b {
				delete(failed, r.ID)
				require.NoError(t, arithmetic(t, got), r.ID)
				break
			}
			if k == 0 {
				failed[r.ID] = fmt.Sprintf("%s %s %s\n%s", r.Recorded, r.NotAfter, r.Model, firstDifference(a, b))
			}
		}
	}
	unexpected(t, otherEvents, failed, checked)
}

func eventsOf(t testing.TB, stream []byte) []wire.Event {
	var s wire.SSE
	list := s.Feed(append(stream, "\n\n"...))
	require.Empty(t, s.Rest())
	return list
}

func assembled(list []wire.Event) (*wire.Answer, error) {
	var a wire.Assembler
	for _, e := range list {
		if err := a.Event(e); err != nil {
			return nil, err
		}
	}
	return a.Answer(), nil
}

// stopOf is the delta of message_delta.
func stopOf(t testing.TB, list []wire.Event) wire.Value {
	for _, e := range list {
		if e.Name == "message_delta" {
			return value(t, e.Data).Get("delta")
		}
	}
	return wire.Value{}
}

// pingOf is where the ping of a stream stands, as an option: behind the first start, or somewhere later, or nowhere,
// which from August 2025 to January 2026 changed from call to call.
func pingOf(list []wire.Event) string {
	if len(list) > 2 && list[2].Name == "ping" {
		return fakeapi.PingAfterStart
	}
	return fakeapi.PingNone
}

// grammar is one line per event: its form, and for the deltas of a block one line per kind.
func grammar(t testing.TB, list []wire.Event, sorted bool) string {
	var lines []string
	for i, e := range list {
		if e.Name == "ping" && i != 2 { // long server tools send more of them, at times of their own
			continue
		}
		v := value(t, e.Data)
		line := e.Name + " " + form(v, sorted)
		if e.Name == "content_block_delta" {
			line = "content_block_delta " + v.Get("delta").Get("type").Text()
		}
		if n := len(lines); n == 0 || e.Name != "content_block_delta" || lines[n-1] != line {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "\n")
}

func firstDifference(a, b string) string {
	x, y := strings.Split(a, "\n"), strings.Split(b, "\n")
	for i := range x {
		if i >= len(y) || x[i] != y[i] {
			have := "the end"
			if i < len(y) {
				have = y[i]
			}
			return fmt.Sprintf("\tevent %d: want %s\n\tgot  %s", i, x[i], have)
		}
	}
	return fmt.Sprintf("\tevent %d: want the end\n\tgot  %s", len(x), y[len(x)])
}

// arithmetic checks the relations between the counts of a stream that every recorded one keeps.
func arithmetic(t testing.TB, list []wire.Event) error {
	var start, end wire.Value
	for _, e := range list {
		switch e.Name {
		case "message_start":
			start = value(t, e.Data).Get("message").Get("usage")
		case "message_delta":
			end = value(t, e.Data).Get("usage")
		}
	}
	n := func(v wire.Value) int64 { i, _ := v.Int(); return i }
	if split := start.Get("cache_creation"); split.Exists() &&
		n(split.Get("ephemeral_5m_input_tokens"))+n(split.Get("ephemeral_1h_input_tokens")) != n(start.Get("cache_creation_input_tokens")) {
		return fmt.Errorf("the split does not sum up: %s", start.Raw())
	}
	if n(start.Get("output_tokens")) > n(end.Get("output_tokens")) {
		return fmt.Errorf("output shrinks: %s, %s", start.Raw(), end.Raw())
	}
	if n(end.Get("output_tokens_details").Get("thinking_tokens")) > n(end.Get("output_tokens")) {
		return fmt.Errorf("more thinking than output: %s", end.Raw())
	}
	if end.Get("iterations").Exists() || end.Get("server_tool_use").Exists() || !end.Get("input_tokens").Exists() {
		return nil // not final at the start, or of an era without
	}
	for _, name := range []string{"input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens"} {
		if n(start.Get(name)) != n(end.Get(name)) {
			return fmt.Errorf("%s differs between start and end: %s, %s", name, start.Raw(), end.Raw())
		}
	}
	return nil
}
