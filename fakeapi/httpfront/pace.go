package httpfront

import (
	"context"
	"net/http"
	"time"

	"harnessbench/fakeapi"
)

// pace sends an answer at its own times divided by Options.Speed, each frame in a write of its own. When the client
// goes away in the middle the machine is told, and the rest is dropped.
func (f *front) pace(w http.ResponseWriter, r *http.Request, began time.Time, resp fakeapi.Response) (sent int, ended bool) {
	flush := http.NewResponseController(w)
	for i, fr := range resp.Frames {
		due := began.Add(time.Duration(float64(fr.After) / f.opt.Speed))
		if f.opt.Wait(r.Context(), due.Sub(f.opt.Clock())) != nil {
			f.aborted(resp)
			return sent, false
		}
		if resp.Status == 0 {
			break
		}
		if i == 0 {
			setHeader(w, resp.Header)
			w.WriteHeader(resp.Status)
		}
		_, err := w.Write(fr.Data)
		if err == nil {
			err = flush.Flush()
		}
		if err != nil {
			f.aborted(resp)
			return sent, false
		}
		sent += len(fr.Data)
	}
	if resp.Broken != "" {
		breakOff(w, resp)
	}
	return sent, resp.Broken == ""
}

// aborted tells the machine that nobody reads the rest of an answer.
func (f *front) aborted(resp fakeapi.Response) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.server.Aborted(f.now(), resp)
}

// wait sleeps, unless the client goes away before.
func wait(ctx context.Context, d time.Duration) error {
	if d <= 0 {
		return ctx.Err()
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
