package sim

import (
	"fmt"
	"math/rand/v2"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"harnessbench/conformance/invariant"
	"harnessbench/conformance/run"
	api "harnessbench/internal/model"
	"harnessbench/internal/wire"
	"harnessbench/scenarios"
)

// long is what a long conversation is drawn from.
type long struct {
	model string
	turns int
	sizes []int // bytes of tool results to draw from
	set   map[string]string
	pick  func(n int, what string) int // below n
}

// What is planted, beside prompts and summaries of their own.
const (
	remembered = "Plums are counted twice."
	window     = 100_000 // of the context, tokens
	files      = 9
	perTurn    = 3 // summaries
	gif        = "GIF89a\x01\x00\x01\x00\x00\x00\x00!\x01\f\x00\x00\x00\x00\x01\x00\x01\x00\x08\x08\x01\x00\x05hello\x00,\x00\x00\x00\x00\x01\x00\x01\x00\x00\x02\x02D\x01\x00;"
)

func question(turn int) string        { return fmt.Sprintf("question %04d of many", turn) }
func told(turn, n int) string         { return fmt.Sprintf("summary %04d.%d", turn, n) }
func fileName(k int) string           { return fmt.Sprintf("basket-%d.txt", k) }
func inFile(k int) string             { return fmt.Sprintf("basket %d holds quinces", k) }
func texted(s string) scenarios.Block { return scenarios.Block{Kind: "text", Text: s} }

func called(name, input string) scenarios.Block {
	return scenarios.Block{Kind: "tool_use", Name: name, Input: []byte(input)}
}

// story is a conversation of turns with tools: loops of a few rounds and now and then of many, calls side by side whose
// results are over the budget together, files and images that are read, and pauses of more than an hour. Each prompt, each
// summary and each file holds a string of its own.
func (l long) story() *scenarios.Scenario {
	sc := &scenarios.Scenario{Name: "long", File: "long.yaml", Story: "long", Model: l.model, Set: l.set, Memory: remembered,
		Start: scenarios.Start{Window: window}, Files: map[string]string{"shot.gif": gif}}
	for k := range files {
		sc.Files[fileName(k)] = inFile(k) + "\n" + strings.Repeat("and more of them\n", 40*k)
	}
	add := func(st scenarios.Step) {
		st.Number = len(sc.Steps) + 1
		sc.Steps = append(sc.Steps, st)
	}
	for i := range l.turns {
		if l.pick(30, "pause") == 29 {
			add(scenarios.Step{Wait: &scenarios.Wait{Name: "61m", Duration: 61 * time.Minute}})
		}
		add(scenarios.Step{Prompt: l.prompt(i)})
	}
	return sc
}

func (l long) prompt(i int) *scenarios.Prompt {
	p := &scenarios.Prompt{Text: question(i), Tools: map[string][]scenarios.ToolResult{}}
	rounds := l.pick(3, "rounds")
	if l.pick(20, "long loop") == 19 {
		rounds = 9
	}
	for k := range rounds {
		var blocks []scenarios.Block
		if l.pick(4, "thinks") > 0 {
			blocks = append(blocks, scenarios.Block{Kind: "thinking", Text: "which one"})
		}
		switch l.pick(16, "calls") {
		case 0:
			blocks = append(blocks, called("Read", `{"file_path":"/w/app/`+fileName(l.pick(files, "file"))+`"}`))
		case 1:
			blocks = append(blocks, called("Read", `{"file_path":"/w/app/shot.gif"}`))
		case 2: // together over the budget, each below its own limit
			for n := range 5 {
				blocks = append(blocks, called("WebFetch", fmt.Sprintf(`{"url":"https://example.com/%d/%d/%d","prompt":"all"}`, i, k, n)))
				p.Tools["WebFetch"] = append(p.Tools["WebFetch"], scenarios.ToolResult{Output: strings.Repeat("a line of the page\n", 49_000/19)})
			}
		default:
			size := l.sizes[l.pick(len(l.sizes), "size")]
			blocks = append(blocks, called("Bash", fmt.Sprintf(`{"command":"part %d %d"}`, i, k)))
			p.Tools["Bash"] = append(p.Tools["Bash"], scenarios.ToolResult{Output: strings.Repeat("a line of the log\n", size/18)})
		}
		p.Model = append(p.Model, scenarios.Answer{Blocks: blocks})
	}
	end := scenarios.Answer{Blocks: []scenarios.Block{texted(fmt.Sprintf("answer %d", i))}}
	p.Model = append(p.Model, end)
	for n := range perTurn { // wherever a summary cuts the loop, what is answered behind it ends the turn
		p.Summaries = append(p.Summaries, scenarios.Summary{Text: told(i, n), Model: []scenarios.Answer{end}})
	}
	return p
}

// play runs the conversation: no request is refused, each fits, pairs and roles are legal, every compaction keeps what it
// must, the log only grows, and what a rebuild would send is what was sent (the harness checks that on every call, and
// the run at its end).
func (l long) play(t require.TestingT) *run.Result {
	sc := l.story()
	res, err := run.Story(sc, run.Options{Model: l.model, Seed: 1})
	require.NoError(t, err)
	require.Empty(t, res.Faults)
	for _, c := range res.Calls {
		require.Equal(t, 200, c.Status, "the server refused call %s: %s", c.Name, c.Refusal)
	}
	for _, c := range res.Checks {
		for _, f := range c.Findings {
			require.NotEqual(t, invariant.H, f.Level, "%s on %s: %s\n%s", c.Check, res.Model, f.Fact, f.Other)
		}
	}
	survives(t, sc, res.Calls)
	require.Contains(t, string(res.Calls[len(res.Calls)-1].Body), question(l.turns-1), "the newest input")
	return res
}

// survives looks for the planted strings in each main request as the survival table of harness.md 10.9 says: the newest
// prompt and the memory once each, the newest summary once in the request that follows it, and the text files among the
// five that were read last. Each request is below the window of the session.
func survives(t require.TestingT, sc *scenarios.Scenario, calls []run.Call) {
	var read []string // the newest first
	summary, summaries := "", 0
	for _, c := range calls {
		body, newest := string(c.Body), sc.Steps[c.Step-1].Prompt.Text
		for _, name := range readLast(t, c.Body) {
			read = append([]string{name}, slices.DeleteFunc(read, func(have string) bool { return have == name })...)
		}
		if strings.Contains(body, "CRITICAL: Respond with TEXT ONLY.") {
			summary, summaries = told(summaries/perTurn, summaries%perTurn), summaries+1 // those of all turns in a row
			continue
		}
		at := "call " + c.Name
		require.Equal(t, 1, strings.Count(body, newest), "%s: the newest prompt", at)
		require.Equal(t, 1, strings.Count(body, remembered), "%s: the memory", at)
		require.Less(t, c.Usage.Fresh+c.Usage.Read+c.Usage.Write, window, at)
		if summary != "" {
			require.Equal(t, 1, strings.Count(body, summary), "%s: %s", at, summary)
		}
		if summary != "" && sc.Set["collapse"] == "" {
			for _, name := range read[:min(5, len(read))] {
				if k, ok := strings.CutPrefix(name, "basket-"); ok {
					n, err := strconv.Atoi(strings.TrimSuffix(k, ".txt"))
					require.NoError(t, err)
					require.Contains(t, body, inFile(n), "%s: %s behind %s", at, name, summary)
				}
			}
		}
		summary = ""
	}
}

// readLast are the files that the newest answer in a request read.
func readLast(t require.TestingT, body []byte) (names []string) {
	req, err := wire.Parse(nil, body)
	require.NoError(t, err)
	messages := req.Messages()
	for i := len(messages) - 1; i >= 0; i-- {
		if messages[i].Role() != "assistant" {
			continue
		}
		for _, b := range messages[i].Blocks() {
			if b.Type() == "tool_use" && b.Get("name").Text() == "Read" {
				names = append(names, path.Base(b.Get("input").Get("file_path").Text()))
			}
		}
		break
	}
	return names
}

// layers are the settings under which long conversations are played.
var layers = []map[string]string{
	{}, {"snip": "on"}, {"micro.mode": "cached"}, {"micro.mode": "position"}, {"collapse": "on"}, {"compact.keepRecent": "20"},
	{"snip": "on", "micro.mode": "position"}, {"micro.mode": "off"}, {"compact.request": "no-tools"},
	{"thinking.onBreak": "server"}, {"thinking.onBreak": "drop-block", "micro.mode": "cached"}, {"thinking.keep": "last-turn"},
	{"collapse": "on", "micro.mode": "position"},
}

// TestConversationsOfFourHundredTurnsHold plays them on each model of the matrix, with results from nothing to a megabyte:
// they are compacted again and again, and CMP-1 to CMP-7 meet occasions. A plain run gives each model layers of its own,
// and 400 turns to the bound one alone; the tag sweep gives all of them to each.
func TestConversationsOfFourHundredTurnsHold(t *testing.T) {
	for i, model := range Matrix {
		turns := 400
		if m, _ := api.Lookup(model); testing.Short() || stride > 1 && !m.Bound {
			turns = 80
		}
		t.Run(model, func(t *testing.T) {
			t.Parallel()
			met := map[string]int{}
			for k, set := range layers {
				if stride > 1 && k != i {
					continue
				}
				t.Run(fmt.Sprint(set), func(t *testing.T) {
					draw := rand.New(rand.NewPCG(uint64(i), 400+uint64(k)))
					l := long{model: model, turns: turns, sizes: []int{0, 900, 20_000, 29_000, 29_900, 60_000, 1 << 20}, set: set,
						pick: func(n int, _ string) int { return draw.IntN(n) }}
					for _, c := range l.play(t).Checks {
						met[c.Check] += c.Occasions
					}
				})
			}
			for check, n := range met {
				if strings.HasPrefix(check, "CMP-") && check != "CMP-8" && turns == 400 {
					require.Positive(t, n, check)
				}
			}
		})
	}
}

// TestDrawnLongConversationsHold draws the layers, the number of turns and the sizes. Whatever is cut off, calls and results
// stay together (bugs p-inflight-calls-dropped-by-normaliser, p-summariser-cutoff-orphan and
// p-truncate-first-kept-is-result).
func TestDrawnLongConversationsHold(t *testing.T) {
	most := 12
	if stride == 1 {
		most = 400
	}
	rapid.Check(t, func(t *rapid.T) {
		l := long{
			model: rapid.SampledFrom(Matrix).Draw(t, "model"),
			turns: rapid.IntRange(1, most).Draw(t, "turns"),
			sizes: rapid.SliceOfN(rapid.SampledFrom([]int{0, 1, 5_000, 29_000, 31_000, 200_000, 1 << 20}), 1, 3).Draw(t, "sizes"),
			set:   rapid.SampledFrom(layers).Draw(t, "layers"),
			pick:  func(n int, what string) int { return rapid.IntRange(0, n-1).Draw(t, what) },
		}
		l.play(t)
	})
}
