package tool

import (
	"fmt"
	"slices"
	"strings"

	"harnessbench/harness/sessionlog"
	"harnessbench/internal/wire"
)

// fault says how an input departs from the tool's schema, "" for not at all (H-LOOP-10). An integer may be spelled as
// any number without a fraction; a null counts as left out where the parameter may be. What the schema does not know is
// let through.
func (d *Definition) fault(input wire.Value) string {
	if input.Kind() != '{' {
		return fmt.Sprintf("the input of %s must be an object", d.Name)
	}
	for i := range d.params {
		p := &d.params[i]
		v := input.Get(p.name)
		switch {
		case p.required && !v.Exists():
			return fmt.Sprintf("%s needs %s, %s", d.Name, p.name, p.want())
		case v.Exists() && !(v.IsNull() && !p.required) && !p.takes(v):
			return fmt.Sprintf("%s of %s must be %s", p.name, d.Name, p.want())
		}
	}
	return ""
}

// takes tells a value of the parameter's kind.
func (p *param) takes(v wire.Value) bool {
	switch p.kind {
	case "string":
		return v.Kind() == '"' && (len(p.among) == 0 || slices.Contains(p.among, v.Text()))
	case "integer":
		n, ok := whole(v)
		return ok && (p.least == 0 || n >= p.least)
	case "boolean":
		_, ok := v.Bool()
		return ok
	}
	for _, e := range v.Elems() {
		if p.items == "" && e.Kind() != '"' || p.items != "" && e.Kind() != '{' {
			return false
		}
	}
	return v.Kind() == '['
}

// maxWhole bounds what an integer parameter may be; beyond it no count of lines or milliseconds makes sense.
const maxWhole = 1 << 40

// whole reads an integer, also one spelled as 2.0 or 1e3.
func whole(v wire.Value) (int, bool) {
	if n, ok := v.Int(); ok {
		return int(n), n >= -maxWhole && n <= maxWhole
	}
	f, ok := v.Float()
	if !ok || f < -maxWhole || f > maxWhole || f != float64(int(f)) {
		return 0, false
	}
	return int(f), true
}

func (p *param) want() string {
	switch {
	case len(p.among) > 0:
		return "one of " + strings.Join(p.among, ", ")
	case p.kind == "integer" && p.least != 0:
		return fmt.Sprintf("an integer from %d", p.least)
	case p.kind == "integer":
		return "an integer"
	case p.kind == "array" && p.items == "":
		return "an array of strings"
	case p.kind == "array":
		return "an array of objects"
	}
	return "a " + p.kind
}

// translate gives the input of a taught tool the names of the parameters of the tool that runs.
func (d *Definition) translate(input wire.Value) wire.Value {
	b := []byte{'{'}
	for i := range d.params {
		v := input.Get(d.params[i].name)
		if !v.Exists() {
			continue
		}
		if len(b) > 1 {
			b = append(b, ',')
		}
		b = append(append(b, sessionlog.Quote(d.params[i].as)...), ':')
		b = append(b, v.Raw()...)
	}
	v, _ := wire.ParseValue(append(b, '}')) // made of values that were parsed
	return v
}
