package main

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"

	"harnessbench/conformance/invariant"
	"harnessbench/conformance/suite/record"
	"harnessbench/conformance/trace"
	"harnessbench/fakeapi"
)

// watcher turns the traffic of a server into a trace, for a file and for the judge.
type watcher struct {
	file  *traceFile       // nil: not recorded
	judge *invariant.Judge // nil: not judged
	out   io.Writer        // findings, as they come

	seq, calls int
	start      time.Time
	chains     *record.Chains
	told       map[invariant.Finding]bool
}

func newWatcher(start time.Time, seed uint64, file *traceFile, judge *invariant.Judge, out io.Writer) *watcher {
	w := &watcher{file: file, judge: judge, out: out, start: start, chains: record.NewChains(), told: map[invariant.Finding]bool{}}
	w.event(start, trace.Event{Kind: trace.KindRun, Run: &trace.Run{Version: trace.Version, Story: "serve", Engine: "process", Lane: "live", Seed: seed}})
	return w
}

func (w *watcher) event(at time.Time, e trace.Event) {
	e.Seq, e.At = w.seq, at.Sub(w.start)
	w.seq++
	if w.file != nil {
		w.file.event(e)
	}
	if w.judge == nil {
		return
	}
	w.judge.Event(e)
	for _, f := range w.judge.SoFar() {
		if !w.told[f] {
			w.told[f] = true
			w.tell(f)
		}
	}
}

func (w *watcher) tell(f invariant.Finding) {
	loss := ""
	if f.Level == invariant.C {
		loss = fmt.Sprintf(" (cost only: %d tokens)", f.Loss)
	}
	fmt.Fprintf(w.out, "call %d  %s%s: %s\n    but %s\n", f.Call, f.Check, loss, f.Fact, f.Other)
}

// Arrived implements httpfront.Watcher.
func (w *watcher) Arrived(n int, at time.Time, req fakeapi.Request, resp fakeapi.Response) {
	r := &trace.Request{Call: n, Method: req.Method, Path: req.Path, Header: fieldsOf(req.Header), Body: req.Body, Effective: []byte(resp.View.Effective)}
	if path, _, _ := strings.Cut(req.Path, "?"); path == "/v1/messages" {
		w.calls++
		r.Chain = w.chains.Of(n, r.Judged())
	}
	w.event(at, trace.Event{Kind: trace.KindRequest, Request: r})
}

// Left implements httpfront.Watcher.
func (w *watcher) Left(n int, at time.Time, resp fakeapi.Response, sent []byte, whole bool) {
	w.chains.Answered(n, resp.Status, sent, whole)
	view := resp.View
	view.Effective = "" // it stands in the request
	raw, err := json.Marshal(view)
	if err != nil { // plain fields always marshal
		raw = nil
	}
	w.event(at, trace.Event{Kind: trace.KindResponse, Response: &trace.Response{Call: n, Status: resp.Status, Header: fieldsOf(resp.Header),
		Body: sent, Ended: whole, View: raw}})
}

func fieldsOf(header []fakeapi.Field) []trace.Field {
	out := make([]trace.Field, len(header))
	for i, f := range header {
		out[i] = trace.Field(f)
	}
	return out
}

// close ends the trace and prints the verdicts; broken tells whether a check of level H broke.
func (w *watcher) close(at time.Time) (broken bool, err error) {
	w.event(at, trace.Event{Kind: trace.KindEnd, End: &trace.End{}})
	if w.judge != nil {
		var held, unknown []string
		for _, r := range w.judge.Results() {
			for _, f := range r.Findings {
				broken = broken || f.Level == invariant.H
				if !w.told[f] {
					w.tell(f)
				}
			}
			switch r.Verdict {
			case invariant.Held:
				held = append(held, r.Check)
			case invariant.Unknown:
				unknown = append(unknown, r.Check)
			}
		}
		fmt.Fprintf(w.out, "%d calls  held: %s  no occasion: %s\n", w.calls, list(held), list(unknown))
	}
	if w.file != nil {
		err = w.file.close()
	}
	return broken, err
}

func list(names []string) string {
	if len(names) == 0 {
		return "none"
	}
	return strings.Join(names, " ")
}
