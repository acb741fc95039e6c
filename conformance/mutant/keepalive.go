package mutant

import (
	"harnessbench/harness/world"
	"harnessbench/internal/wire"
)

// keepAlive is the chain of requests that are sent for the cache alone.
const keepAlive = "keepalive"

// keepAliveTooLate keeps the cache warm right before each call that somebody asks for: where a pause was too long for the
// entries to live, it stores all anew.
func keepAliveTooLate(s *state, w world.World, req world.Request) (world.Response, error) {
	if s.last != nil {
		if err := warmed(w, s.last, req); err != nil {
			return world.Response{}, err
		}
	}
	return w.Call(req)
}

// keepAliveUnderOtherSettings keeps warm what no call will read: its effort is another.
func keepAliveUnderOtherSettings(s *state, w world.World, req world.Request) (world.Response, error) {
	if s.last != nil && !s.done {
		s.done = true
		other, err := wire.Parse(nil, wire.Apply(s.last.Body, wire.SetMember(s.last.Root, "output_config", []byte(`{"effort":"low"}`))))
		if err != nil {
			return world.Response{}, err
		}
		if err := warmed(w, other, req); err != nil {
			return world.Response{}, err
		}
	}
	return w.Call(req)
}

// warmed sends a request once more in the way of another, for its prompt alone.
func warmed(w world.World, r *wire.Request, way world.Request) error {
	way.Chain = keepAlive
	way.Body = wire.Apply(r.Body, wire.SetMember(r.Root, "max_tokens", []byte("0")), wire.SetMember(r.Root, "stream", []byte("false")))
	return drained(w, way)
}
