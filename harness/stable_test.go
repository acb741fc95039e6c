package harness_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"harnessbench/harness"
	"harnessbench/harness/world"
	"harnessbench/harness/world/sim"
	"harnessbench/internal/model"
	"harnessbench/internal/wire"
)

// act is one thing that happens to a session of the property tests.
type act struct {
	kind string
	n    int
}

// drawActs draws a history: prompts with all kinds of answers, kills at any port call, interrupts, rewinds, switches of the
// model, summaries, new processes, other memory, passing days, commands.
func drawActs(rt *rapid.T) []act {
	kinds := []string{"detour", "model", "resume", "kill", "interrupt", "rewind", "compact", "memory", "days", "local", "clear",
		"prompt", "prompt", "prompt"}
	var acts []act
	for range rapid.IntRange(4, 16).Draw(rt, "acts") {
		kind := kinds[rapid.Uint16().Draw(rt, "act")%uint16(len(kinds))]
		acts = append(acts, act{kind, int(rapid.Uint16().Draw(rt, "n") % 60)})
	}
	return append(acts, act{"prompt", 0}, act{"prompt", 1})
}

// walk plays a history and checks each request against the one before.
type walk struct {
	r     *rig
	rt    *rapid.T
	place string
	acts  []act
	made  []int // kinds of answers, in turn

	at, turn int    // in acts; of the newest request
	model    string // of the next call
	broke    bool   // a declared break since the newest request
	stale    bool   // disk or clock say something else than the snapshot in force
	later    bool   // the clock says something else than its system prompt, which a compaction keeps (H-CMP-70)
	before   []byte // the newest main request
	thoughts map[string]thought
}

// thought is what a thinking block is bound to: its producer, the conversation before it, the block before it.
type thought struct{ model, prefix, before string }

// serve answers by turns: thinking or not, texts, blank texts, calls side by side, answers cut short, refusals.
func (k *walk) serve() answer {
	n := k.r.next
	id := fmt.Sprintf("msg_%d", n)
	th := thinking("hm", fmt.Sprintf("c2ln%04d", n))
	call := use(fmt.Sprintf("a%d", n), "Read", `{ "file_path" : "/a" }`)
	other := use(fmt.Sprintf("b%d", n), "Bash", `{"command":"ls"}`)
	switch k.made[n%len(k.made)] {
	case 1:
		return says(th, text("A."))
	case 2:
		return says(th, text("On it."), call, other)
	case 3:
		return says(call)
	case 4:
		return says(text(" \n"), other)
	case 5:
		return says(th, call, thinking("and", fmt.Sprintf("c2lo%04d", n)), other)
	case 6:
		e := stream(id, k.model, says(th, text("Cut."), call))
		e.Frames = e.Frames[:len(e.Frames)*(n%10)/10]
		e.Err = fmt.Errorf("reset")
		return answer{exchange: &e}
	case 7:
		return answer{exchange: &sim.Exchange{Status: 400, Frames: []sim.Frame{{Data: []byte(
			`{"type":"error","error":{"type":"invalid_request_error","message":"no"},"request_id":"r"}`)}}}}
	case 8:
		a := says(th, text("Long"))
		a.stop = "max_tokens"
		return a
	}
	return says(text("Yes. <summary>All.</summary>"))
}

// play runs the whole history, in as many processes as it takes.
func (k *walk) play() {
	for k.at < len(k.acts) {
		out := k.r.m.Run(func(w world.World) {
			s, err := harness.Resume(w, k.r.cfg, "")
			if err != nil {
				s, err = harness.Start(w, k.r.cfg)
				k.broke = true
			}
			require.NoError(k.rt, err)
			k.broke = k.broke || (k.stale || k.later) && k.model != bound
			k.stale, k.later = false, false
			k.model = s.Model()
			for k.at < len(k.acts) {
				a := k.acts[k.at]
				k.at++
				if a.kind == "resume" {
					break
				}
				k.act(w, s, a)
			}
			require.NoError(k.rt, s.Close(w))
		})
		require.Empty(k.rt, out.Panic)
		require.Empty(k.rt, out.Left)
	}
}

func (k *walk) act(w world.World, s *harness.Session, a act) {
	name := fmt.Sprintf("say %d", k.at)
	var err error
	switch a.kind {
	case "prompt":
		_, err = s.Prompt(w, name)
	case "kill":
		_, err = s.Prompt(world.Hooked(w, &hook{before: func(i int, _, _ string) {
			if i == a.n+1 {
				k.r.m.Kill()
			}
		}}), name)
	case "interrupt":
		_, err = s.Prompt(world.Hooked(w, &hook{before: func(i int, _, _ string) {
			if i == a.n+1 {
				s.Interrupt()
			}
		}}), name)
	case "rewind":
		if p := s.LastPrompt(); p != "" {
			err = s.Rewind(w, p)
		}
		k.broke = true
	case "model":
		err = k.switchTo(w, s, matrix[a.n%len(matrix)])
	case "detour":
		from := k.model
		require.NoError(k.rt, k.switchTo(w, s, matrix[a.n%len(matrix)]))
		_, err = s.Prompt(w, name)
		require.NoError(k.rt, err)
		err = k.switchTo(w, s, from)
	case "compact":
		if s.Compact(w, "") == nil {
			k.stale = false
		}
		k.broke = true
	case "memory":
		err = k.r.disk.Write(cwd+"/CLAUDE.md", []byte(name))
		k.stale = true
	case "days":
		err = w.Sleep(time.Duration(a.n) * time.Hour)
		k.stale, k.later = k.stale || a.n > 0, k.later || a.n > 0
	case "local":
		err = s.Local(w, "context", "", s.ContextReport(w))
	case "clear":
		err = s.Clear(w)
		k.broke, k.stale, k.later = true, false, false
	}
	require.NoError(k.rt, err, "%+v", a)
}

// matrix is the models of the property test (D2).
var matrix = []string{plain, systems, bound, manual}

func (k *walk) switchTo(w world.World, s *harness.Session, name string) error {
	k.model, k.broke = name, true
	return s.SetModel(w, name, "")
}

// budget is the thinking parameter of models with manual thinking.
var budget = regexp.MustCompile(`"thinking":\{[^}]*\},`)

// clock is the volatile text of the tests.
var clock = regexp.MustCompile(`\{"type":"text","text":"<system-reminder>\\nThe current time is [^"]*"\}`)

// markers are all the forms a breakpoint has here.
var markers = strings.NewReplacer(`,"cache_control":{"type":"ephemeral","ttl":"1h"}`, "", `,"cache_control":{"type":"ephemeral"}`, "")

// parts cuts a request into what stands before the messages, without the limit of output, and the messages with the last
// one left open.
func parts(body []byte) (front, messages string) {
	front, messages, _ = strings.Cut(markers.Replace(string(body)), `"messages":[`)
	front = regexp.MustCompile(`"max_tokens":\d+,`).ReplaceAllString(front, "")
	return front, strings.TrimSuffix(messages, "]}]}")
}

// request checks a main request as the server gets it.
func (k *walk) request(body []byte) {
	legal(k.r.t, body)
	if k.before != nil && !k.broke {
		k.extends(body)
	}
	k.broke, k.before, k.turn = false, body, k.at
	k.bound(body)
}

// extends is invariant P (H-REB-60): but for markers the request begins with the one before.
func (k *walk) extends(body []byte) {
	front, was := parts(k.before)
	newFront, now := parts(body)
	m, _ := model.Lookup(modelOf(k.r.t, k.before))
	if m.ThinkingAdaptive != "yes" { // an open loop that does not begin with thinking takes it off there (6.5)
		front, newFront = budget.ReplaceAllString(front, ""), budget.ReplaceAllString(newFront, "")
	}
	require.Equal(k.rt, front, newFront)
	place := k.place
	if place == "system" && !m.SystemMessages {
		place = "prompt"
	}
	switch {
	case place == "tail":
		was, now = clock.ReplaceAllString(was, ""), clock.ReplaceAllString(now, "")
		was, now = strings.TrimSuffix(strings.ReplaceAll(was, ",]", "]"), ","), strings.ReplaceAll(now, ",]", "]")
	case place == "prompt" && k.turn != k.at:
		if at := clock.FindStringIndex(was); at != nil {
			was = was[:at[0]]
		}
	}
	if strings.HasPrefix(now, was) {
		return
	}
	// A system message whose call left no answer is left out when a user item follows (H-REB-59).
	if at := strings.LastIndex(was, `]},{"role":"system",`); at >= 0 && !strings.Contains(was[at+3:], `"role":"assistant"`) {
		was = was[:at] + ","
	}
	require.Equal(k.rt, was, now[:min(len(was), len(now))])
}

// bound requires what a model asks for that checks what stands before its thinking: each block has the conversation before
// it that it was made behind, and the block before it that it followed; no other model reads it (messages-api.md 6.6).
func (k *walk) bound(body []byte) {
	v, err := wire.ParseValue(body)
	require.NoError(k.rt, err)
	reader, _ := model.Lookup(v.Get("model").Text())
	front, _ := parts(body)
	front = front[strings.Index(front, `"system":`):]
	front, _, _ = strings.Cut(front, `,"thinking":`)
	prefix, last := front, ""
	for _, m := range v.Get("messages").Elems() {
		here := prefix
		prefix += "|" + m.Get("role").Text()
		for _, b := range m.Get("content").Elems() {
			if b.Get("type").Text() != "thinking" {
				prefix += markers.Replace(string(b.Raw()))
				continue
			}
			sig := b.Get("signature").Text()
			made, known := k.thoughts[sig]
			require.True(k.rt, known)
			if reader.Bound {
				require.Equal(k.rt, reader.ID, made.model)
				require.Equal(k.rt, made.prefix, here, "the conversation before %s changed", sig)
				require.True(k.rt, last == "" || last == made.before, "%s followed %q, now %q", sig, made.before, last)
			}
			last = sig
		}
	}
	id := k.r.next
	for _, sig := range []string{fmt.Sprintf("c2ln%04d", id), fmt.Sprintf("c2lo%04d", id)} {
		k.thoughts[sig] = thought{reader.ID, prefix, last}
		last = sig
	}
}

// Whatever happens to a session, on four models and in all places of volatile text: the next request begins with the one
// before, in its very bytes, until a declared break, markers left out (H-REB-37, H-REB-58, H-REB-60, H-REB-62,
// H-LOOP-52); it is one the API takes
// (H-REB-30 to H-REB-35); a model that checks its thinking finds it where it was made (H-REB-36, H-REB-46, D1); and what is
// in memory is what the log gives, which the session itself checks at every call and at its end (H-ARCH-11, H-ARCH-12).
func TestRequestsGrowByTheirEnd(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		k := &walk{
			rt: rt, thoughts: map[string]thought{},
			model: rapid.SampledFrom(matrix).Draw(rt, "model"),
			place: rapid.SampledFrom([]string{"system", "prompt", "tail"}).Draw(rt, "place"),
			acts:  drawActs(rt),
			made:  append(rapid.SliceOfN(rapid.IntRange(0, 8), 1, 12).Draw(rt, "answers"), 0),
		}
		k.r = newRig(t, k.model, answer{})
		// Micro-compaction after a pause is a break that the property does not speak of.
		k.r.cfg.Switches = harness.Switches{InjectTime: true, VolatilePlace: k.place, Micro: harness.MicroOff}
		k.r.answer = k.serve
		k.r.check = func(req world.Request) {
			if req.Chain == "main" {
				k.request(req.Body)
			}
		}
		k.play()
	})
}
