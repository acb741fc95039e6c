package thread

import (
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"harnessbench/fakeapi/validate"
	"harnessbench/internal/model"
	"harnessbench/internal/wire"
)

// Refuse judges what a thread does not take at all: settings of the organisation, then fields of the request.
// continues tells that the request is no create.
func (s *Store) Refuse(req *wire.Request, continues bool) *validate.Fault {
	if len(s.opt.Settings) > 0 {
		return validate.ThreadAccount(s.opt.Settings)
	}
	var fields, unsupported []string
	note := func(field, name string) {
		if v := req.Get(field); !v.Exists() || v.IsNull() {
			return
		}
		fields = append(fields, field)
		if !slices.Contains(unsupported, name) {
			unsupported = append(unsupported, name)
		}
	}
	for _, f := range s.opt.Unsupported {
		note(f, f)
		if f == "context_management" && continues {
			note("compaction", f)
		}
	}
	if len(fields) > 0 {
		return validate.ThreadFields(fields, unsupported...)
	}
	if n := marks(req); n > s.opt.Markers {
		return validate.ThreadMarks(s.opt.Markers, n)
	}
	return nil
}

// Agrees refuses a continue that differs from its thread in a fixed field.
func (s *Store) Agrees(k *Kept, req *wire.Request) *validate.Fault {
	var differ []string
	for i, p := range s.fixed(req) {
		if p != k.fixed[i] {
			differ = append(differ, p.name)
		}
	}
	for _, f := range []struct {
		name string
		kept []byte
	}{{"system", k.system}, {"tools", k.tools}} {
		if v := req.Get(f.name); v.Exists() && !v.IsNull() && canonical(unmarked(v)) != canonical(f.kept) {
			differ = append(differ, f.name)
		}
	}
	if len(differ) > 0 {
		return validate.ThreadFingerprint(differ)
	}
	return nil
}

// fixed are the values of the fixed fields; an alias equals the model it stands for, null equals nothing.
func (s *Store) fixed(req *wire.Request) []pair {
	out := make([]pair, len(s.opt.Fixed))
	for i, name := range s.opt.Fixed {
		value := ""
		if v := req.Get(name); v.Exists() && !v.IsNull() {
			value = canonical(v.Raw())
		}
		if m, known := model.Lookup(req.Model()); name == "model" && known {
			value = m.ID
		}
		out[i] = pair{name, value}
	}
	return out
}

// canonical is JSON in one spelling: members sorted, blanks left out; a text and one text block are the same.
func canonical(raw []byte) string {
	v := jsontext.Value(slices.Clone(raw))
	if len(v) == 0 || v.Canonicalize() != nil {
		return string(raw)
	}
	if v.Kind() == '"' {
		return `[{"text":` + string(v) + `,"type":"text"}]`
	}
	return string(v)
}

// Whole is the body of the whole conversation of a continue, and how many of its messages were kept.
func (k *Kept) Whole(req *wire.Request) (body []byte, kept int) {
	var added []byte
	if list := req.Get("messages").Raw(); req.MessageCount() > 0 {
		added = list[1 : len(list)-1]
	}
	body = make([]byte, 0, len(req.Body)+len(k.system)+len(k.tools)+len(k.messages)+64)
	body = append(body, '{')
	for name, v := range req.Root.Members() {
		switch name {
		case "thread", "system", "tools", "messages":
		default:
			body = member(body, name, v.Raw())
		}
	}
	if k.system != nil {
		body = member(body, "system", k.system)
	}
	if k.tools != nil {
		body = member(body, "tools", k.tools)
	}
	all := joined(k.messages, added)
	body = append(member(body, "messages", nil), '[')
	return append(append(body, all...), "]}"...), k.count
}

// Paused tells whether the response is a pause_turn, which a continue without messages resumes.
func (k *Kept) Paused() bool { return k.paused }

// member appends a member to an object that is open.
func member(dst []byte, name string, raw []byte) []byte {
	if dst[len(dst)-1] != '{' {
		dst = append(dst, ',')
	}
	quoted, err := jsontext.AppendQuote(dst, name)
	if err != nil { // the name came out of valid JSON
		return dst
	}
	return append(append(quoted, ':'), raw...)
}

// Answered is what is kept of an answered request: its whole conversation and the reply, a JSON array of content
// blocks. An empty reply adds no message.
func (s *Store) Answered(scope string, whole *wire.Request, previous *Kept, reply []byte, paused bool) *Kept {
	k := &Kept{scope: scope, fixed: s.fixed(whole), paused: paused, count: whole.MessageCount()}
	if v := whole.Get("system"); v.Exists() {
		k.system = unmarked(v)
	}
	if v := whole.Get("tools"); v.Exists() {
		k.tools = unmarked(v)
	}
	list := whole.Get("messages")
	var own []wire.Value
	first := 0
	if previous != nil {
		first = previous.count // what was kept has no marks
	}
	for i := first; i < whole.MessageCount(); i++ {
		own = marked(own, whole.Message(i).Get("content"))
	}
	raw := without(list, own)
	k.messages = raw[1 : len(raw)-1]
	if len(reply) > len("[]") {
		turn := append([]byte(`{"role":"assistant","content":`), reply...)
		k.messages = joined(k.messages, append(turn, '}'))
		k.count++
	}
	return k
}

// joined puts elements of an array behind others.
func joined(a, b []byte) []byte {
	if len(b) == 0 {
		return a
	}
	out := append(make([]byte, 0, len(a)+len(b)+1), a...)
	if len(a) > 0 {
		out = append(out, ',')
	}
	return append(out, b...)
}
