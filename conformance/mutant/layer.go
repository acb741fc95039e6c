package mutant

import (
	"bytes"

	"harnessbench/harness/world"
	"harnessbench/internal/wire"
)

// fault changes what passes the ports. A nil func passes everything on.
type fault struct {
	// request returns the body to send in place of one.
	request func(s *state, req *wire.Request) []byte
	// write does what happens to a line on its way to a session log.
	write func(s *state, w world.World, path string, line []byte) error
	// call does what happens to a request, in place of sending it.
	call func(s *state, w world.World, req world.Request) (world.Response, error)
	// answer changes what the harness reads of an answer; the recorder saw it as it came.
	answer func(s *state, chunk []byte) []byte
}

// state is what a planted fault remembers over a run.
type state struct {
	process  int // 1 for the first process of the run
	calls    int // of the run, the one at hand included
	writes   int
	last     *wire.Request // the request before
	rewound  bool          // a rewind was recorded and no request left since
	held     [][]byte      // lines kept back
	heldPath string
	saved    []byte

	chain      string // of the request at hand
	boundaries int    // written
	done       bool   // the fault has shown, and need not again
	kept       world.Request
	asked      int // requests for a summary
}

// plant makes a layer with fresh state; it is called once a process.
func (f fault) plant() func(world.World) world.World {
	s := &state{}
	return func(w world.World) world.World {
		s.process++
		return layer{World: w, f: f, s: s}
	}
}

type layer struct {
	world.World
	f fault
	s *state
}

func (l layer) Go(key string, fn func(world.World)) world.Task {
	return l.World.Go(key, func(w world.World) { fn(layer{World: w, f: l.f, s: l.s}) })
}

func (l layer) Call(req world.Request) (world.Response, error) {
	l.s.calls++
	l.s.chain = req.Chain
	if req.Chain == summaries {
		l.s.asked++
	}
	parsed, err := wire.Parse(nil, req.Body)
	if err == nil && l.f.request != nil {
		if body := l.f.request(l.s, parsed); body != nil {
			req.Body = body
		}
	}
	send := func() (world.Response, error) { return l.World.Call(req) }
	if l.f.call != nil {
		send = func() (world.Response, error) { return l.f.call(l.s, l.World, req) }
	}
	resp, callErr := send()
	if callErr == nil && l.f.answer != nil {
		resp.Body = changed{resp.Body, l.f, l.s}
	}
	l.s.last, l.s.rewound = parsed, false
	for _, line := range l.s.held {
		if err := l.World.Append(l.s.heldPath, line); err != nil {
			return resp, err
		}
	}
	l.s.held = nil
	return resp, callErr
}

// changed is the body of an answer as a fault shows it.
type changed struct {
	world.Body
	f fault
	s *state
}

func (c changed) Next(w world.World) ([]byte, error) {
	data, err := c.Body.Next(w)
	return c.f.answer(c.s, data), err
}

func (l layer) Append(path string, line []byte) error {
	l.s.writes++
	if bytes.Contains(line, []byte(`"type":"last-prompt"`)) && bytes.Contains(line, []byte(`"explicit":true`)) {
		l.s.rewound = true
	}
	write := l.f.write
	if write == nil {
		write = func(_ *state, w world.World, path string, line []byte) error { return w.Append(path, line) }
	}
	err := write(l.s, l.World, path, line)
	if isBoundary(line) {
		l.s.boundaries++
	}
	return err
}
