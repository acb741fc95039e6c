package golden

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
)

// view is what the golden reads of a server's view; the field names are those of the trace (D28).
type view struct {
	RequestID string   `json:"request_id"`
	Rule      string   `json:"rule"`
	NotJudged []string `json:"not_judged"`
	Total     int      `json:"total"`
	Base      *stored  `json:"base"`
	Parts     []part   `json:"parts"`
	Read      *stored  `json:"read"`
	Cold      string   `json:"cold"`
	Dropped   []drop   `json:"dropped"`
}

type stored struct {
	RequestID string `json:"request_id"`
	Tokens    int    `json:"tokens"`
}

type part struct {
	Path   string `json:"path"`
	Tokens int    `json:"tokens"`
}

type drop struct {
	Path   string `json:"path"`
	Reason string `json:"reason"`
}

func readView(raw json.RawMessage) *view {
	if len(raw) == 0 {
		return nil
	}
	v := &view{}
	if json.Unmarshal(raw, v) != nil { // another server's view, of which nothing is known
		return nil
	}
	return v
}

// maxParts bounds the parts listed for one prefix; a first call with a long history has many.
const maxParts = 8

// prefix words what the prompt is made of, which earlier call shares it, and why less was read.
func (r *Renderer) prefix(v *view, rd *reader) string {
	if v == nil || v.Total == 0 {
		return ""
	}
	if v.Rule != "" { // a refused prompt was counted, but no cache was asked
		return fmt.Sprintf("prompt %d tokens, refused", v.Total)
	}
	var parts []string
	tail := v.Total // what is behind the last block (messages-api.md 5)
	add := func(name string, tokens int) {
		parts = append(parts, fmt.Sprintf("%s %d", name, tokens))
		tail -= tokens
	}
	if v.Base != nil {
		add(r.callName(v.Base.RequestID), v.Base.Tokens)
	}
	listed := len(v.Parts)
	if listed > maxParts+1 {
		listed = maxParts
	}
	for _, p := range v.Parts[:listed] {
		add(r.partName(p.Path, rd), p.Tokens)
	}
	more := 0
	for _, p := range v.Parts[listed:] {
		more += p.Tokens
	}
	if more > 0 {
		add(fmt.Sprintf("%d more", len(v.Parts)-listed), more)
	}
	if tail > 0 {
		add("tail", tail)
	}
	return fmt.Sprintf("prefix %d = %s; %s", v.Total, strings.Join(parts, ", "), r.shares(v))
}

func (r *Renderer) shares(v *view) string {
	switch {
	case v.Base == nil && v.Read == nil && (v.Cold == "" || v.Cold == "first"):
		return "shares nothing"
	case v.Base == nil && v.Read == nil:
		return "shares nothing, " + v.Cold
	case v.Cold == "" && v.Read != nil:
		return "shares " + r.callName(v.Read.RequestID)
	case v.Cold == "":
		return "shares " + r.callName(v.Base.RequestID)
	case v.Read == nil:
		return r.callName(v.Base.RequestID) + " " + v.Cold
	}
	why := v.Cold
	if v.Base != nil {
		why = r.callName(v.Base.RequestID) + " " + v.Cold
	}
	return fmt.Sprintf("%s, shares %s %d", why, r.callName(v.Read.RequestID), v.Read.Tokens)
}

func (r *Renderer) callName(requestID string) string {
	if c := r.byID[requestID]; c != nil {
		return c.name
	}
	return "an unknown call"
}

func (r *Renderer) partName(path string, rd *reader) string {
	if path == "system" {
		return "sys"
	}
	if n, err := strconv.Atoi(strings.TrimPrefix(path, "messages.")); err == nil && rd != nil {
		return rd.message(r.store, n)
	}
	return path
}

// notes are lines about a call that only few calls have.
func (v *view) notes() []string {
	if v == nil {
		return nil
	}
	var out []string
	for i := 0; i < len(v.Dropped); {
		j := i
		for j < len(v.Dropped) && v.Dropped[j].Reason == v.Dropped[i].Reason {
			j++
		}
		out = append(out, fmt.Sprintf("%-16s %d thinking from %s on: %s", "dropped", j-i, v.Dropped[i].Path, v.Dropped[i].Reason))
		i = j
	}
	if n := len(v.NotJudged); n > 0 {
		shown := strings.Join(v.NotJudged[:min(n, 3)], ", ")
		if n > 3 {
			shown += fmt.Sprintf(" and %d more", n-3)
		}
		out = append(out, fmt.Sprintf("%-16s %s", "not judged", shown))
	}
	return out
}
