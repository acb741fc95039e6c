package script

import (
	"fmt"
	"path"
	"strconv"
	"strings"

	"harnessbench/internal/wire"
)

// query is a request as rules look at it.
type query struct {
	req    *wire.Request
	call   int      // in its lane
	texts  []string // what the user wrote in the newest turn, the newest last
	round  int
	system string
}

func newQuery(req *wire.Request) *query {
	q := &query{req: req, round: 1, system: join(req.Get("system"))}
	for i := req.MessageCount() - 1; i >= 0; i-- {
		m := req.Message(i)
		switch m.Role() {
		case "assistant":
			if begins(req, i) {
				q.round++
			}
		case "user":
			var texts []string
			results := false
			for _, b := range m.Blocks() {
				switch b.Type() {
				case "text":
					texts = append(texts, b.TextValue().Text())
				case "tool_result":
					results = true
				}
			}
			q.texts = append(texts, q.texts...)
			if len(texts) > 0 && !results {
				return q
			}
		}
	}
	return q
}

// join is a text, or the text blocks of an array.
func join(v wire.Value) string {
	if v.Kind() == '"' {
		return v.Text()
	}
	var out []string
	for _, b := range v.Elems() {
		if t := b.Get("text"); t.Kind() == '"' {
			out = append(out, t.Text())
		}
	}
	return strings.Join(out, "\n")
}

// differs says in words what of a match does not hold, "" when all does.
func (m *Match) differs(q *query) string {
	if name := q.req.Model(); m.Model != "" && m.Model != name {
		if ok, err := path.Match(m.Model, name); err != nil || !ok {
			return fmt.Sprintf("the model is %q, not %q", name, m.Model)
		}
	}
	if d := m.Text.differsAll("the user's text", q.texts); d != "" {
		return d
	}
	if d := m.System.differs("the system prompt", q.system); d != "" {
		return d
	}
	tools := q.req.Get("tools")
	for _, name := range m.Tools {
		if _, _, ok := offered(tools, name); !ok {
			return fmt.Sprintf("the tool %q is not offered", name)
		}
	}
	if m.NoTools && tools.Len() > 0 {
		return "tools are offered"
	}
	if m.Result != nil {
		if d := m.Result.differs(q.req); d != "" {
			return d
		}
	}
	if m.Call != 0 && m.Call != q.call {
		return fmt.Sprintf("it is call %d of its lane, not %d", q.call, m.Call)
	}
	if m.Round != 0 && m.Round != q.round {
		return fmt.Sprintf("it is round %d of its turn, not %d", q.round, m.Round)
	}
	most, _ := q.req.Get("max_tokens").Int()
	if m.MaxTokensFrom > 0 && most < int64(m.MaxTokensFrom) {
		return fmt.Sprintf("max_tokens is %d, less than %d", most, m.MaxTokensFrom)
	}
	if m.MaxTokensTo > 0 && most > int64(m.MaxTokensTo) {
		return fmt.Sprintf("max_tokens is %d, more than %d", most, m.MaxTokensTo)
	}
	if m.Stream != nil && *m.Stream != q.req.Stream() {
		return "stream is " + strconv.FormatBool(q.req.Stream())
	}
	if m.Not != nil && m.Not.differs(q) == "" {
		return "what must not hold does"
	}
	return ""
}

func (t *Text) any() bool { return t.Equals == "" && t.Contains == "" && t.Matches == nil }

func (t *Text) differs(what, s string) string {
	switch {
	case t.Equals != "" && s != t.Equals:
		return fmt.Sprintf("%s is %q, not %q", what, clip(s), clip(t.Equals))
	case !strings.Contains(s, t.Contains):
		return fmt.Sprintf("%s is %q, without %q", what, clip(s), clip(t.Contains))
	case t.Matches != nil && !t.Matches.MatchString(s):
		return fmt.Sprintf("%s is %q, which does not match %s", what, clip(s), t.Matches)
	}
	return ""
}

// differsAll wants one of several texts to hold, and speaks of the newest.
func (t *Text) differsAll(what string, all []string) string {
	if t.any() {
		return ""
	}
	if len(all) == 0 {
		return what + " is missing"
	}
	d := ""
	for _, s := range all {
		if d = t.differs(what, s); d == "" {
			return ""
		}
	}
	return d
}

func (r *Result) differs(req *wire.Request) string {
	names := map[string]string{} // of calls, by id
	var newest wire.Message
	found := false
	for i := range req.MessageCount() {
		m := req.Message(i)
		switch m.Role() {
		case "assistant":
			for _, b := range m.Blocks() {
				if b.Type() == "tool_use" {
					names[b.Get("id").Text()] = b.Get("name").Text()
				}
			}
		case "user":
			newest, found = m, true
		}
	}
	if !found {
		return "there is no user message"
	}
	d := "the newest user message has no tool result"
	for _, b := range newest.Blocks() {
		if b.Type() != "tool_result" {
			continue
		}
		id := b.Get("tool_use_id").Text()
		isError := string(b.Get("is_error").Raw()) == "true"
		switch {
		case r.ID != "" && r.ID != id:
			d = fmt.Sprintf("the tool result is of call %q, not %q", id, r.ID)
		case r.Of != "" && !sameTool(r.Of, names[id]):
			d = fmt.Sprintf("the tool result is of %q, not %q", names[id], r.Of)
		case r.Error != nil && *r.Error != isError:
			d = fmt.Sprintf("is_error of the tool result is %t", isError)
		default:
			if d = r.Text.differs("the tool result", join(b.Get("content"))); d == "" {
				return ""
			}
		}
	}
	return d
}

// clip cuts a text to 80 characters.
func clip(s string) string {
	if r := []rune(s); len(r) > 80 {
		return string(r[:80]) + "..."
	}
	return s
}
