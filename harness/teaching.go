package harness

import (
	"errors"
	"fmt"
	"path"
	"slices"

	"harnessbench/harness/compact"
	"harnessbench/harness/rebuild"
	"harnessbench/harness/tool"
	"harnessbench/harness/world"
	"harnessbench/internal/wire"
)

// TranscriptsDir is the directory of a project in which the teaching profile keeps each list that it has summarised
// (H-CMP-51). They are no session logs, though their lines are JSON too.
const TranscriptsDir = ".transcripts"

// lesson is the list of messages of the teaching profile: made of the conversation's, and changed in place by the layers
// (H-CMP-3). No log holds it; another process begins again with all that the log tells. The zero value has taken nothing.
type lesson struct {
	list      compact.List
	taken     int          // messages of the conversation that it stands for
	last      compact.Said // the newest of them, as the conversation has it
	swallowed bool         // which is not in the list any more
	changed   bool         // what was sent is another now
	from      int          // from that message on, where changed
	told      standing
}

// standing is the volatile text that stands in the list, on models that check what stands before their thinking: there it may
// not move while the turn goes on (D1, H-INJ-42).
type standing struct {
	prompt string // uuid of the turn's
	blocks [][]byte
}

// changedAt notes a message from which on the list is another than what was sent.
func (l *lesson) changedAt(message int) {
	if !l.changed || message < l.from {
		l.changed, l.from = true, message
	}
}

// take adds what came into the conversation since. Its newest message may have grown, when no answer came to it. Where all
// is taken anew, nobody knows which list was sent when its answers were made.
func (l *lesson) take(all compact.List) {
	if len(all) < l.taken {
		*l = lesson{}
	}
	if l.taken == 0 {
		l.changedAt(0)
	}
	if l.taken > 0 && !all[l.taken-1].Same(l.last) {
		if l.swallowed {
			l.list = append(l.list, all[l.taken-1])
		} else {
			l.list[len(l.list)-1] = all[l.taken-1]
		}
		l.swallowed = false
	}
	if len(all) == l.taken {
		l.last = all[l.taken-1]
		return
	}
	l.list = append(l.list, all[l.taken:]...)
	l.taken, l.last, l.swallowed = len(all), all[len(all)-1], false
}

// to makes another list of it.
func (l *lesson) to(list compact.List) {
	same := 0
	for same < min(len(l.list), len(list)) && l.list[same].Same(list[same]) {
		same++
	}
	if same < max(len(l.list), len(list)) {
		l.changedAt(same)
	}
	l.list = list
}

// tell puts the volatile text of a turn into the newest message, where it then stays, and takes out that of the turn before.
func (l *lesson) tell(prompt string, blocks [][]byte) {
	if at := l.list.Find(l.told.blocks); at >= 0 {
		if l.told.prompt == prompt {
			return
		}
		l.changedAt(at)
		l.list = l.list.Without(at, l.told.blocks)
	}
	l.told = standing{prompt, blocks}
	l.list = l.list.Tell(blocks)
}

// conversation is the messages as the log gives them.
func (s *Session) conversation() (compact.List, error) { return listOf(s.live) }

func listOf(c *rebuild.Conversation) (compact.List, error) {
	v, err := wire.ParseValue(c.Messages())
	if err != nil {
		return nil, fmt.Errorf("harness fault: the messages are no JSON: %w", err)
	}
	return compact.ListOf(v), nil
}

// taughtPipeline runs the layers of the teaching profile before a main call: budget, snip, micro, and a summary when the list
// is still too large (H-CMP-1, H-CMP-10, H-CMP-15, H-CMP-20, H-CMP-39). Behind a compaction another one waits for an answer
// (CMP-3), and failures in a row end it as in the full profile (H-CMP-63). In an open turn whose thinking must come back
// nothing is cut or cleared where that would cost it (H-LOOP-52, D1).
func (t *turn) taughtPipeline() error {
	s, limits := t.s, compact.Teaching()
	all, err := s.conversation()
	if err != nil {
		return err
	}
	l := &s.lesson
	l.take(all)
	list, err := l.list.Budget(&limits, func(call, text string) (string, error) {
		file := path.Join(s.resultsDir(), call+".txt")
		return file, t.w.Replace(file, []byte(text))
	})
	if err != nil {
		s.notice(fmt.Sprintf("a long result could not be saved and stays whole: %v", err))
	}
	if !s.dropsAtBreak() || !list.OpenThinking() {
		list = list.Snip(&limits.Snip).Micro(&limits.Micro)
	}
	l.to(list)
	s.forgetThinking()
	off := s.cfg.NoAutoCompact || s.cfg.NoCompact || s.cfg.Switches.NoAuto || s.auto.open(t.w.Now(), &limits.Auto, s.cooldown())
	if off || s.auto.fresh() || l.list.Tokens() <= limits.Auto.Fixed {
		return nil
	}
	s.notice("[auto compact]")
	err = t.taughtCompact("", compact.Compacted)
	switch {
	case errors.Is(err, world.ErrInterrupted):
		t.ended, err = t.interrupted(nil)
		return err
	case err != nil:
		s.autoFailed(t.w.Now(), &limits.Auto, err)
	}
	return nil
}

// forgetThinking leaves out thinking that was made in front of another list, on models that check (D1).
func (s *Session) forgetThinking() {
	if s.lesson.changed && s.dropsAtBreak() {
		s.lesson.list = s.lesson.list.WithoutThinking(s.lesson.from)
	}
	s.lesson.changed = false
}

// taughtBody is a main call with the list.
func (s *Session) taughtBody(f rebuild.Front, v rebuild.Volatile) []byte {
	all, err := s.conversation()
	if err != nil {
		return s.live.Body(f, v)
	}
	s.lesson.take(all) // it is as the layers left it, unless the path became another since
	if s.dropsAtBreak() {
		s.lesson.tell(s.prompt, v.Blocks)
	}
	s.forgetThinking()
	return rebuild.Plain(f, s.withMoving(s.lesson.list, v).JSON())
}

// withMoving is a list as it is sent, with the volatile text that moves along at its end.
func (s *Session) withMoving(list compact.List, v rebuild.Volatile) compact.List {
	list = list.Sendable()
	if n := len(list); n > 0 && list[n-1].Role == "user" && !s.dropsAtBreak() {
		list[n-1].Blocks = append(list[n-1].Blocks, v.Blocks...)
	}
	return list
}

// taughtAside is a request that goes on from the list as the layers left it, for that is what main requests send, with what
// came into the conversation since (H-CMP-46, H-CMD-60, CACHE-6).
func (s *Session) taughtAside(f rebuild.Front, c *rebuild.Conversation, v rebuild.Volatile, earlier []rebuild.Exchange, texts ...string) ([]byte, error) {
	all, err := listOf(c)
	if err != nil {
		return nil, err
	}
	l := s.lesson
	l.list = slices.Clone(l.list)
	l.take(all)
	if l.changed && s.dropsAtBreak() {
		l.list = l.list.WithoutThinking(l.from)
	}
	return rebuild.PlainAside(f, s.withMoving(l.list, v).JSON(), earlier, texts...), nil
}

// bareLoop tells that the next main call ends in a tool loop without thinking at its begin.
func (s *Session) bareLoop() bool {
	if s.taught() {
		return s.lesson.list.Sendable().LoopWithoutThinking()
	}
	return s.live.LoopWithoutThinking()
}

// taughtCompact saves the list as a transcript, then has it summarised, then puts what behind makes of the summary in its
// place (H-CMP-51, H-CMP-52). A failure leaves the list as it was.
func (t *turn) taughtCompact(focus string, behind func(summary string) compact.List) error {
	s := t.s
	file := path.Join(s.cfg.Cwd, TranscriptsDir, fmt.Sprintf("transcript_%d.jsonl", t.w.Now().UnixMilli()))
	if err := t.w.Replace(file, s.lesson.list.Lines()); err != nil {
		return fmt.Errorf("compact: transcript: %w", err)
	}
	f, isolated := s.frontOfSummary()
	list := append(s.lesson.list[:len(s.lesson.list):len(s.lesson.list)], compact.Ask(compact.TaughtInstructions(focus)))
	if isolated && s.dropsAtBreak() {
		list = list.WithoutThinking(0)
	}
	if err := s.freeze(t.w); err != nil {
		return err
	}
	r, err := t.insist(s.beside("compact", rebuild.Plain(f, list.Sendable().JSON())))
	if err != nil {
		return err
	}
	summary, err := summaryIn(r)
	if err != nil {
		return err
	}
	s.lesson.list, s.lesson.swallowed = behind(summary), true
	s.auto.succeeded()
	return nil
}

// taughtReact compacts the list because a main call was refused as too long, and lets the call be made once more in a turn
// (H-CMP-60, H-CMP-61), unless there was no answer since the conversation was compacted (CMP-3).
func (t *turn) taughtReact() (again bool, err error) {
	s, limits := t.s, compact.Teaching()
	if t.reacted >= limits.Reactive.Retries || s.cfg.NoCompact || s.auto.fresh() {
		return false, nil
	}
	t.reacted++
	s.notice("[reactive compact]")
	list := s.lesson.list
	err = t.taughtCompact("", func(summary string) compact.List { return list.Reactive(summary, limits.Reactive.Tail) })
	switch {
	case errors.Is(err, world.ErrInterrupted):
		t.ended, err = t.interrupted(nil)
		return true, err
	case err != nil:
		s.notice("The conversation is too long and could not be compacted: " + err.Error() + ".")
		return false, nil
	}
	s.lesson.swallowed = false
	s.lesson.changedAt(0)
	s.forgetThinking()
	return true, nil
}

// taughtTool is the tool compact: it has the conversation before its own call summarised. The message that holds the call
// stays behind the summary, so that all its pairs are whole, and the calls behind it are not run (H-CMP-55).
func (t *turn) taughtTool(c *pendingCall) run {
	v, _ := wire.ParseValue(c.Input)
	err := t.taughtCompact(v.Get("focus").Text(), compact.Compacted)
	switch {
	case errors.Is(err, world.ErrInterrupted):
		return run{}
	case err != nil:
		return run{done: true, raw: tool.Raw{Output: tool.Error(err.Error()), IsError: true}}
	}
	t.dismissed = true
	t.s.lesson.changedAt(0)
	return run{done: true, raw: tool.Raw{Output: "[Compacted. History summarized.]"}}
}
