package scenarios

import (
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/goccy/go-yaml/ast"
)

// Load reads one story. What is wrong with the file comes as Errors, all of it at once where one
// fault does not hide the next.
func Load(fsys fs.FS, name string) (*Scenario, error) {
	f := &faults{file: name}
	data, err := fs.ReadFile(fsys, path.Clean(name))
	if err != nil {
		f.add(place{}, "cannot be read: "+reason(err), "a story file, such as scenarios/rewind.yaml")
		return nil, f.err()
	}
	root := f.parse(data)
	if err := f.err(); err != nil {
		return nil, err
	}
	f.check(root, storyShape(), "the story")
	if err := f.err(); err != nil {
		return nil, err
	}
	s := f.story(root)
	f.given(fsys, s, child(root, "log"))
	f.checkStrays()
	f.checkPossible(s, root)
	if err := f.err(); err != nil {
		return nil, err
	}
	return s, nil
}

// given reads the session log that a story begins with.
func (f *faults) given(fsys fs.FS, s *Scenario, at ast.Node) {
	if at == nil {
		return
	}
	name := path.Join(path.Dir(path.Clean(f.file)), str(at))
	data, err := fs.ReadFile(fsys, name)
	switch {
	case err != nil:
		f.add(where(at), "log "+str(at)+" cannot be read: "+reason(err), "a file beside the story, such as testdata/torn.jsonl")
	case len(data) == 0:
		f.add(where(at), "log "+str(at)+" is empty", "at least one line of a session log")
	}
	s.Log = data
}

// LoadAll reads the stories that the patterns name: a file, a directory (every *.yaml in it, one
// level deep), or a pattern of path.Match. Stories come in the order of the patterns, files of one
// pattern by name, each once. Faults of all files come together.
func LoadAll(fsys fs.FS, patterns ...string) ([]*Scenario, error) {
	var out []*Scenario
	var all Errors
	var seen []string
	for _, p := range patterns {
		files, fault := expand(fsys, p)
		if fault != nil {
			all = append(all, fault)
			continue
		}
		for _, name := range files {
			if slices.Contains(seen, path.Clean(name)) {
				continue
			}
			seen = append(seen, path.Clean(name))
			s, err := Load(fsys, name)
			var some Errors
			if errors.As(err, &some) {
				all = append(all, some...)
				continue
			}
			out = append(out, s)
		}
	}
	if len(all) > 0 {
		return nil, all
	}
	return out, nil
}

func expand(fsys fs.FS, pattern string) ([]string, *Error) {
	clean := path.Clean(pattern)
	if info, err := fs.Stat(fsys, clean); err == nil && !info.IsDir() {
		return []string{pattern}, nil
	} else if err == nil {
		clean = path.Join(clean, "*.yaml")
	} else if !strings.ContainsAny(pattern, `*?[`) {
		return nil, &Error{File: pattern, What: "cannot be read: " + reason(err), Want: "a story file, a directory of them, or a pattern such as scenarios/*.yaml"}
	}
	files, err := fs.Glob(fsys, clean)
	if err != nil {
		return nil, &Error{File: pattern, What: "is no pattern: " + err.Error(), Want: "a pattern such as scenarios/*.yaml"}
	}
	if len(files) == 0 {
		return nil, &Error{File: pattern, What: "names no story", Want: "a story file, a directory that holds *.yaml files, or a pattern such as scenarios/*.yaml"}
	}
	return files, nil
}

// reason is the error without the path, which the message names already.
func reason(err error) string {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err.Error()
	}
	return err.Error()
}
