package compact

import (
	"time"

	"harnessbench/harness/tool"
)

// Limits are the numbers of the layers in one profile (harness.md 10.12). Every one of them stands here and nowhere
// else, save the limits of single results, which the tools' own table holds.
type Limits struct {
	MessageChars int // characters the results of one message may have together (H-CMP-10, H-CMP-11)
	Preview      int // characters shown of a result that is spilled by the budget, 0: what the tools' table says

	Snip     SnipLimits
	Micro    MicroLimits
	Collapse CollapseLimits
	Auto     AutoLimits
	Reactive ReactiveLimits
	Restore  RestoreLimits
	Memory   MemoryLimits
}

// SnipLimits count messages (H-CMP-15, H-CMP-17).
type SnipLimits struct {
	Over int // longer lists are snipped
	Head int // kept at the begin
	Tail int // kept at the end
	Left int // what a snip leaves of the list, 0 for no more than Head and Tail say
}

// MicroLimits are those of the clearing of old results (H-CMP-20 to H-CMP-23).
type MicroLimits struct {
	Keep   int           // newest results that stay
	Short  int           // characters up to which a result stays
	Gap    time.Duration // without an answer, until the cache is taken for gone
	Cached int           // results that may be there before the server is asked to clear
}

// CollapseLimits are those of the spans that are shown as summaries (H-CMP-32). They are ours: each span costs a call and
// the cache of all that stands behind it, so that one that frees next to nothing would be due again at the next call.
type CollapseLimits struct {
	Gain int // percent of the threshold that the entries of a span must have at least, in tokens by estimate (OUR)
}

// Least is how many tokens a span must have, given the threshold.
func (l *CollapseLimits) Least(threshold int) int { return threshold * l.Gain / 100 }

// AutoLimits are those of the summary the harness asks for by itself (H-CMP-35 to H-CMP-40, H-CMP-50, H-CMP-63, H-CMP-64).
type AutoLimits struct {
	Fixed   int // tokens above which the threshold lies whatever the window is, 0: it follows from the window
	Reserve int // the most tokens kept free for a summary, and the most a summary may take
	Buffer  int // tokens below the window without its reserve at which the threshold lies
	Block   int // the same for the size at which no call is made any more

	StreamRetries int // of a summary whose stream failed
	HeadCuts      int // of a summary request that was too long
	Failures      int // in a row, that end it for the session
	Refills       int // in a row, that end the turn
	RefillCalls   int // answers after a compaction within which reaching the threshold again is a refill
}

// ReactiveLimits are those of the compaction that a refusal causes.
type ReactiveLimits struct {
	Tail    int // messages behind the summary, 0 for the newest prompt alone
	Retries int // in one turn
	Cuts    int // of the head of one request for a summary
}

// RestoreLimits are those of what is brought back behind a summary, in tokens by estimate (H-CMP-72, H-CMP-73).
type RestoreLimits struct {
	Files     int // number of files
	File      int // tokens of one file
	AllFiles  int
	Skill     int // tokens of one skill
	AllSkills int
}

// MemoryLimits are those of the session's memory file: of the tail that stays behind it, and of how it is kept up
// (H-CMP-80). The latter are ours. They follow from the tail: what is younger than its least size stays word for word
// anyway, and a request for more than its greatest size would not make the file useful any sooner.
type MemoryLimits struct {
	Tokens int // of the tail, at least, by estimate
	Texts  int // messages with text in the tail, at least
	Most   int // tokens of the tail, at most

	Grown   int // tokens by estimate that came since, from which on the file is written anew (OUR)
	Request int // tokens by estimate of the conversation that one request shows the small model (OUR)
	Answer  int // output tokens of that request (OUR)
}

// Bounds of the window that a user may set, in tokens (H-CMP-35).
const (
	MinWindow = 100_000
	MaxWindow = 1_000_000
)

// KeepRecent is how many messages compact.keepRecent=20 leaves behind a summary (H-CMP-74).
const KeepRecent = 20

// AimBelow is the part of the limit by which a shortened request for a summary is to stay below it, once more with each
// try: a fiftieth (OUR, H-CMP-54).
const AimBelow = 50

// LeastGain is the part of its size that a conversation has to get shorter by, at least, where a summary cannot bring it below
// the threshold: a tenth (OUR, H-CMP-39).
const LeastGain = 10

// shareCut is the part of the rounds that goes when nothing says how much is too much: a fifth (H-CMP-54).
const shareCut = 5

// shortest is how many characters Shorten leaves of a text.
const shortest = 2_000

// Previewed is about what stays of a spilled result, in characters.
const Previewed = 2_200

// ExpectedCalls is how many calls are expected after a clearing (micro.expectedCalls, H-CMP-26).
const ExpectedCalls = 10

// Full are the limits of the full profile.
func Full() Limits {
	return Limits{
		MessageChars: tool.MaxMessageChars,
		Snip:         SnipLimits{Over: 50, Head: 3, Left: 30},
		Micro:        MicroLimits{Keep: 5, Gap: time.Hour, Cached: 12},
		Collapse:     CollapseLimits{Gain: 5},
		Auto: AutoLimits{
			Reserve: 20_000, Buffer: 13_000, Block: 3_000,
			StreamRetries: 2, HeadCuts: 3, Failures: 3, Refills: 3, RefillCalls: 2,
		},
		Reactive: ReactiveLimits{Retries: 1, Cuts: 1},
		Restore:  RestoreLimits{Files: 5, File: 5_000, AllFiles: 50_000, Skill: 5_000, AllSkills: 25_000},
		Memory:   MemoryLimits{Tokens: 10_000, Texts: 5, Most: 40_000, Grown: 10_000, Request: 40_000, Answer: 4_000},
	}
}

// Teaching are the limits of the teaching profile, where they differ: the numbers of its source.
func Teaching() Limits {
	l := Full()
	l.Preview = 2_000
	l.Snip = SnipLimits{Over: 50, Head: 3, Tail: 47}
	l.Micro = MicroLimits{Keep: 3, Short: 120}
	l.Auto.Fixed = 50_000
	l.Reactive.Tail = 5
	l.Restore = RestoreLimits{}
	return l
}

// Threshold is the size of a conversation, in tokens, at which it is compacted: the window without the room for a
// summary and a buffer, or no more than so many percent of the window, 0 for no such share (H-CMP-35 to H-CMP-37).
func (l *AutoLimits) Threshold(window, maxOutput, percent int) int {
	if l.Fixed > 0 {
		return l.Fixed
	}
	t := window - min(maxOutput, l.Reserve) - l.Buffer
	if percent > 0 {
		t = min(t, window*percent/100)
	}
	return t
}

// Blocked is the size at which no call is made any more when nothing makes the conversation shorter (H-CMP-40).
func (l *AutoLimits) Blocked(window, maxOutput int) int {
	return window - min(maxOutput, l.Reserve) - l.Block
}
