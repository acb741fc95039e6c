package harness_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"harnessbench/harness"
	"harnessbench/harness/sessionlog"
	"harnessbench/harness/world"
	"harnessbench/harness/world/sim"
)

// limited is a server that admits one request in so much time and refuses the others with 429.
type limited struct {
	t       *testing.T
	admits  func(now time.Time) bool
	header  []world.Field
	arrived []time.Time
	n       int
}

func (s *limited) Handle(now time.Time, req world.Request) sim.Exchange {
	s.arrived = append(s.arrived, now)
	if !s.admits(now) {
		return *refusal(429, "rate_limit_error", "slow down", s.header...).exchange
	}
	s.n++
	return stream(fmt.Sprint("msg_", s.n), modelOf(s.t, req.Body), says(text("Hi.")))
}

// machine is a simulated machine before a server.
func machine(t *testing.T, server sim.Server) (*sim.Machine, harness.Config) {
	r := newRig(t, plain)
	return sim.New(sim.Config{Seed: 7, Start: r.m.Now(), Server: server, Tools: r, Shell: r, Disk: sim.NewDisk(), MaxEvents: 100_000}), r.cfg
}

// Between the harness and the API stands a proxy that tries twice more by itself; the API refuses for a minute. What
// reaches the API for one call is bounded by the product of both, the harness alone waits long, and the call succeeds; when
// the refusals do not end, neither does the bound (RETRY-2; bug r-nested-retry-layers).
func TestRetriesBehindAProxyAreBounded(t *testing.T) {
	const perProxy, perCall = 3, 11
	for name, c := range map[string]struct {
		lasts  time.Duration
		reason string
	}{"a minute": {time.Minute, "completed"}, "for ever": {1000 * time.Hour, "api_error"}} {
		t.Run(name, func(t *testing.T) {
			start := time.Date(2026, 11, 30, 9, 0, 0, 0, time.UTC)
			origin := 0
			proxy := &limited{t: t}
			proxy.admits = func(now time.Time) bool {
				for range perProxy {
					origin++
					if now.Sub(start) >= c.lasts {
						return true
					}
					now = now.Add(200 * time.Millisecond)
				}
				return false
			}
			m, cfg := machine(t, proxy)
			var out harness.Outcome
			ended := m.Run(func(w world.World) {
				s, err := harness.Start(w, cfg)
				require.NoError(t, err)
				out, err = s.Prompt(w, "one")
				require.NoError(t, err)
			})
			require.Empty(t, ended.Panic)
			assert.Equal(t, c.reason, out.Reason)
			assert.LessOrEqual(t, len(proxy.arrived), perCall)
			assert.LessOrEqual(t, origin, perProxy*perCall)
		})
	}
}

// The API refuses for ten seconds without a hint: the gaps grow, and few requests are sent (RETRY-1; bug
// r-no-delay-between-429).
func TestRefusalsForTheRateAreMetWithGrowingGaps(t *testing.T) {
	start := time.Date(2026, 11, 30, 9, 0, 0, 0, time.UTC)
	server := &limited{t: t, admits: func(now time.Time) bool { return now.Sub(start) >= 10*time.Second }}
	m, cfg := machine(t, server)
	m.Run(func(w world.World) {
		s, err := harness.Start(w, cfg)
		require.NoError(t, err)
		out, err := s.Prompt(w, "one")
		require.NoError(t, err)
		assert.Equal(t, "completed", out.Reason)
	})
	assert.LessOrEqual(t, len(server.arrived), 6)
	last := time.Duration(0)
	for i := 1; i < len(server.arrived); i++ {
		gap := server.arrived[i].Sub(server.arrived[i-1])
		assert.Greater(t, gap, last)
		last = gap
	}
}

// Five sessions side by side are refused at one instant and told to come back in twenty seconds: each waits that long, no
// two come back at one instant, and all succeed (RETRY-1, RETRY-4; bug r-retry-after-ignored-in-lockstep).
func TestSessionsSideBySideComeBackApart(t *testing.T) {
	start := time.Date(2026, 11, 30, 9, 0, 0, 0, time.UTC)
	server := &limited{t: t, admits: func(now time.Time) bool { return now.Sub(start) >= 20*time.Second }, header: []world.Field{retryAfter("20")}}
	m, cfg := machine(t, server)
	done := 0
	ended := m.Run(func(w world.World) {
		var tasks []world.Task
		for i := range 5 {
			tasks = append(tasks, w.Go(fmt.Sprint("session ", i), func(w world.World) {
				s, err := harness.Start(w, cfg)
				require.NoError(t, err)
				if out, err := s.Prompt(w, "one"); err == nil && out.Reason == "completed" {
					done++
				}
			}))
		}
		for _, task := range tasks {
			require.NoError(t, w.Wait(task))
		}
	})
	require.Empty(t, ended.Panic)
	assert.Equal(t, 5, done)
	require.Len(t, server.arrived, 10)
	back := map[time.Time]bool{}
	for i, at := range server.arrived {
		if i >= 5 {
			assert.GreaterOrEqual(t, at.Sub(server.arrived[i-5]), 20*time.Second)
			back[at] = true
		}
	}
	assert.Len(t, back, 5)
}

// A wait that the server asks for and that is longer than an hour is cut to one, and whoever listens is told of the wait
// before it begins (H-LOOP-46, H-LOOP-49; bug r-retry-after-extremes).
func TestALongWaitIsToldBeforeItBegins(t *testing.T) {
	for value, want := range map[string]time.Duration{"3600": time.Hour, "86400": time.Hour, "Tue, 30 Nov 2027 09:00:00 GMT": time.Hour, "soon": 500 * time.Millisecond} {
		r := newRig(t, bound, refusal(429, "rate_limit_error", "slow", retryAfter(value)), says(text("Hi.")))
		told := time.Time{}
		r.session(func(w world.World, s *harness.Session) {
			s.Listen(&telling{at: func() { told = r.m.Now() }})
			r.prompt(w, s, "one")
			waited := w.Now().Sub(told)
			assert.GreaterOrEqual(t, waited, want, value)
			assert.Less(t, waited, want+want/4+10*time.Second, value)
		})
		assert.Contains(t, r.logText(), `"retryInMs":`)
	}
}

// telling is a listener that notes when it is told of a retry.
type telling struct {
	ear
	at func()
}

func (e *telling) Retrying(r harness.Retry)       { e.at(); e.ear.Retrying(r) }
func (e *telling) Logged(entry *sessionlog.Entry) { e.ear.Logged(entry) }

// The number of a block that has stopped comes again, behind the result of a server tool: that is no merge but a fault of
// the stream, at once, and so are gaps, deltas for blocks that are not open and a second start. The request is sent again,
// unless blocks worth keeping were complete (STREAM-4, H-LOOP-44; bugs s-index-reuse, s-index-gap).
func TestNumbersOfBlocksAreTakenSeriously(t *testing.T) {
	event := func(data string) string {
		name, _, _ := strings.Cut(strings.TrimPrefix(data, `{"type":"`), `"`)
		return "event: " + name + "\ndata: " + data + "\n\n"
	}
	begin := `{"type":"message_start","message":{"id":"msg_1","type":"message","role":"assistant","model":"claude-sonnet-5-5","content":[],` +
		`"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":3,"output_tokens":1}}}`
	block := func(i int, typ string) string {
		return fmt.Sprintf(`{"type":"content_block_start","index":%d,"content_block":%s}`, i, typ)
	}
	stop := func(i int) string { return fmt.Sprintf(`{"type":"content_block_stop","index":%d}`, i) }
	said := func(i int) string {
		return fmt.Sprintf(`{"type":"content_block_delta","index":%d,"delta":{"type":"text_delta","text":"x"}}`, i)
	}
	const search, found, plainText = `{"type":"server_tool_use","id":"srvtoolu_1","name":"web_search","input":{}}`,
		`{"type":"web_search_tool_result","tool_use_id":"srvtoolu_1","content":[]}`, `{"type":"text","text":""}`
	for name, c := range map[string]struct {
		events []string
		kept   string // the assistant message of the next turn's request; "" when nothing is kept and the request is sent again
	}{
		"a number comes again": {[]string{begin, block(0, search), stop(0), block(1, found), stop(1), block(1, plainText), said(1)},
			"assistant: server_tool_use web_search_tool_result"},
		"a start is missing":       {[]string{begin, block(0, plainText), said(0), stop(0), said(1), block(2, plainText)}, "assistant: text(x)"},
		"a gap":                    {[]string{begin, block(0, plainText), stop(0), block(2, plainText)}, ""},
		"a delta for another":      {[]string{begin, block(0, plainText), said(1)}, ""},
		"a second start of it all": {[]string{begin, begin}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			var b strings.Builder
			for _, e := range c.events {
				b.WriteString(event(e))
			}
			r := newRig(t, bound, answer{exchange: &sim.Exchange{Status: 200, Frames: []sim.Frame{{Data: []byte(b.String())}}}}, says(text("Hi.")))
			r.session(func(w world.World, s *harness.Session) {
				out := r.prompt(w, s, "one")
				if c.kept == "" {
					assert.Equal(t, harness.Outcome{Reason: "completed", Text: "Hi."}, out)
					return
				}
				assert.Equal(t, "stream_error", out.Reason)
				r.prompt(w, s, "two")
			})
			require.Len(t, r.requests, 2)
			legal(t, r.requests[1].Body)
			if c.kept == "" {
				assert.Equal(t, string(r.requests[0].Body), string(r.requests[1].Body))
				return
			}
			assert.Equal(t, c.kept, r.shape(1)[1])
		})
	}
}

// A server that cuts every call at the output limit is asked a bounded number of times, never twice the same (STREAM-6,
// H-LOOP-31; bug s-max-tokens-call-loop). No call runs.
func TestCallsCutAgainAndAgainEndTheTurn(t *testing.T) {
	a := stopped("max_tokens", use("a", "Bash", `{"command":"make"}`))
	e := stream("msg_1", plain, a)
	e.Frames = append(e.Frames[:1+2], e.Frames[1+3:]...) // the second half of the input never came
	r := newRig(t, plain, answer{exchange: &e})
	out, _, _ := listened(r, "one")
	assert.Equal(t, "max_output_tokens", out.Reason)
	assert.LessOrEqual(t, len(r.requests), 5)
	assert.Empty(t, r.ran)
	seen := map[string]bool{}
	for _, req := range r.requests {
		assert.False(t, seen[string(req.Body)], "the same request again")
		seen[string(req.Body)] = true
	}
}
