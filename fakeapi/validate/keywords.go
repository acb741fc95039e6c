package validate

import (
	"strings"

	"harnessbench/internal/wire"
)

var (
	grammarKeyword = rule{id: "grammar.keyword", area: "tools", source: "messages-api.md 2.9, public reports", confidence: "medium", era: "2025-11 on",
		text: "{path}: For '{type}' type, property '{name}' is not supported"}
	grammarKeywords = rule{id: "grammar.keywords", area: "tools", source: "messages-api.md 2.9, public reports", confidence: "medium", era: "2025-11 on",
		text: "{path}: For '{type}' type, properties {names} are not supported"}
	grammarItems = rule{id: "grammar.min-items", area: "tools", source: "messages-api.md 2.9, public reports", confidence: "medium", era: "2025-11 on",
		text: "{path}: For 'array' type, 'minItems' values other than 0 or 1 are not supported"}
	grammarOneOf = rule{id: "grammar.one-of", area: "tools", source: "messages-api.md 2.9, public reports", confidence: "high", era: "2025-11 on",
		text: "{path}: Schema type 'oneOf' is not supported"}
	grammarMap = rule{id: "grammar.additional-properties-schema", area: "tools", source: "messages-api.md 2.9, public reports", confidence: "medium", era: "2025-11 on",
		text: "{path}: For 'object' type, 'additionalProperties: object' is not supported"}
)

// beyondType are the keywords of each type that no grammar is made of, sorted, as the documentation of structured
// outputs and reports of refusals have them. What neither names passes.
var beyondType = map[string][]string{
	"array":   {"contains", "maxContains", "maxItems", "minContains", "uniqueItems"},
	"integer": {"exclusiveMaximum", "exclusiveMinimum", "maximum", "minimum", "multipleOf"},
	"number":  {"exclusiveMaximum", "exclusiveMinimum", "maximum", "minimum", "multipleOf"},
	"object":  {"maxProperties", "minProperties", "propertyNames"},
	"string":  {"maxLength", "minLength"},
}

// keywords refuses the keywords of one schema that no grammar is made of.
func keywords(schema wire.Value, path string) *Fault {
	if schema.Get("oneOf").Exists() {
		return grammarOneOf.fault("path", path)
	}
	for _, typ := range typesOf(schema) {
		var found []string
		for _, name := range beyondType[typ] {
			if schema.Get(name).Exists() {
				found = append(found, name)
			}
		}
		switch {
		case len(found) == 1:
			return grammarKeyword.fault("path", path, "type", typ, "name", found[0])
		case len(found) > 1:
			return grammarKeywords.fault("path", path, "type", typ, "names", strings.Join(found, ", "))
		}
		if least := schema.Get("minItems"); typ == "array" && least.Exists() {
			if n, ok := least.Float(); !ok || n != 0 && n != 1 {
				return grammarItems.fault("path", path)
			}
		}
	}
	return nil
}

// typesOf are the types that a schema names, in its order.
func typesOf(schema wire.Value) []string {
	t := schema.Get("type")
	if t.Kind() == '"' {
		return []string{t.Text()}
	}
	var all []string
	for _, one := range t.Elems() {
		all = append(all, one.Text())
	}
	return all
}
