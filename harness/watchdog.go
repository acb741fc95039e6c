package harness

import (
	"errors"
	"fmt"
	"time"

	"harnessbench/harness/world"
	"harnessbench/internal/wire"
)

// Limits of an answer that does not come (STREAM-5). A connection is given up when it is silent, any byte being a sign of
// life, pings included: a model that reads a long prompt is slow to begin. A stream that lives and brings nothing is given
// up too, later. Both are faults that may pass (H-LOOP-45). The bug collection has clients of 90 s for the one; for the
// other the fake API takes five minutes for what a client bears.
const (
	transportIdle = 90 * time.Second
	contentIdle   = 5 * time.Minute
)

// watchdog sees to it that a stream brings content. Silence is what the transport watches for.
type watchdog struct {
	fed time.Time // when content last came, or the request left
}

// heard takes one event.
func (d *watchdog) heard(e wire.Event, now time.Time) {
	name := e.Name
	if v, err := wire.ParseValue(e.Data); name == "" && err == nil {
		name = v.Get("type").Text()
	}
	switch name {
	case "message_start", "content_block_start", "content_block_delta", "content_block_stop", "message_delta", "message_stop", "error":
		d.fed = now
	}
}

// fault says that the stream has brought nothing for too long, nil when it has.
func (d *watchdog) fault(now time.Time) error {
	if idle := now.Sub(d.fed); idle >= contentIdle {
		return fmt.Errorf("the stream brought no content for %v", idle)
	}
	return nil
}

// silence words a transport's patience that was over.
func silence(err error) error {
	if errors.Is(err, world.ErrSilent) {
		return fmt.Errorf("the server sent nothing for %v: %w", transportIdle, err)
	}
	return err
}
