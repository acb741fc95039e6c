package validate

import (
	"strings"

	"harnessbench/internal/model"
	"harnessbench/internal/wire"
)

var compactionOrigin = origin{"compaction", "messages-api.md 8.3, 8.4", "medium"}

// compactionBlock is a summary in place of the messages before it. Without content its compaction failed.
var compactionBlock = &object{
	origin: compactionOrigin, name: "compaction_block", wrong: notObject,
	fields: []field{
		{name: "type", check: anything{}},
		{name: "content", null: true, check: str{}},
		cacheField(),
		{name: "encrypted_content", null: true, check: str{}},
		{name: "signature", null: true, check: str{}},
		{name: "tool_changes", null: true, check: list{of: toolChange}},
	},
	also: unsigned,
}

// unsigned refuses what only a signed block has where the header for those was not sent. SDKs send null for what
// they have not got.
func unsigned(w *walk, o owner, v wire.Value) *Fault {
	if w.head.has(OnDemandBeta) {
		return nil
	}
	for _, name := range [...]string{"signature", "tool_changes"} {
		if present(v.Get(name)) {
			w.in(name)
			return w.refuse(o, extra)
		}
	}
	return nil
}

var toolChange = &union{
	origin: compactionOrigin, name: "compaction_block.tool_changes.item",
	arms: []arm{{tag: "tool_addition"}, {tag: "tool_removal"}},
}

// summarize is the value of `compaction`.
var summarize = &union{
	origin: compactionOrigin, name: "compaction",
	arms: []arm{{tag: "summarize", shape: &object{
		origin: compactionOrigin, name: "compaction.summarize", wrong: notObject,
		fields: []field{
			{name: "type", check: anything{}},
			{name: "instructions", null: true, check: str{max: model.MaxCompactInstructions}},
		},
	}}},
}

// Status and, where there is one, code of these are known, their texts are not (messages-api.md 13, item 5), but
// for the words of compactionBeta that name the header.
var (
	compactionBeta = rule{id: "compaction.beta", area: "compaction", source: "messages-api.md 8.4", confidence: "medium",
		text: "compaction: requires anthropic-beta: compact-2026-09-04"}
	compactionWith = rule{id: "compaction.together", area: "compaction", source: "messages-api.md 8.4", confidence: "low",
		text: "compaction: cannot be combined with `{field}`"}
	compactionBudget = rule{id: "compaction.task-budget", area: "compaction", source: "messages-api.md 8.4", confidence: "low",
		text: "output_config.task_budget.remaining: not supported with `compaction` or a `compaction` block"}
	incompleteTurn = rule{id: "compaction.incomplete-turn", area: "compaction", source: "messages-api.md 8.4", confidence: "low",
		text: "compaction: the last assistant turn is not finished. `tool_use` ids without `tool_result` blocks: {ids}"}
	nothingToSummarize = rule{id: "compaction.nothing", area: "compaction", source: "messages-api.md 8.4", confidence: "low",
		text: "compaction: `messages` holds no content to summarize"}
	blockMisplaced = rule{id: "compaction_block.misplaced", area: "compaction", source: "messages-api.md 8.4", confidence: "low",
		text: "{path}: a `compaction` block must be the first block of `messages`"}
	blockAmbiguous = rule{id: "compaction_block.ambiguous", area: "compaction", source: "messages-api.md 8.4", confidence: "low",
		text: "{path}: `messages` holds more than one `compaction` block. Send only the one the conversation returned last"}
	blockContent = rule{id: "compaction_block.content", area: "compaction", source: "messages-api.md 8.4", confidence: "low",
		text: "{path}: the `content` of the `compaction` block differs from the text its `signature` recorded"}
	blockSignature = rule{id: "compaction_block.signature", area: "compaction", source: "messages-api.md 8.4", confidence: "low",
		text: "{path}: Invalid `signature` in `compaction` block"}
	blockTools = rule{id: "compaction_block.tool-changes", area: "compaction", source: "messages-api.md 8.4", confidence: "low",
		text: "{path}: the `tool_changes` of the `compaction` block differ from what was returned with it"}
)

func compactionRules() []rule {
	return []rule{compactionWith, compactionBudget, nothingToSummarize, incompleteTurn,
		blockMisplaced, blockAmbiguous, blockSignature, blockContent, blockTools}
}

// BlockMisplaced and the next ones are faults of a signed block, for those who can read its signature. path is
// the block's.
func BlockMisplaced(path string) *Fault {
	return blockMisplaced.fault("path", path).coded("compaction_block_misplaced")
}

// BlockAmbiguous refuses the second of two blocks with content.
func BlockAmbiguous(path string) *Fault {
	return blockAmbiguous.fault("path", path).coded("compaction_block_ambiguous")
}

// BlockContent refuses a summary that was changed.
func BlockContent(path string) *Fault {
	return blockContent.fault("path", path).coded("compaction_content_mismatch")
}

// BlockSignature refuses a signature that does not verify.
func BlockSignature(path string) *Fault {
	return blockSignature.fault("path", path).coded("compaction_signature_invalid")
}

// BlockTools refuses tool changes that were changed.
func BlockTools(path string) *Fault {
	return blockTools.fault("path", path).coded("compaction_tool_changes_mismatch")
}

// schemaCompaction names the missing header instead of calling the field unknown (messages-api.md 8.4).
func schemaCompaction(r *reading) *Fault {
	v := r.req.Get("compaction")
	if v.IsNull() {
		return nil
	}
	if !r.walk.head.has(OnDemandBeta) {
		return compactionBeta.fault()
	}
	return summarize.judge(&r.walk, topOwner("compaction"), v)
}

// judgeCompaction judges what a compaction request may hold beside the conversation.
func judgeCompaction(r *reading) *Fault {
	asked := Compacts(r.req)
	budget := r.req.Get("output_config").Get("task_budget").Get("remaining")
	if present(budget) && (asked || firstSigned(r.req)) {
		return compactionBudget.fault()
	}
	if !asked {
		return nil
	}
	if with := r.besideCompaction(); with != "" {
		return compactionWith.fault("field", with)
	}
	if !r.hasContent() {
		return nothingToSummarize.fault().coded("compaction_nothing_to_summarize")
	}
	return nil
}

// besideCompaction is a field that a compaction request may not hold, "" when there is none.
func (r *reading) besideCompaction() string {
	most, isInt := r.req.Get("max_tokens").Int()
	switch {
	case present(r.req.Get("context_management")):
		return "context_management"
	case r.req.Get("stop_sequences").Len() > 0:
		return "stop_sequences"
	case present(r.req.Get("output_config").Get("format")):
		return "output_config.format"
	case present(r.req.Get("output_format")):
		return "output_format"
	case forces(r.req.Get("tool_choice")):
		return "tool_choice"
	case isInt && most == 0:
		return "max_tokens: 0"
	}
	return ""
}

// hasContent tells whether there is anything to summarise.
func (r *reading) hasContent() bool {
	for i := 0; i < r.req.MessageCount(); i++ {
		m := r.req.Message(i)
		if m.Role() == "system" {
			continue
		}
		for _, b := range m.Blocks() {
			if !emptyString(b.TextValue()) {
				return true
			}
		}
	}
	return false
}

// Compacts tells whether a request is one for a summary. count_tokens, which knows no max_tokens, ignores the
// field (messages-api.md 8.4).
func Compacts(req *wire.Request) bool {
	return present(req.Get("compaction")) && req.Get("max_tokens").Exists()
}

// Signed tells a compaction block with a signature from those of compact_20260112.
func Signed(b wire.Value) bool {
	return b.Get("type").Text() == "compaction" && b.Get("signature").Kind() == '"'
}

// firstSigned tells whether the conversation begins with a signed block, the one place where it may stand.
func firstSigned(req *wire.Request) bool {
	return req.MessageCount() > 0 && Signed(req.Message(0).Get("content").At(0))
}

// unfinished is the fault of calls without result at the end of a compaction request.
func unfinished(calls []call) *Fault {
	ids := make([]string, len(calls))
	for i, c := range calls {
		ids[i] = c.id
	}
	return incompleteTurn.fault("ids", strings.Join(ids, ", ")).coded("compaction_incomplete_turn")
}
