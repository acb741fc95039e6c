package main

import (
	"fmt"
	"os"
	"path/filepath"

	"harnessbench/conformance/trace"
)

// traceFile writes one event stream.
type traceFile struct {
	file *os.File
	out  *trace.Writer
	err  error
}

func openTrace(path string) (*traceFile, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return nil, fmt.Errorf("--trace: %w", err)
	}
	f, err := os.Create(path)
	if err != nil {
		return nil, fmt.Errorf("--trace: %w", err)
	}
	return &traceFile{file: f, out: trace.NewWriter(f)}, nil
}

func (t *traceFile) event(e trace.Event) {
	if t.err == nil {
		t.err = t.out.Write(e)
	}
}

// close ends the file; the first error of all writes is returned.
func (t *traceFile) close() error {
	if err := t.out.Flush(); t.err == nil {
		t.err = err
	}
	if err := t.file.Close(); t.err == nil {
		t.err = err
	}
	if t.err != nil {
		return fmt.Errorf("--trace: %w", t.err)
	}
	return nil
}
