package main

import (
	"fmt"
	"net/url"
	"os"

	"harnessbench/conformance/run"
	"harnessbench/conformance/suite/real"
)

// openEngine resolves --api: the fake in this process, or a server at a URL.
func openEngine(api string) (engine run.Engine, done func() error, err error) {
	if api == "fake" {
		return run.Loop{}, func() error { return nil }, nil
	}
	u, err := url.Parse(api)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return nil, nil, fmt.Errorf("--api: %q is neither fake nor a URL such as http://127.0.0.1:8402", api)
	}
	dir, err := os.MkdirTemp("", "bench-run-")
	if err != nil {
		return nil, nil, fmt.Errorf("--api: %w", err)
	}
	e := &real.Engine{BaseURL: api, Dir: dir}
	return e, e.Close, nil
}
