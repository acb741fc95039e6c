package thread

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"harnessbench/internal/wire"
)

var noon = time.Date(2026, 10, 1, 12, 0, 0, 0, time.UTC)

func parse(t require.TestingT, body string) *wire.Request {
	req, err := wire.Parse(nil, []byte(body))
	require.NoError(t, err)
	return req
}

func TestWhatIsKeptHasNoMarksAndEveryOtherByte(t *testing.T) {
	s := New(Options{})
	mark := `"cache_control":{"type":"ephemeral"}`
	req := parse(t, `{"model":"m","system":[{"type":"text","text":"s",`+mark+`}],"tools":[{`+mark+`, "name":"t"}], "messages":[ {"role":"user","content":[`+
		`{"type":"tool_result","tool_use_id":"a","content":[{"type":"text","text":"r",`+mark+`}],`+mark+`}, {"type":"document","source":{"type":"content","content":[{`+mark+`}]}}]},`+
		`{"role":"assistant","content":[{"type":"tool_use","id":"b","name":"n","input":{`+mark+`}}]} ],"thread":{"type":"create"}}`)
	k := s.Answered("", req, nil, []byte(`[{"type":"text","text":"x"}]`), false)
	assert.Equal(t, `[{"type":"text","text":"s"}]`, string(k.system))
	assert.Equal(t, `[{"name":"t"}]`, strings.ReplaceAll(string(k.tools), " ", ""))
	assert.Equal(t, ` {"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":[{"type":"text","text":"r"}]}, {"type":"document","source":{"type":"content","content":[{}]}}]},`+
		`{"role":"assistant","content":[{"type":"tool_use","id":"b","name":"n","input":{`+mark+`}}]} ,{"role":"assistant","content":[{"type":"text","text":"x"}]}`, string(k.messages), "a tool's input is its own")
	assert.Equal(t, 3, k.count)

	body, kept := k.Whole(parse(t, `{"messages" : [ {"role":"user","content":"y"} ],"max_tokens":3,"system":"other","thread":{}}`))
	assert.Equal(t, 3, kept)
	whole := parse(t, string(body))
	assert.Equal(t, 4, whole.MessageCount())
	assert.Equal(t, `{"max_tokens":3,"system":[{"type":"text","text":"s"}],`, string(body[:len(`{"max_tokens":3,"system":[{"type":"text","text":"s"}],`)]))
	resumed, _ := k.Whole(parse(t, `{"messages":[ ]}`))
	assert.Equal(t, 3, parse(t, string(resumed)).MessageCount())
	empty := s.Answered("", req, nil, []byte(`[]`), false)
	assert.Equal(t, 2, empty.count, "an empty reply adds no message")
}

func TestMarksAreCountedAsTheyWouldBeUsed(t *testing.T) {
	mark := `"cache_control":{"type":"ephemeral"}`
	for body, n := range map[string]int{
		`{"messages":[{"content":"x"}]}`:                                                                    0,
		`{"messages":[{"content":"x"}],` + mark + `}`:                                                       1,
		`{"messages":[{"content":[{` + mark + `}]}],` + mark + `}`:                                          1,
		`{"messages":[{"content":[{` + mark + `}]},{"content":"x"}],` + mark + `}`:                          2,
		`{"messages":[{"content":[{"cache_control":null}]}]}`:                                               0,
		`{"tools":[{` + mark + `}],"system":[{` + mark + `}],"messages":[{"content":[{` + mark + `},{}]}]}`: 3,
	} {
		assert.Equal(t, n, marks(parse(t, body)), body)
	}
}

// Whatever comes and goes, what is found is what was stored less than its lifetime ago and not continued.
func TestTheStoreAgreesWithAList(t *testing.T) {
	type entry struct {
		k        *Kept
		id       string
		from     time.Time
		next     bool
		nextEnds time.Time
	}
	req := parse(t, `{"messages":[{"role":"user","content":"x"}]}`)
	rapid.Check(t, func(rt *rapid.T) {
		s, now := New(Options{}), noon
		var all []*entry
		for i := range rapid.IntRange(1, 40).Draw(rt, "operations") {
			now = now.Add(rapid.SampledFrom([]time.Duration{0, 1, time.Second, time.Minute, 5 * time.Minute}).Draw(rt, "later"))
			var previous *entry
			if len(all) > 0 && rapid.Bool().Draw(rt, "continue") {
				previous = all[rapid.IntRange(0, len(all)-1).Draw(rt, "which")]
				k, fault := s.Find(now, "", previous.id)
				want := ""
				switch {
				case now.Before(previous.from), !now.Before(previous.from.Add(5 * time.Minute)):
					want = "thread.not-found"
				case previous.next && now.Before(previous.nextEnds):
					want = "thread.continue-in-flight"
				case previous.next:
					want = "thread.already-continued"
				}
				if want != "" {
					require.NotNil(rt, fault)
					require.Equal(rt, want, fault.Rule)
					continue
				}
				require.Nil(rt, fault)
				require.Same(rt, previous.k, k)
				_, other := s.Find(now, "elsewhere", previous.id)
				require.Equal(rt, "thread.not-found", other.Rule)
			}
			e := &entry{id: string(rune('a' + i)), from: now.Add(rapid.SampledFrom([]time.Duration{0, time.Second, time.Minute}).Draw(rt, "takes"))}
			if previous == nil {
				e.k = s.Answered("", req, nil, []byte(`[]`), false)
				s.Keep(e.k, nil, e.id, e.from)
			} else {
				e.k = s.Answered("", req, previous.k, []byte(`[]`), false)
				s.Keep(e.k, previous.k, e.id, e.from)
				previous.next, previous.nextEnds = true, e.from
			}
			all = append(all, e)
			if stop := rapid.SampledFrom([]time.Duration{-1, 0, 1}).Draw(rt, "stopped"); previous != nil && stop == 1 {
				s.Forget(e.k, previous.k, now)
				if now.Before(e.from) {
					previous.next = false
					e.from = now.Add(1e6 * time.Hour) // never
				}
			}
		}
	})
}

func TestMemoryIsBounded(t *testing.T) {
	s := New(Options{})
	s.most = 1 << 20
	big := parse(t, `{"messages":[{"role":"user","content":"`+strings.Repeat("x", 300<<10)+`"}]}`)
	for i := range 8 {
		s.Keep(s.Answered("", big, nil, []byte(`[]`), false), nil, string(rune('a'+i)), noon)
	}
	assert.LessOrEqual(t, s.size, s.most)
	_, fault := s.Find(noon, "", "a")
	assert.NotNil(t, fault, "the oldest is gone")
	_, fault = s.Find(noon, "", "h")
	assert.Nil(t, fault)
	s.expire(noon.Add(time.Hour))
	assert.Zero(t, s.size)
}
