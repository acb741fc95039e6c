package validate

import (
	"bytes"
	"errors"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"harnessbench/internal/wire"
)

// The refusal is documented, its words are not (api-verdicts.jsonl input-examples-invalid).
var exampleWrong = rule{id: "tools.custom.input_examples.invalid", area: "tools", source: "api-verdicts.jsonl input-examples-invalid", confidence: "low",
	text: "{path}: example does not match input_schema"}

// examplesFit holds each example of input against the schema. A schema that points outside of itself, or
// that unfolds beyond measure, is not judged.
func examplesFit(w *walk, _ owner, v wire.Value) *Fault {
	examples := v.Get("input_examples")
	if examples.Len() == 0 {
		return nil
	}
	schema, ok := (*jsonschema.Schema)(nil), affordable(v.Get("input_schema"), examples)
	if ok {
		schema, ok = compiled(v.Get("input_schema"))
	}
	if !ok {
		w.pass()
		return nil
	}
	for i, e := range examples.Elems() {
		example, err := jsonschema.UnmarshalJSON(bytes.NewReader(e.Raw()))
		if err == nil && schema.Validate(example) == nil {
			continue
		}
		w.in("input_examples")
		w.at(i)
		return exampleWrong.fault("path", w.where())
	}
	return nil
}

// compiled is a schema made ready; ok is false when it cannot be, for reasons other rules speak of.
func compiled(v wire.Value) (s *jsonschema.Schema, ok bool) {
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(v.Raw()))
	if err != nil {
		return nil, false
	}
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	c.UseLoader(noLoader{})
	const name = "mem:schema"
	if c.AddResource(name, doc) != nil {
		return nil, false
	}
	s, err = c.Compile(name)
	return s, err == nil
}

// noLoader keeps references from being fetched.
type noLoader struct{}

func (noLoader) Load(url string) (any, error) {
	return nil, errors.New("references are not fetched: " + url)
}
