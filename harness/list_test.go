package harness_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"harnessbench/harness"
	"harnessbench/harness/world"
)

const (
	sid1 = "00000000-0000-4000-8000-000000000001"
	sid2 = "00000000-0000-4000-8000-000000000002"
	sid3 = "00000000-0000-4000-8000-000000000003"
)

// put writes a session log from outside.
func (r *rig) put(dir, session string, lines ...string) {
	r.t.Helper()
	require.NoError(r.t, r.disk.Write(configDir+"/projects/"+dir+"/"+session+".jsonl", []byte(strings.Join(lines, "\n")+"\n")))
}

func promptLine(uuid, when, text, more string) string {
	return `{"type":"user","uuid":"` + uuid + `","parentUuid":null,"timestamp":"` + when + `"` + more + `,"message":{"role":"user","content":"` + text + `"}}`
}

func titleLine(title string) string { return `{"type":"custom-title","customTitle":"` + title + `"}` }

// Lists show the sessions of the project, the one written last first, by scanning the directory (H-LOG-5, H-LOG-71).
// Bug l-indexer-aborts-on-u2028: a line separator of Unicode in a title ends nothing.
func TestListIsNewestFirst(t *testing.T) {
	r := newRig(t, plain)
	r.put("-w-app", sid1, promptLine("u", "2026-01-01T00:00:00.000Z", "old\u2028er", ""))
	r.put("-w-app", sid2, promptLine("u", "2026-01-02T00:00:00.000Z", "new", ""), titleLine("Named"))
	r.put("-w-app", "index", promptLine("u", "", "no session", ""))
	r.put("-w-other", sid3, promptLine("u", "", "other project", ""))
	require.NoError(t, r.disk.Write(configDir+"/projects/-w-app/sessions-index.json", []byte("{}")))
	r.process(func(w world.World) {
		list, err := harness.List(w, r.cfg)
		require.NoError(t, err)
		require.Len(t, list, 2)
		assert.Equal(t, []string{sid2, sid1}, []string{list[0].Session, list[1].Session})
		assert.Equal(t, []string{"Named", "old\u2028er"}, []string{list[0].Title, list[1].Title})
		assert.Equal(t, configDir+"/projects/-w-app/"+sid2+".jsonl", list[0].File)
		assert.Equal(t, "2026-01-02T00:00:00.000Z", list[0].Began)
		assert.NotZero(t, list[0].Size)
	})
}

// A ref is an id of any project, or an exact title (H-CMD-40). The session goes on in its own file.
func TestResumeByIDAndByTitle(t *testing.T) {
	r := newRig(t, plain, says(text("A.")))
	r.put("-w-app", sid1, promptLine("u", "", "one", ""), titleLine("Fix it"))
	r.put("-w-app", sid2, promptLine("u", "", "one", ""), titleLine("Twice"))
	r.put("-w-app", "00000000-0000-4000-8000-000000000009", promptLine("u", "", "one", ""), titleLine("Twice"))
	r.put("-w-other", sid3, promptLine("u", "", "elsewhere", ""))
	r.process(func(w world.World) {
		s, err := harness.Resume(w, r.cfg, "Fix it")
		require.NoError(t, err)
		assert.Equal(t, sid1, s.ID())

		s, err = harness.Resume(w, r.cfg, sid3)
		require.NoError(t, err)
		r.prompt(w, s, "more")
		assert.Equal(t, configDir+"/projects/-w-other/"+sid3+".jsonl", s.File())
		assert.Equal(t, "user: text(The project keeps instru) text(elsewhere) text(more)*", r.shape(0)[0])
		require.NoError(t, s.Clear(w))
		assert.True(t, strings.HasPrefix(s.File(), configDir+"/projects/-w-app/"), "new sessions begin in the own project")

		_, err = harness.Resume(w, r.cfg, "Twice")
		assert.EqualError(t, err, `resume: 2 sessions are titled "Twice"; name one by its id: 00000000-0000-4000-8000-000000000009, `+sid2)
		_, err = harness.Resume(w, r.cfg, "fix it")
		assert.EqualError(t, err, "No conversation found with session ID: fix it")
	})
	r.put("-w-third", sid3, promptLine("u", "", "copied by an old version", ""))
	r.process(func(w world.World) {
		_, err := harness.Resume(w, r.cfg, sid3)
		assert.EqualError(t, err, "No conversation found with session ID: "+sid3, "the id is not unique")
	})
}

// What a program began is not continued unasked by a person, but by a program (H-CMD-40).
func TestContinueSkipsSessionsOfPrograms(t *testing.T) {
	r := newRig(t, plain, says(text("A.")))
	r.put("-w-app", sid1, promptLine("u", "", "typed", `,"entrypoint":"cli"`))
	r.put("-w-app", sid2, promptLine("u", "", "scripted", `,"entrypoint":"sdk-cli"`))
	for entrypoint, want := range map[string]string{"": sid1, "sdk-cli": sid2} {
		r.cfg.Entrypoint = entrypoint
		r.process(func(w world.World) {
			s, err := harness.Resume(w, r.cfg, "")
			require.NoError(t, err)
			assert.Equal(t, want, s.ID())
		})
	}
	list := []string{}
	r.process(func(w world.World) {
		all, err := harness.List(w, r.cfg)
		require.NoError(t, err)
		for _, l := range all {
			list = append(list, l.Session)
		}
	})
	assert.Equal(t, []string{sid2, sid1}, list, "the picker shows both")
}

// The directory of a long path is found under another runtime's hash too (H-LOG-3).
func TestLongPathsAreFoundUnderAnotherHash(t *testing.T) {
	r := newRig(t, plain, says(text("A.")))
	r.cfg.Cwd = "/" + strings.Repeat("d", 250)
	prefix := "-" + strings.Repeat("d", 199)
	r.put(prefix+"-zzz", sid1, promptLine("u", "", "one", ""))
	r.put(prefix, sid2, promptLine("u", "", "another project", ""))
	r.process(func(w world.World) {
		s, err := harness.Resume(w, r.cfg, "")
		require.NoError(t, err)
		assert.Equal(t, sid1, s.ID())
		assert.Contains(t, s.File(), "-zzz/")
		s, err = harness.Start(w, r.cfg)
		require.NoError(t, err)
		assert.NotContains(t, s.File(), "-zzz/")
	})
}

// resolving is a world in which one directory is a symlink to another.
type resolving struct{ world.World }

func (w resolving) Resolve(path string) (string, error) {
	return strings.Replace(path, "/link", "/w/app", 1), nil
}

// Symlinks to a project are that project (H-LOG-2); a name may replace the slug (H-LOG-4).
func TestProjectDirectories(t *testing.T) {
	r := newRig(t, plain)
	r.process(func(w world.World) {
		cfg := r.cfg
		cfg.Cwd = "/link"
		s, err := harness.Start(resolving{w}, cfg)
		require.NoError(t, err)
		assert.Contains(t, s.File(), "/projects/-w-app/")
		cfg.ProjectDirName = "my_app"
		s, err = harness.Start(w, cfg)
		require.NoError(t, err)
		assert.Contains(t, s.File(), "/projects/my_app/")
		cfg.ProjectDirName = "../x"
		_, err = harness.Start(w, cfg)
		assert.ErrorContains(t, err, "ProjectDirName")
	})
}

// What is older than the days is deleted, auto memory excepted; what a log in use needs stays (H-LOG-7).
func TestRetention(t *testing.T) {
	r := newRig(t, plain)
	p := configDir + "/projects/-w-app/"
	old := []string{p + sid1 + ".jsonl", p + sid1 + "/frozen.json", p + sid1 + "/tool-results/a.txt", p + "agent-1.jsonl",
		configDir + "/file-history/" + sid1 + "/x@v1", configDir + "/plans/p.md"}
	kept := []string{p + "memory/MEMORY.md", p + sid2 + "/frozen.json", configDir + "/file-history/" + sid2 + "/x@v1", configDir + "/settings.json"}
	r.process(func(w world.World) {
		for _, f := range append(append([]string{}, old...), kept...) {
			require.NoError(t, w.Append(f, []byte("x\n")))
		}
		require.NoError(t, w.Sleep(20*24*time.Hour))
		require.NoError(t, w.Append(p+sid2+".jsonl", []byte("x\n")))
		removed, err := harness.Retain(w, r.cfg, 0)
		require.NoError(t, err)
		assert.Empty(t, removed, "not yet 30 days")
	})
	r.process(func(w world.World) {
		require.NoError(t, w.Sleep(11*24*time.Hour))
		_, err := harness.Retain(w, r.cfg, -1)
		assert.ErrorContains(t, err, "want 1 or more")
		removed, err := harness.Retain(w, r.cfg, 0)
		require.NoError(t, err)
		assert.ElementsMatch(t, old, removed)
		again, err := harness.Retain(w, r.cfg, 30)
		require.NoError(t, err)
		assert.Empty(t, again)
	})
	for _, f := range kept {
		_, err := r.disk.Read(f)
		assert.NoError(t, err, f)
	}
}
