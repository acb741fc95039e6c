package model

import "time"

// Numbers of the API that hold for every model; sources are sections of messages-api.md.
const (
	MaxBreakpoints    = 4               // 5.2
	LookbackPositions = 20              // 5.3, the breakpoint's own position included
	TTLShort          = 5 * time.Minute // 5.2, ttl "5m", the default
	TTLLong           = time.Hour       // 5.2, ttl "1h"
	MaxBodyBytes      = 32 << 20        // 1.1
	MaxMessages       = 100_000         // 2.2
	MinThinkingBudget = 1024            // 6.2
)
