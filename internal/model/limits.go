package model

import "time"

// Numbers of the API that hold for every model; sources are sections of messages-api.md.
const (
	MaxBreakpoints    = 4               // 5.2
	LookbackPositions = 20              // 5.3, the breakpoint's own position included
	TTLShort          = 5 * time.Minute // 5.2, ttl "5m", the default
	TTLLong           = time.Hour       // 5.2, ttl "1h"
	ThreadTTL         = 5 * time.Minute // 2.10, after the response was stored
	MaxBodyBytes      = 32 << 20        // 1.1
	MaxBatchBytes     = 256 << 20       // 1.7
	MaxBatchRows      = 100_000         // 1.7
	MaxMessages       = 100_000         // 2.2
	MinThinkingBudget = 1024            // 6.2

	DefaultClearTrigger    = 100_000 // 8.1, input tokens
	DefaultClearKeep       = 3       // 8.1, tool uses
	DefaultCompactTrigger  = 150_000 // 8.3, input tokens
	MinCompactTrigger      = 50_000  // 8.3
	MaxCompactInstructions = 16_384  // 8.4, characters

	MaxImageBytes    = 10 << 20 // 2.6, of the base64 text of one image
	MaxImageSide     = 8000     // 2.6, pixels
	MaxImageSideMany = 2000     // 2.6, pixels, in a request of more than ManyImages
	ManyImages       = 20       // 2.6
	MinTaskBudget    = 20_000   // api-verdicts.jsonl task-budget-too-small
	MaxUserID        = 256      // 2.2, characters

	MaxStrictTools    = 20 // 2.7
	MaxStrictOptional = 24 // 2.7, over all strict schemas
	MaxStrictUnions   = 16 // 2.7, over all strict schemas
)

// Small is the model of auxiliary calls: cheap, and without thinking unless asked for (harness.md 1.4).
const Small = "claude-haiku-4-5"
