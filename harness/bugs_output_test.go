package harness_test

import (
	"fmt"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"harnessbench/harness"
	"harnessbench/harness/inject"
	"harnessbench/harness/world"
	"harnessbench/internal/wire"
)

// wholesome requires a body that the API reads: JSON to its last byte, valid text, no bare control character.
func wholesome(t *testing.T, body []byte) {
	t.Helper()
	_, err := wire.ParseWhole(nil, body)
	require.NoError(t, err)
	require.True(t, utf8.Valid(body))
	for _, c := range body {
		require.GreaterOrEqual(t, c, byte(' '))
	}
	legal(t, body)
}

// prints is a rig whose commands print a text.
func prints(t *testing.T, output string) *rig {
	r := ownRig(t)
	r.shell = func(cmd world.Command) (world.Exit, time.Duration) {
		return world.Exit{Output: output, Dir: cmd.Dir}, time.Second
	}
	return r
}

// What tools print may hold NUL and other control characters, bytes that are no text and halves of surrogate pairs. What
// is no text is replaced once, before the log is written: log and requests agree, live and resumed (OUT-1, LOG-6; bugs
// o-nul-truncates-body, o-surrogate-from-tool).
func TestOddOutputIsMadeTextOnce(t *testing.T) {
	for name, c := range map[string]struct{ output, shown string }{
		"NUL":                     {"a\x00b\x00\x00c", "a\x00b\x00\x00c"},
		"controls":                {"\x01\x1b[31mred\x1b[0m\x7f\r\nx", "\x01\x1b[31mred\x1b[0m\x7f\r\nx"},
		"half a pair":             {"flag \xed\xa0\xbc end", "flag \ufffd\ufffd\ufffd end"},
		"bytes that are no text":  {"caf\xe9 \xff\xfe", "caf\ufffd \ufffd\ufffd"},
		"a character cut in half": {"half \xf0\x9f", "half \ufffd\ufffd"},
		"characters of all sizes": {"é日😀", "é日😀"},
	} {
		t.Run(name, func(t *testing.T) {
			r := prints(t, c.output)
			var live string
			r.session(func(w world.World, s *harness.Session) {
				live = r.result(w, s, `Bash {"command":"make"}`)
				assert.Equal(t, c.shown+"\n[rerun: b1]", live)
			})
			log := r.logText()
			assert.True(t, utf8.ValidString(log))
			assert.NotContains(t, log, "\x00")
			r.resumed(func(w world.World, s *harness.Session) { r.prompt(w, s, "next") })
			assert.Equal(t, live, textOf(r.last(1)[0]))
			for _, req := range r.requests {
				wholesome(t, req.Body)
			}
		})
	}
}

// A file with bytes that are no text can be read and edited by exact text; what the edit does not name keeps its bytes
// (OUT-1; bug o-surrogate-from-tool).
func TestAFileThatIsNotAllTextIsEditedInPlace(t *testing.T) {
	r := ownRig(t)
	r.write("/w/app/latin", "caf\xe9\nold\n\xed\xa0\xbc\n")
	r.session(func(w world.World, s *harness.Session) {
		r.result(w, s, `Read {"file_path":"/w/app/latin"}`)
		assert.Contains(t, r.result(w, s, `Edit {"file_path":"/w/app/latin","old_string":"old","new_string":"new"}`), "Updated /w/app/latin.")
		assert.Contains(t, r.result(w, s, `Edit {"file_path":"/w/app/latin","old_string":"new","new_string":"newer"}`), "Updated /w/app/latin.")
	})
	assert.Equal(t, "caf\xe9\nnewer\n\xed\xa0\xbc\n", r.content("/w/app/latin"))
	for _, req := range r.requests {
		wholesome(t, req.Body)
	}
}

// A log of another writer holds what no request may: NUL escaped and bare, halves of surrogate pairs in a result, a
// prompt and an answer. The resumed session sends requests that are read (OUT-1, REC-1; bug o-nul-poison-survives-restart).
// A signed block is sent as it is.
func TestAPoisonedLogIsResumed(t *testing.T) {
	for _, model := range []string{plain, bound} {
		r := foreign(t, model,
			asked("u1", "", `"look \ud83c"`),
			answered("a1", "u1", model, "m1", `{"type":"text","text":"I see \udf00 and \ud83d\ude00"}`),
			answered("a2", "a1", model, "m1", use("t1", "Bash", `{"command":"cat \ud83d"}`)),
			asked("r1", "a2", resulted("t1", `bin \u0000\u0000 \ud83c end`)),
			asked("u2", "r1", "\"bare \x00 one\""),
			answered("a3", "r1", model, "m2", text("Done.")),
		)
		r.resumed(func(w world.World, s *harness.Session) {
			r.prompt(w, s, "next")
			require.NoError(t, s.Fork(w, ""))
			r.prompt(w, s, "in the fork")
		})
		r.resumed(func(w world.World, s *harness.Session) { r.prompt(w, s, "again") })
		require.Len(t, r.requests, 3)
		for _, req := range r.requests {
			wholesome(t, req.Body)
			assert.Contains(t, string(req.Body), `bin \u0000\u0000 \ufffd end`)
			assert.Contains(t, string(req.Body), `I see \ufffd and \ud83d\ude00`)
			assert.Contains(t, string(req.Body), `look \ufffd`)
		}
	}
}

// A long output has a character of four bytes across the end of its preview, at each of its bytes, or is one huge line: the
// preview ends at a character and is short, the saved file is the output as it was; a resume changes nothing (OUT-1, OUT-2;
// bugs o-surrogate-cut-in-preview, o-preview-unbounded-lines).
func TestPreviewsEndAtACharacter(t *testing.T) {
	for offset := range 4 {
		t.Run(fmt.Sprint(offset), func(t *testing.T) {
			output := strings.Repeat("x", 2000-offset) + strings.Repeat("😀", 250_000) + "\xff"
			r := prints(t, output)
			var live string
			r.session(func(w world.World, s *harness.Session) { live = r.result(w, s, `Bash {"command":"make"}`) })
			assert.Less(t, len(live), 3000)
			assert.NotContains(t, live, "\ufffd")
			r.resumed(func(w world.World, s *harness.Session) { r.prompt(w, s, "next") })
			assert.Equal(t, live, textOf(r.last(1)[0]))
			for _, req := range r.requests {
				wholesome(t, req.Body)
			}
			saved := ""
			for _, file := range r.disk.Files() {
				if strings.Contains(file, "/tool-results/") {
					saved = r.content(file)
				}
			}
			assert.True(t, saved == output, "the file holds the output")
		})
	}
}

// The same file of 50 kB is read three times: the second and third result are a short notice (OUT-2; bug o-edit-diff-huge).
func TestReadingAgainAddsLittle(t *testing.T) {
	r := ownRig(t)
	r.write("/w/app/a.txt", strings.Repeat("fifty bytes of text, as a line of a file may be\n", 1000))
	r.session(func(w world.World, s *harness.Session) {
		const read = `Read {"file_path":"/w/app/a.txt"}`
		assert.Greater(t, len(r.result(w, s, read)), 40_000)
		size := len(r.requests[len(r.requests)-1].Body)
		for range 2 {
			assert.Equal(t, inject.Unchanged, r.result(w, s, read))
		}
		assert.Less(t, len(r.requests[len(r.requests)-1].Body), size+2000)
	})
}

// Twenty small pictures, then one that is too wide for a conversation of many, and one that would be allowed alone: both
// are refused as results, with what would be right, and the session goes on, also resumed (OUT-3, REC-1; bugs
// o-image-over-limit-bricks, o-resume-many-images, o-image-read-not-validated).
func TestPicturesThatManyCannotHaveAreNotTaken(t *testing.T) {
	r := ownRig(t)
	sizes := map[string][2]int{"alone": {1170, 2532}, "wide": {2162, 322}, "square": {3000, 3000}, "just": {2000, 2000}}
	for name, s := range sizes {
		r.write("/w/app/"+name+".png", picture(s[0], s[1]))
	}
	for i := range 20 {
		r.write(fmt.Sprintf("/w/app/%d.png", i), picture(2+i, 3))
	}
	r.session(func(w world.World, s *harness.Session) {
		assert.Contains(t, r.result(w, s, `Read {"file_path":"/w/app/alone.png"}`), "1170 x 2532 pixels; at most 2000 on each side")
		for i := range 20 {
			r.result(w, s, fmt.Sprintf(`Read {"file_path":"/w/app/%d.png"}`, i))
		}
		assert.Contains(t, r.result(w, s, `Read {"file_path":"/w/app/wide.png"}`), "2162 x 322 pixels; at most 2000 on each side")
		assert.Contains(t, r.result(w, s, `Read {"file_path":"/w/app/square.png"}`), "3000 x 3000 pixels")
		r.result(w, s, `Read {"file_path":"/w/app/just.png"}`)
	})
	r.resumed(func(w world.World, s *harness.Session) { r.prompt(w, s, "next") })
	body := r.requests[len(r.requests)-1].Body
	legal(t, body)
	assert.Equal(t, 21, strings.Count(string(body), `"type":"image"`))
}
