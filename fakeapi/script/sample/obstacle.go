package sample

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"

	"harnessbench/internal/wire"
)

// Obstacle names the keyword of a schema that what is drawn does not satisfy, as a place in the schema such as
// #/properties/id/pattern; "" when a value of the schema is drawn.
func Obstacle(schema wire.Value, draw *rand.Rand) string {
	judge, err := compile(schema)
	if err != nil {
		return broken(err)
	}
	d := &drawing{root: schema, draw: draw, sparse: true}
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(d.value(nil, "", view{schema}, 0)))
	if err == nil {
		err = judge.Validate(v)
	}
	var bad *jsonschema.ValidationError
	switch {
	case err == nil:
		return ""
	case !errors.As(err, &bad):
		return "#"
	}
	for len(bad.Causes) > 0 {
		bad = bad.Causes[0]
	}
	_, at, _ := strings.Cut(bad.SchemaURL, "#")
	path := bad.ErrorKind.KeywordPath()
	if _, not := bad.ErrorKind.(*kind.Not); not { // the library gives it no path
		path = []string{"not"}
	}
	return strings.Join(append([]string{"#" + at}, path...), "/")
}

// broken names the place of what is wrong with a schema that cannot be made ready.
func broken(err error) string {
	var (
		bad     *jsonschema.ValidationError
		regex   *jsonschema.InvalidRegexError
		load    *jsonschema.LoadURLError
		pointer *jsonschema.JSONPointerNotFoundError
		anchor  *jsonschema.AnchorNotFoundError
	)
	var whole *jsonschema.SchemaValidationError
	if errors.As(err, &whole) {
		err = whole.Err
	}
	switch {
	case errors.As(err, &bad):
		for len(bad.Causes) > 0 {
			bad = bad.Causes[0]
		}
		return strings.Join(append([]string{"#"}, bad.InstanceLocation...), "/")
	case errors.As(err, &regex):
		_, at, _ := strings.Cut(regex.URL, "#")
		return "#" + at
	case errors.As(err, &load):
		return "$ref " + load.URL
	case errors.As(err, &pointer):
		_, at, _ := strings.Cut(pointer.URL, "#")
		return "$ref #" + at
	case errors.As(err, &anchor):
		_, at, _ := strings.Cut(anchor.Reference, "#")
		return "$ref #" + at
	}
	return "#"
}
