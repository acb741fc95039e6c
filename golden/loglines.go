package golden

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"harnessbench/conformance/trace"
	"harnessbench/internal/wire"
)

// log renders one write to a session log: a line for each entry, an answer's entries together.
func (r *Renderer) log(at time.Duration, l *trace.Log) {
	if !isLog(l.File) {
		r.closeAnswer()
		r.logLine(at, "-", "beside", fmt.Sprintf("%s, %d bytes", path.Base(l.File), len(l.Data)))
		return
	}
	if !slices.Contains(r.store.files, l.File) {
		r.store.files = append(r.store.files, l.File)
	}
	if l.Given {
		r.closeAnswer()
		r.logLine(at, "-", "given", fmt.Sprintf("%d bytes were there before", len(l.Data)))
	}
	if l.Replaced {
		r.closeAnswer()
		r.logLine(at, "-", "whole file", fmt.Sprintf("replaced, %d bytes", len(l.Data)))
	}
	for _, line := range bytes.Split(l.Data, []byte("\n")) {
		if line = bytes.TrimSpace(line); len(line) == 0 {
			continue
		}
		for _, object := range glued(line) {
			v, err := wire.ParseValue(object)
			if err != nil || v.Kind() != '{' {
				r.closeAnswer()
				r.logLine(at, "-", "torn", fmt.Sprintf("%d bytes that are no entry", len(object)))
				continue
			}
			r.entry(at, l.File, v)
		}
	}
}

// glued takes a line apart into the values that stand in it; what is none stays as it is.
func glued(line []byte) (out [][]byte) {
	dec := json.NewDecoder(bytes.NewReader(line))
	done := 0
	for done < len(line) {
		var value json.RawMessage
		if dec.Decode(&value) != nil {
			return append(out, line[done:])
		}
		out, done = append(out, value), int(dec.InputOffset())
	}
	return out
}

func (r *Renderer) logLine(at time.Duration, name, place, what string) {
	r.add(at, "log", fmt.Sprintf("%-5s %-15s %s", name, place, what))
}

// entry renders one entry or side record.
func (r *Renderer) entry(at time.Duration, file string, v wire.Value) {
	uuid := v.Get("uuid").Text()
	msg := v.Get("message")
	if v.Get("type").Text() != "assistant" || uuid == "" || v.Get("isApiErrorMessage").Raw() != nil || msg.Get("id").Text() != r.collecting() {
		r.closeAnswer()
	}
	if uuid == "" {
		r.logLine(at, r.naming.single(r.step, "w"), "side", r.side(v))
		return
	}
	parent := v.Get("parentUuid").Text()
	if v.Get("type").Text() == "assistant" && v.Get("isApiErrorMessage").Raw() == nil {
		r.answerEntry(at, file, v, uuid, parent)
		return
	}
	name, what, keys := r.single(v)
	if v.Get("isSidechain").Kind() == 't' {
		what += ", sidechain"
	}
	r.store.put(nil, name, file, uuid, parent, keys)
	r.logLine(at, name, "<- "+r.store.nameOf(parent), what)
}

// single names and words an entry that stands alone.
func (r *Renderer) single(v wire.Value) (name, what string, keys []string) {
	content := v.Get("message").Get("content")
	switch v.Get("type").Text() {
	case "user":
		return r.user(v, content)
	case "assistant":
		return r.naming.numbered(r.step, "e"), "notice " + quote(firstText(content)), nil
	case "attachment":
		typ := v.Get("attachment").Get("type").Text()
		letter, what := "n", "attachment "+typ
		for _, item := range v.Get("rendered").Elems() {
			keys = append(keys, keysOf(item.Get("content"))...)
		}
		if slices.Contains(volatile(), typ) {
			letter, what = "v", "volatile "+typ
		}
		switch place := v.Get("attachment").Get("place").Text(); {
		case place != "":
			what += ", sent as " + place
		case len(keys) > 0:
			what += ", sent"
		}
		return r.naming.numbered(r.step, letter), what, keys
	case "system":
		return r.naming.numbered(r.step, "s"), "system " + v.Get("subtype").Text(), nil
	}
	return r.naming.numbered(r.step, "x"), v.Get("type").Text(), nil
}

// volatile are the types of attachments that say that a volatile text was due (H-LOG-54).
func volatile() []string {
	return []string{"auto_mode", "auto_mode_exit", "current_time", "plan_mode", "plan_mode_exit", "task_reminder"}
}

func (r *Renderer) user(v, content wire.Value) (name, what string, keys []string) {
	keys = keysOf(content)
	for _, b := range content.Elems() {
		if b.Get("type").Text() != "tool_result" {
			continue
		}
		what = "tool_result " + r.run(b.Get("tool_use_id").Text()) + ": "
		if b.Get("is_error").Kind() == 't' {
			what += "error "
		}
		return r.naming.numbered(r.step, "r"), what + quote(firstText(b.Get("content"))), keys
	}
	text := firstText(content)
	switch {
	case strings.HasPrefix(text, "[Request interrupted by user"):
		return r.naming.single(r.step, "i"), "user " + quote(text), keys
	case strings.HasPrefix(text, "<command-name>"):
		return r.naming.numbered(r.step, "m"), "user, a command carried out here", keys
	case v.Get("isMeta").Kind() == 't':
		return r.naming.numbered(r.step, "m"), "user, by the harness", keys
	case v.Get("isCompactSummary").Kind() == 't':
		return r.naming.single(r.step, "c"), "user, summary", keys
	}
	return r.naming.single(r.step, "u"), "user", keys
}

// side words a record that is no link of the chain.
func (r *Renderer) side(v wire.Value) string {
	typ := v.Get("type").Text()
	if leaf := v.Get("leafUuid"); typ == "last-prompt" {
		switch {
		case v.Get("emptyPath").Kind() == 't':
			return "empty path"
		case v.Get("explicit").Kind() == 't':
			return "rewind to " + r.store.nameOf(leaf.Text())
		case leaf.Text() != "":
			return "last-prompt at " + r.store.nameOf(leaf.Text())
		}
	}
	return typ
}

// answerEntry takes one entry of an answer; its line grows until something else comes.
func (r *Renderer) answerEntry(at time.Duration, file string, v wire.Value, uuid, parent string) {
	msg := v.Get("message")
	id := msg.Get("id").Text()
	g := r.store.byMsg[answerID{file, id}]
	var words []string
	for _, b := range msg.Get("content").Elems() {
		word := b.Get("type").Text()
		if word == "tool_use" {
			word += " " + r.run(b.Get("id").Text())
		}
		words = append(words, word)
	}
	what := strings.Join(words, ", ")
	name := ""
	if g == nil {
		name = r.naming.numbered(r.step, "a")
	}
	e := r.store.put(g, name, file, uuid, parent, keysOf(msg.Get("content")))
	if id != "" {
		r.store.byMsg[answerID{file, id}] = e.group
	}
	if r.answer == nil {
		r.answer, e.group.answer, r.line = e.group, id, len(r.pending)
		r.logLine(at, e.group.name, "<- "+r.store.nameOf(parent), "assistant: "+what)
	} else {
		r.pending[r.line] += ", " + what
	}
	r.partial = msg.Get("stop_reason").IsNull()
}

// collecting is the message id of the answer being collected, "" for none.
func (r *Renderer) collecting() string {
	if r.answer == nil {
		return ""
	}
	return r.answer.answer
}

// closeAnswer ends the line of the answer being collected.
func (r *Renderer) closeAnswer() {
	if r.answer != nil && r.partial {
		r.pending[r.line] += ", cut short"
	}
	r.answer = nil
}

// run names a tool call by its id, numbering it when it is new.
func (r *Renderer) run(id string) string {
	t, ok := r.store.runs[id]
	if !ok {
		r.naming["run"]++
		t = run{r.step, r.naming["run"]}
		r.store.runs[id] = t
	}
	return t.in(r.step)
}

// firstText is the string of a content, or that of its first text block.
func firstText(content wire.Value) string {
	if content.Kind() == '"' {
		return content.Text()
	}
	for _, b := range content.Elems() {
		if b.Get("type").Text() == "text" {
			return b.Get("text").Text()
		}
	}
	return ""
}
