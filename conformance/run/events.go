package run

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"

	"harnessbench/conformance/trace"
	"harnessbench/fakeapi"
)

var oneHour = regexp.MustCompile(`"ttl"\s*:\s*"1h"`)

// emit hands an event on and keeps what the story itself is judged by.
func (d *driver) emit(e trace.Event) {
	d.judge.Event(e)
	for _, l := range d.opt.Listen {
		l(e)
	}
	switch e.Kind {
	case trace.KindRequest:
		d.past.sent()
		d.longTTL = d.longTTL || oneHour.Match(e.Request.Body)
		k := 1
		for i := len(d.calls) - 1; i >= 0 && d.calls[i].Step == e.Step; i-- {
			k++
		}
		c := Call{Name: fmt.Sprintf("%d.%d", e.Step, k), Step: e.Step, Number: e.Request.Call, Body: bytes.Clone(e.Request.Body)}
		d.calls = append(d.calls, c)
		if d.resumed && d.twins != nil {
			if live, ok := d.twins[c.Name]; ok {
				d.rec.event(trace.Event{Kind: trace.KindTwin, Twin: &trace.Twin{Call: c.Number, Body: live}})
			}
		}
		d.resumed = false
	case trace.KindResponse:
		d.notJudged = append(d.notJudged, unjudged(e.Response.View)...)
		d.unexpected = append(d.unexpected, refusedBy(e.Response, fakeapi.RuleExpectation)...)
		d.unscripted = append(d.unscripted, refusedBy(e.Response, fakeapi.RuleNoAnswer)...)
	case trace.KindLog:
		d.leaves.log(e.Log)
		d.copied(e.Log)
	}
}

// copied follows the prompts of the story into a fork, where they have new uuids (H-CMD-52).
func (d *driver) copied(l *trace.Log) {
	if !bytes.Contains(l.Data, []byte(`"forkedFrom"`)) {
		return
	}
	now := map[string]string{}
	for line := range bytes.Lines(l.Data) {
		var e struct {
			UUID       string
			ForkedFrom struct{ MessageUUID string }
		}
		if json.Unmarshal(line, &e) == nil && e.ForkedFrom.MessageUUID != "" {
			now[e.ForkedFrom.MessageUUID] = e.UUID
		}
	}
	for step, uuid := range d.prompts { // any order: each is looked up by itself
		if copy := now[uuid]; copy != "" {
			d.prompts[step] = copy
		}
	}
}
