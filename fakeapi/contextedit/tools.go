package contextedit

import (
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"harnessbench/internal/prefix"
	"harnessbench/internal/wire"
)

// use is one call of a tool with its result.
type use struct {
	name   string
	call   wire.Value
	result wire.Value
}

// clearTools replaces the results, and where asked the inputs, of all tool uses but the newest by a placeholder
// (messages-api.md 8.1).
func (e *Edited) clearTools(d edit, placeholder string, o prefix.Options) {
	uses := usesOf(e.Rendered.Request)
	switch {
	case d.triggerUses >= 0 && len(uses) <= d.triggerUses, d.triggerUses < 0 && e.Original <= d.triggerTokens:
		return
	}
	text, err := jsontext.AppendQuote(nil, strings.ToValidUTF8(placeholder, "\ufffd"))
	if err != nil { // only invalid UTF-8 cannot be quoted
		return
	}
	var edits []wire.Splice
	count, exclude, inputsOf := 0, setOf(d.exclude), setOf(d.inputsOf)
	for _, u := range uses[:max(0, len(uses)-d.keep)] {
		if exclude[u.name] {
			continue
		}
		count++
		edits = append(edits, wire.SetMember(u.result, "content", text))
		if d.inputs || inputsOf[u.name] {
			edits = append(edits, wire.SetMember(u.call, "input", []byte("{}")))
		}
	}
	if count == 0 {
		return
	}
	old := e.Rendered
	e.render(parse(old.Request, wire.Apply(old.Request.Body, edits...)), o)
	if d.atLeast > 0 && old.Total-e.Rendered.Total < d.atLeast {
		e.Rendered = old
		return
	}
	e.applied(ClearTools, count, old.Total)
}

func setOf(names []string) map[string]bool {
	set := make(map[string]bool, len(names))
	for _, n := range names {
		set[n] = true
	}
	return set
}

// usesOf lists the tool uses that have a result, in the order of the calls. Server tools count too.
func usesOf(req *wire.Request) []use {
	var out []use
	at := map[string]int{}
	for i := 0; i < req.MessageCount(); i++ {
		for _, b := range req.Message(i).Blocks() {
			switch typ := b.Type(); {
			case typ == "tool_use", typ == "server_tool_use", typ == "mcp_tool_use":
				at[b.Get("id").Text()] = len(out)
				out = append(out, use{name: b.Get("name").Text(), call: b.Value})
			case strings.HasSuffix(typ, "tool_result"):
				if k, ok := at[b.Get("tool_use_id").Text()]; ok {
					out[k].result = b.Value
				}
			}
		}
	}
	return slices.DeleteFunc(out, func(u use) bool { return !u.result.Exists() })
}
