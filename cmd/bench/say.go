package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"harnessbench/conformance/run"
	"harnessbench/fakeapi"
	"harnessbench/fakeapi/fault"
	"harnessbench/fakeapi/script"
	"harnessbench/scenarios"
)

// speech are the flags of serve that say what the model says and what goes wrong.
type speech struct {
	script    string
	autopilot uint64
	faults    []string
}

func (s *speech) flags(cmd *cobra.Command) {
	fl := cmd.Flags()
	fl.StringVar(&s.script, "script", "", "answer as the model of this story or script `file`")
	fl.Uint64Var(&s.autopilot, "autopilot", 0, "answer what no script does by an autopilot of this `seed`: it holds plausible conversations with any client's tools")
	fl.StringArrayVar(&s.faults, "fault", nil, "break answers: `NAME[,KEY=VALUE...]` such as overloaded,chance=0.1 or \"reset,at=event 5,call=2\"; repeat for more; bench serve --fault help lists them")
}

// errHelp is what --fault help ends with: nothing is served.
var errHelp = errors.New("help was asked for")

// into puts the flags into a server's options. piloted tells whether --autopilot was given.
func (s *speech) into(opt *fakeapi.Options, piloted bool) error {
	if s.script != "" {
		if err := s.load(opt); err != nil {
			return err
		}
	}
	if piloted {
		opt.Script.Autopilot = &script.Autopilot{Seed: s.autopilot}
	}
	for _, text := range s.faults {
		if text == "help" {
			return errHelp
		}
		f, err := fault.Parse(text)
		if err != nil {
			return fmt.Errorf("--fault: %w", err)
		}
		opt.Faults = append(opt.Faults, f)
	}
	return nil
}

// load reads a story or a script file.
func (s *speech) load(opt *fakeapi.Options) error {
	info, err := os.Stat(s.script)
	if err != nil {
		return fmt.Errorf("--script: %s: no such file", s.script)
	}
	if info.IsDir() {
		return fmt.Errorf("--script: %s is a directory; a server plays one story or script", s.script)
	}
	story, rules, err := scenarios.LoadServed(os.DirFS(filepath.Dir(s.script)), filepath.Base(s.script))
	var bad scenarios.Errors
	if errors.As(err, &bad) {
		for _, e := range bad { // the loader knows the file by its name in the directory; people need the path they typed
			e.File = filepath.ToSlash(s.script)
		}
		return bad
	}
	if err != nil {
		return err
	}
	if story != nil {
		opt.Script = run.Script(story)
		if opt.Cache.Policy, err = run.CachePolicy(story); err != nil {
			return err
		}
		opt.Faults, err = run.Faults(story)
		return err
	}
	opt.Script, opt.Faults, err = run.Served(rules)
	return err
}

// faultHelp lists the faults on demand.
func faultHelp() string {
	var b strings.Builder
	b.WriteString("--fault NAME[,KEY=VALUE...] breaks answers to POST /v1/messages. Every fault takes call (number among the calls\n" +
		"that match otherwise, from 1), model, text (in the newest user text) and chance (drawn from the seed).\n" +
		"Places (at): before_headers, after_headers, end, event 5, byte 3 of event 5, event message_delta,\n" +
		"event text_delta 2, event content_block_stop of tool_use 2.\n\n")
	for _, name := range fault.Kinds() {
		doc, at, params := fault.Describe(name)
		with := "at " + at
		if len(params) > 0 {
			with += "; " + strings.Join(params, ", ")
		}
		fmt.Fprintf(&b, "  %-18s %s (%s)\n", name, doc, with)
	}
	return b.String()
}
