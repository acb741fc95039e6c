package harness_test

import (
	"bytes"
	"encoding/base64"
	"image"
	"image/png"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"harnessbench/harness"
	"harnessbench/harness/inject"
	"harnessbench/harness/world"
)

const notRead = "File has not been read yet. Read it first before writing to it."

// picture is a PNG of this size.
func picture(w, h int) string {
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewGray(image.Rect(0, 0, w, h))); err != nil {
		panic(err)
	}
	return b.String()
}

// What Read makes of each kind of thing at a path (H-TOOL-10, H-TOOL-12, H-TOOL-16), an image with more pixels than many
// images may have among them (bugs o-image-read-not-validated, o-image-over-limit-bricks, o-resume-many-images).
func TestReadOfFiles(t *testing.T) {
	r := ownRig(t)
	r.write("/w/app/a.go", "one\ntwo\n")
	r.write("/w/app/empty", "")
	r.write("/w/app/old.bin", "a\x00b")
	r.write("/w/app/latin", "caf\xe9\n")
	r.write("/w/app/x.png", picture(2, 3))
	r.write("/w/app/wide.png", picture(2001, 1))
	r.write("/w/app/bad.png", "\x89PNG\r\n\x1a\nrest")
	require.NoError(t, r.disk.Symlink("a.go", "/w/app/link"))
	r.session(func(w world.World, s *harness.Session) {
		for _, c := range []struct{ input, want string }{
			{`{"file_path":"/w/app/a.go"}`, "1\tone\n2\ttwo"},
			{`{"file_path":"/w/app/../app/a.go","offset":2}`, "2\ttwo"},
			{`{"file_path":"/w/app/link"}`, "1\tone\n2\ttwo"},
			{`{"file_path":"/w/app/empty"}`, inject.EmptyFile},
			{`{"file_path":"/w/app/latin"}`, "1\tcaf\uFFFD"},
			{`{"file_path":"/w/app/none"}`, toolError("there is no file /w/app/none")},
			{`{"file_path":"/w/app"}`, toolError("/w/app is a directory, not a file; list it with Bash")},
			{`{"file_path":"/w/app/old.bin"}`, toolError("/w/app/old.bin is no text (bin); look at it with a command such as file or xxd")},
			{`{"file_path":"/w/app/wide.png"}`, toolError("/w/app/wide.png is an image of 2001 x 1 pixels; at most 2000 on each side can be shown: scale a copy down")},
			{`{"file_path":"/w/app/bad.png"}`, toolError("/w/app/bad.png begins like an image but cannot be read as one")},
			{`{"file_path":"a.go"}`, toolError(`file_path of Read must be an absolute path, it is "a.go"`)},
		} {
			assert.Equal(t, c.want, r.result(w, s, "Read "+c.input), c.input)
		}
		shown := r.results(w, s, `Read {"file_path":"/w/app/x.png"}`)[0].Get("content")
		data := base64.StdEncoding.EncodeToString([]byte(picture(2, 3)))
		assert.Equal(t, `[{"type":"image","source":{"type":"base64","media_type":"image/png","data":"`+data+`"}}]`, string(shown.Raw()))
		assert.Equal(t, inject.Unchanged, r.result(w, s, `Read {"file_path":"/w/app/x.png"}`))
	})
	r.resumed(func(w world.World, s *harness.Session) { r.result(w, s, `Read {"file_path":"/w/app/a.go","limit":1}`) })
}

// A repeat read of the same range gives T-UNCHANGED while the earlier result stands and the file is as it was; a resume
// and a rewind recompute that from the path (H-TOOL-13, H-TOOL-14, H-CMD-34; bug o-edit-diff-huge).
func TestARepeatedReadIsShort(t *testing.T) {
	r := ownRig(t)
	const whole, part = `Read {"file_path":"/w/app/a.go"}`, `Read {"file_path":"/w/app/a.go","offset":2,"limit":1}`
	r.write("/w/app/a.go", "one\ntwo\n")
	var first string
	r.session(func(w world.World, s *harness.Session) {
		assert.Equal(t, "1\tone\n2\ttwo", r.result(w, s, whole))
		first = s.LastPrompt()
		assert.Equal(t, inject.Unchanged, r.result(w, s, whole))
		assert.Equal(t, inject.Unchanged, r.result(w, s, whole), "an answer like this is none that shows the file")
		assert.Equal(t, "2\ttwo", r.result(w, s, part), "another range")
		assert.Equal(t, inject.Unchanged, r.result(w, s, part))
	})
	assert.Contains(t, r.logText(), `"toolUseResult":{"type":"file_unchanged","file":{"filePath":"/w/app/a.go"}}`)
	r.resumed(func(w world.World, s *harness.Session) {
		assert.Equal(t, inject.Unchanged, r.result(w, s, whole), "also after a resume")
		require.NoError(t, w.Sleep(time.Second))
		r.write("/w/app/a.go", "one\ntwo\n")
		require.NoError(t, w.Sleep(time.Second))
		require.NoError(t, w.Write("/w/app/a.go", []byte("one\ntwo\n")))
		assert.Equal(t, "1\tone\n2\ttwo", r.result(w, s, whole), "written again, to the same content")
		r.write("/w/app/a.go", "one\ntwo!\n")
		assert.Equal(t, "1\tone\n2\ttwo!", r.result(w, s, whole))
		require.NoError(t, s.Rewind(w, first))
		assert.Equal(t, "1\tone\n2\ttwo!", r.result(w, s, whole), "the earlier results are not on the path")
		assert.Equal(t, inject.Unchanged, r.result(w, s, whole))
	})
}

// A file that was written in the millisecond of its Read is not newer than the Read: entries know milliseconds (H-TOOL-13).
func TestAFileWrittenJustBeforeItsReadIsUnchanged(t *testing.T) {
	r := ownRig(t)
	r.tool = func(call world.ToolCall) (world.ToolResult, time.Duration) {
		if call.ID == "toolu_1" {
			r.write("/w/app/a.go", "one\n")
		}
		return world.ToolResult{Own: true}, 0
	}
	r.session(func(w world.World, s *harness.Session) {
		assert.Equal(t, "1\tone", r.result(w, s, `Read {"file_path":"/w/app/a.go"}`))
		assert.Equal(t, inject.Unchanged, r.result(w, s, `Read {"file_path":"/w/app/a.go"}`))
	})
}

// A file that became another in the millisecond in which its Read was logged is not newer than the Read, and yet is shown:
// its content counts too (H-TOOL-13).
func TestAFileChangedJustBehindItsReadIsShown(t *testing.T) {
	r := ownRig(t)
	r.write("/w/app/a.go", "one\n")
	changed := false
	h := &hook{after: func(_ int, op, _ string) {
		if op == world.OpDiskAppend && !changed && strings.Contains(r.logText(), `"tool_use_id":"toolu_1"`) {
			changed = true
			r.write("/w/app/a.go", "two\n")
		}
	}}
	r.session(func(w world.World, s *harness.Session) {
		assert.Equal(t, "1\tone", r.result(world.Hooked(w, h), s, `Read {"file_path":"/w/app/a.go"}`))
		require.True(t, changed)
		assert.Equal(t, "1\ttwo", r.result(w, s, `Read {"file_path":"/w/app/a.go"}`))
	})
}

// The memory file stands at the head, so that reading it says so; it counts as read (H-TOOL-13).
func TestTheMemoryFileIsSeeded(t *testing.T) {
	r := ownRig(t)
	r.session(func(w world.World, s *harness.Session) {
		assert.Equal(t, inject.Unchanged, r.result(w, s, `Read {"file_path":"/w/app/CLAUDE.md"}`))
		assert.Contains(t, r.logText(), `"file":{"filePath":"/w/app/CLAUDE.md"},"source":"seeded"}`)
		assert.Equal(t, "Updated /w/app/CLAUDE.md.", r.result(w, s, `Write {"file_path":"/w/app/CLAUDE.md","content":"Use blanks.\n"}`))
		assert.Equal(t, "1\tUse blanks.", r.result(w, s, `Read {"file_path":"/w/app/CLAUDE.md"}`))
	})
}

// A file that is there must have been read in full before a Write, and must be as it was read (H-TOOL-20, H-TOOL-22).
func TestWriteNeedsARead(t *testing.T) {
	r := ownRig(t)
	r.write("/w/app/a.go", "one\ntwo\n")
	r.write("/w/app/b.go", "b\n")
	const over = `Write {"file_path":"/w/app/a.go","content":"new\n"}`
	r.session(func(w world.World, s *harness.Session) {
		assert.Equal(t, "Created /w/app/new.go.", r.result(w, s, `Write {"file_path":"/w/app/new.go","content":"x"}`))
		assert.Equal(t, "Updated /w/app/new.go.", r.result(w, s, `Write {"file_path":"/w/app/new.go","content":"y"}`), "its own content is known")
		assert.Equal(t, toolError(notRead), r.result(w, s, over))
		r.result(w, s, `Read {"file_path":"/w/app/a.go","limit":1}`)
		assert.Equal(t, toolError(notRead), r.result(w, s, over), "a part is not enough")
		assert.Equal(t, "one\ntwo\n", r.content("/w/app/a.go"))
		r.result(w, s, `Read {"file_path":"/w/app/a.go"}`)
		r.write("/w/app/a.go", "by hand\n")
		assert.Equal(t, toolError("The file has changed on disk since it was read. Read it again before writing to it."), r.result(w, s, over))
		r.result(w, s, `Read {"file_path":"/w/app/a.go"}`)
		assert.Equal(t, "Updated /w/app/a.go.", r.result(w, s, over))
		assert.Equal(t, "new\n", r.content("/w/app/a.go"))
		assert.Equal(t, "1\tnew", r.result(w, s, `Read {"file_path":"/w/app/a.go"}`), "no result shows what was written")
		assert.Equal(t, toolError("/w/app is a directory, not a file"), r.result(w, s, `Write {"file_path":"/w/app","content":""}`))
	})
	r.resumed(func(w world.World, s *harness.Session) {
		assert.Equal(t, "Updated /w/app/a.go.", r.result(w, s, over), "known from the log")
		assert.Equal(t, toolError(notRead), r.result(w, s, `Write {"file_path":"/w/app/b.go","content":""}`))
	})
}

// Edits of files that were read, in part or in full, and of files that changed since (H-TOOL-21).
func TestEditNeedsARead(t *testing.T) {
	r := ownRig(t)
	r.write("/w/app/a.go", "one\ntwo\n")
	edit := func(old, new string) string {
		return `Edit {"file_path":"/w/app/a.go","old_string":"` + old + `","new_string":"` + new + `"}`
	}
	r.session(func(w world.World, s *harness.Session) {
		assert.Equal(t, toolError("there is no file /w/app/none"), r.result(w, s, `Edit {"file_path":"/w/app/none","old_string":"a","new_string":"b"}`))
		assert.Equal(t, toolError(notRead), r.result(w, s, edit("one", "1")))
		r.result(w, s, `Read {"file_path":"/w/app/a.go","limit":1}`)
		assert.Equal(t, "Updated /w/app/a.go. The changed lines now read:\n1\t1\n2\ttwo", r.result(w, s, edit("one", "1")))
		assert.Equal(t, "1\ntwo\n", r.content("/w/app/a.go"))
		assert.Equal(t, "Updated /w/app/a.go. The changed lines now read:\n1\t1\n2\t2", r.result(w, s, edit("two", "2")), "no read between")
		r.write("/w/app/a.go", "1\n2\n3\n3\n")
		assert.Equal(t, toolError("The file has changed on disk since it was read. Read it again before writing to it."), r.result(w, s, edit("3", "x")))
		got := r.result(w, s, edit("2", "II"))
		assert.True(t, strings.HasPrefix(got, "Updated /w/app/a.go. The file had changed on disk since it was read; the edit went into the new content."), got)
		assert.Equal(t, "1\nII\n3\n3\n", r.content("/w/app/a.go"))
	})
	r.resumed(func(w world.World, s *harness.Session) {
		got := r.result(w, s, edit("II", "2"))
		assert.Equal(t, "Updated /w/app/a.go. The changed lines now read:\n1\t1\n2\t2\n3\t3\n4\t3", got, "the content behind the last edit is known from the log")
	})
}

// A Read and an Edit of one answer: the Edit sees the Read's result, and both results go back in one message, in the order
// of their calls (H-LOOP-11, H-LOOP-12, H-ARCH-23).
func TestAnEditBehindItsReadInOneAnswer(t *testing.T) {
	r := ownRig(t)
	r.write("/w/app/a.go", "one\n")
	n := 0
	r.script = []answer{calls(&n, `Read {"file_path":"/w/app/a.go"}`, `Edit {"file_path":"/w/app/a.go","old_string":"one","new_string":"1"}`), says(text("done"))}
	r.session(func(w world.World, s *harness.Session) {
		r.prompt(w, s, "go")
		assert.Equal(t, "1\n", r.content("/w/app/a.go"))
	})
	shape := r.shape(1)
	assert.Regexp(t, `^user: tool_result\(toolu_1 1\sone\) tool_result\(toolu_2 Updated /w/app/a.go. The`, shape[len(shape)-1])
}

// Commands that show a file count as reading it for what writes need, and for nothing else (H-TOOL-23).
func TestCommandsCountAsReading(t *testing.T) {
	r := ownRig(t)
	r.write("/w/app/a.go", "one\n")
	r.shell = func(cmd world.Command) (world.Exit, time.Duration) {
		return world.Exit{Output: r.content("/w/app/a.go"), Dir: cmd.Dir}, time.Second
	}
	const over = `Write {"file_path":"/w/app/a.go","content":"new\n"}`
	r.session(func(w world.World, s *harness.Session) {
		r.result(w, s, `Bash {"command":"cat a.go | tee b"}`)
		assert.Equal(t, toolError(notRead), r.result(w, s, over))
		r.result(w, s, `Bash {"command":"head -n 1 a.go"}`)
		assert.Equal(t, toolError(notRead), r.result(w, s, over))
		assert.Contains(t, r.result(w, s, `Edit {"file_path":"/w/app/a.go","old_string":"one","new_string":"two"}`), "Updated")
	})
	r.write("/w/app/a.go", "one\n")
	r.session(func(w world.World, s *harness.Session) {
		r.result(w, s, `Bash {"command":"cat /w/app/a.go"}`)
		assert.Equal(t, "1\tone", r.result(w, s, `Read {"file_path":"/w/app/a.go"}`))
		r.result(w, s, `Bash {"command":"cat /w/app/a.go"}`)
		assert.Equal(t, "Updated /w/app/a.go.", r.result(w, s, over))
	})
}

// A compaction takes the results away: the next read shows the file again, and writing needs one (H-TOOL-14).
func TestACompactionEndsWhatWasRead(t *testing.T) {
	r := ownRig(t)
	r.write("/w/app/a.go", "one\n")
	r.session(func(w world.World, s *harness.Session) {
		r.result(w, s, `Read {"file_path":"/w/app/a.go"}`)
		r.script, r.next = []answer{says(text("<summary>what was done</summary>"))}, 0
		require.NoError(t, s.Compact(w, ""))
		assert.Equal(t, toolError(notRead), r.result(w, s, `Write {"file_path":"/w/app/a.go","content":""}`))
		assert.Equal(t, "1\tone", r.result(w, s, `Read {"file_path":"/w/app/a.go"}`))
	})
}

// A result that was cleared, or that another text stands for, shows nothing any more; what older logs say of a Read
// counts (H-TOOL-10, H-TOOL-13, H-TOOL-14).
func TestWhatALogSaysOfReads(t *testing.T) {
	const whole, over = `Read {"file_path":"/w/app/a.go"}`, `Write {"file_path":"/w/app/a.go","content":"new\n"}`
	for _, c := range []struct {
		name        string
		change      func(log, leaf string) string
		read, wrote string
	}{
		{"as it is", func(log, _ string) string { return log }, inject.Unchanged, "Updated /w/app/a.go."},
		{"cleared", func(log, leaf string) string {
			return log + `{"type":"system","subtype":"microcompact_boundary","uuid":"00000000-0000-4000-8000-000000000001","parentUuid":"` + leaf +
				`","content":"Context microcompacted","microcompactMetadata":{"trigger":"auto","compactedToolIds":["toolu_1"]}}` + "\n"
		}, "1\tone", toolError(notRead)},
		{"replaced", func(log, _ string) string {
			return log + `{"type":"content-replacement","replacements":[{"tool_use_id":"toolu_1","replacement":"gone"}]}` + "\n"
		}, "1\tone", toolError(notRead)},
		{"flat", func(log, _ string) string {
			return regexp.MustCompile(`"file":(\{"filePath":"/w/app/a.go"[^}]*)\}\}`).ReplaceAllStringFunc(log, func(s string) string {
				return s[len(`"file":{`) : len(s)-1]
			})
		}, inject.Unchanged, "Updated /w/app/a.go."},
		{"without a structured result", func(log, _ string) string {
			log = regexp.MustCompile(`"toolUseResult":\{"type":"text".*?\}\},`).ReplaceAllString(log, "")
			return strings.ReplaceAll(log, `"1\tone"`, `"     1→one"`)
		}, "1\tone", "Updated /w/app/a.go."},
	} {
		for _, call := range []string{whole, over} {
			r := ownRig(t)
			r.write("/w/app/a.go", "one\n")
			var file, leaf string
			r.session(func(w world.World, s *harness.Session) {
				r.result(w, s, whole)
				file, leaf = s.File(), s.Leaf()
			})
			r.write(file, c.change(r.content(file), leaf))
			want := c.read
			if call == over {
				want = c.wrote
			}
			r.resumed(func(w world.World, s *harness.Session) { assert.Equal(t, want, r.result(w, s, call), c.name) })
		}
	}
}

// The teaching profile: nine tools under their own names, which run as those of the full one, without footnotes, and
// spill into the project; names of the full profile are unknown there and the other way round (H-TOOL-6, H-TOOL-72).
func TestTheTeachingProfile(t *testing.T) {
	r := ownRig(t)
	r.cfg.Switches.Profile = harness.ProfileTeaching
	r.write("/w/app/a.go", "one\n")
	work := func(w world.World, s *harness.Session) {
		assert.Equal(t, "ran make", r.result(w, s, `bash {"command":"make"}`))
		assert.Equal(t, toolError(notRead), r.result(w, s, `write_file {"path":"/w/app/a.go","content":"x"}`))
		assert.Equal(t, "1\tone", r.result(w, s, `read_file {"path":"/w/app/a.go","limit":5}`))
		assert.Equal(t, "Updated /w/app/a.go. The changed lines now read:\n1\ttwo",
			r.result(w, s, `edit_file {"path":"/w/app/a.go","old_text":"one","new_text":"two"}`))
		assert.Equal(t, "Updated /w/app/a.go.", r.result(w, s, `write_file {"path":"/w/app/a.go","content":"one\n"}`))
		assert.Equal(t, toolError("there is no tool named Bash"), r.result(w, s, `Bash {"command":"make"}`))
		assert.Equal(t, toolError("read_file needs path, a string"), r.result(w, s, `read_file {"file_path":"/w/app/a.go"}`))
	}
	r.session(work)
	assert.Contains(t, string(r.requests[0].Body), `"tools":[{"name":"bash","description":"Runs a shell command."`)
	r.resumed(func(w world.World, s *harness.Session) {
		assert.Contains(t, r.result(w, s, `write_file {"path":"/w/app/a.go","content":"y"}`), "Updated")
	})
	r.session(func(w world.World, s *harness.Session) {
		r.shell = func(cmd world.Command) (world.Exit, time.Duration) {
			return world.Exit{Output: strings.Repeat("x", 200_001), Dir: cmd.Dir}, 0
		}
		assert.Regexp(t, `saved to: /w/app/\.task_outputs/tool-results/toolu_[0-9]+\.txt\n`, r.result(w, s, `bash {"command":"make"}`))
	})
	r.cfg.Switches.Profile = ""
	r.session(func(w world.World, s *harness.Session) {
		assert.Equal(t, toolError("there is no tool named bash"), r.result(w, s, `bash {"command":"make"}`))
	})
}

// Tools that nothing carries out here give a plain error, and the turn goes on (H-LOOP-14).
func TestToolsWithoutAWay(t *testing.T) {
	r := ownRig(t)
	r.session(func(w world.World, s *harness.Session) {
		assert.Equal(t, toolError("the tool could not be run: nothing here carries out Skill"), r.result(w, s, `Skill {"skill":"x"}`))
	})
}
