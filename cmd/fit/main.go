// Command fit fits the coefficients of the token counter and prints them with their figures. It is run by hand
// when there are new recordings:
//
//	go run ./cmd/fit DIR/token-pairs.jsonl.gz
//
// The requests themselves are read from the exchanges-*.jsonl.gz beside the file. What it prints stands in
// package internal/tokens; a test with the tag outside sees when the two differ.
package main

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"harnessbench/internal/tokens"
	"harnessbench/internal/tokens/fit"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: fit DIR/token-pairs.jsonl.gz")
		os.Exit(2)
	}
	if err := run(os.Args[1], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "fit:", err)
		os.Exit(2)
	}
}

func run(file string, out io.Writer) error {
	pairs, err := readPairs(file)
	if err != nil {
		return err
	}
	samples, err := fit.Samples(pairs)
	if err != nil {
		return err
	}
	for _, g := range []string{"3.x", "4.x", "4.7+"} {
		mine := only(samples, g)
		fixed := only(fit.FixedPoints(), g)
		p := fit.Fit(g, append(slices.Clone(mine), fixed...))
		fmt.Fprintf(out, "%s\n  %s\n", g, coefficients(p))
		for _, tools := range []bool{true, false} {
			name := map[bool]string{true: "with tools   ", false: "without tools"}[tools]
			fmt.Fprintf(out, "  %s  fitted    %s\n", name, fit.Measure(mine, p, tools))
			fmt.Fprintf(out, "  %s  held out  %s\n", name, fit.HeldOut(g, mine, fixed, tools))
			fmt.Fprintf(out, "  %s  published %s\n", name, fit.Measure(mine, fit.Published(g), tools))
		}
	}
	return nil
}

func only(samples []fit.Sample, generation string) []fit.Sample {
	var out []fit.Sample
	for _, s := range samples {
		if s.Generation == generation {
			out = append(out, s)
		}
	}
	return out
}

// coefficients are the parameters as package tokens spells them.
func coefficients(p fit.Parameters) string {
	var parts []string
	for k := range tokens.NumFeatures {
		if p[k] != 0 {
			parts = append(parts, fmt.Sprintf("%s: %g", k, p[k]))
		}
	}
	around := p[tokens.NumFeatures:]
	return strings.Join(parts, ", ") + fmt.Sprintf("; base: %g, turn: %g, system: %g", around[0], around[1], around[2])
}

// readPairs reads the pairs and, from the files beside them, the requests they speak of.
func readPairs(file string) ([]fit.Pair, error) {
	files, err := filepath.Glob(filepath.Join(filepath.Dir(file), "exchanges-*.jsonl.gz"))
	if err != nil {
		return nil, fmt.Errorf("exchanges-*.jsonl.gz beside %s: %w", file, err)
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("no exchanges-*.jsonl.gz beside %s; they hold the requests that its pairs speak of", file)
	}
	bodies := map[string][]byte{}
	for _, name := range files {
		err := lines(name, func(line []byte) error {
			var e struct {
				ID   string          `json:"id"`
				Raw  string          `json:"request_raw"`
				Body json.RawMessage `json:"request_body"`
			}
			if err := json.Unmarshal(line, &e); err != nil {
				return err
			}
			if bodies[e.ID] = e.Body; json.Valid([]byte(e.Raw)) {
				bodies[e.ID] = []byte(e.Raw)
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	var out []fit.Pair
	err = lines(file, func(line []byte) error {
		var p struct {
			ID       string         `json:"id"`
			Model    string         `json:"model"`
			Recorded string         `json:"recorded"`
			Total    int            `json:"total_input_tokens"`
			Counts   map[string]int `json:"counts"`
		}
		if err := json.Unmarshal(line, &p); err != nil {
			return err
		}
		out = append(out, fit.Pair{ID: p.ID, Model: p.Model, Recorded: p.Recorded, Body: bodies[p.ID], Total: p.Total, Tools: p.Counts["tools"] > 0})
		return nil
	})
	return out, err
}

// lines hands on each line of a compressed file.
func lines(name string, each func([]byte) error) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }() // only read
	z, err := gzip.NewReader(f)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	in := bufio.NewReaderSize(z, 1<<20)
	for {
		line, err := in.ReadBytes('\n')
		if len(bytes.TrimSpace(line)) > 0 {
			if err := each(line); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
		}
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return fmt.Errorf("%s: %w", name, err)
		}
	}
}
