package sample

import (
	"bytes"
	"errors"
	"math/rand/v2"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"harnessbench/internal/wire"
)

// tries is how often a value is drawn before the schema counts as too hard.
const tries = 24

// Value draws a value of a schema. ok is false when no value was found that the schema takes, or when it is no schema.
func Value(schema wire.Value, draw *rand.Rand) (value []byte, ok bool) {
	judge, err := compile(schema)
	if err != nil {
		return nil, false
	}
	for i := range tries {
		d := &drawing{root: schema, draw: draw, sparse: i >= tries/2}
		out := d.value(nil, "", view{schema}, 0)
		v, err := jsonschema.UnmarshalJSON(bytes.NewReader(out))
		if err == nil && judge.Validate(v) == nil {
			return out, true
		}
	}
	return nil, false
}

// Property draws a value of one property of an object's schema.
func Property(schema wire.Value, name string, draw *rand.Rand) []byte {
	d := &drawing{root: schema, draw: draw, sparse: true}
	return d.value(nil, name, view{schema.Get("properties").Get(name)}, 1)
}

// sealed loads nothing: a schema stands alone.
type sealed struct{}

func (sealed) Load(url string) (any, error) {
	return nil, errors.New("a schema is not loaded from " + url)
}

// compile makes a schema ready. Properties and required may be null at its root, as if absent.
func compile(schema wire.Value) (*jsonschema.Schema, error) {
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(schema.Raw()))
	if err != nil {
		return nil, err
	}
	if root, ok := v.(map[string]any); ok {
		for _, name := range [...]string{"properties", "required"} {
			if m, have := root[name]; have && m == nil {
				delete(root, name)
			}
		}
	}
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	c.UseLoader(sealed{})
	if err := c.AddResource(address, v); err != nil {
		return nil, err
	}
	return c.Compile(address)
}

// address names a schema while it is judged.
const address = "mem:///schema"
