package main

import (
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/signal"
	"syscall"

	"harnessbench/conformance/run"
	"harnessbench/conformance/suite/real"
)

// realAPI is where the real API answers.
const realAPI = "https://api.anthropic.com"

// openEngine resolves --api: the fake in this process, a server at a URL, or the real API.
func openEngine(f runFlags) (engine run.Engine, live *run.Live, done func() error, err error) {
	base := f.api
	switch f.api {
	case "fake":
		return run.Loop{}, nil, func() error { return nil }, nil
	case "real":
		key := os.Getenv("ANTHROPIC_API_KEY")
		if key == "" {
			return nil, nil, nil, errors.New("--api real: the environment has no ANTHROPIC_API_KEY")
		}
		base = f.baseURL
		if base == "" {
			base = realAPI
		}
		live = &run.Live{APIKey: key, BudgetUSD: f.budget}
	}
	u, err := url.Parse(base)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return nil, nil, nil, fmt.Errorf("%q is no URL of a server; --api takes fake, real, or a URL such as http://127.0.0.1:8402", base)
	}
	dir, err := os.MkdirTemp("", "bench-run-")
	if err != nil {
		return nil, nil, nil, fmt.Errorf("--api: %w", err)
	}
	e := &real.Engine{BaseURL: base, Dir: dir, Live: live != nil}
	return e, live, cleaned(e.Close), nil
}

// cleaned makes sure that what a run left on disk goes also when the program is interrupted.
func cleaned(remove func() error) func() error {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGINT, syscall.SIGTERM, syscall.SIGPIPE)
	ended := make(chan struct{})
	go func() {
		select {
		case <-signals:
			_ = remove() // the exit code tells of the interrupt
			os.Exit(exitBench)
		case <-ended:
		}
	}()
	return func() error {
		signal.Stop(signals)
		close(ended)
		return remove()
	}
}
