package validate_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"harnessbench/fakeapi/validate"
)

// toldBy names, for each rule that has no row of its own, the test that asks for the refusal by its whole text and
// for the answer of the nearest request that passes. Such rules need more than one body: headers, an endpoint, an
// earlier answer, a clock.
var toldBy = map[string]struct{ file, test string }{
	"auth.missing":    {"rules_test.go", "TestHeadersAreJudgedBeforeTheBody"},
	"auth.key":        {"rules_test.go", "TestHeadersAreJudgedBeforeTheBody"},
	"auth.bearer":     {"rules_test.go", "TestHeadersAreJudgedBeforeTheBody"},
	"version.missing": {"rules_test.go", "TestHeadersAreJudgedBeforeTheBody"},
	"version.unknown": {"rules_test.go", "TestHeadersAreJudgedBeforeTheBody"},
	"beta.unknown":    {"rules_test.go", "TestHeadersAreJudgedBeforeTheBody"},
	"body.json":       {"rules_test.go", "TestBodiesThatAreNoObject"},
	"body.object":     {"rules_test.go", "TestBodiesThatAreNoObject"},

	"count.server-tools": {"count_test.go", "TestCountTokensRefusesWhatOnlyAServerCanCount"},
	"count.mcp-servers":  {"count_test.go", "TestCountTokensRefusesWhatOnlyAServerCanCount"},
	"count.source":       {"count_test.go", "TestCountTokensRefusesWhatOnlyAServerCanCount"},

	"fallbacks.entry": {"../fallback_test.go", "TestAnEntryIsJudgedAsARequestToItsModel"},

	"thread.unsupported-here":   {"../threadtexts_test.go", "TestTheTextWhereThereAreNoThreads"},
	"thread.unsupported":        {"../threadtexts_test.go", "TestEveryTextOfARefusedContinue"},
	"thread.not-found":          {"../threadtexts_test.go", "TestEveryTextOfARefusedContinue"},
	"thread.fingerprint":        {"../threadtexts_test.go", "TestEveryTextOfARefusedContinue"},
	"thread.already-continued":  {"../threadtexts_test.go", "TestTheTextsOfAContinueThatComesTwice"},
	"thread.continue-in-flight": {"../threadtexts_test.go", "TestTheTextsOfAContinueThatComesTwice"},
	"thread.nothing-to-resume":  {"../threadtexts_test.go", "TestTheTextOfAResumeWithoutAPause"},
	"thread.markers":            {"../told_test.go", "TestTheTextOfTooManyMarksInAThread"},

	"requests.missing":                      {"../batch_test.go", "TestWhatTheCreateCallOfABatchRefuses"},
	"requests.array":                        {"../batch_test.go", "TestWhatTheCreateCallOfABatchRefuses"},
	"batch.requests.item.object":            {"../batch_test.go", "TestWhatTheCreateCallOfABatchRefuses"},
	"batch.requests.item.custom_id.missing": {"../batch_test.go", "TestWhatTheCreateCallOfABatchRefuses"},
	"batch.requests.item.custom_id.string":  {"../batch_test.go", "TestWhatTheCreateCallOfABatchRefuses"},
	"batch.requests.item.custom_id.pattern": {"../batch_test.go", "TestWhatTheCreateCallOfABatchRefuses"},
	"batch.requests.item.params.missing":    {"../batch_test.go", "TestWhatTheCreateCallOfABatchRefuses"},
	"batch.requests.item.params.dictionary": {"../batch_test.go", "TestWhatTheCreateCallOfABatchRefuses"},
	"batch.requests.item.extra":             {"../batch_test.go", "TestWhatTheCreateCallOfABatchRefuses"},
	"batch.requests.none":                   {"../batch_test.go", "TestWhatTheCreateCallOfABatchRefuses"},
	"batch.requests.many":                   {"../batch_test.go", "TestWhatTheCreateCallOfABatchRefuses"},
	"batch.custom_id.twice":                 {"../batch_test.go", "TestWhatTheCreateCallOfABatchRefuses"},
	"batch.row.max_tokens":                  {"../batch_test.go", "TestWhatARowOfABatchRefuses"},
	"batch.row.field":                       {"../batch_test.go", "TestWhatARowOfABatchRefuses"},
	"batch-unknown":                         {"../batch_test.go", "TestWhatTheEndpointsOfABatchRefuse"},
	"batch-no-results":                      {"../batch_test.go", "TestWhatTheEndpointsOfABatchRefuse"},
	"batch-cancel-ended":                    {"../batch_test.go", "TestWhatTheEndpointsOfABatchRefuse"},
	"batch-delete-running":                  {"../batch_test.go", "TestWhatTheEndpointsOfABatchRefuse"},

	"compaction_block.misplaced":    {"../ondemand_test.go", "TestASignedBlockIsTakenAsItWasMade"},
	"compaction_block.ambiguous":    {"../ondemand_test.go", "TestASignedBlockIsTakenAsItWasMade"},
	"compaction_block.signature":    {"../ondemand_test.go", "TestASignedBlockIsTakenAsItWasMade"},
	"compaction_block.content":      {"../ondemand_test.go", "TestASignedBlockIsTakenAsItWasMade"},
	"compaction_block.tool-changes": {"../ondemand_test.go", "TestASignedBlockIsTakenAsItWasMade"},

	"request-too-large":            {"../told_test.go", "TestRulesOfWhatStandsAroundTheBody"},
	"not-found":                    {"../told_test.go", "TestRulesOfWhatStandsAroundTheBody"},
	"method-not-allowed":           {"../told_test.go", "TestRulesOfWhatStandsAroundTheBody"},
	"content-encoding-unsupported": {"../told_test.go", "TestRulesOfWhatStandsAroundTheBody"},
	"content-encoding-invalid":     {"../told_test.go", "TestRulesOfWhatStandsAroundTheBody"},
	"content-encoding-too-large":   {"../told_test.go", "TestRulesOfWhatStandsAroundTheBody"},
	"models-limit-integer":         {"../told_test.go", "TestRulesOfWhatStandsAroundTheBody"},
	"models-limit-minimum":         {"../told_test.go", "TestRulesOfWhatStandsAroundTheBody"},
	"models-limit-maximum":         {"../told_test.go", "TestRulesOfWhatStandsAroundTheBody"},
	"models-cursor":                {"../told_test.go", "TestRulesOfWhatStandsAroundTheBody"},
	"models-lifecycle":             {"../told_test.go", "TestRulesOfWhatStandsAroundTheBody"},
	"models-unknown":               {"../told_test.go", "TestRulesOfWhatStandsAroundTheBody"},
	"model-retired":                {"../machine_test.go", "TestRetiredModelsAnswerUnlessAskedNotTo"},

	"thinking-block-missing-first":          {"../thinking_test.go", "TestManualModeIsStrictInAnOpenLoop"},
	"thinking-disabled-final-thinking":      {"../thinking_test.go", "TestManualModeIsStrictInAnOpenLoop"},
	"thinking-signature-invalid":            {"../thinking_test.go", "TestThinkingComesBackAsItWas"},
	"thinking-latest-modified":              {"../thinking_test.go", "TestThinkingComesBackAsItWas"},
	"thinking-signature-wrong-conversation": {"../thinking_test.go", "TestThinkingComesBackAsItWas"},
	"redacted-thinking-data-invalid":        {"../redacted_test.go", "TestRedactedThinkingVerifies"},

	"request-size-exceeds-window":    {"../window_test.go", "TestTheSecond413NamesTheWindow"},
	"prompt-too-long":                {"../window_test.go", "TestTheWindowIsFullAtItsLastToken"},
	"prompt-and-max-tokens-too-long": {"../window_test.go", "TestInputAndMaxTokensTogetherOverTheWindow"},
}

var filledIn = regexp.MustCompile(`\{[a-z]+\}`)

// TestRulesToldElsewhereHaveTheTestsTheyName looks the tests up: the function is there, and its file spells every word
// of the rule's text.
func TestRulesToldElsewhereHaveTheTestsTheyName(t *testing.T) {
	texts := map[string]string{}
	for _, r := range validate.Rules() {
		texts[r.ID] = r.Text
	}
	files := map[string]spelled{}
	for id, by := range toldBy {
		text, known := texts[id]
		require.True(t, known, "%s is no rule", id)
		if _, read := files[by.file]; !read {
			files[by.file] = spell(t, by.file)
		}
		assert.True(t, files[by.file].tests[by.test], "%s: %s has no %s", id, by.file, by.test)
		for _, fixed := range filledIn.Split(strings.TrimPrefix(text, "{path}: "), -1) {
			assert.True(t, strings.Contains(files[by.file].texts, fixed), "%s: %s does not spell %q", id, by.file, fixed)
		}
	}
}

// spelled is what a test file holds: its tests, and its string constants one behind the other.
type spelled struct {
	tests map[string]bool
	texts string
}

func spell(t *testing.T, path string) spelled {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), filepath.FromSlash(path), nil, 0)
	require.NoError(t, err)
	s := spelled{tests: map[string]bool{}}
	var all strings.Builder
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			if n.Recv == nil && strings.HasPrefix(n.Name.Name, "Test") {
				s.tests[n.Name.Name] = true
			}
		case *ast.BasicLit:
			if n.Kind == token.STRING {
				text, err := strconv.Unquote(n.Value)
				require.NoError(t, err)
				all.WriteString(text + "\n")
			}
		}
		return true
	})
	s.texts = all.String()
	return s
}
