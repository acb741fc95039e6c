package fakeapi

import (
	"time"

	"harnessbench/fakeapi/contextedit"
	"harnessbench/fakeapi/thinking"
	"harnessbench/fakeapi/validate"
)

// Account says whose an API key is. Caches, threads and the binding of thinking are apart from those of other
// organisations, and the first two also from those of other workspaces (messages-api.md 5.1, 6.6).
type Account struct {
	Key          string // the x-api-key, or the token of an authorization header
	Organization string // a UUID; "" is that of the server
	Workspace    string // "" is the default workspace of the server
	// Created decides whether bound models enforce the prefix check; zero is Options.AccountCreated.
	Created time.Time
}

// account is the account of one request.
type account struct {
	org       string
	workspace string
	created   time.Time
	signer    *thinking.Signer
	summaries *contextedit.Signer
}

// newAccount fills what was left out from the server's own account.
func (s *Server) newAccount(a Account) *account {
	own := account{a.Organization, a.Workspace, a.Created, s.home.signer, s.home.summaries}
	if own.org == "" {
		own.org = s.home.org
	}
	if own.org != s.home.org {
		own.signer, own.summaries = thinking.NewSigner(s.opt.Seed, own.org), contextedit.NewSigner(s.opt.Seed, own.org)
	}
	if own.workspace == "" {
		own.workspace = s.home.workspace
	}
	if own.created.IsZero() {
		own.created = s.home.created
	}
	return &own
}

// accountOf finds the account of a request: its key's, in the workspace that the header anthropic-workspace-id names.
func (s *Server) accountOf(h headers) *account {
	key := h.Get("x-api-key")
	if key == "" {
		key = validate.Bearer(h)
	}
	a := s.home
	if known, ok := s.accounts[key]; ok {
		a = known
	}
	if w := h.Get("anthropic-workspace-id"); w != "" && w != a.workspace {
		elsewhere := *a
		elsewhere.workspace = w
		a = &elsewhere
	}
	return a
}

// scope sets what the account keeps apart from what others do.
func (a *account) scope() string { return a.org + " " + a.workspace }

// keys are the keys that are taken; nil takes any.
func (s *Server) keys() []string {
	if len(s.opt.Keys) == 0 {
		return nil
	}
	keys := append([]string(nil), s.opt.Keys...)
	for _, a := range s.opt.Accounts {
		keys = append(keys, a.Key)
	}
	return keys
}
