package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"harnessbench/conformance/run"
	"harnessbench/scenarios"
)

// loadStories reads scenario files and directories of them, in the order given, directories by name.
func loadStories(paths []string) ([]*scenarios.Scenario, error) {
	var files []string
	for _, p := range paths {
		info, err := os.Stat(p)
		if err != nil {
			return nil, fmt.Errorf("%s: no such scenario file or directory", p)
		}
		if info.Mode().IsRegular() {
			files = append(files, p)
			continue
		}
		if !info.IsDir() {
			return nil, fmt.Errorf("%s: neither a file nor a directory", p)
		}
		found, err := storyFiles(p)
		if err != nil {
			return nil, err
		}
		if len(found) == 0 {
			return nil, fmt.Errorf("%s: no scenario (*.yaml) in this directory", p)
		}
		slices.Sort(found)
		files = append(files, found...)
	}
	var out []*scenarios.Scenario
	var bad scenarios.Errors
	for _, f := range files {
		sc, err := scenarios.Load(os.DirFS(filepath.Dir(f)), filepath.Base(f))
		var faults scenarios.Errors
		switch {
		case errors.As(err, &faults):
			// The loader knows the file by its name in the directory; people need the path they typed.
			for _, e := range faults {
				e.File = filepath.ToSlash(f)
			}
			bad = append(bad, faults...)
		case err != nil:
			return nil, err
		default:
			sc.File = filepath.ToSlash(f)
			bad = append(bad, run.Unknown(sc)...)
			out = append(out, sc)
		}
	}
	if len(bad) > 0 {
		return nil, bad
	}
	return out, nil
}

// storyFiles are the *.yaml files of a directory, by name; hidden ones and what is no file are left out.
func storyFiles(dir string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var out []string
	for _, e := range entries {
		if e.Type().IsRegular() && filepath.Ext(e.Name()) == ".yaml" && e.Name()[0] != '.' {
			out = append(out, filepath.Join(dir, e.Name()))
		}
	}
	return out, nil
}
