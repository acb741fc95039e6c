package harness

import (
	"errors"
	"fmt"
	"time"

	"harnessbench/harness/account"
	"harnessbench/harness/cachewatch"
	"harnessbench/harness/compact"
	"harnessbench/harness/rebuild"
	"harnessbench/harness/sessionlog"
	"harnessbench/harness/world"
	"harnessbench/internal/model"
	"harnessbench/internal/wire"
)

// Session is one conversation of one process. Its calls are made from one fiber, save Interrupt.
type Session struct {
	cfg    Config
	model  model.Model
	effort string // chosen by SetModel, "" for the model's own
	mode   string // permission mode, "" for default
	ttl    string // latched at the start, at a resume and at /clear (H-REB-52)

	id      string
	home    string // directory of the session's log and of what lies beside it (H-LOG-6)
	project string // directory of the project's sessions, where /clear and forks begin new ones (H-LOG-1)
	writer  *sessionlog.Writer
	log     *sessionlog.Log
	leaf    string
	prompt  string // uuid of the newest prompt on the path
	pinned  bool   // a last-prompt record pins the leaf; the next prompt ends that (H-REB-4)

	fresh  snapshot // what disk and clock gave at the start of the session, or at its resume
	force  snapshot // what stands before the conversation
	memory string   // memory text in force on the path, news included
	date   string   // date in force on the path, news included
	frozen []frozenSet
	saved  bool // frozen is on disk

	// cut is the uuid of the last entry whose thinking is left out: a declared break (D1, D37).
	cut          string
	live, shadow *rebuild.Conversation
	bash         []string   // commands by running number (H-TOOL-27)
	reads        *readState // what results on the path show of files; nil until a tool asks (H-TOOL-13)
	shellDir     string     // where the next command runs, "" for the project directory (H-TOOL-25)
	files        checkpoints
	sent         sent               // the last main request
	asked        []rebuild.Exchange // questions beside the conversation, this process's newest (H-CMD-64)
	resumedAt    string             // leaf at the resume, "" for a session begun here
	aside        *kept              // the newest of them
	answered     lastAnswer
	warmed       time.Time // when the newest answered request of this process was sent
	ledger       *account.Ledger

	cache cachewatch.Watch
	drops []cachewatch.Drop // for CacheDrops
	latch cachewatch.Latch  // betas that were sent
	plan  string            // state of the account, as the newest answer told it

	sized *account.Gauge // estimate of the next payload; nil until it is asked for
	freed int            // tokens a snip took off the payload since the newest answer (tokensFreed, H-CMP-17)
	auto  automatic

	unnoted string // leaf at the newest attempt at the memory file that failed, "" for none (H-CMP-80)

	unrestored string // uuid of the newest entry with a summary of the server's, "" when what it loses was brought back (H-CMP-84)

	lesson lesson // messages of the teaching profile

	turn    world.Task
	running bool
	early   bool // an interrupt came before the turn's handle was known
	closed  bool

	queue []queued // typed ahead, oldest first (H-LOOP-25)
	heard Listener // nil for nobody
	probe bool     // the calls of the small model are due (H-ARCH-31)

	notices []string // for Report
	shared  bool     // another writer was told of (H-LOG-87)
	failing failure
}

// Start opens a new session; its file appears with the first entry.
func Start(w world.World, cfg Config) (*Session, error) {
	m, err := cfg.check()
	if err != nil {
		return nil, err
	}
	s := &Session{cfg: cfg, model: m, mode: cfg.Mode, probe: cfg.Aux}
	s.heedPercent()
	if s.project, err = projectDir(w, cfg); err != nil {
		return nil, err
	}
	fresh, err := s.snapshot(w)
	if err != nil {
		return nil, err
	}
	s.begin(w.UUID(), fresh)
	return s, nil
}

// begin gives the session a new id, an empty log and what disk and clock say now (H-REB-41).
func (s *Session) begin(id string, fresh snapshot) {
	s.fresh, s.frozen, s.saved = fresh, nil, false
	s.ttl = s.cfg.ttl()
	s.log, s.leaf, s.pinned, s.bash, s.shellDir = sessionlog.New(), "", false, nil, ""
	s.files, s.asked, s.aside = checkpoints{}, nil, nil
	s.cache.Forget()
	s.latch = cachewatch.Latch{}
	s.freed, s.auto = 0, automatic{}
	s.ledger = account.New(fresh.taken)
	s.home = s.project
	s.open(id, nil)
	s.stand(nil)
}

// open points the writer at the file of a session.
func (s *Session) open(id string, present []byte) {
	s.id = id
	file := sessionlog.File(s.dir(), id)
	env := sessionlog.Envelope{Session: id, Cwd: s.cfg.Cwd, Entrypoint: s.cfg.Entrypoint}
	s.writer = sessionlog.NewWriter(file, env, int64(len(present)), sessionlog.Torn(present))
	s.shared, s.failing = false, failure{}
}

func (s *Session) dir() string { return s.home }

// append logs an entry behind the leaf, then, and only then, makes it part of the conversation
// (H-LOG-32, H-LOG-81). The conversation takes the entry as made; its shadow takes it as it stands in
// the line (H-ARCH-12).
func (s *Session) append(w world.World, e *sessionlog.Entry) error {
	if err := s.watch(w, true); err != nil {
		return err
	}
	now := w.Now()
	e.UUID, e.Parent, e.Time = w.UUID(), s.leaf, stamp(now)
	if s.cfg.Switches.Chain == ChainSourceTool && e.CallEntry != "" {
		e.Parent = e.CallEntry
	}
	line := e.Encode(s.writer.Envelope)
	if err := s.hand(w, line); err != nil {
		return err
	}
	s.log.Add(e)
	s.leaf = e.UUID
	s.met(e)
	s.ledger.At(now)
	s.book(e)
	s.listener().Logged(e)
	s.live.Add(e)
	v, err := wire.ParseValue(line)
	if err != nil {
		return fmt.Errorf("harness fault: the line of entry %s is no JSON: %w", e.UUID, err)
	}
	back, ok := sessionlog.Parse(v)
	if !ok {
		return fmt.Errorf("harness fault: the line of entry %s does not read as one", e.UUID)
	}
	back.Order = e.Order
	s.shadow.Add(back)
	return nil
}

// stamp is the form of timestamps in the log: ISO 8601 with milliseconds in UTC (harness.md 2.3).
func stamp(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z") }

// ready refuses an operation on a closed session or beside a running turn.
func (s *Session) ready(op string) error {
	switch {
	case s.closed:
		return errors.New(op + ": the session is closed")
	case s.running:
		return errors.New(op + ": a turn is running; wait for it or interrupt it")
	}
	return nil
}

// Set changes a switch of harness.md 1.5 from the next turn on; cache.ttl is latched and changes with
// the next session (H-REB-52).
func (s *Session) Set(name, value string) error {
	before := s.offered().Definitions()
	if err := s.cfg.Switches.set(name, value); err != nil {
		return err
	}
	s.announceTools(name, before)
	if s.running {
		return nil
	}
	path, _ := s.log.Path(s.leaf)
	s.stand(path) // what is left out of the thinking may be another now (thinking.onBreak)
	return nil
}

// ID is the session's id.
func (s *Session) ID() string { return s.id }

// Cwd is the project directory.
func (s *Session) Cwd() string { return s.cfg.Cwd }

// Tools are the names of the tools in the next request, in its order.
func (s *Session) Tools() []string {
	var names []string
	defined, _ := wire.ParseValue(s.force.tools) // ours, or checked when it was read
	for _, d := range defined.Elems() {
		names = append(names, d.Get("name").Text())
	}
	return names
}

// File is the absolute path of the log.
func (s *Session) File() string { return s.writer.File }

// Leaf is the uuid the next entry will have as its parent, "" for none.
func (s *Session) Leaf() string { return s.leaf }

// LastPrompt is the uuid of the newest prompt entry on the path, "" for none.
func (s *Session) LastPrompt() string { return s.prompt }

// met keeps what later entries of the path depend on.
func (s *Session) met(e *sessionlog.Entry) {
	if s.sized != nil {
		s.weigh(s.sized, e)
	}
	if s.reads != nil {
		s.reads.add(e)
	}
	if compact.Answers(e) {
		s.answered = lastAnswer{e.Time, e.Message.Model}
	}
	switch {
	case condensedBy(e):
		s.unrestored = e.UUID
	case e.Attach.Type == serverRestored:
		s.unrestored, s.memory = "", e.Attach.Content
	case e.Typed:
		s.prompt = e.UUID
	case e.Attach.Type == memoryUpdate:
		s.memory = e.Attach.Content
	case e.Attach.Type == dateChange:
		s.date = e.Attach.Content
	}
}
