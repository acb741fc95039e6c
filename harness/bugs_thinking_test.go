package harness_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"harnessbench/harness"
	"harnessbench/harness/world"
)

// Signed blocks keep every byte, wherever lines and requests are written anew: in a tool loop, after a resume, in a fork,
// behind a partial summary. Texts and signatures of odd forms are not cleaned, and a block before parallel calls is sent
// once (THINK-1, THINK-3; bugs t-gateway-overwrites-signature, t-sanitiser-changes-thinking,
// t-unknown-signature-format-dropped, t-split-copies-signed-block).
func TestSignedBlocksKeepTheirBytes(t *testing.T) {
	signed := []string{
		`{"type":"thinking","thinking":"ends in a blank \u00e9\ud83d\ude00 ","signature":"v9:{unknown}/+=="}`,
		`{"type":"thinking","thinking":"","signature":"` + strings.Repeat("QUJD", 500) + `"}`,
	}
	for _, model := range []string{plain, bound} {
		t.Run(model, func(t *testing.T) {
			// The blocks come whole in their start events, so that their bytes are the server's own.
			first := stream("msg_a", model, says(text("x"), use("a", "Read", `{"file_path":"/a"}`), use("b", "Read", `{"file_path":"/b"}`)))
			first.Frames[1].Data = []byte("event: content_block_start\ndata: {\"type\":\"content_block_start\",\"index\":0,\"content_block\":" + signed[0] + "}\n\n")
			first.Frames[2].Data, first.Frames[3].Data = nil, nil
			second := stream("msg_b", model, says(text("x"), text("Done.")))
			second.Frames[1].Data = []byte("event: content_block_start\ndata: {\"type\":\"content_block_start\",\"index\":0,\"content_block\":" + signed[1] + "}\n\n")
			second.Frames[2].Data, second.Frames[3].Data = nil, nil
			r := newRig(t, model, answer{exchange: &first}, answer{exchange: &second}, says(text("<summary>s</summary>")))
			var last string
			r.session(func(w world.World, s *harness.Session) {
				r.prompt(w, s, "one")
				r.prompt(w, s, "two")
				last = s.LastPrompt()
			})
			r.resumed(func(w world.World, s *harness.Session) {
				r.prompt(w, s, "three")
				require.NoError(t, s.Fork(w, "copy"))
				r.prompt(w, s, "four")
			})
			r.process(func(w world.World) {
				s, err := harness.Resume(w, r.cfg, r.sessions()[0])
				require.NoError(t, err)
				points := s.Prompts()
				_, err = s.RewindTo(w, points[len(points)-1].UUID, harness.SummarizeFrom)
				require.NoError(t, err)
				r.prompt(w, s, "five")
				require.NoError(t, s.Close(w))
			})
			require.NotEmpty(t, last)
			for i, req := range r.requests {
				legal(t, req.Body)
				for k, block := range signed {
					assert.Equal(t, min(1, i/(k+1)), strings.Count(string(req.Body), block), "request %d, block %d", i, k)
				}
			}
		})
	}
}

// A newest turn of another vendor's model holds thinking, signed and unsigned, and an open call: none of it is sent, the
// call is answered, and the session goes on (THINK-2, REC-1; bugs t-foreign-latest-turn, t-unsigned-thinking-replayed,
// t-one-field-for-all-vendors).
func TestThinkingOfAnotherVendorIsNotSent(t *testing.T) {
	for _, model := range []string{manual, plain, systems, bound} {
		r := foreign(t, model,
			asked("u1", "", `"one"`),
			answered("a1", "u1", "glm-4.6", "m1", thinking("older", "opaque-d")),
			answered("a2", "a1", "glm-4.6", "m1", text("Older.")),
			asked("u2", "a2", `"two"`),
			answered("a3", "u2", "glm-4.6", "m2", `{"type":"thinking","thinking":"no signature"}`),
			answered("a4", "a3", "glm-4.6", "m2", thinking("newest", "opaque-e")),
			answered("a5", "a4", "glm-4.6", "m2", use("t1", "Bash", `{"command":"make"}`)),
			asked("r1", "a5", resulted("t1", "made")),
		)
		r.cfg.ModelGiven = true
		r.resumed(func(w world.World, s *harness.Session) {
			out, err := s.Rerun(w)
			require.NoError(t, err)
			assert.Equal(t, "completed", out.Reason)
			r.prompt(w, s, "three")
		})
		for _, req := range r.requests {
			legal(t, req.Body)
			for _, never := range []string{"opaque-d", "opaque-e", "no signature"} {
				assert.NotContains(t, string(req.Body), never, model)
			}
			assert.Contains(t, string(req.Body), `"tool_use_id":"t1"`)
		}
	}
}

// A turn of twenty rounds, each with thinking before and between its calls; in the twelfth something is typed. In every
// request the blocks of the open turn are those that were streamed, all of them, in their order (THINK-1, THINK-3, THINK-6;
// bugs t-cannot-be-modified-wave, t-bound-middle-thinking-missing, t-interleaving-flattened).
func TestTheOpenTurnIsFrozen(t *testing.T) {
	const rounds = 20
	for _, model := range []string{plain, systems, bound} {
		r := newRig(t, model, says())
		var streamed []string // contents of answers
		n := 0
		r.answer = func() answer {
			if n++; n > rounds {
				return says(text("Done."))
			}
			blocks := []string{thinking(fmt.Sprint("before ", n), fmt.Sprint("c2ln", n)), use(fmt.Sprint("a", n), "Read", `{"file_path":"/a"}`),
				thinking(fmt.Sprint("between ", n), fmt.Sprint("d2ln", n)), use(fmt.Sprint("b", n), "Read", `{"file_path":"/b"}`)}
			streamed = append(streamed, strings.Join(blocks, ","))
			return says(blocks...)
		}
		var s *harness.Session
		r.tool = func(call world.ToolCall) (world.ToolResult, time.Duration) {
			if call.ID == "a12" {
				s.Queue("a job in the background has ended")
			}
			return world.ToolResult{Output: "of " + call.ID}, time.Second
		}
		r.process(func(w world.World) {
			var err error
			s, err = harness.Start(w, r.cfg)
			require.NoError(t, err)
			r.prompt(w, s, "one")
			require.NoError(t, s.Close(w))
		})
		require.Len(t, r.requests, rounds+1)
		for i, req := range r.requests {
			legal(t, req.Body)
			answers := []string{}
			for _, m := range messages(t, req.Body) {
				if content, ok := strings.CutPrefix(m, `{"role":"assistant","content":[`); ok {
					answers = append(answers, strings.TrimSuffix(content, "]}"))
				}
			}
			assert.Equal(t, streamed[:i], answers, "%s, request %d", model, i)
			assert.Equal(t, i >= 12, strings.Contains(string(req.Body), "a job in the background"))
		}
	}
}
