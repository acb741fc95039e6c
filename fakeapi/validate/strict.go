package validate

import (
	"strings"

	"harnessbench/internal/model"
	"harnessbench/internal/wire"
)

var (
	strictTools = rule{id: "strict.tools", area: "tools", source: "messages-api.md 2.7", confidence: "high", era: "2026",
		text: "Too many strict tools ({n}). The maximum number of strict tools supported is {max}. Try reducing the number of tools marked as strict."}
	strictOptional = rule{id: "strict.optional", area: "tools", source: "messages-api.md 2.7", confidence: "high", era: "2026",
		text: "Schemas contains too many optional parameters ({n}), which would make grammar compilation inefficient. Reduce the number of optional parameters in your tool schemas (limit: {max})."}
	strictUnions = rule{id: "strict.unions", area: "tools", source: "messages-api.md 2.7", confidence: "high", era: "2026",
		text: "Schemas contains too many parameters with union types ({n} parameters with type arrays or anyOf). This causes exponential compilation cost. Reduce the number of nullable or union-typed parameters (limit: {max} parameters with unions)."}
	strictComplex = rule{id: "strict.complex", area: "tools", source: "messages-api.md 2.7", confidence: "high", era: "2026",
		text: "Schema is too complex for compilation. Try reducing the number of tools or simplifying tool schemas."}
	grammarOpen = rule{id: "grammar.additional-properties", area: "tools", source: "messages-api.md 2.9", confidence: "high",
		text: "{path}: For 'object' type, 'additionalProperties' must be explicitly set to false"}
	grammarTrue = rule{id: "grammar.additional-properties-true", area: "tools", source: "messages-api.md 2.9, public reports", confidence: "medium", era: "2025-11 on",
		text: "{path}: For 'object' type, 'additionalProperties: true' is not supported. Please set 'additionalProperties' to false"}
	grammarProperty = rule{id: "grammar.property", area: "tools", source: "messages-api.md 2.7", confidence: "high",
		text: "{path}: For 'object' type, property 'properties' is not supported"}
	grammarCircle = rule{id: "grammar.circular", area: "tools", source: "messages-api.md 2.7", confidence: "high", era: "2026",
		text: "{path}: Invalid schema: Circular reference detected in schema definitions: {circle}. Self-referencing or mutually-referencing definitions are not supported."}
	grammarRegexp = rule{id: "grammar.regexp", area: "tools", source: "api-verdicts.jsonl strict-regex-unsupported", confidence: "medium",
		text: "Unsupported regex feature in pattern field: {feature}"}
)

func strictRules() []rule {
	return []rule{strictTools, grammarCircle, grammarMap, grammarOpen, grammarTrue, grammarOneOf, grammarKeyword, grammarKeywords, grammarItems, grammarProperty, grammarRegexp, strictOptional, strictUnions, strictComplex}
}

// judgeStrict holds the rules of tools whose calls a grammar is to bind to their schema.
func (r *reading) judgeStrict() *Fault {
	n, sum, most := 0, tally{}, tally{}
	var first *Fault
	for i, t := range r.req.Get("tools").Elems() {
		on, _ := t.Get("strict").Bool()
		schema := t.Get("input_schema")
		if !on || !schema.Exists() {
			continue
		}
		n++
		if f := compile(schema, "tools."+itoa(i)+".custom"); f != nil && !r.walk.goesOn(f, 0) && first == nil {
			first = f
		}
		one := tally{}
		one.count(schema)
		sum.optional, sum.unions = sum.optional+one.optional, sum.unions+one.unions
		most.optional, most.unions = max(most.optional, one.optional), max(most.unions, one.unions)
	}
	switch {
	case n > model.MaxStrictTools:
		return strictTools.fault("n", itoa(n), "max", itoa(model.MaxStrictTools))
	case first != nil:
		return first
	case sum.optional > model.MaxStrictOptional:
		return strictOptional.fault("n", itoa(sum.optional), "max", itoa(model.MaxStrictOptional))
	case sum.unions > model.MaxStrictUnions:
		return strictUnions.fault("n", itoa(sum.unions), "max", itoa(model.MaxStrictUnions))
	case most.optional == model.MaxStrictOptional || most.unions == model.MaxStrictUnions:
		return strictComplex.fault() // all of them in one schema: recorded
	}
	return nil
}

// tally counts what makes a grammar large.
type tally struct{ optional, unions int }

func (t *tally) count(schema wire.Value) {
	required := map[string]bool{}
	for _, name := range schema.Get("required").Elems() {
		required[name.Text()] = true
	}
	for name, p := range schema.Get("properties").Members() {
		if !required[name] {
			t.optional++
		}
		if p.Get("type").Kind() == '[' || p.Get("anyOf").Exists() {
			t.unions++
		}
		t.count(p)
	}
	if items := schema.Get("items"); items.Kind() == '{' {
		t.count(items)
	}
	for _, name := range [...]string{"anyOf", "allOf"} {
		for _, e := range schema.Get(name).Elems() {
			t.count(e)
		}
	}
}

// compile judges a schema that a grammar is to be made of; path is where its refusals point.
func compile(schema wire.Value, path string) *Fault {
	if circle := circleOf(schema); circle != "" {
		return grammarCircle.fault("path", path, "circle", circle)
	}
	return grammar(schema, path)
}

func grammar(schema wire.Value, path string) *Fault {
	if schema.Kind() != '{' {
		return nil
	}
	if schema.Get("type").Text() == "object" || schema.Get("properties").Exists() {
		more := schema.Get("additionalProperties")
		if more.Kind() == '{' {
			return grammarMap.fault("path", path)
		}
		switch closed, ok := more.Bool(); {
		case !ok:
			return grammarOpen.fault("path", path)
		case closed:
			return grammarTrue.fault("path", path)
		}
	}
	if f := keywords(schema, path); f != nil {
		return f
	}
	if p := schema.Get("pattern"); p.Kind() == '"' {
		if feature := beyondGrammar(p.Text()); feature != "" {
			return grammarRegexp.fault("feature", feature)
		}
	}
	for _, name := range [...]string{"properties", "$defs", "definitions"} {
		for _, p := range schema.Get(name).Members() {
			if on, isBool := p.Bool(); isBool && on && name == "properties" {
				return grammarProperty.fault("path", path)
			}
			if f := grammar(p, path); f != nil {
				return f
			}
		}
	}
	if f := grammar(schema.Get("items"), path); f != nil {
		return f
	}
	for _, name := range [...]string{"anyOf", "allOf"} {
		for _, e := range schema.Get(name).Elems() {
			if f := grammar(e, path); f != nil {
				return f
			}
		}
	}
	return nil
}

// beyondGrammar is the first feature of an expression that no grammar can follow, "" when there is none.
func beyondGrammar(pattern string) string {
	for _, feature := range []string{"(?=", "(?!", "(?<=", "(?<!", `\b`, `\B`, `\1`, `\2`, `\3`, `\k<`} {
		if strings.Contains(pattern, feature) {
			return feature
		}
	}
	return ""
}
