//go:build outside

package validate_test

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"sort"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"harnessbench/fakeapi/validate"
	"harnessbench/internal/wire"
)

// verdict is one row of the catalogue of measured and reported verdicts.
type verdict struct {
	ID       string             `json:"id"`
	Verdict  string             `json:"verdict"`
	Status   int                `json:"http_status"`
	Type     string             `json:"error_type"`
	Template *string            `json:"message_template"`
	Request  json.RawMessage    `json:"minimal_request"`
	Headers  map[string]*string `json:"request_headers"`
	Area     string             `json:"area"`
}

const (
	oldEra    = "an era's wording; the server speaks the present one"
	account   = "a condition of the account, the network or the capacity, not of the request"
	media     = "needs the bytes behind an image or URL"
	elsewhere = "judged by the packages that know signatures and token counts"
	platform  = "another platform, or superseded by messages-api.md 13"
)

// notBuilt are the rows whose refusal this room does not give, with the reason.
var notBuilt = map[string]string{
	"tool-use-without-result-2024":     oldEra,
	"message-empty-content-2024":       oldEra,
	"first-message-not-user-2024":      oldEra,
	"tool-name-pattern-64":             oldEra,
	"tool-blocks-need-tools-2024":      oldEra,
	"oauth-expired":                    account,
	"oauth-revoked":                    account,
	"oauth-scope":                      account,
	"org-disabled":                     account,
	"model-gated-subscription":         account,
	"url-source-download-failed":       media,
	"url-robots":                       media,
	"url-not-an-image":                 media,
	"thinking-block-missing-first":     elsewhere,
	"thinking-disabled-final-thinking": elsewhere,
	"thinking-signature-invalid":       elsewhere,
	"effort-extra-input-old-models":    platform,
	"defer-loading-extra-input":        platform,
	"tool-results-split-over-messages": platform,
}

func TestCatalogueOfVerdicts(t *testing.T) {
	path, err := filepath.Abs("../../../shared/spec/api-verdicts.jsonl")
	require.NoError(t, err)
	f, err := os.Open(path)
	require.NoError(t, err, "the catalogue must stand beside the checkout")
	defer f.Close()

	agree, rows := map[string]int{}, map[string]int{}
	seen := map[string]bool{}
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<24)
	for lines.Scan() {
		var v verdict
		require.NoError(t, json.Unmarshal(lines.Bytes(), &v))
		seen[v.ID] = true
		if len(v.Request) == 0 || string(v.Request) == "null" {
			continue
		}
		fault := judgeRow(t, v)
		if v.Verdict == "accepted" {
			assert.Nil(t, fault, "%s is accepted by the API", v.ID)
			continue
		}
		if reason, ok := notBuilt[v.ID]; ok {
			if fault != nil && matches(v, fault) {
				t.Errorf("%s is built by now: take it off the list (%s)", v.ID, reason)
			}
			continue
		}
		rows[v.Area]++
		if assert.NotNil(t, fault, "%s: %v", v.ID, v.Template) && assert.True(t, matches(v, fault), "%s: got %+v", v.ID, *fault) {
			agree[v.Area]++
		}
	}
	require.NoError(t, lines.Err())
	for id := range notBuilt {
		assert.True(t, seen[id], "%s is not in the catalogue", id)
	}
	areas := make([]string, 0, len(rows))
	for a := range rows {
		areas = append(areas, a)
	}
	sort.Strings(areas)
	for _, a := range areas {
		t.Logf("%-20s %d of %d agree", a, agree[a], rows[a])
	}
}

func judgeRow(t *testing.T, v verdict) *validate.Fault {
	h := headers{"x-api-key": "key", "anthropic-version": "2023-06-01", "content-type": "application/json"}
	for name, value := range v.Headers {
		if value == nil {
			delete(h, name)
		} else {
			h[name] = *value
		}
	}
	if fault := validate.CheckHeaders(h, []string{"key"}); fault != nil {
		return fault
	}
	req, err := wire.Parse(nil, v.Request)
	require.NoError(t, err, v.ID)
	_, fault := validate.Check(nil, req, h)
	return fault
}

var hole = regexp.MustCompile(`\\\{[a-z0-9_]+\\\}`)

// matches compares with a template whose names in braces stand for any text.
func matches(v verdict, f *validate.Fault) bool {
	if f.Status != v.Status || f.Type != v.Type {
		return false
	}
	if v.Template == nil { // documented, its words unpublished
		return true
	}
	pattern := hole.ReplaceAllString(regexp.QuoteMeta(*v.Template), ".*")
	return regexp.MustCompile("(?s)^" + strings.ReplaceAll(pattern, "\n", `\n`) + "$").MatchString(f.Message)
}
