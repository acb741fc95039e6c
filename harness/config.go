package harness

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"harnessbench/harness/compact"
	"harnessbench/harness/sessionlog"
	"harnessbench/internal/model"
)

// Config is what a process is started with.
type Config struct {
	Model string
	// ModelGiven tells that a flag or the environment chose Model: a resume then keeps it instead of the log's (H-CMD-42).
	ModelGiven bool
	// NoSummaryOffer is the user's wish never to be asked for a summary at a resume (H-CMD-45).
	NoSummaryOffer bool
	Mode           string // permission mode at the start, "" for default (H-EXT-40)
	ConfigDir      string // <config> of H-LOG-1, an absolute slash path
	Cwd            string // project directory, absolute and canonical
	APIKey         string // sent as x-api-key; never logged
	Switches       Switches

	Fallback     string  // model taken after repeated overload or a refusal, "" for none (H-LOOP-33, H-LOOP-47)
	MaxRetries   int     // retries of one call: 0 for 10, negative for none, at most 15 (H-LOOP-46)
	MaxTurns     int     // tool rounds in one turn, 0 for no limit (H-LOOP-7)
	MaxBudgetUSD float64 // cost of the session, 0 for no limit (H-LOOP-7)
	// MaxToolConcurrency is how many calls run side by side: 0 for 10 (H-LOOP-11).
	MaxToolConcurrency int
	Aux                bool // calls of the small model at the session's start (H-ARCH-31, D7)

	// Window is a smaller window than the model's, in tokens: 0 for the model's, else 100,000 to 1,000,000
	// (CLAUDE_CODE_AUTO_COMPACT_WINDOW, H-CMP-35).
	Window int
	// CompactPercent lowers the size at which a conversation is compacted to a share of the window: 1 to 100, 0 for none;
	// other values are ignored, and reported (CLAUDE_AUTOCOMPACT_PCT_OVERRIDE, H-CMP-37).
	CompactPercent int
	// NoAutoCompact compacts only when asked to; NoCompact does not even then (DISABLE_AUTO_COMPACT, DISABLE_COMPACT,
	// H-CMP-40).
	NoAutoCompact, NoCompact bool

	// Restorers bring back what a compaction would lose, in their order (H-CMP-72, H-CMP-73, H-CMP-77).
	Restorers []Restorer

	// ProjectDirName replaces the slug of the project directory (CLAUDE_CODE_PROJECT_DIR_NAME, H-LOG-4).
	ProjectDirName string
	// Entrypoint is how the process was started: "" for cli, sdk-cli, sdk-py and the like (harness.md 2.3). A
	// session of the SDK is not continued unasked by another kind of process (H-CMD-40).
	Entrypoint string
	// Force5m and Enable1h choose the life of cache entries over the switch cache.ttl; the first beats the second
	// (FORCE_PROMPT_CACHING_5M, ENABLE_PROMPT_CACHING_1H, H-REB-52).
	Force5m, Enable1h bool
	// Platform, Shell and OSVersion are what the system prompt says of the machine: "" for linux, bash and nothing
	// (H-REB-42).
	Platform, Shell, OSVersion string
	OutputStyle                string // text of the system prompt on the form of answers, "" for none (H-REB-42)
	UserID                     string // metadata.user_id of every request, "" to send none (H-REB-45)
	// NoPersistence writes no transcript; such a session cannot be resumed (H-LOG-8).
	NoPersistence bool
}

// check makes the paths clean and finds the model.
func (c *Config) check() (model.Model, error) {
	m, ok := model.Lookup(c.Model)
	if !ok {
		return m, fmt.Errorf("config: no model is called %q; `bench list` shows the known ones", c.Model)
	}
	for _, p := range []struct {
		name string
		dir  *string
	}{{"ConfigDir", &c.ConfigDir}, {"Cwd", &c.Cwd}} {
		if !path.IsAbs(*p.dir) {
			return m, fmt.Errorf("config: %s is %q, want an absolute slash path", p.name, *p.dir)
		}
		*p.dir = path.Clean(*p.dir)
	}
	if err := c.limits(); err != nil {
		return m, err
	}
	if err := sessionlog.CheckDirName(c.ProjectDirName); err != nil {
		return m, fmt.Errorf("config: ProjectDirName: %w", err)
	}
	if c.Mode != "" && !slices.Contains(permissionModes(), c.Mode) {
		return m, fmt.Errorf("config: Mode is %q; there are %s", c.Mode, strings.Join(permissionModes(), ", "))
	}
	return m, c.Switches.check()
}

// limits refuses numbers that make no sense, and a fallback that is no model.
func (c *Config) limits() error {
	if c.Fallback != "" {
		if _, ok := model.Lookup(c.Fallback); !ok {
			return fmt.Errorf("config: no model is called %q, the fallback; `bench list` shows the known ones", c.Fallback)
		}
	}
	switch {
	case c.Window != 0 && (c.Window < compact.MinWindow || c.Window > compact.MaxWindow):
		return fmt.Errorf("config: Window is %d, want 0 for the model's own or %d to %d tokens", c.Window, compact.MinWindow, compact.MaxWindow)
	case c.MaxTurns < 0:
		return fmt.Errorf("config: MaxTurns is %d, want 0 for no limit or a number of tool rounds", c.MaxTurns)
	case !(c.MaxBudgetUSD >= 0):
		return fmt.Errorf("config: MaxBudgetUSD is %v, want 0 for no limit or an amount", c.MaxBudgetUSD)
	case c.MaxToolConcurrency < 0:
		return fmt.Errorf("config: MaxToolConcurrency is %d, want 0 for the usual limit or a number of calls", c.MaxToolConcurrency)
	}
	return nil
}

// ttl is the life of cache entries, to be latched (H-REB-52).
func (c *Config) ttl() string {
	switch {
	case c.Force5m:
		return "5m"
	case c.Enable1h:
		return "1h"
	}
	return c.Switches.CacheTTL
}
