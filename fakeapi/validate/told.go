package validate

// told are the refusals of those who know more than the request: signatures, counts of tokens, paths, dates. Their
// texts stand here with all the others, so that there is one table of rules.
var told = []rule{
	{id: "request-too-large", area: "size", source: "messages-api.md 1.5", confidence: "medium", status: 413, kind: "request_too_large",
		text: "Request exceeds the maximum size"},
	{id: "not-found", area: "other", source: "api-verdicts.jsonl endpoint-not-found", confidence: "medium", status: 404, kind: "not_found_error",
		text: "Not Found"},
	{id: "method-not-allowed", area: "other", source: "messages-api.md 1.1", confidence: "low", status: 405,
		text: "Method Not Allowed"},
	{id: "content-encoding-unsupported", area: "size", source: "messages-api.md 1.2", confidence: "low",
		text: "content-encoding: '{name}' is not supported. Use gzip, deflate or identity."},
	{id: "content-encoding-invalid", area: "size", source: "messages-api.md 1.2", confidence: "low",
		text: "The request body could not be decoded as its content-encoding says."},
	{id: "content-encoding-too-large", area: "size", source: "messages-api.md 1.2", confidence: "low", status: 413, kind: "request_too_large",
		text: "Request exceeds the maximum size after decoding"},
	{id: "models-limit-integer", area: "other", source: "messages-api.md 1.1", confidence: "low",
		text: "limit: Input should be a valid integer, unable to parse string as an integer"},
	{id: "models-limit-minimum", area: "other", source: "messages-api.md 1.1", confidence: "low",
		text: "limit: Input should be greater than or equal to 1"},
	{id: "models-limit-maximum", area: "other", source: "messages-api.md 1.1", confidence: "low",
		text: "limit: Input should be less than or equal to 1000"},
	{id: "models-cursor", area: "other", source: "messages-api.md 1.1", confidence: "low",
		text: "{name}: no object with the id '{id}'"},
	{id: "models-lifecycle", area: "other", source: "messages-api.md 1.1", confidence: "low",
		text: "lifecycle: Input should be 'active', 'deprecated' or 'retired'"},
	{id: "models-unknown", area: "other", source: "messages-api.md 1.5", confidence: "medium", status: 404, kind: "not_found_error",
		text: "model: {model}"},
	{id: "batch-unknown", area: "batches", source: "messages-api.md 1.7", confidence: "low", status: 404, kind: "not_found_error",
		text: "Message Batch {id} not found."},
	{id: "batch-no-results", area: "batches", source: "messages-api.md 1.7", confidence: "high", status: 404, kind: "not_found_error",
		text: "Message Batch {id} has no available results."},
	{id: "batch-cancel-ended", area: "batches", source: "messages-api.md 1.7, 13.18", confidence: "low",
		text: "Message Batch {id} cannot be canceled because it has ended."},
	{id: "batch-delete-running", area: "batches", source: "messages-api.md 1.7, 13.18", confidence: "low",
		text: "Message Batch {id} cannot be deleted before it has ended. Cancel it first."},
	{id: "model-retired", area: "other", source: "messages-api.md 1.5, 10", confidence: "high", status: 404, kind: "not_found_error",
		text: "model: {model}"},
	{id: "thinking-block-missing-first", area: "thinking", source: "messages-api.md 6.5", confidence: "high", era: "3.7 to 4.5",
		text: "messages.{n}.content.0.type: Expected `thinking` or `redacted_thinking`, but found `{type}`. When `thinking` is enabled, a final `assistant` message must start with a thinking block (preceeding the lastmost set of `tool_use` and `tool_result` blocks). We recommend you include thinking blocks from previous turns. To avoid this requirement, disable `thinking`. Please consult our documentation at " + thinkingDocs},
	{id: "thinking-disabled-final-thinking", area: "thinking", source: "messages-api.md 6.5", confidence: "high", era: "3.7 to 4.5",
		text: "{path}: When thinking is disabled, an `assistant` message in the final position cannot contain `thinking`. To use thinking blocks, enable `thinking` in your request."},
	{id: "thinking-signature-invalid", area: "thinking", source: "messages-api.md 6.5", confidence: "high",
		text: "{path}: Invalid `signature` in `thinking` block"},
	{id: "redacted-thinking-data-invalid", area: "thinking", source: "messages-api.md 6.5", confidence: "medium",
		text: "{path}: Invalid `data` in `redacted_thinking` block"},
	{id: "thinking-latest-modified", area: "thinking", source: "messages-api.md 6.5", confidence: "high",
		text: "{path}: `thinking` or `redacted_thinking` blocks in the latest assistant message cannot be modified. These blocks must remain as they were in the original response."},
	{id: "thinking-signature-wrong-conversation", area: "thinking", source: "messages-api.md 6.6", confidence: "high", era: "bound models",
		text: "{path}: Invalid `signature` in `thinking` block. The block is bound to a different conversation. Remove the block, or set `thinking.block_binding.prefix_mismatch_behavior` to \"drop_block\".{hint}"},
	{id: "request-size-exceeds-window", area: "size", source: "api-verdicts.jsonl request-size-exceeds-window", confidence: "high", status: 413,
		text: "Request size exceeds model context window"},
	{id: "prompt-too-long", area: "size", source: "messages-api.md 7", confidence: "high",
		text: "prompt is too long: {n} tokens > {max} maximum"},
	{id: "prompt-and-max-tokens-too-long", area: "size", source: "messages-api.md 7", confidence: "high", era: "3.7 to 4.1",
		text: "input length and `max_tokens` exceed context limit: {n} + {asked} > {max}, decrease input length or `max_tokens` and try again"},
}

// Told is the refusal of a rule that others judge; pairs fill its template, name, value, name, value.
func Told(id string, pairs ...string) *Fault {
	for _, r := range told {
		if r.id == id {
			return r.fault(pairs...)
		}
	}
	return &Fault{Rule: id, Status: 500, Type: "api_error", Message: "bench: no rule is named " + id}
}
