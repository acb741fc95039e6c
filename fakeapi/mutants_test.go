//go:build mutants

package fakeapi_test

import (
	"cmp"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Where the rules are tested one by one.
const (
	everyRule  = "TestEachRuleRefusesItsSmallestRequestAndPassesTheNearest"
	validation = "./fakeapi/validate"
)

// mutants are servers with one fault, as an edit of one file, and the test that must fail on them.
var mutants = []struct {
	area, fault    string
	file, old, new string
	caught         string
	in             string // package of the test, "" for the whole server's
}{
	{"cache", "the lookback reaches 21 positions", "internal/prefix/lookup.go",
		"first-b.Pos >= model.LookbackPositions", "first-b.Pos > model.LookbackPositions", "TestLookbackThroughTheServer", ""},
	{"cache", "an entry lives one tick longer", "fakeapi/promptcache/group.go",
		"return now.Before(s.expires)", "return !now.After(s.expires)", "TestAnEntryDiesAtItsTick", ""},
	{"cache", "a breakpoint reads entries of either TTL", "fakeapi/promptcache/cache.go",
		"return r.slots[slotOf(ttl)].readable(now)", "return r.slots[0].readable(now) || r.slots[1].readable(now)", "TestAChangeOfTTL", ""},
	{"cache", "an entry is there before the first byte", "fakeapi/promptcache/cache.go",
		"return s.live(now) && !now.Before(s.available)", "return s.live(now)", "TestAnEntryIsThereFromTheFirstByte", ""},
	{"cache", "workspaces share", "fakeapi/account.go",
		`return a.org + " " + a.workspace`, "return a.org", "TestCachesStayApart", ""},
	{"cache", "tool_choice invalidates nothing", "internal/prefix/settings.go",
		`chain = mix(chain, "choice", s.choice)`, "", "TestWhatInvalidatesWhat", ""},
	{"cache", "the hour's share is billed as five minutes", "internal/prefix/lookup.go",
		"			long = end\n", "			long = s.Read\n", "TestTTLsAreBilledApart", ""},

	{"thinking", "a signature is taken as it comes", "fakeapi/thinking/verify.go",
		"if !ok || seal.Redacted != hidden {", `if !ok && sig == "" && hidden {`, "TestThinkingComesBackAsItWas", ""},
	{"thinking", "the text is not compared", "fakeapi/thinking/verify.go",
		"HashOf(text) != seal.Text", "false", "TestThinkingComesBackAsItWas", ""},
	{"thinking", "the latest turn may be reordered", "fakeapi/thinking/verify.go",
		"!order.next(b, seal)", "false && !order.next(b, seal)", "TestRedactedThinkingVerifies", ""},
	{"thinking", "a gap in the chain passes", "fakeapi/thinking/verify.go",
		"link != nil && seal.Before != link.id", "false && link != nil", "TestAGapInTheChainFailsEverythingAfterIt", ""},
	{"thinking", "older models keep earlier thinking", "internal/prefix/render.go",
		"b.Message < r.turn.open:", "b.Message < 0:", "TestANewPromptBehindThinking", ""},
	{"thinking", "another organisation's blocks are read", "fakeapi/thinking/verify.go",
		"seal.Account != s.account", "false", "TestAccountsAndThinking", ""},
	{"thinking", "the binding minds the order of tools", "internal/prefix/fold.go",
		"return b.Bind.with(b.ID)", "return step(b.Bind, b.ID, b.Role)", "TestAccountsAndThinking", ""},
	{area: "thinking", fault: "the latest answer may lose its second thinking", file: "fakeapi/thinking/verify.go",
		old: "!turn.call(b)", new: "!turn.call(b) && false", caught: "TestThinkingPartlyDroppedFromTheLatestAnswer"},
	{area: "thinking", fault: "text put into omitted thinking is read", file: "fakeapi/rendering.go",
		old: ", Sealed: x.account.signer.Hidden(x.model)", new: "", caught: "TestTextInOmittedThinkingIsIgnored"},
	{area: "thinking", fault: "thinking that is not shown weighs as much as its signature is long", file: "internal/prefix/weigh.go",
		old: "	if r.told {\n", new: "	if r.told && r.seal.Weight < 0 {\n", caught: "TestAnAnswerWeighsTheSameWhateverItsDisplay"},

	{area: "validation", fault: "calls without a result are named in their own order", file: "fakeapi/validate/pairing.go",
		old: "	slices.Sort(ids)\n", new: "",
		caught: everyRule, in: validation},
	{area: "validation", fault: "the number is that of the merged message", file: "fakeapi/validate/pairing.go",
		old: "c.turn.calls = append(c.turn.calls, call{id, b.Message, ", new: "c.turn.calls = append(c.turn.calls, call{id, min(b.Message, 1), ",
		caught: everyRule, in: validation},
	{area: "validation", fault: "a fifth breakpoint passes", file: "fakeapi/validate/caching.go",
		old: "all.count > model.MaxBreakpoints", new: "all.count > model.MaxBreakpoints+1",
		caught: everyRule, in: validation},
	{area: "validation", fault: "the order of TTLs counts inside messages alone", file: "fakeapi/validate/caching.go",
		old: `all.short && m.long != ""`, new: `false && m.long != ""`,
		caught: everyRule, in: validation},
	{area: "validation", fault: "members of closed objects are not looked at", file: "fakeapi/validate/schema.go",
		old: "			if stranger < 0 {\n				stranger = i", new: "			if stranger < -1 {\n				stranger = i",
		caught: everyRule, in: validation},
	{area: "validation", fault: "the conversation is judged before unknown members", file: "fakeapi/validate/validate.go",
		old: "	if open == r.req.Root.Len() {", new: "	if f := r.conv.verdict(); f != nil {\n		return f\n	}\n	if open == r.req.Root.Len() {",
		caught: "TestFaultsAreReportedInTheMeasuredOrder", in: validation},
	{area: "validation", fault: "a run of system messages that a user follows is named by its first", file: "fakeapi/validate/systemrole.go",
		old: `systemPrecede.fault("n", itoa(s.last))`, new: `systemPrecede.fault("n", itoa(s.first))`,
		caught: everyRule, in: validation},

	{area: "stream", fault: "there is no ping", file: "fakeapi/era.go",
		old: "	return delta == 0\n", new: "	return false\n", caught: "TestAStreamByteForByte"},
	{area: "stream", fault: "a block does not end", file: "fakeapi/stream.go",
		old: `e.add("content_block_stop", append(indexed("content_block_stop", i, ""), '}'))`, new: "", caught: "TestAStreamAssemblesToTheWholeMessage"},
	{area: "stream", fault: "blocks are counted from one", file: "fakeapi/stream.go",
		old: "`,\"index\":`...), index)", new: "`,\"index\":`...), index+1)", caught: "TestAStreamAssemblesToTheWholeMessage"},
	{area: "stream", fault: "the last usage has no input side", file: "fakeapi/message.go",
		old: "if x.s.gives(deltaInput) {", new: "if false {", caught: "TestAStreamByteForByte"},
	{area: "stream", fault: "the last usage goes on from the first", file: "fakeapi/message.go",
		old: "a.usage.Output)\n	return append(a.iterations(", new: "a.usage.Output-1)\n	return append(a.iterations(", caught: "TestAStreamAssemblesToTheWholeMessage"},
	{area: "stream", fault: "message_stop is sent before message_delta", file: "fakeapi/stream.go",
		old: `	e.add("message_delta", append(`, new: "	e.add(\"message_stop\", []byte(`{\"type\":\"message_stop\"}`))\n	e.add(\"message_delta\", append(", caught: "TestAStreamAssemblesToTheWholeMessage"},
	{area: "stream", fault: "tool input does not begin with an empty delta", file: "fakeapi/stream.go",
		old: `append([]string{""}, cut(`, new: `append([]string(nil), cut(`, caught: "TestAStreamByteForByte"},
	{area: "stream", fault: "the signature never comes", file: "fakeapi/stream.go",
		old: `		if b.kind == "thinking" {`, new: `		if b.kind == "signed" {`, caught: "TestAStreamAssemblesToTheWholeMessage"},
	{area: "stream", fault: "the start event holds the text already", file: "fakeapi/message.go",
		old: `b.object(dst, "", "", []byte("{}"))`, new: `b.object(dst, b.text, "", []byte("{}"))`, caught: "TestAStreamAssemblesToTheWholeMessage"},
	{area: "stream", fault: "pings are padded", file: "fakeapi/httpfront/pad.go",
		old: `[]byte("event: ping\n")`, new: `[]byte("event: pong\n")`,
		caught: "TestEventsArePaddedButPings", in: "./fakeapi/httpfront"},
}

// TestEachMutantIsCaughtByItsTest builds every faulty server over the real one and runs the test it names.
func TestEachMutantIsCaughtByItsTest(t *testing.T) {
	root, err := filepath.Abs("..")
	require.NoError(t, err)
	run := func(t *testing.T, test, in string, flags ...string) (string, error) {
		// A fault may leave code that vet finds odd; only the test is to notice it.
		args := append([]string{"test", "-count=1", "-vet=off", "-run", "^" + test + "$"}, flags...)
		args = append(args, cmp.Or(in, "./fakeapi"))
		if in == "" {
			args = append(args, "-rapid.nofailfile") // what fails a mutant is no case to keep
		}
		cmd := exec.Command("go", args...)
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
				out, err := run(t, m.caught, m.in)
				require.NoError(t, err, "the test passes on the real server\n%s", out)
				sound[m.caught] = true
			}
			out, err := run(t, m.caught, m.in, "-overlay", file)
			require.Error(t, err, "nobody noticed")
			assert.Contains(t, out, "--- FAIL: "+m.caught, "it must build, and fail there")
		})
	}
}
