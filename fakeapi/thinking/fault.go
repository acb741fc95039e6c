package thinking

import (
	"harnessbench/fakeapi/validate"
	"harnessbench/internal/prefix"
)

// Rule ids of the refusals of this package.
const (
	RuleSignature = "thinking-signature-invalid"
	RuleModified  = "thinking-latest-modified"
	RuleBound     = "thinking-signature-wrong-conversation"
)

func refuse(rule, message string) *validate.Fault {
	return &validate.Fault{Rule: rule, Status: 400, Type: "invalid_request_error", Message: message}
}

func invalidSignature(b *prefix.Block) *validate.Fault {
	return refuse(RuleSignature, b.Path()+": Invalid `signature` in `thinking` block")
}

func modified(b *prefix.Block) *validate.Fault {
	return refuse(RuleModified, b.Path()+": `thinking` or `redacted_thinking` blocks in the latest assistant message cannot be modified. These blocks must remain as they were in the original response.")
}

func boundElsewhere(b *prefix.Block) *validate.Fault {
	return refuse(RuleBound, b.Path()+": Invalid `signature` in `thinking` block. The block is bound to a different conversation. Remove the block, or set `thinking.block_binding.prefix_mismatch_behavior` to \"drop_block\".")
}
