package fault

// kinds are the faults of invariants.md 4 and simulation.md 3.6. The order is that of the documentation.
var kinds = []kind{
	// No answer comes.
	{name: "refused", doc: "Nobody listens: the connection is refused.", at: "before_headers", fixed: true},
	{name: "unreachable", doc: "The name of the server has no address.", at: "before_headers", fixed: true},
	{name: "timeout", doc: "Nothing comes for a while (60s), then the connection is given up.", at: "before_headers", fixed: true, params: []string{"for"}},
	{name: "lost", doc: "The request is processed and billed, what it wrote to the cache stays; the answer is lost.", at: "before_headers", fixed: true, do: lost},
	{name: "twice", doc: "The request is processed twice, as when a proxy repeats it; the second answer comes.", at: "before_headers", fixed: true, do: asIs},

	// The server declines before it processed anything.
	{name: "refuse", doc: "An error answer of the given status.", at: "before_headers", fixed: true, params: refusalParams},
	{name: "overloaded", doc: "529 overloaded_error.", at: "before_headers", fixed: true, params: namedParams},
	{name: "rate_limit", doc: "429 rate_limit_error with a retry-after.", at: "before_headers", fixed: true, params: namedParams},
	{name: "spend_limit", doc: "429 of a spend limit: no retry-after, and waiting does not help.", at: "before_headers", fixed: true, params: namedParams},
	{name: "server_error", doc: "500 api_error.", at: "before_headers", fixed: true, params: namedParams},
	{name: "unavailable", doc: "503 api_error.", at: "before_headers", fixed: true, params: namedParams},
	{name: "gateway_timeout", doc: "504 timeout_error.", at: "before_headers", fixed: true, params: namedParams},
	{name: "not_json", doc: "500 with a body that is no JSON.", at: "before_headers", fixed: true, params: namedParams},
	{name: "gateway_page", doc: "The HTML page of a gateway, 502 by default, also 200.", at: "before_headers", fixed: true, params: []string{"status", "retry_after"}},

	// The answer breaks off.
	{name: "reset", doc: "The connection breaks. Before the headers nothing was processed.", at: "before_headers", do: reset},
	{name: "end", doc: "The body ends cleanly there, without the rest.", at: "event message_delta", stream: true, do: end},
	{name: "error_event", doc: "An error event comes in the stream, overloaded_error by default, and nothing more.", at: "after_headers", stream: true, params: []string{"type", "message"}, do: errorEvent},
	{name: "json", doc: "A message as JSON, status 200, where a stream was asked for.", at: "after_headers", fixed: true, stream: true, do: asJSON},
	{name: "compressed", doc: "The body comes gzip-compressed, and the headers say so.", at: "after_headers", fixed: true, do: compressed},

	// The answer is slow.
	{name: "silence", doc: "Nothing comes for a while (10m), then the rest.", at: "after_headers", params: []string{"for"}, do: silence},
	{name: "pings", doc: "Only pings come for a while (10m, every 10s), then the rest.", at: "event 1", stream: true, params: []string{"for", "every"}, do: pings},
	{name: "statuses", doc: "Only events of an unknown type come for a while (10m, every 10s), then the rest.", at: "event 1", stream: true, params: []string{"for", "every"}, do: statuses},
	{name: "drip", doc: "From there on one byte comes at a time, with a wait between them when every is given.", at: "after_headers", params: []string{"every"}, do: drip},
	{name: "held", doc: "From there on everything comes at once at the end.", at: "after_headers", do: held},

	// Odd but legal.
	{name: "ping", doc: "One more ping.", at: "event 1", stream: true, do: ping},
	{name: "comment", doc: "A comment line.", at: "after_headers", stream: true, do: comment},
	{name: "crlf", doc: "Lines end in CR LF from there on.", at: "after_headers", stream: true, do: crlf},
	{name: "data_lines", doc: "Each event's data comes in several data lines from there on.", at: "after_headers", stream: true, do: dataLines},
	{name: "long_line", doc: "The event before the place gets a data line of a megabyte, blanks before its last brace.", at: "event 1", stream: true, do: longLine},
	{name: "unknown_event", doc: "An event of a type nobody knows.", at: "event 1", stream: true, do: unknownEvent},
	{name: "unknown_delta", doc: "A delta of a type nobody knows, in the block that is open there.", at: "event content_block_start", stream: true, do: unknownDelta},
	{name: "empty_delta", doc: "Before each delta comes one without content.", at: "after_headers", stream: true, do: emptyDelta},
	{name: "split_input", doc: "Tool input comes one character a delta.", at: "after_headers", stream: true, do: splitInput},
	{name: "split_utf8", doc: "Chunks end in the middle of characters.", at: "after_headers", do: splitUTF8},
	{name: "usage_absent", doc: "message_delta has no usage.", at: "event message_delta", fixed: true, stream: true, do: usageAbsent},

	// Odd and illegal: to judge clients.
	{name: "usage_zero", doc: "All token counts are 0.", at: "after_headers", fixed: true, do: usageZero},
	{name: "usage_doubled", doc: "All token counts are doubled.", at: "after_headers", fixed: true, do: usageDoubled},
	{name: "usage_with_cached", doc: "input_tokens contains the cached part, as other vendors count.", at: "after_headers", fixed: true, do: usageWithCached},
	{name: "tokens_backwards", doc: "A second message_delta counts fewer output tokens than the first.", at: "event message_delta", fixed: true, stream: true, do: tokensBackwards},
	{name: "index_gap", doc: "An index is left out: the blocks from the place on count one more.", at: "event message_start", stream: true, do: indexGap},
	{name: "index_reuse", doc: "The blocks from the place on count one less, so that an index comes twice.", at: "event content_block_stop", stream: true, do: indexReuse},
	{name: "stray_delta", doc: "A delta of a block that was never started.", at: "event 1", stream: true, do: strayDelta},
	{name: "double_stop", doc: "A block stops twice.", at: "event content_block_stop", stream: true, do: doubleStop},
	{name: "start_twice", doc: "message_start comes again, with the same id.", at: "event content_block_stop", stream: true, do: startTwice},
	{name: "start_other", doc: "message_start comes again, with another id.", at: "event content_block_stop", stream: true, do: startOther},
	{name: "reuse_call_id", doc: "The first tool call has the id of an earlier answer's call.", at: "after_headers", fixed: true, do: reuseCallID},
}

var (
	refusalParams = []string{"status", "retry_after", "should_retry", "body", "type", "message"}
	namedParams   = []string{"retry_after", "should_retry", "body", "message"}
)

func asIs(*context) bool { return true }
