package scenarios

import (
	"io/fs"
	"path"
	"regexp"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml/ast"
)

// LoadServed reads what a server can be given: a story, or a script with the key rules, lanes, default or autopilot.
// One of the two is nil. What is wrong with the file comes as Errors.
func LoadServed(fsys fs.FS, name string) (*Scenario, *Script, error) {
	f := &faults{file: name}
	data, err := fs.ReadFile(fsys, path.Clean(name))
	if err != nil {
		f.add(place{}, "cannot be read: "+reason(err), "a story or script file, such as scenarios/rewind.yaml")
		return nil, nil, f.err()
	}
	root := f.parse(data)
	if err := f.err(); err != nil {
		return nil, nil, err
	}
	if !isScript(root) {
		s, err := Load(fsys, name)
		return s, nil, err
	}
	s, err := f.loadScript(root)
	return nil, s, err
}

func isScript(root ast.Node) bool {
	if child(root, "steps") != nil || child(root, "story") != nil {
		return false
	}
	for _, k := range []string{"script", "rules", "lanes", "default", "autopilot"} {
		if child(root, k) != nil {
			return true
		}
	}
	return false
}

func (f *faults) loadScript(root ast.Node) (*Script, error) {
	f.script = true
	f.check(root, scriptShape(), "the script")
	if err := f.err(); err != nil {
		return nil, err
	}
	s := &Script{
		Name: strings.TrimSuffix(path.Base(f.file), path.Ext(f.file)), File: f.file,
		Script: strings.TrimSpace(str(child(root, "script"))),
		Rules:  f.rules(child(root, "rules")), Default: f.optional(child(root, "default")),
	}
	if a := child(root, "autopilot"); a != nil {
		seed := uint64(whole(a))
		s.Autopilot = &seed
	}
	for _, n := range elements(child(root, "lanes")) {
		s.Lanes = append(s.Lanes, Lane{
			Name: str(child(n, "name")), When: f.match(child(n, "when")),
			Rules: f.rules(child(n, "rules")), Default: f.optional(child(n, "default")),
		})
	}
	for _, n := range elements(child(root, "faults")) {
		one := ScriptFault{Fault: faultsOf(n)[0]}
		var with []Setting
		for _, p := range one.With {
			switch p.Name {
			case "model", "text", "chance":
				one.Match = append(one.Match, p)
			default:
				with = append(with, p)
			}
		}
		one.With = with
		s.Faults = append(s.Faults, one)
	}
	f.checkStrays()
	if err := f.err(); err != nil {
		return nil, err
	}
	return s, nil
}

func (f *faults) optional(n ast.Node) *Answer {
	if n == nil {
		return nil
	}
	a := f.answer(n)
	return &a
}

func (f *faults) rules(n ast.Node) (out []Rule) {
	for _, r := range elements(n) {
		rule := Rule{Name: str(child(r, "name")), When: f.match(child(r, "when")), Expect: f.match(child(r, "expect")), Repeat: isTrue(child(r, "repeat"))}
		for _, a := range elements(child(r, "answers")) {
			rule.Answers = append(rule.Answers, f.answer(a))
		}
		out = append(out, rule)
	}
	return out
}

func (f *faults) match(n ast.Node) Match {
	m := Match{
		Model: str(child(n, "model")), Text: f.textMatch(child(n, "text")), System: f.textMatch(child(n, "system")),
		Tools: texts(child(n, "tools")), NoTools: isTrue(child(n, "no_tools")),
		Call: whole(child(n, "call")), Round: whole(child(n, "round")),
		MaxTokensFrom: whole(child(n, "max_tokens_from")), MaxTokensTo: whole(child(n, "max_tokens_to")), Stream: boolean(child(n, "stream")),
	}
	if m.Model != "" {
		if _, err := path.Match(m.Model, ""); err != nil {
			f.add(where(child(n, "model")), "model is "+strconv.Quote(m.Model)+", which is no pattern", "a model, or a pattern such as claude-haiku-*")
		}
	}
	if r := child(n, "result"); r != nil {
		m.Result = &ResultMatch{Of: str(child(r, "of")), ID: str(child(r, "id")), Text: f.textMatch(child(r, "text")), Error: boolean(child(r, "error"))}
	}
	if not := child(n, "not"); not != nil {
		inner := f.match(not)
		m.Not = &inner
	}
	return m
}

func boolean(n ast.Node) *bool {
	if n == nil {
		return nil
	}
	b := isTrue(n)
	return &b
}

func (f *faults) textMatch(n ast.Node) TextMatch {
	if n == nil {
		return TextMatch{}
	}
	if _, isMap := pairs(n); !isMap {
		return TextMatch{Equals: str(n)}
	}
	m := TextMatch{Equals: str(child(n, "equals")), Contains: str(child(n, "contains")), Matches: str(child(n, "matches"))}
	if _, err := regexp.Compile(m.Matches); err != nil {
		f.add(where(child(n, "matches")), "matches is "+strconv.Quote(m.Matches)+", which is no regular expression", "one in the syntax of RE2, such as fail(s|ed)$")
	}
	return m
}

// shape is what the file may say, and what it is called.
func (f *faults) shape() *shape {
	switch {
	case f.script:
		return scriptShape()
	case f.listed:
		return policiesShape()
	}
	return storyShape()
}

func (f *faults) what() string {
	switch {
	case f.script:
		return "a script"
	case f.listed:
		return "a list of policies"
	}
	return "a story"
}
