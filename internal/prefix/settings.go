package prefix

import (
	"strconv"
	"strings"

	"harnessbench/internal/model"
	"harnessbench/internal/tokens"
	"harnessbench/internal/wire"
)

// facts are what single blocks say about the whole request.
type facts struct {
	image bool // its presence invalidates messages (messages-api.md 5.7)
	cited bool // citations on invalidate system
	added bool // a tool_addition; where tools has none that is shown, the first one invalidates everything
}

func (f facts) or(o facts) facts {
	return facts{f.image || o.image, f.cited || o.cited, f.added || o.added}
}

// settings are the parts of a request outside its blocks that change what the model sees
// (messages-api.md 5.7, 6.1). Two equal settings give equal level seeds and equal hidden weights.
type settings struct {
	model    string
	thinking string // resolved mode: adaptive, enabled, disabled, between_tools
	budget   string
	effort   string // resolved level
	choice   string // of tools: type and name, "auto" when absent
	alone    bool   // disable_parallel_tool_use
	speed    string
	format   Hash // of output_config.format
	task     Hash // of output_config.task_budget
	web      Hash // of the web tools, whose coming and going leaves the tools level (5.7)
	keeps    bool // thinking and effort leave tools and system alone
	tools    int  // tools shown
	webs     int  // web tools among them
	stays    bool // thinking of earlier turns stays until clear_thinking, whatever the model does by itself (8.2)
	facts    facts
	betas    string
	split    bool // where a message ends is part of the cache chain
}

func readSettings(req *wire.Request, m model.Model, opt Options) settings {
	s := settings{model: m.ID, keeps: !m.ThinkingInvalidatesSystem, choice: "auto", betas: opt.Betas, split: opt.SplitTurnsDiffer}
	if keeps, ok := opt.ThinkingKeepsSystem[m.ID]; ok {
		s.keeps = keeps
	}
	s.thinking, s.budget = thinkingMode(req, m)
	s.effort = m.EffortDefault
	config := req.Get("output_config")
	if e := config.Get("effort").Text(); e != "" {
		s.effort = e
	}
	if c := req.Get("tool_choice"); c.Kind() == '{' {
		s.choice = strings.TrimSpace(c.Get("type").Text() + " " + c.Get("name").Text())
		s.alone, _ = c.Get("disable_parallel_tool_use").Bool()
	}
	if speed := req.Get("speed").Text(); speed != "standard" {
		s.speed = speed
	}
	for _, e := range req.Get("context_management").Get("edits").Elems() {
		s.stays = s.stays || e.Get("type").Text() == "clear_thinking_20251015"
	}
	s.format, s.task = hashOf(config.Get("format")), hashOf(config.Get("task_budget"))
	if f := req.Get("output_format"); s.format == (Hash{}) {
		s.format = hashOf(f)
	}
	for _, t := range req.Get("tools").Elems() {
		if deferred(t) {
			continue
		}
		s.tools++
		if isWeb(t.Get("type").Text()) {
			s.web = step(s.web, (&reader{}).tool(t), "")
			s.webs++
		}
	}
	return s
}

// thinkingMode resolves the thinking parameter: left out, it is what the model does by itself.
func thinkingMode(req *wire.Request, m model.Model) (mode, budget string) {
	th := req.Get("thinking")
	if mode = th.Get("type").Text(); mode != "" {
		return mode, string(th.Get("budget_tokens").Raw())
	}
	if m.ThinkingDefault == "on" {
		return "adaptive", ""
	}
	return "disabled", ""
}

func hashOf(v wire.Value) Hash {
	if !v.Exists() || v.IsNull() {
		return Hash{}
	}
	return sum(tokens.AppendSpaced(nil, v.Raw()))
}

func deferred(tool wire.Value) bool {
	on, _ := tool.Get("defer_loading").Bool()
	return on
}

func isWeb(typ string) bool {
	return strings.HasPrefix(typ, "web_search_") || strings.HasPrefix(typ, "web_fetch_")
}

func (s *settings) forced() bool {
	return s.tools > 0 && (strings.HasPrefix(s.choice, "any") || strings.HasPrefix(s.choice, "tool"))
}

// seed continues the cache chain into a level with all that invalidates it from there on (5.7).
func (s *settings) seed(chain Hash, l Level) Hash {
	switch l {
	case Tools:
		chain = mix(chain, "model", s.model)
		if s.tools == 0 && s.facts.added {
			chain = mix(chain, "tools", "added")
		}
		if s.betas != "" {
			chain = mix(chain, "betas", s.betas)
		}
		if !s.keeps {
			chain = s.mind(chain)
		}
	case System:
		chain = mix(chain, "speed", s.speed)
		chain = mix(chain, "format", string(s.format[:]))
		chain = mix(chain, "web", string(s.web[:]))
		chain = mix(chain, "citations", strconv.FormatBool(s.facts.cited))
	case Messages:
		chain = mix(chain, "choice", s.choice)
		chain = mix(chain, "alone", strconv.FormatBool(s.alone))
		chain = mix(chain, "images", strconv.FormatBool(s.facts.image))
		chain = mix(chain, "task", string(s.task[:]))
		chain = s.mind(chain)
	}
	return chain
}

// SameSettings tells whether nothing outside their blocks keeps the cache of two requests apart. What blocks say about the
// whole request, as images do, is left aside.
func (r *Rendered) SameSettings(other *Rendered) bool {
	a, b := r.set, other.set
	a.facts, b.facts = facts{}, facts{}
	return a.apart() == b.apart()
}

// apart is the cache chain of a request without blocks.
func (s *settings) apart() (chain Hash) {
	for _, l := range [...]Level{Tools, System, Messages} {
		chain = s.seed(chain, l)
	}
	return chain
}

// mind mixes in thinking and effort.
func (s *settings) mind(chain Hash) Hash {
	chain = mix(chain, "thinking", s.thinking+" "+s.budget)
	return mix(chain, "effort", s.effort)
}

// hidden is what a request weighs beside its blocks: ahead in front of the first tool, behind at the
// head of messages (messages-api.md 5.1, 9.1). The tail is in neither.
func (s *settings) hidden(c *tokens.Counter, req *wire.Request) (ahead, behind float64) {
	behind = c.Base() - float64(c.Tail.Plain)
	if s.tools > 0 {
		var prompt float64
		ahead, prompt = c.ToolPrompt(s.forced(), s.alone)
		behind += prompt
	}
	if s.forced() {
		behind -= float64(c.Tail.Forced)
	}
	switch s.thinking {
	case "enabled":
		behind += c.Enabled - float64(c.Tail.Enabled)
	case "adaptive":
		behind += c.Adaptive
	}
	if s.task != (Hash{}) {
		behind += c.TaskBudget
	}
	if s.format != (Hash{}) {
		f := req.Get("output_config").Get("format")
		if !f.Exists() || f.IsNull() {
			f = req.Get("output_format")
		}
		behind += c.Format + c.Text(tokens.AppendSpaced(nil, f.Get("schema").Raw()))
	}
	return ahead, max(behind, 0)
}

// tail is what stays behind the last block (messages-api.md 5.4).
func (s *settings) tail(c *tokens.Counter, afterResult bool) int {
	return c.TailOf(afterResult, s.forced(), s.thinking == "enabled")
}
