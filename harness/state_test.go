package harness_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"harnessbench/harness"
	"harnessbench/harness/world"
)

// A resume takes up the model, the permission mode and the title of the log, the last of each; plan and bypassPermissions
// fall back to the mode the process starts with (H-CMD-42, H-LOG-70).
func TestAResumeTakesUpTheState(t *testing.T) {
	for set, want := range map[string]string{
		harness.ModeAcceptEdits: harness.ModeAcceptEdits, harness.ModeDontAsk: harness.ModeDontAsk, harness.ModeAuto: harness.ModeAuto,
		harness.ModePlan: harness.ModeDefault, harness.ModeBypass: harness.ModeDefault,
	} {
		r := newRig(t, plain, says(text("A.")))
		r.session(func(w world.World, s *harness.Session) {
			r.prompt(w, s, "one")
			require.NoError(t, s.SetTitle(w, "First"))
			require.NoError(t, s.SetTitle(w, " Plums "))
			require.NoError(t, s.SetMode(w, harness.ModeAuto))
			require.NoError(t, s.SetMode(w, set))
			require.NoError(t, s.SetModel(w, systems, "low"))
			r.prompt(w, s, "two")
			assert.Equal(t, set, r.entries(s.File())[2]["permissionMode"])
		})
		r.resumed(func(w world.World, s *harness.Session) {
			assert.Equal(t, want, s.Mode())
			assert.Equal(t, "Plums", s.Title())
			assert.Equal(t, systems, s.Model())
			r.prompt(w, s, "three")
		})
		assert.Equal(t, front(r.requests[1].Body), front(r.requests[2].Body))
		assert.Contains(t, front(r.requests[2].Body), `"output_config":{"effort":"low"}`)

		r.cfg.Mode, r.cfg.ModelGiven = harness.ModeAcceptEdits, true
		r.resumed(func(_ world.World, s *harness.Session) {
			if want == harness.ModeDefault {
				want = harness.ModeAcceptEdits
			}
			assert.Equal(t, want, s.Mode())
			assert.Equal(t, plain, s.Model(), "chosen by a flag")
		})
	}
}

// A log that names no model as state goes on with that of its newest answer, unless that is unknown or retired
// (H-CMD-42).
func TestTheModelOfALogOfAnotherWriter(t *testing.T) {
	for made, want := range map[string]string{
		bound: bound, "claude-3-5-sonnet-20241022": plain, "some-gateway/model": plain,
	} {
		r := newRig(t, made, says(text("A.")))
		if made != bound {
			r = newRig(t, plain, says(text("A.")))
		}
		r.session(func(w world.World, s *harness.Session) { r.prompt(w, s, "one") })
		file := configDir + "/projects/-w-app/" + r.sessions()[0] + ".jsonl"
		require.NoError(t, r.disk.Write(file, []byte(strings.ReplaceAll(r.read(file), `"model":"`+plain+`"`, `"model":"`+made+`"`))))
		r.cfg.Model = plain
		r.resumed(func(_ world.World, s *harness.Session) { assert.Equal(t, want, s.Model(), made) })
	}
}

// What is not there, or not taken, is refused and changes nothing.
func TestBadState(t *testing.T) {
	r := newRig(t, plain, says(text("A.")))
	r.session(func(w world.World, s *harness.Session) {
		r.prompt(w, s, "one")
		before := r.read(s.File())
		require.ErrorContains(t, s.SetMode(w, "yolo"), `"yolo"`)
		require.ErrorContains(t, s.SetModel(w, "gpt", ""), `"gpt"`)
		require.ErrorContains(t, s.SetModel(w, manual, "high"), `no effort "high"; it takes none`)
		require.ErrorContains(t, s.SetTitle(w, " "), "empty")
		assert.Equal(t, before, r.read(s.File()))
		assert.Equal(t, harness.ModeDefault, s.Mode())
	})
	r.cfg.Mode = "yolo"
	r.process(func(w world.World) {
		_, err := harness.Start(w, r.cfg)
		require.ErrorContains(t, err, `"yolo"`)
	})
}

// A clear carries over the title that the user gave, and the model; a generated title stays behind. `/clear NAME` names
// the old session (H-CMD-10, H-CMD-11, H-CMD-12). bug l-resume-follows-child, l-fork-reads-unflushed-file.
func TestClearCarriesTheUsersTitle(t *testing.T) {
	r := newRig(t, plain, says(text("A.")))
	var first, second, third string
	titles := func(w world.World) map[string]string {
		list, err := harness.List(w, r.cfg)
		require.NoError(t, err)
		out := map[string]string{}
		for _, l := range list {
			out[l.Session] = l.Title
		}
		return out
	}
	r.session(func(w world.World, s *harness.Session) {
		r.prompt(w, s, "one")
		first = s.ID()
		require.NoError(t, s.ClearAs(w, "Pears"))
		second = s.ID()
		assert.Equal(t, "", s.Title(), "the name is the old session's")
		require.NoError(t, s.SetTitle(w, "Plums"))
		require.NoError(t, s.SetModel(w, systems, ""))
		r.prompt(w, s, "two")
		require.NoError(t, s.Clear(w))
		third = s.ID()
		assert.Equal(t, "Plums", s.Title())
		r.prompt(w, s, "three")
		assert.Equal(t, map[string]string{first: "Pears", second: "Plums", third: "Plums"}, titles(w))
	})
	r.resumed(func(_ world.World, s *harness.Session) {
		assert.Equal(t, third, s.ID())
		assert.Equal(t, "Plums", s.Title())
		assert.Equal(t, systems, s.Model())
	})
	r.process(func(w world.World) {
		s, err := harness.Resume(w, r.cfg, first)
		require.NoError(t, err)
		assert.Equal(t, first, s.ID())
		assert.Equal(t, plain, s.Model())
		r.prompt(w, s, "more")
		s, err = harness.ForkOf(w, r.cfg, third, "Copy")
		require.NoError(t, err)
		r.prompt(w, s, "in the copy")
		assert.NotContains(t, r.read(s.File()), `"one"`)
	})
}

// A switch to a bound model leaves out the thinking so far, live and after a resume alike; back again it is sent
// (D37, H-REB-36). bug t-cross-model-signature.
func TestSetModelIsADeclaredBreak(t *testing.T) {
	r := newRig(t, plain, says(thinking("a", "c2ln"), text("A.")))
	r.session(func(w world.World, s *harness.Session) {
		r.prompt(w, s, "one")
		require.NoError(t, s.SetModel(w, bound, ""))
		r.cfg.Model = bound
		r.prompt(w, s, "two")
		require.NoError(t, s.SetModel(w, plain, ""))
		r.cfg.Model = plain
		r.prompt(w, s, "three")
	})
	r.resumed(func(w world.World, s *harness.Session) {
		require.NoError(t, s.SetModel(w, bound, ""))
		r.cfg.Model = bound
		r.prompt(w, s, "four")
	})
	assert.Equal(t, "assistant: text(A.)", r.shape(1)[1])
	assert.Contains(t, r.shape(2)[1], "assistant: ")
	four := r.shape(3)
	assert.NotContains(t, strings.Join(four[:len(four)-1], " "), "thinking", "nothing from before the switch")
	for _, q := range r.requests {
		legal(t, q.Body)
	}
}
