package harness

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"harnessbench/harness/sessionlog"
	"harnessbench/harness/world"
	"harnessbench/internal/wire"
)

// Numbers of the retries (H-LOOP-46).
const (
	defaultRetries = 10
	mostRetries    = 15
	firstDelay     = 500 * time.Millisecond
	longestDelay   = 32 * time.Second
	longestWait    = time.Hour // of what a server may ask for
	jitterShare    = 4         // the jitter is at most a quarter of the delay
)

// Overloads in a row after which the fallback model is taken (H-LOOP-47).
const overloadsToFallBack = 3

// Retry is one failed try of a call that will be tried again (H-LOOP-49).
type Retry struct {
	Attempt, Max int           // this retry, from 1, and how many there may be
	Delay        time.Duration // until it is sent
	Status       int           // HTTP status of the failed try, 0 when none came or the stream broke
	Type         string        // error type, as in overloaded_error
	Message      string
}

// retries is how often one call is tried again.
func (s *Session) retries() int {
	switch n := s.cfg.MaxRetries; {
	case n < 0:
		return 0
	case n == 0:
		return defaultRetries
	default:
		return min(n, mostRetries)
	}
}

// attempts sends the next request until an answer comes, or an error that stays (H-LOOP-45 to H-LOOP-49). A retry sends
// the same bytes, save after a change of model, of a limit that the server found too high, or when thinking was
// refused. What a failed try streamed is nowhere: it completed nothing worth keeping (H-LOOP-44).
func (t *turn) attempts() (reply, error) {
	req, overloads, hollow, lowered := t.next(), 0, false, false
	for n := 1; ; {
		r := t.exchange(req)
		if r.fault == nil || r.interrupted || len(t.begun) > 0 {
			return r, nil
		}
		overloads++
		if !overloaded(r.fault) {
			overloads = 0
		}
		other := overloads == overloadsToFallBack && t.canFallBack()
		repaired, err := t.repair(r.fault)
		switch {
		case err != nil:
			return reply{}, err
		case repaired:
			req = t.next()
			continue
		case other:
		case !lowered && t.lower(r.fault):
			req, lowered = t.next(), true
			continue
		case r.lasting || r.answer != nil && worthKeeping(r.answer) || r.hollow && hollow || n > t.s.retries():
			return r, nil
		}
		hollow = hollow || r.hollow
		if err := t.pause(r, n); errors.Is(err, world.ErrInterrupted) {
			return reply{interrupted: true}, nil
		} else if err != nil {
			return reply{}, err
		}
		n++
		if other {
			if err := t.fallBack(); err != nil {
				return reply{}, err
			}
			req, n, overloads = t.next(), 1, 0
		}
	}
}

// pause logs the failed try and waits for the next one (H-LOOP-49).
func (t *turn) pause(r reply, n int) error {
	again := Retry{Attempt: n, Max: t.s.retries(), Delay: delay(n, r.wait, t.w.Random())}
	again.Status, again.Type, again.Message = told(r.fault)
	err := t.s.append(t.w, &sessionlog.Entry{
		Type: sessionlog.System, Subtype: "api_error", Level: "error", Detail: again.detail(),
	})
	if err != nil {
		return err
	}
	t.s.listener().Retrying(again)
	return t.w.Sleep(again.Delay)
}

// detail is the api_error entry's own members (H-LOG-41).
func (r Retry) detail() []byte {
	b := []byte(`{"error":{`)
	if r.Status != 0 {
		b = strconv.AppendInt(append(b, `"status":`...), int64(r.Status), 10)
		b = append(b, ',')
	}
	b = append(append(b, `"type":`...), sessionlog.Quote(r.Type)...)
	b = append(append(b, `,"message":`...), sessionlog.Quote(r.Message)...)
	return fmt.Appendf(b, `},"retryInMs":%d,"retryAttempt":%d,"maxRetries":%d}`, r.Delay.Milliseconds(), r.Attempt, r.Max)
}

// delay is the time before the n-th retry, n from 1: it doubles, and grows by a jitter so that chains that failed
// together do not come back together. What the server asks for wins when it is longer (H-LOOP-46).
func delay(n int, asked time.Duration, random uint64) time.Duration {
	d := longestDelay
	if n <= 6 { // 500 ms x 2^6 is the longest
		d = firstDelay << (n - 1)
	}
	jitter := time.Duration(random % uint64(d/jitterShare+1)).Truncate(time.Millisecond)
	return max(d, asked) + jitter
}

// asked reads a retry-after header: seconds, or a date. What cannot be read asks for nothing.
func asked(value string, now time.Time) time.Duration {
	value = strings.TrimSpace(value)
	if seconds, err := strconv.ParseFloat(value, 64); err == nil {
		if !(seconds > 0) {
			return 0
		}
		return time.Duration(min(seconds, longestWait.Seconds()) * float64(time.Second))
	}
	// The form of dates in HTTP headers.
	at, err := time.Parse("Mon, 02 Jan 2006 15:04:05 GMT", value)
	if err != nil {
		return 0
	}
	return min(max(0, at.Sub(now)), longestWait)
}

// lasting tells a refusal that the same request would meet again (H-LOOP-45). A spent limit is a 429 that no waiting ends.
func (e *APIError) lasting() bool {
	switch e.Status {
	case 429:
		return strings.HasSuffix(e.Code, "_spend_limit_reached") || strings.HasPrefix(e.Message, "You have reached your API usage limits")
	case 408, 409, 500, 502, 503, 504, 529:
		return false
	}
	return true
}

// lastingInStream tells an error event that the same request would meet again.
func lastingInStream(err error) bool {
	var e *wire.StreamError
	if !errors.As(err, &e) {
		return false
	}
	switch e.Type {
	case "invalid_request_error", "authentication_error", "permission_error", "not_found_error", "request_too_large", "billing_error":
		return true
	}
	return false
}

// overloaded tells a 529, or the same error inside a stream.
func overloaded(err error) bool {
	var refused *APIError
	var broke *wire.StreamError
	return errors.As(err, &refused) && refused.Status == 529 || errors.As(err, &broke) && broke.Type == "overloaded_error"
}

// told gives what a log says of an error.
func told(err error) (status int, typ, message string) {
	var refused *APIError
	var broke *wire.StreamError
	switch {
	case errors.As(err, &refused):
		return refused.Status, refused.Type, refused.Message
	case errors.As(err, &broke):
		return 0, broke.Type, broke.Message
	}
	return 0, "connection_error", err.Error()
}
