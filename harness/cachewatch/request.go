package cachewatch

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"time"

	"harnessbench/internal/model"
	"harnessbench/internal/wire"
)

// Request is what a call sends, as far as the cache hangs on it. The bytes of Body must stay as they are.
type Request struct {
	At     time.Time
	Betas  []string // values of anthropic-beta
	Client string   // version of the API, and of the client where it names one
	Plan   string   // state of the account as answers tell it, "" for nothing special
	Body   []byte
}

// Families of betas that are vectors of their own, by the beginning of their value. The one of the auto mode is not
// published; the name here is ours.
const (
	fastBeta = "fast-mode"
	autoBeta = "auto-mode"
)

// parsed is a request taken apart, each part as bytes without breakpoints.
type parsed struct {
	*wire.Request
	sent     Request
	static   []byte
	dynamic  []byte
	text     string // of system, as if in one block
	split    bool
	names    []string // of the tools
	tools    map[string][]byte
	marks    []string // of tools and system by place, and the kinds that messages have
	life     time.Duration
	fast     []string
	auto     []string
	betas    []string
	effort   []byte
	rendered []byte // with the messages
	image    place  // of the first image in messages; without a section there is none
	extra    []byte
}

// take takes a request apart; nil when its body is none.
func take(r Request) *parsed {
	body, err := wire.Parse(nil, r.Body)
	if err != nil {
		return nil
	}
	p := &parsed{Request: body, sent: r, tools: map[string][]byte{}, life: model.TTLLong}
	for _, b := range r.Betas {
		switch {
		case strings.HasPrefix(b, fastBeta):
			p.fast = append(p.fast, b)
		case strings.HasPrefix(b, autoBeta):
			p.auto = append(p.auto, b)
		default:
			p.betas = append(p.betas, b)
		}
	}
	slices.Sort(p.betas)
	p.system()
	p.toolDefinitions()
	p.parameters()
	for i, m := range body.Messages() {
		for k, b := range m.Blocks() {
			p.mark("messages", b.Value)
			p.images(fmt.Sprintf("messages.%d.content.%d", i, k), b.Value)
		}
	}
	return p
}

// images notes the first image: whether there is any is part of what messages are kept under (messages-api.md 5.7).
func (p *parsed) images(section string, b wire.Value) {
	switch b.Get("type").Text() {
	case "image":
		if p.image.section == "" {
			p.image = place{section, b.Offset()}
		}
	case "tool_result":
		for i, in := range b.Get("content").Elems() {
			p.images(fmt.Sprintf("%s.content.%d", section, i), in)
		}
	}
}

func (p *parsed) system() {
	system := p.Get("system")
	if system.Kind() != '[' {
		p.static, p.text = system.Raw(), system.Text()
		return
	}
	p.split = system.Len() > 1
	for i, b := range system.Elems() {
		if i == 0 {
			p.static = plain(b)
		} else {
			p.dynamic = append(append(p.dynamic, plain(b)...), '\n')
		}
		p.text += b.Get("text").Text()
		p.mark("system "+facts[min(i+1, 2)].name, b)
	}
}

func (p *parsed) toolDefinitions() {
	for _, t := range p.Get("tools").Elems() {
		name := t.Get("name").Text()
		p.names = append(p.names, name)
		p.tools[name] = plain(t)
		p.mark("tool "+name, t)
	}
}

// parameters sorts the rest of the body. Those that touch no prefix are left out (messages-api.md 5.7).
func (p *parsed) parameters() {
	for name, v := range p.Root.Members() {
		part := append(append([]byte(name+" "), v.Raw()...), '\n')
		switch name {
		case "model", "system", "tools", "messages", "cache_control":
		case "max_tokens", "metadata", "stop_sequences", "stream", "service_tier", "temperature", "top_p", "top_k", "diagnostics":
		case "thinking", "output_config":
			p.effort = append(p.effort, part...)
		case "speed":
			p.fast = append(p.fast, v.Text())
		case "tool_choice", "context_management":
			p.rendered = append(p.rendered, part...)
		default:
			p.extra = append(p.extra, part...)
		}
	}
	p.mark("messages", p.Root)
}

// mark notes the breakpoint of a block. In messages it moves with the conversation, so that only its kind counts.
func (p *parsed) mark(place string, v wire.Value) {
	c := v.Get("cache_control")
	if !c.Exists() {
		return
	}
	if c.Get("ttl").Text() != "1h" {
		p.life = model.TTLShort
	}
	if kind := place + " " + string(c.Raw()); !slices.Contains(p.marks, kind) {
		p.marks = append(p.marks, kind)
	}
}

// plain is a block without its breakpoint: breakpoints are no part of what is cached (H-REB-58).
func plain(v wire.Value) []byte {
	if v.Kind() != '{' || !v.Get("cache_control").Exists() {
		return v.Raw()
	}
	alone, err := wire.ParseValue(v.Raw())
	if err != nil {
		return v.Raw()
	}
	return wire.Apply(v.Raw(), wire.RemoveMember(alone, "cache_control"))
}

// changed are the vectors in which two requests of one source differ, in the order of the table.
func changed(a, b *parsed) []Vector {
	var out []Vector
	add := func(v Vector, is bool) {
		if is {
			out = append(out, v)
		}
	}
	resplit := a.split != b.split
	add(StaticSystem, !bytes.Equal(a.static, b.static) && (!resplit || a.text != b.text))
	add(DynamicSystem, !bytes.Equal(a.dynamic, b.dynamic) && !resplit)
	add(ToolSet, !slices.Equal(a.names, b.names))
	add(ToolContent, slices.ContainsFunc(b.names, func(name string) bool {
		old, known := a.tools[name]
		return known && !bytes.Equal(old, b.tools[name])
	}))
	plan := a.sent.Plan != b.sent.Plan
	marks := !slices.Equal(a.marks, b.marks)
	add(Markers, marks && !plan && !resplit)
	add(Strategy, resplit)
	add(Model, a.Model() != b.Model())
	add(Effort, !bytes.Equal(a.effort, b.effort))
	add(Fast, !slices.Equal(a.fast, b.fast))
	add(Betas, !slices.Equal(a.betas, b.betas))
	add(Auto, !slices.Equal(a.auto, b.auto))
	add(Plan, plan && marks)
	add(History, rewritten(a, b) || !bytes.Equal(a.rendered, b.rendered) || (a.image.section == "") != (b.image.section == ""))
	add(Extra, a.sent.Client != b.sent.Client || !bytes.Equal(a.extra, b.extra))
	return out
}
