package run

import (
	"bytes"
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
		d.past.log(e.Log)
	}
}
