package fakeapi

import (
	"bytes"

	"harnessbench/fakeapi/validate"
	"harnessbench/internal/model"
	"harnessbench/internal/wire"
)

// hop is one entry of fallbacks: the request as it would be made to the entry's model (messages-api.md 2.11, SDK
// BetaFallbackParam).
type hop struct{ body []byte }

// readHops derives the requests of a list of fallbacks and judges each as one made to its model. "default" names a
// chain that nobody published and has no hop here.
func (x *exchange) readHops(by check) ([]hop, *validate.Fault) {
	var hops []hop
	for i, entry := range x.req.Get("fallbacks").Elems() {
		to, known := model.Lookup(entry.Get("model").Text())
		if !known {
			return nil, validate.FallbackFault(i, validate.UnknownModel(entry.Get("model").Text()))
		}
		body := substitute(x.req, entry, to)
		req, err := wire.Parse(nil, body)
		if err != nil { // members of two JSON objects make one
			return nil, validate.SyntaxFault(err)
		}
		if _, fault := by(nil, req, x.head); fault != nil {
			return nil, validate.FallbackFault(i, fault)
		}
		hops = append(hops, hop{body})
	}
	return hops, nil
}

// substitute is the body of a request with what an entry of its fallbacks sets or leaves to the entry's model.
func substitute(req *wire.Request, entry wire.Value, to model.Model) []byte {
	news := []setting{
		{"model", entry.Get("model").Raw()},
		{"fallbacks", nil},
		{"thinking", thinkingOf(req, entry, to)},
		{"output_config", outputOf(req, entry, to)},
		{"speed", speedOf(req, entry, to)},
	}
	if most := entry.Get("max_tokens"); most.Exists() && !most.IsNull() {
		news = append(news, setting{"max_tokens", most.Raw()})
	}
	return with(req.Root, news)
}

// setting is a member that is exchanged, or taken out when its value is nil.
type setting struct {
	name  string
	value []byte
}

// with writes an object anew: the members that are not set as they are, the others behind them.
func with(object wire.Value, news []setting) []byte {
	set := map[string]bool{}
	for _, n := range news {
		set[n.name] = true
	}
	var members [][]byte
	for name, v := range object.Members() {
		if !set[name] {
			members = append(members, append(append(quote(nil, name), ':'), v.Raw()...))
		}
	}
	for _, n := range news {
		if n.value != nil {
			members = append(members, append(append(quote(nil, n.name), ':'), n.value...))
		}
	}
	return append(append([]byte{'{'}, bytes.Join(members, []byte{','})...), '}')
}

// thinkingOf is the entry's own thinking, else the request's where the model has that type, else the model's default.
// What the request says of display stays where the default thinks.
func thinkingOf(req *wire.Request, entry wire.Value, to model.Model) []byte {
	asked, own := req.Get("thinking"), entry.Get("thinking")
	if own.Exists() && !own.IsNull() {
		return own.Raw()
	}
	typ := asked.Get("type").Text()
	if !own.Exists() {
		switch {
		case hasThinking(to, typ):
			return asked.Raw()
		case typ == "between_tools" && hasThinking(to, "disabled"):
			return []byte(`{"type":"disabled"}`)
		}
	}
	if display := asked.Get("display"); display.Exists() && to.ThinkingDefault == "on" {
		return append(append([]byte(`{"type":"adaptive","display":`), display.Raw()...), '}')
	}
	return nil
}

// hasThinking tells whether a model has a type of thinking (messages-api.md 6.1).
func hasThinking(m model.Model, typ string) bool {
	switch typ {
	case "adaptive":
		return m.ThinkingAdaptive == "yes"
	case "enabled":
		return m.ThinkingBudget != "no"
	case "disabled":
		return m.ThinkingDisabled != "no"
	case "between_tools":
		return m.ThinkingBetween != "no"
	}
	return false
}

// outputOf joins the two output_configs one field at a time; an effort that the model has not is its default.
func outputOf(req *wire.Request, entry wire.Value, to model.Model) []byte {
	asked, own := req.Get("output_config"), entry.Get("output_config")
	if own.IsNull() || asked.Kind() != '{' && own.Kind() != '{' {
		return nil
	}
	var fields []setting
	for _, name := range []string{"effort", "format", "task_budget"} {
		switch v := own.Get(name); {
		case v.IsNull():
		case v.Exists():
			fields = append(fields, setting{name, v.Raw()})
		default:
			v = asked.Get(name)
			if v.Exists() && !v.IsNull() && (name != "effort" || to.TakesEffort(v.Text())) {
				fields = append(fields, setting{name, v.Raw()})
			}
		}
	}
	return with(wire.Value{}, fields)
}

// speedOf is the entry's own speed; without one, fast where the request is and the model may.
func speedOf(req *wire.Request, entry wire.Value, to model.Model) []byte {
	switch own := entry.Get("speed"); {
	case own.IsNull():
		return nil
	case own.Exists():
		return own.Raw()
	case req.Get("speed").Text() == "fast" && to.FastMode == "yes":
		return req.Get("speed").Raw()
	}
	return nil
}
