package validate

import "harnessbench/internal/wire"

// inputSchema judges the root of a tool's input_schema (messages-api.md 2.7): its type, no union at the
// root, names of the root's properties, the whole against the draft.
type inputSchema struct{}

const propertyPattern = "^[a-zA-Z0-9_.-]{1,64}$"

var (
	schemaUnion = rule{id: "tools.custom.input_schema.union", area: "tools", source: "messages-api.md 2.7", confidence: "high",
		text: "{path}: input_schema does not support oneOf, allOf, or anyOf at the top level"}
	schemaKeys = rule{id: "tools.custom.input_schema.properties", area: "tools", source: "messages-api.md 2.7", confidence: "high",
		text: "{path}: Property keys should match pattern '" + propertyPattern + "'"}
)

func (inputSchema) judge(w *walk, o owner, v wire.Value) *Fault {
	if v.Kind() != '{' {
		return w.refuse(o, notShape)
	}
	t := v.Get("type")
	if !t.Exists() {
		w.in("type")
		return w.refuse(o.field("type"), missing)
	}
	if t.Text() != "object" {
		w.in("type")
		return w.refuse(o.field("type"), notEnum, "choices", "'object'")
	}
	for _, name := range [...]string{"oneOf", "allOf", "anyOf"} {
		if v.Get(name).Exists() {
			return schemaUnion.fault("path", w.where())
		}
	}
	if props := v.Get("properties"); props.Kind() == '{' {
		for name := range props.Members() {
			if !isPropertyName(name) {
				w.in("properties")
				return schemaKeys.fault("path", w.where())
			}
		}
	}
	if !isRootSchema(v) {
		return schemaDraft.fault("path", w.where())
	}
	return nil
}

func (inputSchema) rules(o owner) []rule {
	t := o.field("type")
	return []rule{notShape.of(o), missing.of(t), notEnum.of(t), schemaUnion, schemaKeys, schemaDraft}
}

// isRootSchema is isSchema for a root, whose properties and required may be null as if absent: whether the API takes
// that is not told, and its clients' types allow it.
func isRootSchema(v wire.Value) bool {
	for i := range v.Len() {
		name, m := v.NameAt(i), v.MemberAt(i)
		if m.IsNull() && (string(name) == "properties" || string(name) == "required") {
			continue
		}
		if !keywordHolds(name, m) {
			return false
		}
	}
	return true
}

func isPropertyName(s string) bool {
	for i := 0; i < len(s); i++ {
		if !isNameByte(s[i]) && s[i] != '.' {
			return false
		}
	}
	return s != "" && len(s) <= 64
}
