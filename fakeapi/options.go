package fakeapi

import (
	"time"

	"harnessbench/fakeapi/contextedit"
	"harnessbench/fakeapi/fault"
	"harnessbench/fakeapi/promptcache"
	"harnessbench/fakeapi/script"
	"harnessbench/fakeapi/thinking"
	"harnessbench/fakeapi/thread"
	"harnessbench/internal/model"
)

// Options are what a server is made of. The zero value is a server that answers every valid request with
// FixedText, as the public sources say the real one behaves by default.
type Options struct {
	// Seed draws ids and keys signatures; nothing else is random.
	Seed uint64
	// Script is what the model says.
	Script script.Script
	// Keys, when not empty, are the only API keys taken, beside those of Accounts.
	Keys []string
	// Organization names the account, as a UUID; "" draws one from the seed.
	Organization string
	// AccountCreated decides whether bound models enforce the prefix check (messages-api.md 6.6); zero is
	// 2026-09-15, an account that they enforce it for.
	AccountCreated time.Time
	// StrictManual says by model id whether an open tool loop must begin with thinking under a budget, and may end
	// in none without thinking (strict_manual); models it does not name do by their own rule.
	StrictManual map[string]bool
	// Accounts say whose each key is; keys that stand in none are the server's own account's.
	Accounts []Account
	// RefuseRetired answers retired models with 404 from the day they retired on, by the request's clock (D25).
	RefuseRetired bool
	// Threads holds the unsettled facts of message threads.
	Threads thread.Options
	// ThreadsUnsupported answers every request of a thread with thread_unsupported_request, as a server without
	// threads should (messages-api.md 2.10).
	ThreadsUnsupported bool
	// TrustSignatures takes thinking signatures that another server made as true ones: for recorded traffic, whose
	// blocks the real API signed. Nothing can be said of their binding, so it is not checked.
	TrustSignatures bool
	// AnswerAs gives answers the form they had on a day: fields, the order of keys and headers by the dates of
	// messages-api.md 1.4 and 3. Zero is the present form, without the headers of the edge.
	AnswerAs time.Time
	// PingPlace is where the ping of a stream stands (messages-api.md 4, knob ping_place): "" or PingAfterStart,
	// PingAfterDelta, PingNone.
	PingPlace string
	// Faults go wrong on purpose; each must pass its Check. Seed draws those that have a chance.
	Faults []fault.Fault
	// DropAborted drops what a request wrote to the cache when its client closes the connection before the answer
	// has ended (keep_entry_on_aborted_stream false).
	DropAborted bool
	// Edits holds the unsettled facts of server-side context editing.
	Edits contextedit.Options
	// LegacyOverflow refuses input and max_tokens that exceed the window together on every model, as models before
	// 4.5 do (messages-api.md 7, knob legacy_overflow_400).
	LegacyOverflow bool
	// WindowBytes, when positive, answers bodies of more bytes per token of the window with the second 413 of
	// messages-api.md 1.5, before any token is counted. When the real server does so is not known.
	WindowBytes int
	// BatchPace is how long a message batch takes from its creation to its end (batch_pace); 0 is DefaultBatchPace.
	BatchPace time.Duration
	// Cache holds the unsettled facts of the prompt cache, and whose policy it follows. What chance decides there is
	// drawn from Seed.
	Cache promptcache.Options
}

// FixedText is the answer of a server without a script.
const FixedText = "This is the bench speaking: no script was given, so every valid request gets this answer."

// FixedThinking is what the model thinks where a real one always thinks and the script is silent.
const FixedThinking = "Let me see what this needs."

// Pace of an answer in virtual time: the first byte comes after FirstByte unless the script says otherwise,
// then every output token takes PerToken. A refusal takes RefusalTime. A message that is not streamed comes
// in one piece when the last token is there.
const (
	FirstByte   = 400 * time.Millisecond
	PerToken    = 8 * time.Millisecond
	RefusalTime = 20 * time.Millisecond
)

// Server is the Messages API as a state machine. It is not safe for concurrent use.
type Server struct {
	opt      Options
	home     *account
	accounts map[string]*account // by key

	ids    *ids
	cache  *promptcache.Cache
	player *script.Player
	recent *recent
	prints *fingerprints
	faults *fault.Player
	struck []Struck

	threads *thread.Store
	batches *batches
}

// New makes a server in which nothing has happened yet.
func New(opt Options) *Server {
	if opt.AccountCreated.IsZero() {
		opt.AccountCreated = time.Date(2026, 9, 15, 0, 0, 0, 0, time.UTC)
	}
	s := &Server{opt: opt, accounts: map[string]*account{}}
	ids := newIDs(opt.Seed, accountStream)
	s.home = &account{org: opt.Organization, created: opt.AccountCreated}
	if s.home.org == "" {
		s.home.org = ids.uuid()
	}
	s.home.workspace = ids.random("wrkspc_")
	s.home.signer = thinking.NewSigner(opt.Seed, s.home.org)
	s.home.summaries = contextedit.NewSigner(opt.Seed, s.home.org)
	for _, a := range opt.Accounts {
		s.accounts[a.Key] = s.newAccount(a)
	}
	s.Reset()
	return s
}

// Reset brings the server back to where New left it: empty cache, first ids, scripts from their beginning.
// Signatures made before stay valid.
func (s *Server) Reset() {
	s.ids = newIDs(s.opt.Seed, answerStream)
	cache := s.opt.Cache
	cache.Seed = s.opt.Seed
	s.cache = promptcache.New(cache)
	s.player = script.NewPlayer(s.opt.Script)
	s.recent = newRecent()
	s.prints = newFingerprints()
	s.faults, s.struck = fault.NewPlayer(s.opt.Seed, s.opt.Faults), nil
	s.threads = thread.New(s.opt.Threads)
	s.batches = &batches{}
}

// retired tells whether a model is refused at this time.
func (s *Server) retired(m model.Model, now time.Time) bool {
	if !s.opt.RefuseRetired || m.Lifecycle != "retired" {
		return false
	}
	at, err := time.Parse(time.DateOnly, m.RetiresAt)
	return err != nil || !now.Before(at)
}
