//go:build outside

package validate_test

import (
	"bufio"
	"encoding/json"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"harnessbench/internal/model"
	"harnessbench/internal/wire"
)

// variation changes a row's request in a way that leaves its verdict as it is, and says what its message becomes;
// ok is false where the request has nothing to change.
type variation struct {
	name string
	vary func(v verdict, body []byte, message string) (changed []byte, want string, ok bool)
}

// An id, a field or a message is put in place of another; the message must follow.
func variations() []variation {
	return []variation{
		{"two messages more in front", inFront},
		{"other ids", otherIDs},
		{"another field name", otherField},
		{"another model of the generation", otherModel},
		{"a tool more in front", toolInFront},
		{"streamed", streamed},
	}
}

// unvaried are the rows a variation does not leave alone, with the reason.
var unvaried = map[string]string{
	"role-system-misplaced/two messages more in front": "it is about the first message",
	"max-tokens-zero-incompatible/streamed":            "it is about streaming",
	"accepted-max-tokens-zero/streamed":                "not with max_tokens 0",
	"stream-bad-type/streamed":                         "it is about the field stream",
}

func TestVerdictsHoldWhenARowIsVaried(t *testing.T) {
	f, err := os.Open("../../../shared/spec/api-verdicts.jsonl")
	require.NoError(t, err, "the catalogue must stand beside the checkout")
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<24)
	tried := map[string]int{}
	for lines.Scan() {
		var v verdict
		require.NoError(t, json.Unmarshal(lines.Bytes(), &v))
		if len(v.Request) == 0 || string(v.Request) == "null" || notBuilt[v.ID] != "" {
			continue
		}
		first, message := judgeRow(t, v), ""
		if first != nil {
			message = first.Message
		}
		for _, how := range variations() {
			body, want, ok := how.vary(v, v.Request, message)
			if !ok || unvaried[v.ID+"/"+how.name] != "" {
				continue
			}
			tried[how.name]++
			again := v
			again.Request = body
			fault := judgeRow(t, again)
			if first == nil {
				assert.Nil(t, fault, "%s, %s: %s", v.ID, how.name, body)
				continue
			}
			if assert.NotNil(t, fault, "%s, %s: %s", v.ID, how.name, body) {
				assert.Equal(t, want, fault.Message, "%s, %s", v.ID, how.name)
				assert.True(t, matches(v, fault), "%s, %s: %s", v.ID, how.name, fault.Message)
			}
		}
	}
	require.NoError(t, lines.Err())
	for _, how := range variations() {
		t.Logf("%-34s %d rows", how.name, tried[how.name])
		assert.Greater(t, tried[how.name], 3, how.name)
	}
}

var messagePlace = regexp.MustCompile(`\bmessages\.(\d+)`)

func inFront(v verdict, body []byte, message string) ([]byte, string, bool) {
	root, err := wire.ParseValue(body)
	if err != nil || root.Get("messages").Len() == 0 {
		return nil, "", false
	}
	at := root.Get("messages").Offset() + 1
	more := wire.Splice{Start: at, End: at, With: []byte(`{"role":"user","content":"one"},{"role":"assistant","content":"two"},`)}
	return wire.Apply(body, more), shifted(messagePlace, message, 2), true
}

var toolPlace = regexp.MustCompile(`\btools\.(\d+)`)

func toolInFront(v verdict, body []byte, message string) ([]byte, string, bool) {
	root, err := wire.ParseValue(body)
	if err != nil || root.Get("tools").Kind() != '[' || root.Get("tools").Len() == 0 {
		return nil, "", false
	}
	at := root.Get("tools").Offset() + 1
	more := wire.Splice{Start: at, End: at, With: []byte(`{"name":"one_more","input_schema":{"type":"object"}},`)}
	return wire.Apply(body, more), shifted(toolPlace, message, 1), true
}

func shifted(place *regexp.Regexp, message string, by int) string {
	return place.ReplaceAllStringFunc(message, func(s string) string {
		name, index, _ := strings.Cut(s, ".")
		n, err := strconv.Atoi(index)
		if err != nil {
			return s
		}
		return name + "." + strconv.Itoa(n+by)
	})
}

func otherIDs(v verdict, body []byte, message string) ([]byte, string, bool) {
	ids := strings.NewReplacer("srvtoolu_a", "srvtoolu_01Xy", "srvtoolu_x", "srvtoolu_9", "toolu_a", "toolu_01Ab", "toolu_b", "toolu_02Cd", "get_weather", "look_up")
	changed := ids.Replace(string(body))
	return []byte(changed), ids.Replace(message), changed != string(body)
}

var fieldHole = regexp.MustCompile(`\{(field|key|param|tag|value|name)\}`)

// otherField gives another name to what the template leaves open, where that is a name of nobody's.
func otherField(v verdict, body []byte, message string) ([]byte, string, bool) {
	if v.Template == nil || !fieldHole.MatchString(*v.Template) || strings.Contains(*v.Template, "deprecated") {
		return nil, "", false
	}
	pattern := regexp.MustCompile(`\\\{(?:field|key|tag|value|name)\\\}`).ReplaceAllString(regexp.QuoteMeta(*v.Template), `(\S+?)`)
	pattern = hole.ReplaceAllString(pattern, ".*")
	m := regexp.MustCompile("(?s)^" + pattern + "$").FindStringSubmatch(message)
	if len(m) < 2 || !strings.Contains(string(body), `"`+m[1]+`"`) {
		return nil, "", false
	}
	other := "quite_another"
	return []byte(strings.ReplaceAll(string(body), `"`+m[1]+`"`, `"`+other+`"`)), strings.Replace(message, m[1], other, 1), true
}

// otherModel is one of the same generation that differs in nothing the rules read.
func otherModel(v verdict, body []byte, message string) ([]byte, string, bool) {
	root, err := wire.ParseValue(body)
	if err != nil {
		return nil, "", false
	}
	m, ok := model.Lookup(root.Get("model").Text())
	if !ok {
		return nil, "", false
	}
	for _, o := range model.All() {
		if o.ID != m.ID && o.Lifecycle == m.Lifecycle && alike(m, o, body) {
			changed := wire.Apply(body, wire.Replace(root.Get("model"), []byte(`"`+o.ID+`"`)))
			return changed, strings.ReplaceAll(message, m.ID, o.ID), true
		}
	}
	return nil, "", false
}

// alike compares what the rules of the request read of a model.
func alike(a, b model.Model, body []byte) bool {
	efforts := !strings.Contains(string(body), "output_config") || strings.Join(a.Effort, ",") == strings.Join(b.Effort, ",")
	interleaved := !strings.Contains(string(body), "budget_tokens") || a.Interleaved == b.Interleaved
	return a.Generation == b.Generation && efforts && interleaved && a.MaxOutput == b.MaxOutput && a.ThinkingDefault == b.ThinkingDefault &&
		a.ThinkingAdaptive == b.ThinkingAdaptive && a.ThinkingBudget == b.ThinkingBudget && a.ThinkingDisabled == b.ThinkingDisabled &&
		a.ThinkingBetween == b.ThinkingBetween && a.Prefill == b.Prefill && a.ForcedToolChoice == b.ForcedToolChoice &&
		a.Sampling == b.Sampling && a.TemperatureOrTopP == b.TemperatureOrTopP && a.SystemMessages == b.SystemMessages
}

func streamed(v verdict, body []byte, message string) ([]byte, string, bool) {
	root, err := wire.ParseValue(body)
	if err != nil || root.Kind() != '{' {
		return nil, "", false
	}
	return wire.Apply(body, wire.SetMember(root, "stream", []byte("true"))), message, true
}
