package invariant

import (
	"fmt"
	"time"

	"harnessbench/internal/prefix"
)

// Numbers of harness.md 10.7 and 10.8.
const (
	maxFailures = 3               // compactions in a row that fail (H-CMP-63)
	maxRefills  = 3               // times in a row that the threshold is reached again at once (H-CMP-64)
	refillCalls = 2               // main answers within which that counts as at once
	maxHeadCuts = 3               // requests for one summary that are made shorter (H-CMP-54)
	maxAttempts = 16              // of one request, the first included (H-LOOP-46)
	maxLasting  = 1 + maxHeadCuts // refusals of requests for one summary that stay: and one for thinking that is left out then
)

// cmp4 counts compactions that fail or do not last.
type cmp4 struct {
	failures int
	newest   *attempt // that failed
	refused  prefix.Hash
	by       int // call refused for good, 0 for none
	asked    *attempt
	last     *commit
	refills  int

	wire     bool    // the stream is that of a foreign harness: wire bytes alone are known
	resent   resends // on such a stream
	reactive int     // compactions that a refusal caused and that failed, since anything went well
	prompt   *entry  // of the turn in which they did
}

func (o *cmp4) see(m *moment, t *tally) {
	if m.Run != nil {
		o.wire = m.Run.Engine == "process"
	}
	if o.wire {
		o.resent.see(m, t)
		return
	}
	switch {
	case m.Op != nil && (m.Op.Name == "resume" || m.Op.Name == "clear"):
		*o = cmp4{}
	case m.Fault != nil && m.Fault.Name == "kill":
		*o = cmp4{}
	case m.Op != nil && m.Op.Name == "set":
		o.refills = 0
	case m.tried != nil && m.Request != nil:
		o.request(m, t)
	case m.tried != nil:
		if stays(m.Event.Response.Status) {
			o.by, o.refused, o.asked = m.call.number, prefix.Hash(m.call.digestOfBody()), m.tried
		} else if m.tried.answered {
			o.by = 0
		}
	case m.commit != nil:
		o.committed(m.commit, t)
	case m.write != nil && m.write.spans, m.taken:
		o.failures = 0
	}
	if a := m.failed; a != nil && a.trigger == byItself && !a.aborted {
		o.failures++
		o.newest = a
	}
	o.reacts(m)
}

// reacts counts the compactions of a turn that a refusal of its prompt caused and that failed (H-CMP-60).
func (o *cmp4) reacts(m *moment) {
	x := m.reading.compacts
	well := m.commit != nil || m.taken || m.Event.Response != nil && m.call != nil && m.call.chain.main() && m.answer.accepted
	if well || m.Op != nil && !beside(m.Op.Name) || x.prompt != o.prompt {
		o.reactive, o.prompt = 0, x.prompt
	}
	if a := m.failed; a != nil && a.trigger == byRefuse && !a.aborted {
		o.reactive++
	}
}

func (o *cmp4) request(m *moment, t *tally) {
	a := m.tried
	if a.requests == 1 {
		t.occasion()
		if a.trigger == byItself && o.failures >= maxFailures && !cooled(m.reading.compacts.options["compact.cooldown"], m.At-o.newest.ended) {
			t.broken(fmt.Sprintf("breaker %d", m.call.number), fmt.Sprintf("call %d asks for a summary that no command wants", m.call.number),
				fmt.Sprintf("%d such compactions failed in a row before it, the last one in step %d", o.failures, o.newest.step))
		}
	}
	if a.requests == 1 && a.trigger == byRefuse && o.reactive >= maxFailures {
		t.broken(fmt.Sprintf("reactive %d", a.step), fmt.Sprintf("call %d asks for a summary since the prompt was refused as too long", m.call.number),
			fmt.Sprintf("%d such compactions failed in a row before it, in the same turn", o.reactive))
	}
	if a.lasting == maxLasting+1 && m.earlier != nil {
		t.broken(fmt.Sprintf("refused %d", a.first.number), fmt.Sprintf("call %d is request %d for one summary", m.call.number, a.requests),
			fmt.Sprintf("%d of them were refused with an error that stays; a shorter one is sent %d times at most", a.lasting, maxHeadCuts))
	}
	if n := (1 + maxHeadCuts) * maxAttempts; a.requests == n+1 {
		t.broken(fmt.Sprintf("attempts %d", m.call.number), fmt.Sprintf("call %d is request %d for one summary", m.call.number, a.requests),
			fmt.Sprintf("%d requests, each shortened at most %d times, are %d at most", maxAttempts, maxHeadCuts, n))
	}
	sameUser := a.trigger == byUser && o.asked != a // the user may ask again for what was refused
	if o.by > 0 && !sameUser && m.call.digestOfBody() == o.refused {
		t.broken(fmt.Sprintf("resent %d", m.call.number), fmt.Sprintf("call %d asks for a summary in the same bytes as call %d", m.call.number, o.by),
			fmt.Sprintf("call %d was refused with an error that stays", o.by))
	}
}

func (o *cmp4) committed(c *commit, t *tally) {
	o.failures = 0
	last := o.last
	o.last = c
	if last == nil || c.trigger == byUser || last.turn != c.turn || c.accepted-last.accepted > refillCalls {
		o.refills = 0
		return
	}
	if o.refills++; o.refills >= maxRefills {
		t.broken("thrash "+c.boundary.uuid, fmt.Sprintf("%s: compaction %d in a row, each within %d answers of the one before", c.file.at(c.boundary), o.refills+1, refillCalls),
			fmt.Sprintf("a context that is full again at once %d times in a row ends the turn", maxRefills))
	}
}

// stays tells whether a request that was refused with this status would be refused again.
func stays(status int) bool {
	return status >= 400 && status < 500 && status != 408 && status != 409 && status != 429
}

// cooled tells whether a breaker with this cool-down lets an attempt through so long after the failure that opened it.
func cooled(setting string, since time.Duration) bool {
	d, err := time.ParseDuration(setting)
	return err == nil && d > 0 && since >= d
}

// digestOfBody names the bytes of the request.
func (c *call) digestOfBody() prefix.Hash { return fieldsDigest(c.req.Root) }

// cmp5 looks at the size of summary requests.
type cmp5 struct{}

func (cmp5) see(m *moment, t *tally) {
	if m.tried == nil || m.Request == nil {
		return
	}
	t.occasion()
	a, c := m.tried, m.call
	if asked, ok := c.req.Get("max_tokens").Int(); ok && c.model.MaxOutput > 0 && int(asked) > c.model.MaxOutput {
		t.broken(fmt.Sprintf("output %d", c.number), fmt.Sprintf("call %d asks for a summary of up to %d tokens", c.number, asked),
			fmt.Sprintf("%s gives %d at most", c.model.ID, c.model.MaxOutput))
	}
	before := a.refused
	if before == nil {
		return
	}
	if now, then := c.rendered.Total, before.rendered.Total; now >= then && len(c.req.Body) >= len(before.req.Body) {
		t.broken(fmt.Sprintf("smaller %d", c.number), fmt.Sprintf("call %d asks for the summary with %d tokens", c.number, now),
			fmt.Sprintf("call %d was refused as too long with %d", before.number, then))
	}
	if a.tooLong > maxHeadCuts {
		t.broken(fmt.Sprintf("cuts %d", c.number), fmt.Sprintf("call %d is a further try", c.number),
			fmt.Sprintf("%d requests for this summary were refused as too long, and %d shorter ones are the limit", a.tooLong, maxHeadCuts))
	}
}
