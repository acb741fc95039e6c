package harness

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Switches are the named options of harness.md 1.5 that are built; the zero value holds the defaults.
type Switches struct {
	CacheTTL      string // cache.ttl: 1h (default), 5m
	VolatilePlace string // volatile.place: "" by model (system where taken, else prompt); system, prompt, tail
	InjectTime    bool   // inject.time
	EagerTools    bool   // stream.eagerTools
	ThinkingKeep  string // thinking.keep: all (default), last-turn
	Thinking      string // thinking: "" by model; adaptive, enabled, off
	Breakpoints   string // cache.breakpoints: priority (default), two
	OnBreak       string // thinking.onBreak: drop (default), drop-block, server
	Fork          string // log.fork: remap (default), preserve (H-CMD-52)
	BackupName    string // log.backupName: content (default), path (H-LOG-62)
	Chain         string // log.chain: linear (default), source-tool (H-LOG-32)
	Writers       string // log.writers: detect (default), refuse, fork (H-LOG-87, D11)
	Dangling      string // resume.dangling: stop (default), bridge (H-LOG-84)
	Profile       string // profile: full (default), teaching (H-TOOL-6); it changes with the next session

	Micro              string // micro.mode: time (default), cached, position, off (H-CMP-20 to H-CMP-23)
	MicroClearAtLeast  string // micro.clearAtLeast: derived (default), or a number of tokens (H-CMP-26)
	MicroExpectedCalls string // micro.expectedCalls: 10 (default), or another number of calls (H-CMP-26)
	MicroUnconditional bool   // micro.unconditional: clear without asking what it costs, a fault (H-CMP-27)
	Snip               bool   // snip (H-CMP-17)
	Collapse           bool   // collapse (H-CMP-30)

	NoAuto         bool   // compact.auto=off (H-CMP-40)
	Cooldown       string // compact.cooldown: none (default), or a duration as 30m (H-CMP-63)
	KeepRecent     bool   // compact.keepRecent=20 (H-CMP-74)
	SummaryRequest string // compact.request: shared-prefix (default), no-tools (H-CMP-46)
	CompactServer  bool   // compact.server: the server compacts (H-CMP-82 to H-CMP-87)
	SessionMemory  bool   // compact.sessionMemory: a file that is kept up is the summary (H-CMP-80)
}

// Values of log.chain and resume.dangling that are not the default.
const (
	ChainSourceTool = "source-tool" // a result hangs from the entry of its call
	DanglingBridge  = "bridge"      // a path goes on behind a parent that is not there
)

// ProfileTeaching is the value of profile under which the tools are those of a small harness (H-TOOL-6).
const ProfileTeaching = "teaching"

// KeepLastTurn is the value of thinking.keep under which only the open turn sends its thinking (H-LOOP-54).
const KeepLastTurn = "last-turn"

// Values of micro.mode (H-CMP-20 to H-CMP-23).
const (
	MicroTime     = "time"     // when no answer came for so long that the cache is gone
	MicroCached   = "cached"   // when many results are there; the server clears, the payload stays
	MicroPosition = "position" // by place alone, whatever the tool, where it pays
	MicroOff      = "off"
)

// ClearDerived is the value of micro.clearAtLeast under which the limit follows from prices (H-CMP-26).
const ClearDerived = "derived"

// RequestNoTools is the value of compact.request under which a summary is asked for without tools (H-CMP-46).
const RequestNoTools = "no-tools"

// noCooldown is the value of compact.cooldown under which a breaker that opened stays open (H-CMP-63).
const noCooldown = "none"

// These stand among the values of a switch that also takes whole numbers from 0, or lengths of time.
const (
	aNumber   = "a number"
	aDuration = "a duration"
)

// switchNames are the switches with their values, the default first.
var switchNames = [...]struct {
	name   string
	values []string
	set    func(s *Switches, value string)
}{
	{"cache.breakpoints", []string{"priority", "two"}, func(s *Switches, v string) { s.Breakpoints = v }},
	{"cache.ttl", []string{"1h", "5m"}, func(s *Switches, v string) { s.CacheTTL = v }},
	{"collapse", []string{"off", "on"}, func(s *Switches, v string) { s.Collapse = v == "on" }},
	{"compact.auto", []string{"on", "off"}, func(s *Switches, v string) { s.NoAuto = v == "off" }},
	{"compact.cooldown", []string{noCooldown, aDuration}, func(s *Switches, v string) { s.Cooldown = v }},
	{"compact.keepRecent", []string{"0", "20"}, func(s *Switches, v string) { s.KeepRecent = v == "20" }},
	{"compact.request", []string{"shared-prefix", RequestNoTools}, func(s *Switches, v string) { s.SummaryRequest = v }},
	{"compact.server", []string{"off", "on"}, func(s *Switches, v string) { s.CompactServer = v == "on" }},
	{"compact.sessionMemory", []string{"off", "on"}, func(s *Switches, v string) { s.SessionMemory = v == "on" }},
	{"inject.time", []string{"off", "on"}, func(s *Switches, v string) { s.InjectTime = v == "on" }},
	{"log.fork", []string{"remap", "preserve"}, func(s *Switches, v string) { s.Fork = v }},
	{"log.backupName", []string{"content", "path"}, func(s *Switches, v string) { s.BackupName = v }},
	{"log.chain", []string{"linear", ChainSourceTool}, func(s *Switches, v string) { s.Chain = v }},
	{"log.writers", []string{WritersDetect, WritersRefuse, WritersFork}, func(s *Switches, v string) { s.Writers = v }},
	{"micro.clearAtLeast", []string{ClearDerived, aNumber}, func(s *Switches, v string) { s.MicroClearAtLeast = v }},
	{"micro.expectedCalls", []string{"10", aNumber}, func(s *Switches, v string) { s.MicroExpectedCalls = v }},
	{"micro.mode", []string{MicroTime, MicroCached, MicroPosition, MicroOff}, func(s *Switches, v string) { s.Micro = v }},
	{"micro.unconditional", []string{"off", "on"}, func(s *Switches, v string) { s.MicroUnconditional = v == "on" }},
	{"profile", []string{"full", ProfileTeaching}, func(s *Switches, v string) { s.Profile = v }},
	{"resume.dangling", []string{"stop", DanglingBridge}, func(s *Switches, v string) { s.Dangling = v }},
	{"snip", []string{"off", "on"}, func(s *Switches, v string) { s.Snip = v == "on" }},
	{"stream.eagerTools", []string{"off", "on"}, func(s *Switches, v string) { s.EagerTools = v == "on" }},
	{"thinking", []string{"adaptive", "enabled", "off"}, func(s *Switches, v string) { s.Thinking = v }},
	{"thinking.onBreak", []string{OnBreakDrop, OnBreakDropBlock, OnBreakServer}, func(s *Switches, v string) { s.OnBreak = v }},
	{"thinking.keep", []string{"all", KeepLastTurn}, func(s *Switches, v string) { s.ThinkingKeep = v }},
	{"volatile.place", []string{"system", "prompt", "tail"}, func(s *Switches, v string) { s.VolatilePlace = v }},
}

// ParseSwitches reads switches by their names; an unknown name or value is an error that lists what exists.
func ParseSwitches(set map[string]string) (Switches, error) {
	var s Switches
	for _, name := range slices.Sorted(maps.Keys(set)) {
		if err := s.set(name, set[name]); err != nil {
			return Switches{}, err
		}
	}
	return s, nil
}

func (s *Switches) set(name, value string) error {
	names := make([]string, 0, len(switchNames))
	for _, sw := range switchNames {
		if sw.name != name {
			names = append(names, sw.name)
			continue
		}
		if !takes(sw.values, value) {
			return fmt.Errorf("switch %s: %q is no value of it; it takes %s", name, value, strings.Join(sw.values, ", "))
		}
		sw.set(s, value)
		return nil
	}
	return fmt.Errorf("no switch is called %q; there are %s", name, strings.Join(names, ", "))
}

// takes tells a value that is one of those listed, or of a kind that is.
func takes(values []string, value string) bool {
	switch {
	case value == aNumber, value == aDuration:
		return false
	case slices.Contains(values, value), slices.Contains(values, aNumber) && whole(value):
		return true
	}
	d, err := time.ParseDuration(value)
	return slices.Contains(values, aDuration) && err == nil && d > 0
}

// whole tells a whole number from 0 that no limit here exceeds.
func whole(value string) bool {
	n, err := strconv.ParseUint(value, 10, 31)
	return err == nil && value == strconv.FormatUint(n, 10)
}

// check refuses values that ParseSwitches would not have let in.
func (s Switches) check() error {
	for _, f := range []struct{ name, value string }{
		{"cache.breakpoints", s.Breakpoints}, {"thinking.onBreak", s.OnBreak},
		{"cache.ttl", s.CacheTTL}, {"thinking", s.Thinking}, {"thinking.keep", s.ThinkingKeep}, {"volatile.place", s.VolatilePlace},
		{"log.fork", s.Fork}, {"log.backupName", s.BackupName},
		{"log.chain", s.Chain}, {"log.writers", s.Writers}, {"resume.dangling", s.Dangling}, {"profile", s.Profile},
		{"micro.mode", s.Micro}, {"micro.clearAtLeast", s.MicroClearAtLeast}, {"micro.expectedCalls", s.MicroExpectedCalls},
		{"compact.cooldown", s.Cooldown}, {"compact.request", s.SummaryRequest},
	} {
		if f.value == "" {
			continue
		}
		if err := s.set(f.name, f.value); err != nil {
			return err
		}
	}
	return nil
}
