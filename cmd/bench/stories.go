package main

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"harnessbench/conformance/invariant"
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
			bad = append(bad, unknownChecks(sc)...)
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

// unknownChecks are the faults of expectations about checks that do not exist: the loader of stories does not
// know the catalogue.
func unknownChecks(sc *scenarios.Scenario) (bad scenarios.Errors) {
	var ids []string
	for _, info := range invariant.Catalogue() {
		ids = append(ids, info.ID)
	}
	for _, id := range slices.Sorted(maps.Keys(sc.Expect.Checks)) {
		if at := sc.Expect.CheckAt[id]; !slices.Contains(ids, id) {
			bad = append(bad, &scenarios.Error{File: sc.File, Line: at.Line, Column: at.Column,
				What: fmt.Sprintf("there is no check %q", id), Want: "known here: " + strings.Join(ids, ", ")})
		}
	}
	return bad
}
