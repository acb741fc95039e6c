//go:build mutants

package fakeapi_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// mutants are servers with one fault, as an edit of one file, and the test that must fail on them.
var mutants = []struct {
	area, fault    string
	file, old, new string
	caught         string
}{
	{"cache", "the lookback reaches 21 positions", "internal/prefix/lookup.go",
		"first-b.Pos >= model.LookbackPositions", "first-b.Pos > model.LookbackPositions", "TestLookbackThroughTheServer"},
	{"cache", "an entry lives one tick longer", "fakeapi/promptcache/group.go",
		"return now.Before(s.expires)", "return !now.After(s.expires)", "TestAnEntryDiesAtItsTick"},
	{"cache", "a breakpoint reads entries of either TTL", "fakeapi/promptcache/cache.go",
		"return r.slots[slotOf(ttl)].readable(now)", "return r.slots[0].readable(now) || r.slots[1].readable(now)", "TestAChangeOfTTL"},
	{"cache", "an entry is there before the first byte", "fakeapi/promptcache/cache.go",
		"return s.live(now) && !now.Before(s.available)", "return s.live(now)", "TestAnEntryIsThereFromTheFirstByte"},
	{"cache", "workspaces share", "fakeapi/account.go",
		`return a.org + " " + a.workspace`, "return a.org", "TestCachesStayApart"},
	{"cache", "tool_choice invalidates nothing", "internal/prefix/settings.go",
		`chain = mix(chain, "choice", s.choice)`, "", "TestWhatInvalidatesWhat"},
	{"cache", "the hour's share is billed as five minutes", "internal/prefix/lookup.go",
		"			long = end\n", "			long = s.Read\n", "TestTTLsAreBilledApart"},

	{"thinking", "a signature is taken as it comes", "fakeapi/thinking/verify.go",
		"if !ok || seal.Redacted != hidden {", `if !ok && sig == "" && hidden {`, "TestThinkingComesBackAsItWas"},
	{"thinking", "the text is not compared", "fakeapi/thinking/verify.go",
		"HashOf(text) != seal.Text", "false", "TestThinkingComesBackAsItWas"},
	{"thinking", "the latest turn may be reordered", "fakeapi/thinking/verify.go",
		"!order.next(seal)", "false && !order.next(seal)", "TestRedactedThinkingVerifies"},
	{"thinking", "a gap in the chain passes", "fakeapi/thinking/verify.go",
		"link != nil && seal.Before != link.id", "false && link != nil", "TestAGapInTheChainFailsEverythingAfterIt"},
	{"thinking", "older models keep earlier thinking", "internal/prefix/render.go",
		"b.Message < r.turn.open:", "b.Message < 0:", "TestANewPromptBehindThinking"},
	{"thinking", "another organisation's blocks are read", "fakeapi/thinking/verify.go",
		"seal.Account != s.account", "false", "TestAccountsAndThinking"},
	{"thinking", "the binding minds the order of tools", "internal/prefix/fold.go",
		"return b.Bind.with(b.ID)", "return step(b.Bind, b.ID, b.Role)", "TestAccountsAndThinking"},
}

// TestEachMutantIsCaughtByItsTest builds every faulty server over the real one and runs the test it names.
func TestEachMutantIsCaughtByItsTest(t *testing.T) {
	root, err := filepath.Abs("..")
	require.NoError(t, err)
	run := func(t *testing.T, test string, flags ...string) (string, error) {
		args := append([]string{"test", "-count=1", "-run", "^" + test + "$"}, flags...)
		cmd := exec.Command("go", append(args, "./fakeapi")...)
		cmd.Dir = root
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	sound := map[string]bool{}
	for _, m := range mutants {
		t.Run(m.area+": "+m.fault, func(t *testing.T) {
			path := filepath.Join(root, m.file)
			src, err := os.ReadFile(path)
			require.NoError(t, err)
			require.Equal(t, 1, strings.Count(string(src), m.old), "the edit no longer fits %s", m.file)
			dir := t.TempDir()
			broken := filepath.Join(dir, "broken.go")
			require.NoError(t, os.WriteFile(broken, []byte(strings.Replace(string(src), m.old, m.new, 1)), 0o600))
			overlay, err := json.Marshal(map[string]any{"Replace": map[string]string{path: broken}})
			require.NoError(t, err)
			file := filepath.Join(dir, "overlay.json")
			require.NoError(t, os.WriteFile(file, overlay, 0o600))

			if !sound[m.caught] {
				out, err := run(t, m.caught)
				require.NoError(t, err, "the test passes on the real server\n%s", out)
				sound[m.caught] = true
			}
			out, err := run(t, m.caught, "-overlay", file)
			require.Error(t, err, "nobody noticed")
			assert.Contains(t, out, "--- FAIL: "+m.caught, "it must build, and fail there")
		})
	}
}
