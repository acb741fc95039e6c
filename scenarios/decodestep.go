package scenarios

import (
	"strconv"
	"strings"

	"github.com/goccy/go-yaml/ast"
)

func (f *faults) step(n ast.Node, number int) Step {
	st := Step{Number: number, Line: where(n).line, Fails: str(child(n, "fails"))}
	st.Exit = child(n, "exit") != nil
	st.KeepBtw, st.ForgetBtw = child(n, "keep_btw") != nil, child(n, "forget_btw") != nil
	st.Context = child(n, "context") != nil
	st.Title, st.Mode = str(child(n, "title")), str(child(n, "mode"))
	st.Set = strs(child(n, "set"))
	if p := child(n, "prompt"); p != nil {
		st.Prompt = f.prompt(n, str(p))
	}
	if r := child(n, "rewind"); r != nil {
		st.Rewind = rewind(r)
	}
	if c := child(n, "compact"); c != nil {
		st.Compact = &Compact{Instructions: str(child(c, "instructions")), Summary: str(child(c, "summary"))}
	}
	if c := child(n, "clear"); c != nil {
		st.Clear = &Clear{Title: str(child(c, "title"))}
	}
	if k := child(n, "fork"); k != nil {
		st.Fork = &Fork{Title: str(child(k, "title"))}
	}
	if r := child(n, "resume"); r != nil {
		st.Resume = &Resume{Session: str(child(r, "session")), Fork: child(r, "fork") != nil, Title: str(child(r, "title")), Rerun: child(r, "rerun") != nil}
	}
	if b := child(n, "btw"); b != nil {
		st.Btw = btw(b)
	}
	if u := child(n, "use"); u != nil {
		st.Use = &Use{Model: str(child(u, "model")), Effort: str(child(u, "effort"))}
	}
	if c := child(n, "file"); c != nil {
		st.File = &File{Path: str(child(c, "path")), Content: str(child(c, "content")), Absent: child(c, "delete") != nil}
	}
	if w := child(n, "wait"); w != nil {
		st.Wait = f.wait(w)
	}
	return st
}

func btw(n ast.Node) *Btw {
	return &Btw{Question: str(child(n, "question")), Answer: str(child(n, "answer"))}
}

func rewind(n ast.Node) *Rewind {
	to, err := strconv.Atoi(strings.TrimPrefix(str(child(n, "to")), "step "))
	if err != nil { // more digits than a number has: surely beyond the last step
		to = int(^uint(0) >> 1)
	}
	r := &Rewind{To: to, Restore: str(child(n, "restore")), Summary: str(child(n, "summary"))}
	if r.Restore == "" {
		r.Restore = "conversation"
	}
	return r
}

func (f *faults) wait(n ast.Node) *Wait {
	w := &Wait{Name: str(n)}
	if w.Name == "past_cache_life" || w.Name == "one_day" {
		return w
	}
	d, ok := f.span(n, "wait")
	w.Duration = d
	if ok && d == 0 {
		f.add(where(n), "wait is "+strconv.Quote(str(n)), "a time longer than nothing, such as 90s")
	}
	return w
}

func (f *faults) prompt(n ast.Node, text string) *Prompt {
	p := &Prompt{Text: text, Interrupt: str(child(n, "interrupt")), Kill: str(child(n, "kill")), Notes: str(child(n, "notes"))}
	if fill := child(n, "fill"); fill != nil {
		if p.FillTokens = fillTokens(fill); p.FillTokens == 0 {
			p.Fill = str(fill)
		}
	}
	p.Model = f.answers(child(n, "model"))
	p.Faults = faultsOf(child(n, "faults"))
	for _, s := range elements(child(n, "summaries")) {
		p.Summaries = append(p.Summaries, Summary{Text: str(child(s, "text")), Model: f.answers(child(s, "model"))})
	}
	p.Tools = f.results(child(n, "tools"))
	for _, q := range elements(child(n, "queued")) {
		p.Queued = append(p.Queued, Queued{Text: str(child(q, "text")), At: str(child(q, "at")), Model: f.answers(child(q, "model"))})
	}
	for _, a := range elements(child(n, "aside")) {
		p.Aside = append(p.Aside, Aside{Btw: *btw(a), At: str(child(a, "at"))})
	}
	if approve := child(n, "approve"); approve != nil {
		p.Approve = map[string]Denial{}
		all, _ := pairs(approve)
		for _, t := range all {
			p.Approve[t.name] = Denial{Feedback: str(child(t.value, "deny"))}
		}
	}
	return p
}

func (f *faults) answers(n ast.Node) (out []Answer) {
	for _, a := range elements(n) {
		out = append(out, f.answer(a))
	}
	return out
}

func (f *faults) results(n ast.Node) map[string][]ToolResult {
	if n == nil {
		return nil
	}
	out := map[string][]ToolResult{}
	all, _ := pairs(n)
	for _, t := range all {
		for _, r := range elements(t.value) {
			takes, _ := f.span(child(r, "takes"), "takes")
			out[t.name] = append(out[t.name], ToolResult{
				Output: str(child(r, "output")),
				Exit:   whole(child(r, "exit")),
				Error:  isTrue(child(r, "error")),
				Takes:  takes,

				FillTokens: fillTokens(child(r, "fill")),
			})
		}
	}
	return out
}

func start(n ast.Node) Start {
	budget, _ := strconv.ParseFloat(str(child(n, "max_budget_usd")), 64) // its form is checked; absent is 0
	return Start{
		Fallback:        str(child(n, "fallback")),
		MaxRetries:      whole(child(n, "max_retries")),
		MaxTurns:        whole(child(n, "max_turns")),
		ToolConcurrency: whole(child(n, "tool_concurrency")),
		MaxBudgetUSD:    budget,
		Window:          whole(child(n, "window")),
		CompactPercent:  whole(child(n, "compact_percent")),
	}
}

// fileStates reads what files must be at the end.
func fileStates(n ast.Node) map[string]File {
	if n == nil {
		return nil
	}
	out := map[string]File{}
	all, _ := pairs(n)
	for _, p := range all {
		out[p.name] = File{Path: p.name, Absent: child(p.value, "absent") != nil, Contains: texts(child(p.value, "contains"))}
		if _, isMap := pairs(p.value); !isMap {
			out[p.name] = File{Path: p.name, Content: str(p.value)}
		}
	}
	return out
}
