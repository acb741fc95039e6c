package contextedit

import (
	"fmt"

	"harnessbench/fakeapi/validate"
	"harnessbench/internal/prefix"
	"harnessbench/internal/wire"
)

// Signed is the signed block that a conversation begins with.
type Signed struct {
	Place prefix.Place
	seal  seal
}

// Verify judges the signed blocks of a request (messages-api.md 8.4): one at most, the first block of the
// conversation, as it was made. The answer is nil when there is none. Blocks of compact_20260112 may stand anywhere. trust
// takes signatures that another server made; what stands behind their blocks is bound to nothing known.
func (s *Signer) Verify(req *wire.Request, trust bool) (*Signed, *validate.Fault) {
	var found *Signed
	first := true
	for i := 0; i < req.MessageCount(); i++ {
		m := req.Message(i)
		content := m.Get("content")
		for k := 0; k < content.Len(); k++ {
			v := content.At(k)
			if unsigned(v) && !trust {
				return nil, validate.BlockSignature(fmt.Sprintf("messages.%d.content.%d", i, k))
			}
			if validate.Signed(v) && v.Get("content").Kind() == '"' {
				path := fmt.Sprintf("messages.%d.content.%d", i, k)
				switch {
				case found != nil:
					return nil, validate.BlockAmbiguous(path)
				case !first || m.Role() == "system":
					return nil, validate.BlockMisplaced(path)
				}
				l, fault := s.block(v, path)
				if fault != nil && !trust {
					return nil, fault
				}
				found = &Signed{Place: prefix.Place{Message: i, Index: k}, seal: l}
			}
			first = false
		}
		if content.Kind() == '"' {
			first = false
		}
	}
	return found, nil
}

// unsigned tells whether the signature was taken off a block. Tool changes are a member of signed blocks alone.
func unsigned(v wire.Value) bool {
	return v.Get("type").Text() == "compaction" && !validate.Signed(v) && v.Get("content").Kind() == '"' && v.Get("tool_changes").Kind() == '['
}

func (s *Signer) block(v wire.Value, path string) (seal, *validate.Fault) {
	l, ok := s.open(v.Get("signature").Text())
	if !ok {
		return seal{}, validate.BlockSignature(path)
	}
	if l.content != hashOf(v.Get("content").Text()) {
		return l, validate.BlockContent(path)
	}
	if l.tools != hashOfJSON(v.Get("tool_changes").Raw()) {
		return l, validate.BlockTools(path)
	}
	if l.opaque != hashOf(v.Get("encrypted_content").Text()) {
		return l, validate.BlockSignature(path)
	}
	return l, nil
}

// Adopted is what thinking behind the block is bound to: the summarised conversation, when the compaction ran on a
// model with the prefix check and the kept turns follow with a change of role. Whether system and tools are the same
// is seen in the rendering: see Same.
func (s *Signed) Adopted(r *wire.Request) prefix.Adopted {
	if s == nil || !s.seal.bound {
		return prefix.Adopted{}
	}
	for i := s.Place.Message; i < r.MessageCount(); i++ {
		m := r.Message(i)
		n := len(m.Blocks())
		if i == s.Place.Message {
			n -= s.Place.Index + 1
		}
		if n <= 0 || m.Role() == "system" {
			continue
		}
		if m.Role() != "" && m.Role()[0] == s.seal.role {
			return prefix.Adopted{}
		}
		break
	}
	return prefix.Adopted{At: s.Place, Bind: s.seal.end}
}

// Same tells whether system and tools are those of the summarised conversation.
func (s *Signed) Same(r *prefix.Rendered) bool { return s == nil || headOf(r) == s.seal.head }
