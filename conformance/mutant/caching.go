package mutant

import (
	"fmt"
	"slices"

	"harnessbench/internal/wire"
)

const mark5m, mark1h = `{"type":"ephemeral"}`, `{"type":"ephemeral","ttl":"1h"}`

// clockInSystem writes something that changes at every call into the system prompt.
func clockInSystem(s *state, r *wire.Request) []byte {
	return appendText(r, r.Get("system").At(0), fmt.Sprintf(" It is tick %d.", s.calls))
}

// resumeChangesShape renders the head of the conversation differently in a later process.
func resumeChangesShape(s *state, r *wire.Request) []byte {
	if s.process < 2 {
		return nil
	}
	return appendText(r, r.Messages()[0].Blocks()[0].Value, " (resumed)")
}

// fiveMarkers marks one block more than a request may.
func fiveMarkers(_ *state, r *wire.Request) []byte {
	var splices []wire.Splice
	left := 5 - marked(r)
	for _, list := range []wire.Value{r.Get("tools"), r.Get("system")} {
		for _, v := range list.Elems() {
			if left > 0 && !v.Get("cache_control").Exists() {
				splices = append(splices, wire.SetMember(v, "cache_control", []byte(mark1h)))
				left--
			}
		}
	}
	return wire.Apply(r.Body, splices...)
}

func marked(r *wire.Request) int {
	n := 0
	for _, list := range []wire.Value{r.Get("tools"), r.Get("system")} {
		for _, v := range list.Elems() {
			if v.Get("cache_control").Exists() {
				n++
			}
		}
	}
	for _, m := range r.Messages() {
		for _, b := range m.Blocks() {
			if b.Get("cache_control").Exists() {
				n++
			}
		}
	}
	return n
}

// markerOnThinking marks a block that cannot be marked.
func markerOnThinking(_ *state, r *wire.Request) []byte {
	for _, m := range answers(r) {
		for _, b := range m.Blocks() {
			if b.Type() == "thinking" {
				return wire.Apply(r.Body, wire.SetMember(b.Value, "cache_control", []byte(mark1h)))
			}
		}
	}
	return nil
}

// ttlOrder puts a short life before a long one.
func ttlOrder(_ *state, r *wire.Request) []byte {
	return wire.Apply(r.Body, wire.SetMember(r.Get("tools").At(0), "cache_control", []byte(mark5m)))
}

// toolsReordered offers the same tools in another order.
func toolsReordered(s *state, r *wire.Request) []byte {
	if s.calls < 2 {
		return nil
	}
	a, b := r.Get("tools").At(0), r.Get("tools").At(1)
	return wire.Apply(r.Body, wire.Replace(a, unmarked(b.Raw())), wire.Replace(b, unmarked(a.Raw())))
}

// breakpointStaysBehind marks nothing of the messages.
func breakpointStaysBehind(s *state, r *wire.Request) []byte {
	if s.calls < 2 {
		return nil
	}
	var splices []wire.Splice
	for _, m := range r.Messages() {
		for _, b := range m.Blocks() {
			if b.Get("cache_control").Exists() {
				splices = append(splices, wire.RemoveMember(b.Value, "cache_control"))
			}
		}
	}
	return wire.Apply(r.Body, splices...)
}

// effortFlips asks for another effort at every second call.
func effortFlips(s *state, r *wire.Request) []byte {
	if s.calls%2 == 1 {
		return nil
	}
	return wire.Apply(r.Body, wire.SetMember(r.Root, "output_config", []byte(`{"effort":"low"}`)))
}

// modelsFlap asks another model at every second call.
func modelsFlap(s *state, r *wire.Request) []byte {
	if s.calls%2 == 1 {
		return nil
	}
	return wire.Apply(r.Body, wire.SetMember(r.Root, "model", []byte(`"claude-sonnet-4-6"`)))
}

// argumentsRespelled writes the arguments of earlier calls with other blanks.
func argumentsRespelled(s *state, r *wire.Request) []byte {
	if s.calls < 3 {
		return nil
	}
	var splices []wire.Splice
	for _, m := range answers(r) {
		for _, b := range m.Blocks() {
			if input := b.Get("input").Raw(); b.Type() == "tool_use" && len(input) > 2 {
				splices = append(splices, wire.Replace(b.Get("input"), slices.Concat([]byte("{ "), input[1:])))
			}
		}
	}
	return wire.Apply(r.Body, splices...)
}
