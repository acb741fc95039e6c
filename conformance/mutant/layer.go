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
	parsed, err := wire.Parse(nil, req.Body)
	if err == nil && l.f.request != nil {
		if body := l.f.request(l.s, parsed); body != nil {
			req.Body = body
		}
	}
	resp, callErr := l.World.Call(req)
	l.s.last, l.s.rewound = parsed, false
	for _, line := range l.s.held {
		if err := l.World.Append(l.s.heldPath, line); err != nil {
			return resp, err
		}
	}
	l.s.held = nil
	return resp, callErr
}

func (l layer) Append(path string, line []byte) error {
	l.s.writes++
	if bytes.Contains(line, []byte(`"type":"last-prompt"`)) && bytes.Contains(line, []byte(`"explicit":true`)) {
		l.s.rewound = true
	}
	if l.f.write == nil {
		return l.World.Append(path, line)
	}
	return l.f.write(l.s, l.World, path, line)
}
