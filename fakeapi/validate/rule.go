package validate

import "strings"

// rule is one refusal: the one place of its text. The text is a template; names in braces are filled in when
// the rule fires, {path} with the place of the fault.
type rule struct {
	id, area, source, confidence string
	era                          string // dates or models the rule holds for; "" leaves it to when
	status                       int    // 0 stands for 400
	kind                         string // error.type, "" stands for invalid_request_error
	text                         string
}

// fault fills the template; pairs are name, value, name, value.
func (r rule) fault(pairs ...string) *Fault {
	f := &Fault{Rule: r.id, Status: r.status, Type: r.kind, Message: r.text}
	if f.Status == 0 {
		f.Status = 400
	}
	if f.Type == "" {
		f.Type = "invalid_request_error"
	}
	if len(pairs) > 0 {
		named := make([]string, 0, len(pairs))
		for i := 0; i+1 < len(pairs); i += 2 {
			named = append(named, "{"+pairs[i]+"}", pairs[i+1])
		}
		f.Message = strings.NewReplacer(named...).Replace(r.text)
	}
	return f
}

func (r rule) public() Rule {
	f := r.fault()
	return Rule{ID: r.id, Area: r.area, Source: r.source, Confidence: r.confidence, Era: r.when(), Status: f.Status, Type: f.Type, Text: r.text}
}

// family is a wording that many fields share (api-verdicts-notes.md 2.2). Its rules are made per field:
// the id is "<object>.<field>.<family>".
type family struct{ name, text string }

var (
	missing     = family{"missing", "{path}: Field required"}
	extra       = family{"extra", "{path}: Extra inputs are not permitted"}
	notObject   = family{"object", "{path}: Input should be an object"}
	notShape    = family{"shape", "{path}: Input does not match the expected shape."}
	notDict     = family{"dictionary", "{path}: Input should be a valid dictionary"}
	notArray    = family{"array", "{path}: Input should be a valid array"}
	notString   = family{"string", "{path}: Input should be a valid string"}
	notInteger  = family{"integer", "{path}: Input should be a valid integer"}
	notNumber   = family{"number", "{path}: Input should be a valid number"}
	notBoolean  = family{"boolean", "{path}: Input should be a valid boolean"}
	notEnum     = family{"enum", "{path}: Input should be {choices}"}
	unknownTag  = family{"tag", "{path}: Input tag '{tag}' found using 'type' does not match any of the expected tags: {tags}"}
	tooShort    = family{"short", "{path}: String should have at least 1 character"}
	tooLong     = family{"long", "{path}: String should have at most {max} characters"}
	noMatch     = family{"pattern", "{path}: String should match pattern '{pattern}'"}
	tooSmall    = family{"minimum", "{path}: Input should be greater than or equal to {min}"}
	belowBound  = family{"bound", "{path}: must be greater than or equal to {min}"}
	outOfRange  = family{"range", "{path}: range: 0..1"}
	notOneOf    = family{"oneof", "{path}: must be one of {choices}"}
	emptyMarked = family{"empty-marked", "{path}: cache_control cannot be set for empty text blocks"}
)

// origin says where the rules of an object come from.
type origin struct{ area, source, confidence string }

// of makes the rule of a family at a place of the schema.
func (f family) of(o owner) rule {
	return rule{id: o.id() + "." + f.name, area: o.area, source: o.source, confidence: o.confidence, text: f.text}
}
