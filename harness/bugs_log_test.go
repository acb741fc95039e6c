package harness_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"harnessbench/harness"
	"harnessbench/harness/world"
)

const foreignID = "0794013f-1111-4111-8111-0123456789ab"

// foreign is a rig with the log of another writer.
func foreign(t *testing.T, model string, lines ...string) *rig {
	r := newRig(t, model, says(text("Hi.")))
	require.NoError(t, r.disk.Write(configDir+"/projects/-w-app/"+foreignID+".jsonl", []byte(strings.Join(lines, "\n")+"\n")))
	return r
}

// answered is one entry of an answer by a given model.
func answered(uuid, parent, model, message string, blocks ...string) string {
	return `{"type":"assistant","uuid":"` + uuid + `","parentUuid":"` + parent + `","message":{"id":"` + message +
		`","type":"message","role":"assistant","model":"` + model + `","content":[` + strings.Join(blocks, ",") + `]}}`
}

// asked is one entry of the user's side.
func asked(uuid, parent, content string) string {
	up := `"` + parent + `"`
	if parent == "" {
		up = "null"
	}
	return `{"type":"user","uuid":"` + uuid + `","parentUuid":` + up + `,"message":{"role":"user","content":` + content + `}}`
}

// resulted is the content of a user entry that holds the result of a call.
func resulted(id, content string) string {
	return `[{"type":"tool_result","tool_use_id":"` + id + `","content":"` + content + `"}]`
}

// Characters that some readers take for the end of a line stand in a result, in a prompt and in an answer; an exit and a
// resume change no byte of the request, and the list shows the session (H-LOG-83, OUT-1; bugs l-u2028-splits-lines,
// l-indexer-aborts-on-u2028).
func TestSeparatorsInTextsEndNoLine(t *testing.T) {
	const odd = "a\u2028b\u2029c\u0085d\ve\ff"
	r := ownRig(t)
	r.write("/w/app/odd", odd+"\n")
	var live []string
	r.session(func(w world.World, s *harness.Session) {
		assert.Equal(t, "1\t"+odd, r.result(w, s, `Read {"file_path":"/w/app/odd"}`))
		r.script, r.next = []answer{says(text("aa\u2028b\u2029c\u0085d"))}, 0
		r.prompt(w, s, "say "+odd)
		live = messages(t, r.requests[len(r.requests)-1].Body)
		require.NoError(t, s.SetTitle(w, "t\u2028t"))
	})
	r.resumed(func(w world.World, s *harness.Session) {
		r.prompt(w, s, "more")
		list, err := harness.List(w, r.cfg)
		require.NoError(t, err)
		require.Len(t, list, 1)
		assert.Equal(t, "t\u2028t", list[0].Title)
	})
	body := r.requests[len(r.requests)-1].Body
	legal(t, body)
	resumed := messages(t, body)
	assert.Equal(t, live, resumed[:len(live)], "what was sent before is sent again")
	assert.Len(t, resumed, len(live)+2)
	assert.Contains(t, string(body), odd[:len("a\u2028b\u2029c\u0085d")])
}

// One byte of a file of 20 MB in one line is edited: neither the log nor the request grows by the file (LOG-11, OUT-2;
// bug l-edit-stores-whole-files). A small file stands in the log whole.
func TestAnEditOfAHugeFileLogsLittle(t *testing.T) {
	r := ownRig(t)
	huge := strings.Repeat("x", 10<<20) + "@" + strings.Repeat("y", 10<<20)
	r.write("/w/app/huge", huge)
	r.write("/w/app/small", "a@b\n")
	var before, after int
	r.session(func(w world.World, s *harness.Session) {
		r.result(w, s, `Read {"file_path":"/w/app/small"}`)
		r.result(w, s, `Read {"file_path":"/w/app/huge"}`)
		before = len(r.logText())
		got := r.result(w, s, `Edit {"file_path":"/w/app/huge","old_string":"@","new_string":"#"}`)
		assert.True(t, strings.HasPrefix(got, "Updated /w/app/huge. The changed lines now read:\n1\txxx"), got[:min(len(got), 100)])
		assert.Contains(t, got, "... (20971521 bytes)")
		after = len(r.logText())
		r.result(w, s, `Edit {"file_path":"/w/app/small","old_string":"@","new_string":"#"}`)
	})
	assert.Less(t, after-before, 20_000)
	assert.Equal(t, strings.Replace(huge, "@", "#", 1), r.content("/w/app/huge"))
	assert.Contains(t, r.logText(), `"originalFile":"a@b\n"`)
	assert.Less(t, len(r.requests[len(r.requests)-1].Body), 300_000)
	r.resumed(func(w world.World, s *harness.Session) {
		assert.Contains(t, r.result(w, s, `Edit {"file_path":"/w/app/huge","old_string":"#","new_string":"@"}`), "Updated",
			"it was not written since, as its time says")
	})
}

// A torn last line, a bad line in the middle and two entries on one line each cost no more than what is not there
// (H-LOG-82, H-LOG-83, LOG-1; bugs l-truncated-tail-blank-resume, l-bad-line-stops-reader, l-glued-orphans-rest).
func TestDamagedLinesCostOnlyThemselves(t *testing.T) {
	var whole []string
	for _, n := range []string{"1", "2", "3", "4"} {
		parent := ""
		if n != "1" {
			parent = "a" + string(n[0]-1)
		}
		whole = append(whole, asked("u"+n, parent, `"prompt `+n+`"`), answered("a"+n, "u"+n, plain, "m"+n, text("answer "+n)))
	}
	all := []string{"prompt 1", "answer 1", "prompt 2", "answer 2", "prompt 3", "answer 3", "prompt 4", "answer 4"}
	for name, c := range map[string]struct {
		file string
		want []string
	}{
		"whole":        {strings.Join(whole, "\n") + "\n", all},
		"a torn tail":  {strings.Join(whole, "\n")[:len(strings.Join(whole, "\n"))-40], all[:7]},
		"a bad line":   {strings.Join(whole[:4], "\n") + "\n{\"type\":\"summary\",\"summ\n" + strings.Join(whole[4:], "\n") + "\n", all},
		"NUL bytes":    {strings.Join(whole[:4], "\n") + "\n" + strings.Repeat("\x00", 4096) + "\n" + strings.Join(whole[4:], "\n") + "\n", all},
		"glued":        {strings.Join(whole[:4], "\n") + strings.Join(whole[4:], "\n") + "\n", all},
		"three, glued": {strings.Join(whole[:3], "\n") + whole[3] + whole[4] + "\n" + strings.Join(whole[5:], "\n") + "\n", all},
	} {
		t.Run(name, func(t *testing.T) {
			r := foreign(t, plain, c.file)
			r.resumed(func(w world.World, s *harness.Session) {
				lost := name != "whole" && !strings.Contains(name, "glued")
				assert.Equal(t, lost, len(s.Report()) > 0, "what was passed over is told")
				r.prompt(w, s, "next")
			})
			legal(t, r.requests[0].Body)
			body := string(r.requests[0].Body)
			for _, said := range all {
				assert.Equal(t, slices.Contains(c.want, said), strings.Contains(body, `"`+said+`"`), said)
			}
		})
	}
}

// Entries of progress and snapshots of files that carry the id of a message are no part of the chain: the whole
// conversation is sent (LOG-5; bugs l-progress-forks-chain, l-snapshot-id-collides).
func TestBookkeepingIsNoPartOfTheChain(t *testing.T) {
	r := foreign(t, plain,
		asked("u1", "", `"one"`),
		`{"type":"file-history-snapshot","messageId":"u2","snapshot":{"messageId":"u2","trackedFileBackups":{}},"isSnapshotUpdate":false}`,
		answered("a1", "u1", plain, "m1", use("t1", "Bash", `{"command":"a"}`)),
		`{"type":"progress","uuid":"p1","parentUuid":"a1","data":{"type":"hook_progress"}}`,
		answered("a2", "a1", plain, "m1", use("t2", "Bash", `{"command":"b"}`)),
		`{"type":"progress","uuid":"p2","parentUuid":"p1","data":{"type":"hook_progress"}}`,
		asked("r1", "a1", resulted("t1", "one done")),
		asked("r2", "a2", resulted("t2", "two done")),
		`{"type":"progress","uuid":"p3","parentUuid":"r1","data":{"type":"hook_progress"}}`,
		answered("a3", "r2", plain, "m2", text("Both.")),
		`{"type":"file-history-snapshot","messageId":"a3","snapshot":{"messageId":"a3","trackedFileBackups":{}},"isSnapshotUpdate":false}`,
		asked("u2", "a3", `"two"`),
		answered("a4", "u2", plain, "m3", text("Yes.")),
		`{"type":"progress","uuid":"p4","parentUuid":"a3","data":{"type":"hook_progress"}}`,
	)
	r.resumed(func(w world.World, s *harness.Session) {
		assert.Equal(t, "a4", s.Leaf())
		r.prompt(w, s, "three")
	})
	legal(t, r.requests[0].Body)
	assert.Equal(t, []string{
		"user: text(The project keeps instru) text(one)",
		"assistant: tool_use(t1) tool_use(t2)",
		"user: tool_result(t1 one done) tool_result(t2 two done)",
		"assistant: text(Both.)", "user: text(two)", "assistant: text(Yes.)", "user: text(three)",
	}, unmarked(r.shape(0)))
}

// A process that goes from one session to another and back, by the id of the one that was left, writes each entry into
// its own session's file (LOG-8, LOG-10; bugs l-switch-writes-old-file, l-resume-follows-child). Another process that
// came to a session by such a change is noticed like one that began with it (LOG-7; bug l-registry-not-updated).
func TestChangesOfSessionInOneProcess(t *testing.T) {
	r := newRig(t, plain, says(text("Hi.")))
	files := map[string]string{}
	r.process(func(w world.World) {
		a, err := harness.Start(w, r.cfg)
		require.NoError(t, err)
		r.prompt(w, a, "a1")
		first := a.ID()
		require.NoError(t, a.Clear(w)) // the process is in another session from now on
		r.prompt(w, a, "b1")
		files[first], files[a.ID()] = "", a.File()
		require.NoError(t, a.Close(w))
		back, err := harness.Resume(w, r.cfg, first)
		require.NoError(t, err)
		r.prompt(w, back, "a2")
		files[first] = back.File()

		// The second process begins with a session of its own, then takes up the first one's.
		other, err := harness.Start(w, r.cfg)
		require.NoError(t, err)
		r.prompt(w, other, "c1")
		require.NoError(t, other.Close(w))
		other, err = harness.Resume(w, r.cfg, first)
		require.NoError(t, err)
		r.prompt(w, other, "a3")
		r.prompt(w, back, "a4")
		assert.Contains(t, strings.Join(back.Report(), "\n"), "concurrent_writer")
		require.NoError(t, back.Close(w))
		require.NoError(t, other.Close(w))
	})
	require.Len(t, files, 2)
	for id, file := range files {
		assert.Contains(t, file, id)
		for _, e := range r.log(file) {
			if of, ok := e["sessionId"]; ok {
				assert.Equal(t, id, of)
			}
		}
	}
	for id, want := range map[string][]string{"a": {"a1", "a2", "a3", "a4"}, "b": {"b1"}} {
		for _, file := range files {
			for _, said := range want {
				mine := strings.Contains(r.content(file), `"content":"`+want[0]+`"`)
				assert.Equal(t, mine, strings.Contains(r.content(file), `"content":"`+said+`"`), id)
			}
		}
	}
}

// Three turns, an exit, a rewind to the second, a new turn, another exit: what is sent is the first turn and the new one
// (REW-1, LOG-3; bugs l-rewind-parent-null-after-resume, l-rewind-then-resume-at-deleted).
func TestARewindAfterAResumeKeepsTheBeginning(t *testing.T) {
	for _, model := range []string{plain, bound} {
		r := newRig(t, model, says(text("Hi.")))
		r.session(func(w world.World, s *harness.Session) {
			for _, said := range []string{"one", "two", "three"} {
				r.prompt(w, s, said)
			}
		})
		r.resumed(func(w world.World, s *harness.Session) {
			require.NoError(t, s.Rewind(w, s.Prompts()[1].UUID))
			r.prompt(w, s, "anew")
		})
		r.resumed(func(w world.World, s *harness.Session) { r.prompt(w, s, "more") })
		assert.Equal(t, []string{"user: text(The project keeps instru) text(one)", "assistant: text(Hi.)", "user: text(anew)",
			"assistant: text(Hi.)", "user: text(more)"}, unmarked(r.shape(len(r.requests)-1)))
		// Also when the process ends right behind the rewind, and there was but one turn left.
		r.resumed(func(w world.World, s *harness.Session) { require.NoError(t, s.Rewind(w, s.LastPrompt())) })
		r.resumed(func(w world.World, s *harness.Session) { r.prompt(w, s, "warm") })
		assert.Equal(t, []string{"user: text(The project keeps instru) text(one)", "assistant: text(Hi.)", "user: text(anew)",
			"assistant: text(Hi.)", "user: text(warm)"}, unmarked(r.shape(len(r.requests)-1)))
	}
}

// A file with an old branch and a longer, newer one: both resumes go on with the newer, the second behind the first's turn
// (LOG-5; bug l-stale-branch-chosen).
func TestTheNewestBranchGoesOn(t *testing.T) {
	file := []string{asked("u0", "", `"root"`), answered("a0", "u0", plain, "m0", text("Root."))}
	branch := func(name string, n int) {
		parent := "a0"
		for i := range n {
			id := name + string(rune('a'+i))
			file = append(file, asked("u"+id, parent, `"`+name+`"`), answered("a"+id, "u"+id, plain, "m"+id, text(name+" answer")))
			parent = "a" + id
		}
	}
	branch("old", 5)
	branch("new", 15)
	r := foreign(t, plain, file...)
	r.resumed(func(w world.World, s *harness.Session) { r.prompt(w, s, "first") })
	r.resumed(func(w world.World, s *harness.Session) { r.prompt(w, s, "second") })
	for _, req := range r.requests {
		assert.NotContains(t, string(req.Body), `"old answer"`)
		assert.Equal(t, 15, strings.Count(string(req.Body), `"new answer"`))
	}
	assert.Len(t, r.shape(1), len(r.shape(0))+2)
}

// While a session lives that was cleared, another process forks it by its id: the fork begins behind the clear and holds
// the last turn (LOG-6, LOG-10; bug l-fork-reads-unflushed-file).
func TestAForkOfALiveSessionIsUpToDate(t *testing.T) {
	r := newRig(t, plain, says(text("Hi.")))
	r.session(func(w world.World, s *harness.Session) {
		r.prompt(w, s, "before")
		require.NoError(t, s.Clear(w))
		r.prompt(w, s, "after")
		fork, err := harness.ForkOf(w, r.cfg, s.ID(), "")
		require.NoError(t, err)
		r.prompt(w, fork, "in the fork")
		require.NoError(t, fork.Close(w))
	})
	assert.Equal(t, []string{"user: text(The project keeps instru) text(after)", "assistant: text(Hi.)", "user: text(in the fork)"},
		unmarked(r.shape(2)))
}
