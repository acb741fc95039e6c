package validate

import (
	"strings"

	"harnessbench/internal/wire"
)

const (
	// maxUnfolded bounds the keywords that examples are held against: those of the schema with every reference followed
	// as deep as the examples go, times the values in them. Definitions that refer to others twice each double it from
	// one to the next.
	maxUnfolded = 300_000
	// maxSchema bounds the values of the schema itself: getting one ready takes time in their square.
	maxSchema = 4_000
	// maxPointer bounds the steps of a reference.
	maxPointer = 64
)

// affordable tells whether examples can be held against a schema in sensible time.
func affordable(schema, examples wire.Value) bool {
	if size, _ := extent(schema); size > maxSchema {
		return false
	}
	values, depth := extent(examples)
	u := unfolding{root: schema, left: maxUnfolded / max(values, 1), members: map[string]map[string]wire.Value{}}
	return u.walk(schema, depth)
}

// extent counts the values in v and how deep they stand.
func extent(v wire.Value) (values, depth int) {
	for _, inner := range v.Members() {
		n, d := extent(inner)
		values, depth = values+n, max(depth, d+1)
	}
	for _, inner := range v.Elems() {
		n, d := extent(inner)
		values, depth = values+n, max(depth, d+1)
	}
	return values + 1, depth
}

// unfolding walks a schema through its references.
type unfolding struct {
	root    wire.Value
	left    int                              // keywords that may still be come upon
	members map[string]map[string]wire.Value // of the objects that references went through, by their pointers
}

// walk tells whether what a schema asks of a value so deep was walked to its end.
func (u *unfolding) walk(schema wire.Value, depth int) bool {
	for name, v := range schema.Members() {
		if u.left--; u.left < 0 {
			return false
		}
		whole := true
		switch name {
		case "$ref":
			to, ok := u.at(v.Text())
			whole = ok && u.walk(to, depth)
		case "$dynamicRef", "$recursiveRef":
			whole = false
		case "$id": // below the root it changes what references are relative to
			whole = len(schema.Raw()) == len(u.root.Raw())
		case "allOf", "anyOf", "oneOf", "prefixItems":
			for _, e := range v.Elems() {
				if name == "prefixItems" {
					whole = whole && u.inner(e, depth)
				} else {
					whole = whole && u.walk(e, depth)
				}
			}
		case "not", "if", "then", "else":
			whole = u.walk(v, depth)
		case "dependentSchemas", "properties", "patternProperties":
			for _, m := range v.Members() {
				if name == "dependentSchemas" {
					whole = whole && u.walk(m, depth)
				} else {
					whole = whole && u.inner(m, depth)
				}
			}
		case "items", "contains", "additionalProperties", "propertyNames", "unevaluatedItems", "unevaluatedProperties":
			whole = u.inner(v, depth)
		case "enum", "required":
			u.left -= v.Len()
		}
		if !whole {
			return false
		}
	}
	return u.left >= 0
}

// inner walks the schema of what stands in a value; one so deep may hold nothing.
func (u *unfolding) inner(schema wire.Value, depth int) bool {
	u.left--
	return u.left >= 0 && (depth == 0 || u.walk(schema, depth-1))
}

// at is what a reference points to, ok false when that is outside of the schema or far inside.
func (u *unfolding) at(ref string) (v wire.Value, ok bool) {
	pointer, ok := strings.CutPrefix(ref, "#")
	if !ok || strings.Count(pointer, "/") > maxPointer {
		return v, false
	}
	return u.follow(pointer)
}

func (u *unfolding) follow(pointer string) (v wire.Value, ok bool) {
	i := strings.LastIndexByte(pointer, '/')
	if i < 0 {
		return u.root, pointer == ""
	}
	parent, last := pointer[:i], strings.NewReplacer("~1", "/", "~0", "~").Replace(pointer[i+1:])
	members, known := u.members[parent]
	if !known {
		of, ok := u.follow(parent)
		if !ok {
			return v, false
		}
		members = make(map[string]wire.Value, of.Len())
		for name, m := range of.Members() {
			members[name] = m
		}
		for k, e := range of.Elems() {
			members[itoa(k)] = e
		}
		u.members[parent] = members
	}
	v, ok = members[last]
	return v, ok
}
