package invariant

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"harnessbench/conformance/trace"
)

func run(events []trace.Event, only ...string) []Result {
	j := New(only...)
	for _, e := range events {
		j.Event(e)
	}
	return j.Results()
}

func TestTheCatalogueIsWhole(t *testing.T) {
	var ids []string
	for _, c := range Catalogue() {
		ids = append(ids, c.ID)
		require.NotEmpty(t, c.Sentence, c.ID)
		require.NotEmpty(t, c.Source, c.ID)
		require.NotEmpty(t, c.Engines, c.ID)
		require.NotEmpty(t, c.Mutants, c.ID)
		require.Contains(t, []Level{H, C}, c.Level, c.ID)
	}
	require.Equal(t, []string{"CACHE-1", "CACHE-2", "CACHE-3", "CACHE-4", "CACHE-5", "CACHE-6", "CACHE-7", "CACHE-8", "CACHE-9",
		"CMP-1", "CMP-2", "CMP-3", "CMP-4", "CMP-5", "CMP-6", "CMP-7", "CMP-8", "LOG-12", "LOG-3", "LOG-5", "LOG-6", "PAIR-1", "PAIR-2",
		"PAIR-3", "PAIR-4", "PAIR-6", "REW-1", "THINK-1", "THINK-2", "THINK-5", "THINK-6"}, ids)
}

func TestAnEmptyStreamIsUnknown(t *testing.T) {
	for _, r := range run(nil) {
		require.Equal(t, Unknown, r.Verdict)
		require.NotEmpty(t, r.Note)
	}
}

func TestOnlyTheChecksAskedFor(t *testing.T) {
	got := run(history(bound, ""), "PAIR-2", "NONE-1")
	require.Len(t, got, 2)
	require.Equal(t, Result{Check: "NONE-1", Verdict: Unknown, Note: `the catalogue has no check "NONE-1"`}, got[0])
	require.Equal(t, Held, got[1].Verdict)
}

func TestAForeignEngineIsJudgedOnlyWhereThatIsSound(t *testing.T) {
	events := history(bound, "rewind-leaks-branch")
	events[0].Run.Engine = "process"
	for _, r := range run(events) {
		if slices.Contains([]string{"LOG-5", "LOG-6", "REW-1"}, r.Check) {
			require.Equal(t, Result{Check: r.Check, Verdict: Unknown, Note: "not judged on engine process"}, r)
		}
	}
}

func TestManyFaultsAreCountedNotListed(t *testing.T) {
	h := newHand(bound)
	for i := range findingsKept + 7 {
		h.write(fmt.Sprintf("/f%d.jsonl", i), 0, "{}\n")
		h.write(fmt.Sprintf("/f%d.jsonl", i), 0, "{}\n")
	}
	r := run(h.events, "LOG-12")[0]
	require.Len(t, r.Findings, findingsKept)
	require.Equal(t, "7 more findings are not listed", r.Note)
}

func TestAFaultThatStaysInTheHistoryIsReportedOnce(t *testing.T) {
	h := newHand(bound)
	h.prompt("a")
	h.send()
	h.reply(toolUse("t1"))
	for range 5 {
		h.turn("go on", "ok")
	}
	require.Len(t, run(h.events, "PAIR-1")[0].Findings, 1)
}

func TestAskingTwiceGivesTheSameResults(t *testing.T) {
	j := New()
	for _, e := range history(bound, "resume-changes-shape") {
		j.Event(e)
	}
	require.Equal(t, j.Results(), j.Results())
}

// TestReadingWhatIsNewEqualsReadingAll compares the incremental reading of a conversation with a fresh
// one, over requests that grow, shrink and change anywhere.
func TestReadingWhatIsNewEqualsReadingAll(t *testing.T) {
	texts := []string{"a", "b", reminder("r"), "[Request interrupted by user]"}
	blockGen := rapid.Custom(func(t *rapid.T) string {
		id := rapid.SampledFrom([]string{"t1", "t2", "t3"}).Draw(t, "id")
		return rapid.SampledFrom([]string{textBlock(rapid.SampledFrom(texts).Draw(t, "text")), toolUse(id), toolResult(id, "r"), thinking("x", id)}).Draw(t, "block")
	})
	msgGen := rapid.Custom(func(t *rapid.T) said {
		return said{role: rapid.SampledFrom([]string{"user", "assistant", "system"}).Draw(t, "role"), blocks: rapid.SliceOfN(blockGen, 0, 3).Draw(t, "blocks")}
	})
	rapid.Check(t, func(t *rapid.T) {
		warm := newReading()
		var msgs []said
		for n := range rapid.IntRange(1, 6).Draw(t, "requests") {
			msgs = append(slices.Clone(msgs[:rapid.IntRange(0, len(msgs)).Draw(t, "kept")]), rapid.SliceOfN(msgGen, 0, 4).Draw(t, "added")...)
			h := &hand{model: bound, msgs: msgs, marks: rapid.Bool().Draw(t, "marks")}
			e := trace.Event{Kind: trace.KindRequest, Request: &trace.Request{Call: n + 1, Chain: "main", Body: trace.JSONText(h.body())}}
			m := warm.take(e)
			cold := newReading().take(e)
			got, want := *m.call.chain.conv, *cold.call.chain.conv
			require.Len(t, got.msgs, len(want.msgs))
			require.Equal(t, append([]message{}, want.msgs...), append([]message{}, got.msgs...))
			require.Equal(t, []any{want.uses, want.results, want.turn}, []any{got.uses, got.results, got.turn})
			require.Equal(t, cold.call.rendered.Blocks.Len(), m.call.rendered.Blocks.Len())
			for i, b := range cold.call.rendered.Blocks.All() {
				require.Equal(t, b.ID, m.call.rendered.Blocks.At(i).ID)
				require.Equal(t, b.Bind, m.call.rendered.Blocks.At(i).Bind)
			}
		}
	})
}

// TestDamagedStreamsNeverPanic changes bytes of bodies and log writes anywhere, and drops and doubles
// events.
func TestDamagedStreamsNeverPanic(t *testing.T) {
	faults := []string{""}
	for _, c := range Catalogue() {
		faults = append(faults, c.Mutants...)
	}
	rapid.Check(t, func(t *rapid.T) {
		events := history(bound, rapid.SampledFrom(faults).Draw(t, "fault"))
		for range rapid.IntRange(1, 6).Draw(t, "damages") {
			i := rapid.IntRange(1, len(events)-1).Draw(t, "event")
			damage := func(b trace.JSONText) {
				if len(b) > 0 {
					at := rapid.IntRange(0, len(b)-1).Draw(t, "at")
					b[at] = rapid.SampledFrom([]byte(`{}[]",:0n\x`+"\n")).Draw(t, "byte")
				}
			}
			switch e := events[i]; {
			case rapid.IntRange(0, 3).Draw(t, "how") == 0:
				events = slices.Delete(events, i, i+1)
			case e.Request != nil:
				damage(e.Request.Body)
			case e.Response != nil:
				damage(e.Response.Body)
			case e.Log != nil:
				damage(e.Log.Data)
			default:
				events = slices.Insert(events, i, e)
			}
		}
		for _, r := range run(events) {
			if r.Verdict == Broken {
				require.NotEmpty(t, r.Findings)
			}
		}
	})
}

// BenchmarkOneMoreTurn shows what a request costs the judge behind a long history.
func BenchmarkOneMoreTurn(b *testing.B) {
	for _, n := range []int{100, 5_000} {
		b.Run(fmt.Sprintf("%d messages", 2*n), func(b *testing.B) {
			h := newHand(bound)
			for i := range n {
				h.prompt(fmt.Sprintf("prompt %d with some words to read", i))
				h.say("assistant", textBlock("an answer of some length"), "")
				h.entry("assistant", fmt.Sprintf(`"message":{"id":"m%d","role":"assistant","content":[%s]}`, i, textBlock("an answer of some length")))
			}
			j := New()
			h.prompt("now")
			h.send()
			for _, e := range h.events {
				j.Event(e)
			}
			var turns [][]trace.Event
			for range 64 {
				h.events = h.events[:1]
				h.turn("again", "yes")
				turns = append(turns, h.events[1:])
				h.events = slices.Clone(h.events[:1])
			}
			b.ResetTimer()
			for i := 0; b.Loop(); i++ {
				for _, e := range turns[i%len(turns)] {
					j.Event(e)
				}
			}
		})
	}
}
