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

// invalidSeal names what does not verify: the signature, or the data of a redacted block.
func invalidSeal(b *prefix.Block) *validate.Fault {
	if b.Type == "redacted_thinking" {
		return validate.Told(RuleRedacted, "path", b.Path())
	}
	return validate.Told(RuleSignature, "path", b.Path())
}

func modified(b *prefix.Block) *validate.Fault { return validate.Told(RuleModified, "path", b.Path()) }

// boundElsewhere says that what stands before the block is not what it was made behind. named: the client sent the
// beta of the setting already.
func boundElsewhere(b *prefix.Block, named bool) *validate.Fault {
	hint := ""
	if !named {
		hint = " That setting requires the `" + BindingBeta + "` value in the `anthropic-beta` header."
	}
	return validate.Told(RuleBound, "path", b.Path(), "hint", hint)
}

// BindingBeta is the anthropic-beta value that block_binding needs.
const BindingBeta = "thinking-binding-controls-2026-08-01"
