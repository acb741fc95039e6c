package validate

import (
	"bytes"
	"errors"
	"regexp/syntax"
	"slices"

	"harnessbench/internal/wire"
)

// draftText is the text for a schema that breaks the metaschema; where it points to changed with the documentation.
var schemaDraft = rule{id: "tools.custom.input_schema.draft", area: "tools", source: "messages-api.md 2.7", confidence: "high",
	text: "{path}: JSON schema is invalid. It must match JSON Schema draft 2020-12 (https://json-schema.org/draft/2020-12). Learn more about tool use at https://platform.claude.com/docs/en/agents-and-tools/tool-use/overview."}

// isSchema tells whether a value matches the metaschema of draft 2020-12. It is written out here because every first
// request of a conversation goes through it; a test holds it against a library. Unknown keywords are free, references
// are not followed.
func isSchema(v wire.Value) bool {
	switch v.Kind() {
	case 't', 'f':
		return true
	case '{':
	default:
		return false
	}
	for i := range v.Len() {
		if keyword := keywords[string(v.NameAt(i))]; keyword != nil && !keyword(v.MemberAt(i)) {
			return false
		}
	}
	return true
}

// keywords says of each keyword what its value must be.
var keywords map[string]func(wire.Value) bool

func init() {
	keywords = map[string]func(wire.Value) bool{"type": isTypes, "required": areNames, "enum": isArray, "examples": isArray,
		"multipleOf": isPositive, "pattern": isRegexp, "$vocabulary": isDict,
		"dependentRequired": every(areNames), "dependencies": every(isSchemaOrNames), "patternProperties": isPatterns}
	for _, name := range []string{"properties", "$defs", "definitions", "dependentSchemas"} {
		keywords[name] = every(isSchema)
	}
	for _, name := range []string{"items", "additionalProperties", "contains", "not", "if", "then", "else", "propertyNames",
		"unevaluatedItems", "unevaluatedProperties", "contentSchema"} {
		keywords[name] = isSchema
	}
	for _, name := range []string{"prefixItems", "anyOf", "allOf", "oneOf"} {
		keywords[name] = areSchemas
	}
	for _, name := range []string{"minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties", "minContains", "maxContains"} {
		keywords[name] = isCount
	}
	for _, name := range []string{"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"} {
		keywords[name] = func(v wire.Value) bool { return v.Kind() == '0' }
	}
	for _, name := range []string{"title", "description", "$comment", "$ref", "$id", "$schema", "$anchor", "$dynamicRef", "$dynamicAnchor",
		"format", "contentEncoding", "contentMediaType"} {
		keywords[name] = func(v wire.Value) bool { return v.Kind() == '"' }
	}
	for _, name := range []string{"uniqueItems", "readOnly", "writeOnly", "deprecated"} {
		keywords[name] = func(v wire.Value) bool { return v.Kind() == 't' || v.Kind() == 'f' }
	}
}

func isArray(v wire.Value) bool { return v.Kind() == '[' }
func isDict(v wire.Value) bool  { return v.Kind() == '{' }

var simpleTypes = []string{"array", "boolean", "integer", "null", "number", "object", "string"}

func isTypes(v wire.Value) bool {
	if v.Kind() == '"' {
		return slices.Contains(simpleTypes, v.Text())
	}
	if v.Kind() != '[' || v.Len() == 0 {
		return false
	}
	var seen []string
	for _, e := range v.Elems() {
		if name := e.Text(); !slices.Contains(simpleTypes, name) || slices.Contains(seen, name) {
			return false
		}
		seen = append(seen, e.Text())
	}
	return true
}

// areNames tells whether a value is an array of strings that differ.
func areNames(v wire.Value) bool {
	if v.Kind() != '[' {
		return false
	}
	seen := make(map[string]bool, v.Len())
	for _, e := range v.Elems() {
		if e.Kind() != '"' || seen[e.Text()] {
			return false
		}
		seen[e.Text()] = true
	}
	return true
}

func isSchemaOrNames(v wire.Value) bool { return v.Kind() == '[' && areNames(v) || isSchema(v) }

func areSchemas(v wire.Value) bool {
	for i := range v.Len() {
		if !isSchema(v.At(i)) {
			return false
		}
	}
	return v.Kind() == '[' && v.Len() > 0
}

// every is a dictionary of values of one sort.
func every(of func(wire.Value) bool) func(wire.Value) bool {
	return func(v wire.Value) bool {
		for i := range v.Len() {
			if v.Kind() == '{' && !of(v.MemberAt(i)) {
				return false
			}
		}
		return v.Kind() == '{'
	}
}

func isPatterns(v wire.Value) bool {
	for i := range v.Len() {
		if v.Kind() == '{' && !compiles(string(v.NameAt(i))) {
			return false
		}
	}
	return every(isSchema)(v)
}

// isCount tells whether a value is a whole number from 0 on, however it is written.
func isCount(v wire.Value) bool {
	f, ok := v.Float()
	return ok && f >= 0 && f == float64(int64(f))
}

func isPositive(v wire.Value) bool {
	f, ok := v.Float()
	return ok && f > 0
}

func isRegexp(v wire.Value) bool { return v.Kind() == '"' && compiles(v.Text()) }

// compiles tells whether a text is a regular expression. Only mistakes that are ones in every dialect count: the
// schemas' dialect has more than Go's.
func compiles(text string) bool {
	_, err := syntax.Parse(text, syntax.Perl)
	var bad *syntax.Error
	if !errors.As(err, &bad) {
		return true
	}
	switch bad.Code {
	case syntax.ErrMissingBracket, syntax.ErrMissingParen, syntax.ErrUnexpectedParen, syntax.ErrTrailingBackslash:
		return hasBeyondGo(text)
	}
	return true
}

// hasBeyondGo tells whether an expression uses what Go's lacks, so that its complaint may be wrong.
func hasBeyondGo(text string) bool {
	for _, begin := range []string{"(?=", "(?!", "(?<", `\u`, `[^]`, `[]`} {
		if bytes.Contains([]byte(text), []byte(begin)) {
			return true
		}
	}
	return false
}
