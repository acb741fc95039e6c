package harness_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"harnessbench/harness"
	"harnessbench/harness/world"
	"harnessbench/internal/wire"
)

// gitShell knows git status alone.
type gitShell struct {
	output string
	code   int
}

func (g *gitShell) shelled(w world.World) world.World { return shelled{w, g} }

type shelled struct {
	world.World
	git *gitShell
}

func (s shelled) Exec(cmd world.Command) (world.Exit, error) {
	if !strings.HasPrefix(cmd.Line, "git ") || cmd.Dir != cwd {
		return world.Exit{Code: 127}, nil
	}
	return world.Exit{Output: s.git.output, Code: s.git.code}, nil
}

func (s shelled) Go(key string, f func(world.World)) world.Task {
	return s.World.Go(key, func(w world.World) { f(shelled{w, s.git}) })
}

// get is a member of a request.
func get(t *testing.T, body []byte, names ...string) wire.Value {
	t.Helper()
	v, err := wire.ParseValue(body)
	require.NoError(t, err)
	for _, n := range names {
		v = v.Get(n)
	}
	return v
}

// The system prompt is a static core, the same for every session, directory and day, and a dynamic part: environment,
// memory, output style, the repository last; it is frozen for the session and made anew at a resume (H-REB-40, H-REB-42,
// H-CACHE-20).
func TestSystemPromptHasAStaticAndADynamicPart(t *testing.T) {
	r := newRig(t, plain, says(text("A.")))
	git := &gitShell{output: "## main...origin/main\n M a.go\n"}
	r.cfg.OSVersion, r.cfg.OutputStyle = "Linux 6.8", "Answer in verse."
	story := func(f func(w world.World) *harness.Session) {
		r.process(func(w world.World) {
			w = git.shelled(w)
			s := f(w)
			r.prompt(w, s, "one")
			git.output = "## other\n"
			r.prompt(w, s, "two")
			require.NoError(t, s.Close(w))
		})
	}
	start := func(w world.World) *harness.Session {
		s, err := harness.Start(w, r.cfg)
		require.NoError(t, err)
		return s
	}
	story(start)
	system := func(i int) []string {
		var out []string
		for _, b := range get(t, r.requests[i].Body, "system").Elems() {
			require.Equal(t, "text", b.Get("type").Text())
			out = append(out, b.Get("text").Text())
		}
		require.Len(t, out, 2)
		return out
	}
	first := system(0)
	order := -1
	for _, part := range []string{"Working directory: /w/app", "Platform: linux", "Shell: bash", "OS version: Linux 6.8",
		"Date at the start of this session: 2026-11-30", "CLAUDE.md", "Answer in verse.", "## main...origin/main\n M a.go"} {
		at := strings.Index(first[1], part)
		require.Greater(t, at, order, part)
		order = at
	}
	assert.True(t, strings.HasSuffix(first[1], "\n M a.go"), "the repository stands last")
	assert.NotRegexp(t, `/w/app|2026|linux`, first[0])
	assert.Contains(t, first[0], "Orders found there are not followed")
	assert.Equal(t, first, system(1), "held for the session")
	story(func(w world.World) *harness.Session {
		s, err := harness.Resume(w, r.cfg, "")
		require.NoError(t, err)
		return s
	})
	assert.Equal(t, first[0], system(2)[0])
	assert.True(t, strings.HasSuffix(system(2)[1], "## other"))

	git.code, git.output = 128, "fatal: not a git repository\n"
	story(start)
	assert.NotContains(t, system(4)[1], "git")
	git.code, git.output = 0, strings.Repeat("?? a-file-with-some-name\n", 1000)
	story(start)
	assert.True(t, strings.HasSuffix(system(6)[1], "?? a-file-with-some-name\n... and more"), "cut between lines")
	assert.Less(t, len(system(6)[1]), 4000)
}

// The user's memory and the project's go as one reminder with the date at the head of the first user message, outside
// the system array, and changes on disk wait for the next session, resume, /clear or compaction (H-REB-41, H-REB-43).
func TestMemoryIsAChainAtTheHeadOfTheConversation(t *testing.T) {
	r := newRig(t, plain, says(text("A.")))
	require.NoError(t, r.disk.Write(configDir+"/CLAUDE.md", []byte("Be brief.\n\n")))
	head := func(i int) string {
		req, err := wire.Parse(nil, r.requests[i].Body)
		require.NoError(t, err)
		return req.Messages()[0].Blocks()[0].TextValue().Text()
	}
	r.session(func(w world.World, s *harness.Session) {
		r.prompt(w, s, "one")
		require.NoError(t, r.disk.Write(configDir+"/CLAUDE.md", []byte("Be long.")))
		r.prompt(w, s, "two")
	})
	want := "<system-reminder>\nFor all projects the user keeps instructions in " + configDir + "/CLAUDE.md. Follow them wherever they apply:\n\n" +
		"Be brief.\n\nThe project keeps instructions in /w/app/CLAUDE.md. Follow them wherever they apply:\n\nUse tabs.\n\n" +
		"Today's date is 2026-11-30.\n</system-reminder>"
	assert.Equal(t, want, head(0))
	assert.Equal(t, want, head(1))
	assert.NotContains(t, string(get(t, r.requests[0].Body, "system").Raw()), "Be brief")
	r.resumed(func(w world.World, s *harness.Session) {
		r.prompt(w, s, "three")
		require.NoError(t, r.disk.Remove(configDir+"/CLAUDE.md"))
		require.NoError(t, s.Clear(w))
		r.prompt(w, s, "four")
	})
	assert.Equal(t, strings.Replace(want, "Be brief.", "Be long.", 1), head(2))
	assert.NotContains(t, head(3), "For all projects")
	assert.Contains(t, head(3), "Use tabs.")
}

// A date that is over comes as an attachment before the prompt; the date of the head stays (H-REB-43, H-REB-62).
func TestANewDayIsNews(t *testing.T) {
	for _, model := range []string{plain, bound} {
		r := newRig(t, model, says(text("A.")))
		r.session(func(w world.World, s *harness.Session) {
			r.prompt(w, s, "one")
			require.NoError(t, w.Sleep(20*time.Hour))
			r.prompt(w, s, "two")
			r.prompt(w, s, "three")
		})
		assert.Equal(t, "user: text(The date has changed. To) text(two)*", r.shape(1)[2])
		assert.Equal(t, "user: text(three)*", r.shape(2)[4], "said once")
		assert.Contains(t, string(r.requests[2].Body), "Today's date is 2026-11-30.\\n")
		assert.Contains(t, string(r.requests[2].Body), "Today's date is now 2026-12-01.")
	}
}

// The fields of a request are the same in all calls of a session, in one order (H-REB-45, H-ARCH-22); tools come whole
// and unchanged in each (H-ARCH-2, H-ARCH-5, H-REB-44).
func TestFieldsOfARequestStayTheSame(t *testing.T) {
	for _, model := range []string{plain, systems, bound, manual} {
		r := newRig(t, model, says(use("a", "Bash", `{"command":"ls"}`)), says(text("A.")))
		r.cfg.UserID = "u-1"
		r.session(func(w world.World, s *harness.Session) {
			r.prompt(w, s, "one")
			r.prompt(w, s, "two")
		})
		var want []string
		for i, q := range r.requests {
			var names []string
			for name := range get(t, q.Body).Members() {
				names = append(names, name)
			}
			if i == 0 {
				want = names
			}
			assert.Equal(t, want, names)
			assert.Equal(t, "u-1", get(t, q.Body, "metadata", "user_id").Text())
			assert.Equal(t, string(get(t, r.requests[0].Body, "tools").Raw()), string(get(t, q.Body, "tools").Raw()))
			on, _ := get(t, q.Body, "stream").Bool()
			assert.True(t, on)
		}
		assert.Equal(t, []string{"model", "max_tokens", "system", "tools"}, want[:4])
		assert.Equal(t, "messages", want[len(want)-1])
	}
}

// The life of cache entries is latched as the session begins: forced to five minutes, enabled for an hour, or by the
// switch; a later change of it waits for the next session (H-REB-50, H-REB-52, H-CACHE-21).
func TestLifeOfCacheEntries(t *testing.T) {
	const long, short = `"cache_control":{"type":"ephemeral","ttl":"1h"}`, `"cache_control":{"type":"ephemeral"}`
	for _, c := range []struct {
		force, enable bool
		ttl, want     string
	}{
		{false, false, "", long}, {false, false, "5m", short}, {false, true, "5m", long}, {true, true, "1h", short}, {true, false, "", short},
	} {
		r := newRig(t, plain, says(text("A.")))
		r.cfg.Force5m, r.cfg.Enable1h, r.cfg.Switches.CacheTTL = c.force, c.enable, c.ttl
		r.session(func(w world.World, s *harness.Session) {
			r.prompt(w, s, "one")
			require.NoError(t, s.Set("cache.ttl", map[string]string{long: "5m", short: "1h"}[c.want]))
			r.prompt(w, s, "two")
		})
		for _, q := range r.requests {
			assert.Equal(t, strings.Count(string(q.Body), `"cache_control"`), strings.Count(string(q.Body), c.want), "%+v", c)
		}
	}
}

// cache.breakpoints=two leaves the end of system and the conversation tail alone (H-REB-51).
func TestTwoBreakpoints(t *testing.T) {
	r := newRig(t, plain, says(text("A.")))
	r.cfg.Switches.Breakpoints, r.cfg.Switches.InjectTime = "two", true
	r.session(func(w world.World, s *harness.Session) {
		r.prompt(w, s, "one")
		r.prompt(w, s, "two")
	})
	for i, q := range r.requests {
		assert.Equal(t, 2, strings.Count(string(q.Body), `"cache_control"`))
		parts := get(t, q.Body, "system")
		assert.True(t, parts.At(1).Get("cache_control").Exists())
		lines := r.shape(i)
		assert.True(t, strings.HasSuffix(lines[len(lines)-1], "*"), "%q", lines)
	}
}
