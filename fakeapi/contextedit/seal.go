package contextedit

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"

	"github.com/zeebo/xxh3"

	"harnessbench/internal/prefix"
	"harnessbench/internal/wire"
)

// Signer signs and reads the blocks of on-demand compaction (messages-api.md 8.4).
type Signer struct{ key []byte }

// NewSigner makes the signer of one organisation on a server of this seed. Blocks of another one do not verify.
func NewSigner(seed uint64, organization string) *Signer {
	key := sha256.Sum256(append(binary.BigEndian.AppendUint64([]byte("compaction signatures"), seed), organization...))
	return &Signer{key: key[:]}
}

// seal is what a signature says about its block.
type seal struct {
	bound   bool        // the model that summarised has the prefix check
	role    byte        // first letter of the role the summarised messages end with
	content prefix.Hash // of the summary
	tools   prefix.Hash // of tool_changes
	opaque  prefix.Hash // of encrypted_content
	head    prefix.Hash // binding chain in front of the messages: system and tools
	end     prefix.Hash // binding chain behind them
}

const (
	sealVersion = 1
	sealLen     = 3 + 5*16
	macLen      = 16
)

// Sign makes an on-demand block over the rendered conversation that it summarises.
func (s *Signer) Sign(r *prefix.Rendered, summary string, changes []byte) []byte {
	quoted := Block(summary)
	text := quoted[len(`{"type":"compaction","content":`) : len(quoted)-1]
	opaque := base64.StdEncoding.EncodeToString(s.mac([]byte("opaque" + summary)))
	seal := seal{
		bound: r.Model.Bound, content: hashOf(summary), tools: hashOfJSON(changes), opaque: hashOf(opaque),
		head: headOf(r), end: r.BindEnd,
	}
	if n := r.Request.MessageCount(); n > 0 {
		seal.role = r.Request.Message(n - 1).Role()[0]
	}
	out := append([]byte(`{"type":"compaction","content":`), text...)
	out = append(append(out, `,"signature":"`...), s.encode(seal)...)
	out = append(append(out, `","encrypted_content":"`...), opaque...)
	return append(append(append(out, `","tool_changes":`...), changes...), '}')
}

// headOf is the binding chain in front of the messages.
func headOf(r *prefix.Rendered) prefix.Hash {
	for _, b := range r.Blocks.All() {
		if b.Level == prefix.Messages {
			return b.Bind
		}
	}
	return r.BindEnd
}

func (s *Signer) encode(l seal) string {
	raw := []byte{sealVersion, 0, l.role}
	if l.bound {
		raw[1] = 1
	}
	for _, h := range []prefix.Hash{l.content, l.tools, l.opaque, l.head, l.end} {
		raw = append(raw, h[:]...)
	}
	return base64.StdEncoding.EncodeToString(append(raw, s.mac(raw)...))
}

// open reads a signature; ok is false when this server did not make it, or somebody changed it.
func (s *Signer) open(signature string) (l seal, ok bool) {
	raw, err := base64.StdEncoding.Strict().DecodeString(signature)
	if err != nil || len(raw) != sealLen+macLen || raw[0] != sealVersion || !hmac.Equal(raw[sealLen:], s.mac(raw[:sealLen])) {
		return seal{}, false
	}
	l.bound, l.role = raw[1] == 1, raw[2]
	rest := raw[3:sealLen]
	for _, h := range []*prefix.Hash{&l.content, &l.tools, &l.opaque, &l.head, &l.end} {
		rest = rest[copy(h[:], rest):]
	}
	return l, base64.StdEncoding.EncodeToString(raw) == signature
}

func (s *Signer) mac(data []byte) []byte {
	m := hmac.New(sha256.New, s.key)
	m.Write(data)
	return m.Sum(nil)[:macLen]
}

func hashOf(text string) prefix.Hash { return xxh3.HashString128(text).Bytes() }

// hashOfJSON does not see spaces and the order of members, which SDKs may change. Nothing is an empty list.
func hashOfJSON(raw []byte) prefix.Hash {
	var v any
	if json.Unmarshal(raw, &v) != nil || v == nil {
		v = []any{}
	}
	out, err := json.Marshal(v)
	if err != nil { // what was read can be written
		return prefix.Hash{}
	}
	return xxh3.Hash128(out).Bytes()
}

// ToolChanges are the additions and removals that lead from the request's tools to the set in force at the end of
// its messages, as a JSON array. Those of a summary at their beginning come first.
func ToolChanges(req *wire.Request) []byte {
	type change struct {
		key string
		raw []byte
	}
	var net []change
	add := func(v wire.Value) {
		key := changed(v)
		for i := range net {
			if net[i].key == key {
				net = append(net[:i], net[i+1:]...)
				break
			}
		}
		raw := v.Raw()
		if v.Get("cache_control").Exists() {
			raw = wire.Apply(raw, removal(v, "cache_control"))
		}
		net = append(net, change{key, raw})
	}
	for i := 0; i < req.MessageCount(); i++ {
		for _, b := range req.Message(i).Blocks() {
			switch b.Type() {
			case "compaction":
				for _, v := range b.Get("tool_changes").Elems() {
					add(v)
				}
			case "tool_addition", "tool_removal":
				add(b.Value)
			}
		}
	}
	out := []byte{'['}
	for _, c := range net {
		if len(out) > 1 {
			out = append(out, ',')
		}
		out = append(out, c.raw...)
	}
	return append(out, ']')
}

// removal takes a member out of a value that is a document of its own.
func removal(v wire.Value, name string) wire.Splice {
	s := wire.RemoveMember(v, name)
	s.Start, s.End = s.Start-v.Offset(), s.End-v.Offset()
	return s
}

// changed names the tool that a change is about.
func changed(v wire.Value) string {
	t := v.Get("tool")
	if d := t.Get("definition"); d.Exists() {
		t = d
	}
	name := t.Get("name").Text()
	if server := t.Get("server_name").Text(); server != "" {
		name = server + "\x00" + name
	}
	return name
}
