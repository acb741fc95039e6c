package scenarios

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"

	"github.com/invopop/jsonschema"
)

// Schema is the JSON Schema (draft 2020-12) of a story file, indented, with a final newline. It takes
// what the loader takes as far as one place of the file is concerned; what only several places
// together can show (a rewind to a step that is no prompt) the loader alone finds.
func Schema() ([]byte, error) { return printed(storyShape(), "Story of the bench") }

// ScriptSchema is the JSON Schema of a script file.
func ScriptSchema() ([]byte, error) { return printed(scriptShape(), "Script of the bench") }

func printed(of *shape, title string) ([]byte, error) {
	s := of.schema()
	s.Version = jsonschema.Version
	s.Title = title
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(s); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

func (s *shape) schema() *jsonschema.Schema {
	out := &jsonschema.Schema{Description: s.doc}
	one := uint64(1)
	switch s.kind {
	case text:
		out.Type = "string"
		for _, c := range s.choices {
			out.Enum = append(out.Enum, c)
		}
		if s.pattern != nil {
			out.Pattern = s.pattern.String()
		}
		if !s.blank && len(out.Enum) == 0 && out.Pattern == "" {
			out.MinLength = &one
		}
		out = s.orMapSchema(out)
	case number:
		out.Type = "integer"
		out.Minimum = "0"
		out.Maximum = "999999999"
		if s.most > 0 {
			out.Minimum, out.Maximum = json.Number(strconv.Itoa(s.least)), json.Number(strconv.Itoa(s.most))
		}
	case fraction:
		out.Type = "number"
		out.ExclusiveMinimum = "0"
		out.Maximum = "1"
	case truth:
		out.Type = "boolean"
	case yes:
		out.Const = true
		out = s.orMapSchema(out)
	case call: // 1.2 is a number to YAML
		out.AnyOf = []*jsonschema.Schema{{Type: "number", ExclusiveMinimum: "1"}, {Type: "string", Pattern: callForm.String()}}
	case object:
		out.Type = "object"
	case list:
		many := &jsonschema.Schema{Type: "array", MinItems: &one, Items: s.of.schema()}
		if !s.alone {
			many.Description = s.doc
			return many
		}
		out.AnyOf = []*jsonschema.Schema{s.of.schema(), many}
	case record, table:
		s.mapSchema(out)
	}
	return out
}

// orMapSchema is the schema of a plain value, with the map that may stand in its place.
func (s *shape) orMapSchema(plain *jsonschema.Schema) *jsonschema.Schema {
	if s.orMap == nil {
		return plain
	}
	plain.Description = ""
	return &jsonschema.Schema{Description: s.doc, AnyOf: []*jsonschema.Schema{plain, s.orMap.schema()}}
}

func (s *shape) mapSchema(out *jsonschema.Schema) {
	out.Type = "object"
	out.AdditionalProperties = jsonschema.FalseSchema
	if s.kind == table {
		one := uint64(1)
		out.MinProperties = &one
		if s.name != nil {
			out.PropertyNames = &jsonschema.Schema{Pattern: s.name.String()}
		}
		if s.of != nil {
			out.AdditionalProperties = s.of.schema()
		}
	}
	if all := slices.Concat(s.keys, s.named); len(all) > 0 {
		out.Properties = jsonschema.NewProperties()
		for _, k := range all {
			out.Properties.Set(k.name, k.shape.schema())
			if k.required {
				out.Required = append(out.Required, k.name)
			}
			if k.with != "" {
				if out.DependentRequired == nil {
					out.DependentRequired = map[string][]string{}
				}
				out.DependentRequired[k.name] = []string{k.with}
			}
		}
	}
	for _, k := range s.oneOf {
		out.OneOf = append(out.OneOf, &jsonschema.Schema{Required: []string{k}})
	}
	for _, k := range s.anyOf {
		out.AnyOf = append(out.AnyOf, &jsonschema.Schema{Required: []string{k}})
	}
}
