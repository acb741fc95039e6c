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
	RuleRedacted  = "redacted-thinking-data-invalid"
)

func refuse(rule, message string) *validate.Fault {
	return &validate.Fault{Rule: rule, Status: 400, Type: "invalid_request_error", Message: message}
}

// invalidSeal names what does not verify: the signature, or the data of a redacted block.
func invalidSeal(b *prefix.Block) *validate.Fault {
	if b.Type == "redacted_thinking" {
		return refuse(RuleRedacted, b.Path()+": Invalid `data` in `redacted_thinking` block")
	}
	return refuse(RuleSignature, b.Path()+": Invalid `signature` in `thinking` block")
}

func modified(b *prefix.Block) *validate.Fault {
	return refuse(RuleModified, b.Path()+": `thinking` or `redacted_thinking` blocks in the latest assistant message cannot be modified. These blocks must remain as they were in the original response.")
}

// boundElsewhere says that what stands before the block is not what it was made behind. named: the client sent the
// beta of the setting already.
func boundElsewhere(b *prefix.Block, named bool) *validate.Fault {
	text := b.Path() + ": Invalid `signature` in `thinking` block. The block is bound to a different conversation. Remove the block, or set `thinking.block_binding.prefix_mismatch_behavior` to \"drop_block\"."
	if !named {
		text += " That setting requires the `" + BindingBeta + "` value in the `anthropic-beta` header."
	}
	return refuse(RuleBound, text)
}

// BindingBeta is the anthropic-beta value that block_binding needs.
const BindingBeta = "thinking-binding-controls-2026-08-01"
