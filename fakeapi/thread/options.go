package thread

import (
	"time"

	"harnessbench/internal/model"
)

// Options are the unsettled facts of threads (messages-api.md 12 and 13, item 17); the zero value is the default of
// each.
type Options struct {
	// TTL is how long a response can be continued after it was stored; 0 is five minutes (thread_ttl).
	TTL time.Duration
	// Markers is how many cache_control marks a request of a thread may hold, the top-level one included; 0 is
	// four (thread_marker_limit).
	Markers int
	// Fixed are the top-level fields in which a continue must agree with the request that created the thread; nil is
	// model, output_config and thinking (thread_fixed_fields). `system` and `tools` always count when they are sent.
	Fixed []string
	// Unsupported are top-level fields that a thread does not take; nil is context_management
	// (thread_unsupported). `compaction` on a continue counts as context_management.
	Unsupported []string
	// Settings are settings of the organisation that refuse every thread, such as hipaa or inference_hooks.
	Settings []string
	// DropRefused does not keep a turn that ended in a refusal.
	DropRefused bool
}

func (o Options) filled() Options {
	if o.TTL == 0 {
		o.TTL = model.ThreadTTL
	}
	if o.Markers == 0 {
		o.Markers = model.MaxBreakpoints
	}
	if o.Fixed == nil {
		o.Fixed = []string{"model", "output_config", "thinking"}
	}
	if o.Unsupported == nil {
		o.Unsupported = []string{"context_management"}
	}
	return o
}
