package sample

import (
	"bytes"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"harnessbench/internal/wire"
)

// drawing is one attempt at one value.
type drawing struct {
	root   wire.Value
	draw   *rand.Rand
	sparse bool // only what is required
}

// view is a schema together with those that hold besides it (allOf, $ref, the chosen arm of anyOf).
type view []wire.Value

func (v view) get(name string) wire.Value {
	for _, s := range v {
		if m := s.Get(name); m.Exists() {
			return m
		}
	}
	return wire.Value{}
}

// maxDepth ends recursive schemas.
const maxDepth = 8

// widen follows references and unions.
func (d *drawing) widen(v view, depth int) view {
	for i := 0; i < len(v) && len(v) < 64; i++ {
		s := v[i]
		if ref := s.Get("$ref").Text(); strings.HasPrefix(ref, "#") {
			if to := d.pointer(ref[1:]); to.Exists() {
				v = append(v, to)
			}
		}
		for _, one := range s.Get("allOf").Elems() {
			v = append(v, one)
		}
		for _, name := range [...]string{"anyOf", "oneOf"} {
			if arms := s.Get(name); arms.Len() > 0 {
				n := d.draw.IntN(arms.Len())
				if depth >= maxDepth || d.sparse {
					n = simplest(arms)
				}
				v = append(v, arms.At(n))
			}
		}
	}
	return v
}

// simplest is the arm of a union that surely goes no deeper: the first without a reference or members.
func simplest(arms wire.Value) int {
	for i, a := range arms.Elems() {
		if t := a.Get("type").Text(); t != "object" && t != "array" && !a.Get("$ref").Exists() && t != "null" {
			return i
		}
	}
	return 0
}

// pointer follows a JSON pointer inside the schema.
func (d *drawing) pointer(p string) wire.Value {
	v := d.root
	for _, step := range strings.Split(p, "/") {
		if step == "" {
			continue
		}
		step = strings.NewReplacer("~1", "/", "~0", "~").Replace(step)
		if n, err := strconv.Atoi(step); err == nil && v.Kind() == '[' {
			if n < 0 || n >= v.Len() {
				return wire.Value{}
			}
			v = v.At(n)
			continue
		}
		v = v.Get(step)
	}
	return v
}

// value appends a value; name is that of the property it is for.
func (d *drawing) value(dst []byte, name string, v view, depth int) []byte {
	v = d.widen(slices.Clone(v), depth)
	if c := v.get("const"); c.Exists() {
		return append(dst, c.Raw()...)
	}
	if e := v.get("enum"); e.Len() > 0 {
		return append(dst, e.At(d.draw.IntN(e.Len())).Raw()...)
	}
	switch d.kind(v) {
	case "object":
		return d.object(dst, v, depth)
	case "array":
		return d.array(dst, name, v, depth)
	case "integer":
		return strconv.AppendInt(dst, int64(d.number(v, true)), 10)
	case "number":
		return strconv.AppendFloat(dst, d.number(v, false), 'f', -1, 64)
	case "boolean":
		return strconv.AppendBool(dst, d.draw.IntN(2) == 1)
	case "null":
		return append(dst, "null"...)
	}
	return quote(dst, d.text(name, v))
}

// kind is the type of value a schema wants.
func (d *drawing) kind(v view) string {
	t := v.get("type")
	if t.Kind() == '"' {
		return t.Text()
	}
	for _, one := range t.Elems() {
		if one.Text() != "null" {
			return one.Text()
		}
	}
	switch {
	case t.Len() > 0:
		return "null"
	case v.get("properties").Exists(), v.get("required").Exists():
		return "object"
	case v.get("items").Exists(), v.get("prefixItems").Exists():
		return "array"
	case v.get("minimum").Exists(), v.get("maximum").Exists(), v.get("multipleOf").Exists():
		return "number"
	}
	return "string"
}

func (d *drawing) object(dst []byte, v view, depth int) []byte {
	var required []string
	for _, s := range v {
		for _, r := range s.Get("required").Elems() {
			if !slices.Contains(required, r.Text()) {
				required = append(required, r.Text())
			}
		}
	}
	dst = append(dst, '{')
	var have []string
	add := func(name string, of view) {
		if slices.Contains(have, name) {
			return
		}
		if len(have) > 0 {
			dst = append(dst, ',')
		}
		dst = append(quote(dst, name), ':')
		dst = d.value(dst, name, of, depth+1)
		have = append(have, name)
	}
	least := int(whole(v.get("minProperties"), 0))
	for _, s := range v {
		for name := range s.Get("properties").Members() {
			wanted := slices.Contains(required, name)
			if !wanted && (d.sparse || depth >= maxDepth || d.draw.IntN(3) > 0) && len(have) >= least {
				continue
			}
			var of view
			for _, each := range v {
				if p := each.Get("properties").Get(name); p.Exists() {
					of = append(of, p)
				}
			}
			add(name, of)
		}
	}
	more := v.get("additionalProperties")
	for _, name := range required {
		add(name, view{more})
	}
	for i := 0; len(have) < least && i < 16; i++ {
		add("key"+strconv.Itoa(i+1), view{more})
	}
	return append(dst, '}')
}

func (d *drawing) array(dst []byte, name string, v view, depth int) []byte {
	least, most := int(whole(v.get("minItems"), 0)), int(whole(v.get("maxItems"), 8))
	n := least
	if !d.sparse && depth < maxDepth && n < most {
		n += d.draw.IntN(min(3, most-n) + 1)
	}
	if least == 0 && n == 0 && most > 0 && depth < 3 { // an empty list says little
		n = 1
	}
	n = min(n, 64)
	first, items := v.get("prefixItems"), v.get("items")
	unique := string(v.get("uniqueItems").Raw()) == "true"
	dst = append(dst, '[')
	var have [][]byte
	for i, attempt := 0, 0; i < n && attempt < 4*n+8; attempt++ {
		of := items
		if i < first.Len() {
			of = first.At(i)
		}
		one := d.value(nil, strings.TrimSuffix(name, "s"), view{of}, depth+1)
		if unique && slices.ContainsFunc(have, func(h []byte) bool { return bytes.Equal(h, one) }) {
			continue
		}
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(dst, one...)
		have = append(have, one)
		i++
	}
	return append(dst, ']')
}

// number draws within the bounds, near the lower one.
func (d *drawing) number(v view, integer bool) float64 {
	low, high := bound(v.get("minimum")), bound(v.get("maximum"))
	below, above := low, high // as the schema has them
	step := 1.0
	if m := bound(v.get("multipleOf")); !math.IsNaN(m) && m > 0 {
		step = m
	}
	if x := bound(v.get("exclusiveMinimum")); !math.IsNaN(x) && !(low > x) {
		below = x
		low = math.Floor(x/step)*step + step
	}
	if x := bound(v.get("exclusiveMaximum")); !math.IsNaN(x) && !(high < x) {
		above = x
		high = math.Ceil(x/step)*step - step
	}
	switch {
	case math.IsNaN(low) && math.IsNaN(high):
		low, high = 1, 20
	case math.IsNaN(low):
		low = high - 10*step
	case math.IsNaN(high):
		high = low + 10*step
	}
	if integer && step != math.Trunc(step) {
		step = 1
	}
	first := math.Ceil(low/step) * step
	if first > high { // no multiple between: the middle
		return (below + above) / 2
	}
	n := math.Min(20, math.Floor((high-first)/step))
	return first + step*float64(d.draw.IntN(int(n)+1))
}

// bound is a number of a schema, NaN when it is absent.
func bound(v wire.Value) float64 {
	f, ok := v.Float()
	if !ok {
		return math.NaN()
	}
	return f
}

func whole(v wire.Value, otherwise int64) int64 {
	if n, ok := v.Int(); ok && n >= 0 && n < 1<<16 {
		return n
	}
	return otherwise
}

func quote(dst []byte, s string) []byte {
	out, err := jsontext.AppendQuote(dst, s)
	if err != nil { // invalid UTF-8 stands as the replacement character
		return out
	}
	return out
}
