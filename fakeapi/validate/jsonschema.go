package validate

import (
	"bytes"
	"errors"
	"regexp/syntax"
	"slices"

	"harnessbench/internal/wire"
)

// schemaDraft refuses a schema that breaks the metaschema; where it points to changed with the documentation.
var schemaDraft = rule{id: "tools.custom.input_schema.draft", area: "tools", source: "messages-api.md 2.7", confidence: "high", era: "2025 on; the address since 2026-08",
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
		if !keywordHolds(v.NameAt(i), v.MemberAt(i)) {
			return false
		}
	}
	return true
}

// keywordHolds tells whether a keyword has a value it may have.
func keywordHolds(name []byte, v wire.Value) bool {
	switch string(name) {
	case "type":
		return isTypes(v)
	case "required":
		return areNames(v)
	case "enum", "examples":
		return v.Kind() == '['
	case "pattern":
		return v.Kind() == '"' && compiles(v.Text())
	case "patternProperties":
		return isPatterns(v)
	case "properties", "$defs", "definitions", "dependentSchemas":
		return every(v, isSchema)
	case "dependentRequired":
		return every(v, areNames)
	case "dependencies":
		return every(v, isSchemaOrNames)
	case "$vocabulary":
		return v.Kind() == '{'
	case "items", "additionalProperties", "contains", "not", "if", "then", "else", "propertyNames",
		"unevaluatedItems", "unevaluatedProperties", "contentSchema":
		return isSchema(v)
	case "prefixItems", "anyOf", "allOf", "oneOf":
		return areSchemas(v)
	case "minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties", "minContains", "maxContains":
		f, ok := v.Float()
		return ok && f >= 0 && f == float64(int64(f))
	case "multipleOf":
		f, ok := v.Float()
		return ok && f > 0
	case "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum":
		return v.Kind() == '0'
	case "title", "description", "$comment", "$ref", "$id", "$schema", "$anchor", "$dynamicRef", "$dynamicAnchor",
		"format", "contentEncoding", "contentMediaType":
		return v.Kind() == '"'
	case "uniqueItems", "readOnly", "writeOnly", "deprecated":
		return v.Kind() == 't' || v.Kind() == 'f'
	}
	return true
}

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

// every tells whether a value is a dictionary of values of one sort.
func every(v wire.Value, of func(wire.Value) bool) bool {
	if v.Kind() != '{' {
		return false
	}
	for i := range v.Len() {
		if !of(v.MemberAt(i)) {
			return false
		}
	}
	return true
}

func isPatterns(v wire.Value) bool {
	if !every(v, isSchema) {
		return false
	}
	for i := range v.Len() {
		if !compiles(string(v.NameAt(i))) {
			return false
		}
	}
	return true
}

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
