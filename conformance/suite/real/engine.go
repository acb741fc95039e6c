package real

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync/atomic"
	"time"

	"harnessbench/conformance/run"
	"harnessbench/harness/world"
	"harnessbench/harness/world/real"
)

// Engine implements run.Engine.
type Engine struct {
	BaseURL string
	// Dir holds one directory a run, made anew.
	Dir string
	// Live: the server is not ours. It is not asked for control endpoints, and the engine is judged as a
	// foreign process (D18).
	Live bool

	runs atomic.Int64
}

func (e *Engine) Name() string {
	if e.Live {
		return "process"
	}
	return "real"
}

// idStream keeps the draws of ids apart from other uses of a seed.
const idStream = 0x7265616c

func (e *Engine) Open(s run.Setup) (run.Place, error) {
	var c *control
	if !e.Live {
		var err error
		if c, err = connect(e.BaseURL); err != nil {
			return run.Place{}, err
		}
	}
	clock := &clock{}
	root := filepath.Join(e.Dir, fmt.Sprintf("run-%d", e.runs.Add(1)))
	cfg := real.Config{
		Root:     root,
		BaseURL:  e.BaseURL,
		IDs:      rand.NewPCG(s.Seed, idStream),
		Tools:    tools(s.Tool),
		Shell:    shell{s.Exec, root},
		Approver: approver(s.Approve),
		Now:      clock.now,
	}
	if c != nil { // our own server does not mind
		cfg.Sleep = func(ctx context.Context, d time.Duration) { _ = lasts(ctx, d) }
	}
	m, err := real.New(cfg)
	if err != nil {
		return run.Place{}, err
	}
	place := run.Place{
		Machine:  m,
		RealTime: c == nil,
		View: func(id string) json.RawMessage {
			if c == nil {
				return nil
			}
			return c.view(id)
		},
		Advance: func(w world.World, d time.Duration) error {
			if c == nil {
				return w.Sleep(d)
			}
			clock.offset.Add(int64(d))
			return c.advance(d)
		},
	}
	if c != nil {
		place.Struck = c.struck
	}
	return place, nil
}

// Close removes what the runs left on disk.
func (e *Engine) Close() error { return os.RemoveAll(e.Dir) }

// clock is the wall clock and what waits have added to it.
type clock struct{ offset atomic.Int64 }

func (c *clock) now() time.Time { return time.Now().Add(time.Duration(c.offset.Load())) }
