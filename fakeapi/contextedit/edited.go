package contextedit

import (
	"harnessbench/internal/prefix"
	"harnessbench/internal/wire"
)

// Edited is a conversation after the edits it asks for.
type Edited struct {
	Rendered *prefix.Rendered // what the model sees
	Original int              // tokens of the prompt before any edit
	Applied  []Applied        // edits that did something, in the order in which they ran
	// Summarize is set when the prompt reaches the trigger of a compaction; Rendered is then what is summarised.
	Summarize *Summary
}

// Applied is one edit of the answer's applied_edits: cleared tool uses or thinking turns, and the tokens saved.
type Applied struct {
	Type   string
	Count  int
	Tokens int
}

// Summary is how a compaction is to be done.
type Summary struct {
	Pause        bool   // nothing is said after the summary
	Instructions string // in place of the server's own, "" for those
}

// Apply edits a rendered conversation, in which no thinking is missing yet. o are the options it was rendered with.
func Apply(base *prefix.Rendered, p Plan, opt Options, o prefix.Options) *Edited {
	e := &Edited{Rendered: base, Original: base.Total}
	for _, d := range p.edits {
		switch d.typ {
		case ClearThinking:
			o.Dropped = e.clearThinking(d, o)
		case ClearTools:
			e.clearTools(d, opt.placeholder(), o)
		case Compact:
			if e.Summarize == nil && e.Rendered.Total >= d.triggerTokens {
				e.Summarize = &Summary{Pause: d.pause, Instructions: d.instructions}
			}
		}
	}
	return e
}

// render renders the conversation anew from what it was.
func (e *Edited) render(req *wire.Request, o prefix.Options) {
	e.Rendered = prefix.Render(e.Rendered, req, e.Rendered.Model, o)
}

func (e *Edited) applied(typ string, count, before int) {
	e.Applied = append(e.Applied, Applied{typ, count, max(0, before-e.Rendered.Total)})
}
