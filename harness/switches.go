package harness

// Switches are the named options of harness.md 1.5 that are built; the zero value holds the defaults.
type Switches struct {
	CacheTTL      string // cache.ttl: 1h (default), 5m
	VolatilePlace string // volatile.place: "" by model (system where taken, else prompt); system, prompt, tail
	InjectTime    bool   // inject.time
	Thinking      string // thinking: "" by model; adaptive, enabled, off
}

// ParseSwitches reads switches by their names; an unknown name or value is an error that lists what exists.
func ParseSwitches(set map[string]string) (Switches, error) { panic("unbuilt") }
