package prefix

import (
	"bytes"
	"encoding/binary"
	"slices"
	"strings"

	"harnessbench/internal/tokens"
	"harnessbench/internal/wire"
)

// reader reads blocks: it writes a block in canonical form and remembers where its texts stand
// there, so that bytes are decoded once for identity and weight.
//
// Canonical form (D29): the schema's own members are sorted by name, since their order carries
// nothing; members that say what leaving them out says (null, is_error false, a direct caller, empty
// citations) are left out, and so is cache_control. Values that belong to the user (tool input,
// schemas, members the schema does not name) keep their order and all they hold; only white space
// and the spelling of escapes are lost.
type reader struct {
	buf    []byte
	texts  []span // parts of buf that count as text
	images []wire.Value
	known  func(signature string) (Sealed, bool) // Options.Sealed
	sealed wire.Value                            // signature or data of thinking without a text of its own
	seal   Sealed                                // what it hides
	told   bool                                  // seal is known
}

type span struct{ from, to int }

type member struct {
	name  string
	value wire.Value
}

// block reads one content block and returns its identity.
func (r *reader) block(b wire.Block) Hash {
	r.start()
	if b.Bare {
		r.bareText(b.Value)
	} else {
		r.typed(b.Value)
	}
	return sum(r.buf)
}

// tool reads an entry of tools.
func (r *reader) tool(v wire.Value) Hash {
	r.start()
	r.typed(v)
	return sum(r.buf)
}

func (r *reader) start() {
	r.buf, r.texts, r.images = r.buf[:0], r.texts[:0], r.images[:0]
	r.sealed, r.seal, r.told = wire.Value{}, Sealed{}, false
}

// bareText writes a string in the form of a text block.
func (r *reader) bareText(v wire.Value) {
	r.buf = append(r.buf, '{')
	r.name("text")
	r.text(v)
	r.name("type")
	r.buf = append(r.buf, `"text"}`...)
}

// typed writes an object of the schema.
func (r *reader) typed(v wire.Value) {
	if v.Kind() != '{' {
		r.free(v)
		return
	}
	var room [12]member
	members := room[:0]
	for name, value := range v.Members() {
		switch {
		case name == "cache_control", saysNothing(name, value):
		default:
			members = append(members, member{name, value})
		}
	}
	slices.SortStableFunc(members, func(a, b member) int { return strings.Compare(a.name, b.name) })
	typ := v.Get("type").Text()
	r.note(typ, v)
	r.buf = append(r.buf, '{')
	for i, m := range members {
		if i+1 < len(members) && members[i+1].name == m.name {
			continue // the last of equal names counts
		}
		r.name(m.name)
		if typ == "thinking" && m.name == typ && r.seal.Omitted {
			r.text(noText)
			continue
		}
		r.member(typ, m)
	}
	r.buf = append(r.buf, '}')
}

// noText is the text of thinking that was not shown.
var noText = func() wire.Value { v, _ := wire.ParseValue([]byte(`""`)); return v }()

// open asks what a signature or redacted data hides.
func (r *reader) open(v wire.Value) {
	if r.known != nil {
		r.seal, r.told = r.known(v.Text())
	}
}

// saysNothing tells members that mean the same as their absence.
func saysNothing(name string, v wire.Value) bool {
	if v.IsNull() {
		return true
	}
	switch name {
	case "is_error":
		return v.Kind() == 'f'
	case "citations":
		return v.Kind() == '[' && v.Len() == 0
	case "caller":
		return v.Len() == 1 && v.Get("type").Text() == "direct"
	}
	return false
}

// note keeps what the weight and the level seeds need beside texts.
func (r *reader) note(typ string, v wire.Value) {
	switch typ {
	case "image":
		r.images = append(r.images, v)
	case "document":
		if v.Get("source").Get("type").Text() == "base64" {
			r.images = append(r.images, v)
		}
	case "thinking":
		signature := v.Get("signature")
		r.open(signature)
		if r.seal.Omitted || v.Get("thinking").Text() == "" {
			r.sealed = signature
		}
	case "redacted_thinking":
		r.sealed = v.Get("data")
		r.open(r.sealed)
	}
}

func (r *reader) member(typ string, m member) {
	switch m.name {
	case "text", "thinking", "title", "context":
		r.text(m.value)
	case "name":
		if isCall(typ) {
			r.text(m.value)
			return
		}
		r.free(m.value)
	case "input":
		from := len(r.buf)
		r.free(m.value)
		if isCall(typ) {
			r.texts = append(r.texts, span{from, len(r.buf)})
		}
	case "data":
		if typ == "text" { // the source of a plain text document
			r.text(m.value)
			return
		}
		r.free(m.value)
	case "content":
		r.content(m.value)
	case "source", "citations", "caller":
		r.schema(m.value)
	default:
		r.free(m.value)
	}
}

func isCall(typ string) bool {
	return typ == "tool_use" || typ == "server_tool_use" || typ == "mcp_tool_use"
}

// content writes the content of a result: a string is one text block.
func (r *reader) content(v wire.Value) {
	if v.Kind() == '"' {
		r.buf = append(r.buf, '[')
		r.bareText(v)
		r.buf = append(r.buf, ']')
		return
	}
	r.schema(v)
}

// schema writes objects and arrays of objects that the schema knows.
func (r *reader) schema(v wire.Value) {
	switch v.Kind() {
	case '{':
		r.typed(v)
	case '[':
		r.buf = append(r.buf, '[')
		for _, e := range v.Elems() {
			r.typed(e)
		}
		r.buf = append(r.buf, ']')
	default:
		r.free(v)
	}
}

func (r *reader) name(s string) {
	r.buf = binary.AppendUvarint(r.buf, uint64(len(s)))
	r.buf = append(r.buf, s...)
}

// free writes a value of the user's own: order and every member kept. One spelling of JSON is its
// own end, so nothing can run together with what follows.
func (r *reader) free(v wire.Value) { r.buf = tokens.AppendSpaced(r.buf, v.Raw()) }

// text writes a decoded string, its length ahead, and remembers it as text.
func (r *reader) text(v wire.Value) {
	if v.Kind() != '"' {
		r.free(v)
		return
	}
	r.buf = append(r.buf, 't')
	at := len(r.buf)
	r.buf = append(r.buf, 0, 0, 0, 0)
	from := len(r.buf)
	inner := v.Raw()[1 : len(v.Raw())-1]
	if bytes.IndexByte(inner, '\\') < 0 {
		r.buf = append(r.buf, inner...)
	} else {
		r.buf = tokens.AppendDecoded(r.buf, inner)
	}
	binary.LittleEndian.PutUint32(r.buf[at:], uint32(len(r.buf)-from))
	r.texts = append(r.texts, span{from, len(r.buf)})
}
