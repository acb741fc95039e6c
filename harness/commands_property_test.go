package harness_test

import (
	"fmt"
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"harnessbench/harness"
	"harnessbench/harness/world"
)

// dice draws numbers ahead, for use inside fibers, where rapid must not be called: it stops a run by a panic of its own.
func dice(rt *rapid.T, n int) func(below int) int {
	drawn := rapid.SliceOfN(rapid.IntRange(0, 1<<16), n, n).Draw(rt, "dice")
	return func(below int) int {
		n := drawn[0] % below
		drawn = append(drawn[1:], drawn[0])
		return n
	}
}

// Whatever commands come after each other, in one process or in several, every request is legal, the session stands after
// a resume where it stood before, with the same payload, and the conversation in memory is the one of the log, which each
// command and each exit checks (H-CMD-31 to H-CMD-39, H-CMD-41, H-CMD-53, H-LOG-45, H-REB-4, H-ARCH-12).
func TestAnyOrderOfCommandsHolds(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		r := newRig(t, rapid.SampledFrom([]string{plain, systems, bound, manual}).Draw(rt, "model"), answer{})
		if r.cfg.Model == systems || r.cfg.Model == bound { // elsewhere the volatile text of the last turn is gone after a resume
			r.cfg.Switches.InjectTime = rapid.Bool().Draw(rt, "time")
		}
		r.answer = func() answer {
			n := len(r.requests)
			switch {
			case r.requests[n-1].Chain == "compact":
				return summary(fmt.Sprintf("summary %d", n))
			case r.requests[n-1].Chain == "btw" || n%3 > 0:
				return says(thinking("t", "c2ln"), text(fmt.Sprintf("answer %d", n)))
			}
			return says(thinking("t", "c2ln"), use(fmt.Sprintf("c%d", n), "Bash", `{"command":"make"}`))
		}
		var every []string // all prompts of the newest file, whatever their branch
		asked, id, throw := 0, "", dice(rt, 14)
		ops := rapid.SliceOfN(rapid.SampledFrom([]string{
			"prompt", "prompt", "prompt", "back", "anywhere", "compact", "from", "up to", "fork", "resume", "resume", "kill",
		}), 4, 14).Draw(rt, "ops")
		var now []string // messages of a question asked right before the process ended
		for len(ops) > 0 {
			out := r.m.Run(func(w world.World) {
				var s *harness.Session
				var err error
				if id == "" {
					s, err = harness.Start(w, r.cfg)
				} else {
					s, err = harness.Resume(w, r.cfg, id)
				}
				require.NoError(rt, err)
				if now != nil {
					_, err := s.Btw(w, "where?")
					require.NoError(rt, err)
					require.Equal(rt, now, messages(t, r.requests[len(r.requests)-1].Body))
					s.ForgetBtw()
				}
				for len(ops) > 0 {
					op := ops[0]
					ops = ops[1:]
					points := s.Prompts()
					pick := func() string {
						return points[throw(len(points))].UUID
					}
					if len(points) == 0 && (op == "back" || op == "from" || op == "up to" || op == "compact" || op == "fork") {
						continue
					}
					switch op {
					case "prompt":
						asked++
						r.prompt(w, s, fmt.Sprintf("prompt %d", asked))
						every = append(every, s.LastPrompt())
						id = s.ID()
					case "back":
						require.NoError(rt, s.Rewind(w, pick()))
					case "anywhere":
						if len(every) > 0 {
							require.NoError(rt, s.Rewind(w, every[throw(len(every))]))
						}
					case "compact":
						require.NoError(rt, s.Compact(w, ""))
					case "from", "up to":
						before, leaf := r.read(s.File()), s.Leaf()
						action := map[string]string{"from": harness.SummarizeFrom, "up to": harness.SummarizeUpTo}[op]
						if _, err := s.RewindTo(w, pick(), action); err != nil { // not in the context, or nothing before it
							require.Equal(rt, before, r.read(s.File()))
							require.Equal(rt, leaf, s.Leaf())
						}
					case "fork":
						require.NoError(rt, s.Fork(w, ""))
						every, id = nil, s.ID()
						for _, p := range s.Prompts() {
							every = append(every, p.UUID)
						}
					case "resume", "kill":
						now = nil
						if id != "" {
							s.ForgetBtw()
							_, err := s.Btw(w, "where?")
							require.NoError(rt, err)
							now = messages(t, r.requests[len(r.requests)-1].Body)
						}
						if op == "kill" {
							r.m.Kill()
						}
						require.NoError(rt, s.Close(w))
						return
					}
				}
				require.NoError(rt, s.Close(w))
			})
			require.Empty(rt, out.Panic)
		}
		for _, q := range r.requests {
			legal(t, q.Body)
		}
	})
}

// Code goes back to what a plain copy of all tracked files says, whatever was written, changed by commands, deleted and
// restored in between (H-CMD-35, H-CMD-36, H-CMD-37).
func TestRestoredCodeEqualsAPlainCopy(t *testing.T) {
	names := []string{"a", "b", "c"}
	rapid.Check(t, func(rt *rapid.T) {
		command := ""
		r := editing(t, plain, func(r *rig, _ string) { r.change(command) })
		now := func() map[string]string {
			out := map[string]string{}
			for _, n := range names {
				if data, err := r.disk.Read(cwd + "/" + n); err == nil {
					out[n] = string(data)
				}
			}
			return out
		}
		if rapid.Bool().Draw(rt, "a is there") {
			r.file(cwd+"/a", "original")
		}
		tracked := map[string]map[string]string{} // by file: what all was when its first edit came
		copies := map[string]map[string]string{}  // by prompt
		known := map[string][]string{}            // files tracked by then
		var prompts []string
		calls, throw := 0, dice(rt, 100)
		step := func(w world.World, s *harness.Session) {
			if len(prompts) > 0 && throw(4) == 0 {
				p := prompts[throw(len(prompts))]
				_, err := s.RewindTo(w, p, []string{harness.RestoreCode, harness.RestoreBoth}[throw(2)])
				require.NoError(rt, err)
				got := now()
				for _, n := range slices.Sorted(maps.Keys(tracked)) {
					then := tracked[n]
					if slices.Contains(known[p], n) {
						then = copies[p]
					}
					want, existed := then[n]
					have, exists := got[n]
					require.Equal(rt, existed, exists, "%s at %s", n, p)
					require.Equal(rt, want, have, "%s at %s", n, p)
				}
				return
			}
			copied, before := now(), slices.Sorted(maps.Keys(tracked))
			var answers []answer
			for range throw(4) {
				calls++
				n := names[throw(len(names))]
				content := fmt.Sprintf("v%d", 1+throw(3))
				if throw(2) == 0 {
					command = n + " " + content
					answers = append(answers, says(use(fmt.Sprintf("b%d", calls), "Bash", `{"command":"make"}`)))
					break // one command a turn, so that it is known when it ran
				}
				answers = append(answers, says(use(fmt.Sprintf("r%d", calls), "Read", fmt.Sprintf(`{"file_path":"/w/app/%s"}`, n))),
					writes(fmt.Sprintf("w%d", calls), cwd+"/"+n, content))
				if tracked[n] == nil {
					tracked[n] = copied
				}
			}
			p := r.turn(w, s, "go", answers...)
			prompts = append(prompts, p)
			copies[p], known[p] = copied, before
		}
		n := rapid.IntRange(2, 8).Draw(rt, "steps")
		r.session(func(w world.World, s *harness.Session) {
			for range n {
				step(w, s)
				require.NoError(rt, w.Sleep(time.Second))
			}
		})
		if len(prompts) > 0 {
			r.resumed(func(w world.World, s *harness.Session) {
				for range n {
					step(w, s)
				}
			})
		}
	})
}

// change is what a command does to a file: it writes the content, or deletes the file for v1.
func (r *rig) change(command string) {
	name, content := command[:1], command[2:]
	if content == "v1" {
		_ = r.disk.Remove(cwd + "/" + name)
		return
	}
	r.file(cwd+"/"+name, "bash "+content)
}
