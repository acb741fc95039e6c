package main

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"harnessbench/harness"
	"harnessbench/harness/sessionlog"
)

// defaultModel is the model of a chat that names none.
const defaultModel = "claude-sonnet-5-5"

// config puts flags and environment together; a flag wins.
func (f *chatting) config(env func(string) string) (harness.Config, error) {
	cfg := harness.Config{
		Model: cmp.Or(f.model, env("ANTHROPIC_MODEL"), defaultModel), ModelGiven: cmp.Or(f.model, env("ANTHROPIC_MODEL")) != "",
		Fallback: f.fallback, Mode: f.mode, MaxTurns: f.maxTurns, MaxBudgetUSD: f.budget,
		NoSummaryOffer: f.noOffer, NoPersistence: f.noPersistence, APIKey: env("ANTHROPIC_API_KEY"),
	}
	if cfg.APIKey == "" {
		return cfg, errors.New("the environment has no ANTHROPIC_API_KEY; for a server of bench serve any text will do")
	}
	if f.print {
		cfg.Entrypoint = "sdk-cli"
	}
	cfg.Platform, cfg.Shell = platform(env)
	if err := f.directories(env, &cfg); err != nil {
		return cfg, err
	}
	var err error
	if cfg.Switches, err = harness.ParseSwitches(f.set); err != nil {
		return cfg, fmt.Errorf("--set: %w", err)
	}
	return cfg, variables(env, &cfg)
}

// directories finds the project and the place of the sessions (H-LOG-1, H-LOG-4).
func (f *chatting) directories(env func(string) string, cfg *harness.Config) error {
	cwd := f.cwd
	if cwd == "" {
		var err error
		if cwd, err = os.Getwd(); err != nil {
			return fmt.Errorf("the directory you are in cannot be told: %w; give --cwd", err)
		}
	}
	info, err := os.Stat(cwd)
	switch {
	case err != nil:
		return fmt.Errorf("--cwd: %w", err)
	case !info.IsDir():
		return fmt.Errorf("--cwd: %s is no directory", cwd)
	}
	if cfg.Cwd, err = absolute(cwd); err != nil {
		return fmt.Errorf("--cwd: %w", err)
	}
	if cfg.Cwd, err = filepath.EvalSymlinks(cfg.Cwd); err != nil {
		return fmt.Errorf("--cwd: %w", err)
	}
	// The flag stands for the variable; all else that follows from it is the log's own rule.
	given := func(name string) string {
		if name == sessionlog.ConfigVariable {
			return cmp.Or(f.configDir, env(name))
		}
		return env(name)
	}
	home, err := os.UserHomeDir()
	if err != nil && given(sessionlog.ConfigVariable) == "" {
		return fmt.Errorf("there is no home directory: %w; give --config-dir", err)
	}
	var dir string
	dir, cfg.ProjectDirName = sessionlog.Locate(given, filepath.ToSlash(home))
	if cfg.ConfigDir, err = absolute(dir); err != nil {
		return fmt.Errorf("--config-dir: %w", err)
	}
	return nil
}

func absolute(path string) (string, error) {
	abs, err := filepath.Abs(path)
	return filepath.ToSlash(abs), err
}

// variables reads the rest of the environment (H-LOOP-7, H-LOOP-11, H-LOOP-46, H-REB-52, H-LOG-8, H-CMP-35, H-CMP-37,
// H-CMP-40).
func variables(env func(string) string, cfg *harness.Config) error {
	for _, v := range []struct {
		name string
		to   *bool
	}{
		{"FORCE_PROMPT_CACHING_5M", &cfg.Force5m},
		{"ENABLE_PROMPT_CACHING_1H", &cfg.Enable1h},
		{"CLAUDE_CODE_SKIP_PROMPT_HISTORY", &cfg.NoPersistence},
		{"DISABLE_AUTO_COMPACT", &cfg.NoAutoCompact},
		{"DISABLE_COMPACT", &cfg.NoCompact},
	} {
		on, err := truth(env, v.name)
		if err != nil {
			return err
		}
		*v.to = *v.to || on
	}
	retries, given, err := number(env, "CLAUDE_CODE_MAX_RETRIES", 0)
	if err != nil {
		return err
	}
	if cfg.MaxRetries = retries; given && retries == 0 {
		cfg.MaxRetries = -1 // none, where Config has 0 for the usual number
	}
	turns, given, err := number(env, "CLAUDE_CODE_MAX_TURNS", 1)
	if err != nil {
		return err
	}
	if given && cfg.MaxTurns == 0 {
		cfg.MaxTurns = turns
	}
	if cfg.Window, _, err = number(env, "CLAUDE_CODE_AUTO_COMPACT_WINDOW", 1); err != nil {
		return err
	}
	if share := env("CLAUDE_AUTOCOMPACT_PCT_OVERRIDE"); share != "" {
		if cfg.CompactPercent, err = strconv.Atoi(share); err != nil || cfg.CompactPercent == 0 {
			cfg.CompactPercent = -1 // ignored, and reported
		}
	}
	cfg.MaxToolConcurrency, _, err = number(env, "CLAUDE_CODE_MAX_TOOL_USE_CONCURRENCY", 1)
	return err
}

// truth reads a variable that is on or off.
func truth(env func(string) string, name string) (bool, error) {
	switch strings.ToLower(env(name)) {
	case "", "0", "false", "no", "off":
		return false, nil
	case "1", "true", "yes", "on":
		return true, nil
	}
	return false, fmt.Errorf("%s is %q; it is 1 or 0", name, env(name))
}

// number reads a variable that is a whole number of at least least.
func number(env func(string) string, name string, least int) (n int, given bool, err error) {
	text := env(name)
	if text == "" {
		return 0, false, nil
	}
	if n, err = strconv.Atoi(text); err != nil || n < least {
		return 0, false, fmt.Errorf("%s is %q, want a whole number from %d", name, text, least)
	}
	return n, true, nil
}
