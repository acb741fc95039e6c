package thinking

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"math"
	"strings"

	"github.com/zeebo/xxh3"

	"harnessbench/internal/model"
	"harnessbench/internal/prefix"
	"harnessbench/internal/tokens"
)

// Seal is what a signature says about its block.
type Seal struct {
	Model   string      // id of the model that thought
	Account prefix.Hash // organisation it thought for
	Bind    prefix.Hash // binding chain of everything before the block, thinking left out
	Text    prefix.Hash // of the text as thought
	// Weight of the text as thought, shown or not: an answer weighs the same whatever its display (6.3).
	Weight tokens.Weights
	// Omitted: the text was not shown. What a client puts into the empty field is then ignored (6.3).
	Omitted  bool
	Redacted bool        // the seal is the data of a redacted block, which shows no text at all
	Before   prefix.Hash // identity of the thinking block before it in the conversation; zero: none
	Answer   prefix.Hash // the answer it came in
	Ordinal  int         // among the thinking blocks of that answer
	// Gap is one more than the tool calls between the block and the next thinking block of its answer, 0 when it is
	// the last. At most maxGap.
	Gap int
}

// Signer signs and reads signatures.
type Signer struct {
	key     []byte
	account prefix.Hash
}

// NewSigner makes the signer of one organisation on a server of this seed.
func NewSigner(seed uint64, organization string) *Signer {
	key := sha256.Sum256(binary.BigEndian.AppendUint64([]byte("thinking signatures"), seed))
	return &Signer{key: key[:], account: HashOf(organization)}
}

// HashOf is the hash of a text as seals hold it; a block's identity is the hash of its signature.
func HashOf(text string) prefix.Hash { return xxh3.HashString128(text).Bytes() }

const (
	fixedLen = 5*16 + 8*len(tokens.Weights{}) + 2 // five hashes, weights, flags, an ordinal
	macLen   = 16
	version  = 2
)

// flags of a seal
const omitted, redacted = byte(1), byte(2)

// The rest of the flags is the gap. One that has no room there is left out, and then not judged.
const gapShift, maxGap = 2, 63

// Sign makes the signature. The account is the signer's own, whatever the seal says.
func (s *Signer) Sign(seal Seal, by model.Model) string {
	body := []byte{version, byte(len(by.ID))}
	body = append(body, by.ID...)
	for _, h := range []prefix.Hash{s.account, seal.Bind, seal.Text, seal.Before, seal.Answer} {
		body = append(body, h[:]...)
	}
	for _, w := range seal.Weight {
		body = binary.BigEndian.AppendUint64(body, math.Float64bits(w))
	}
	flags := byte(0)
	if seal.Omitted {
		flags |= omitted
	}
	if seal.Redacted {
		flags |= redacted
	}
	if seal.Gap <= maxGap {
		flags |= byte(seal.Gap) << gapShift
	}
	body = append(body, flags, byte(seal.Ordinal))
	body = append(body, s.mac(lead(by), body)...)
	out := append(lead(by), 0x12) // field 2 of length n, as a real signature goes on
	out = binary.AppendUvarint(out, uint64(len(body)))
	return base64.StdEncoding.EncodeToString(append(out, body...))
}

// lead are the bytes a signature of this model's era begins with: its text starts with E up to Sonnet 5,
// with CA from Opus 5 on (messages-api.md 4).
func lead(by model.Model) []byte {
	switch {
	case by.Bound:
		return []byte{0x08, 0x04}
	case by.ID == "claude-opus-5":
		return []byte{0x08, 0x03}
	}
	return nil
}

// mac covers the leading bytes too, so that no byte of a signature can change.
func (s *Signer) mac(lead, body []byte) []byte {
	m := hmac.New(sha256.New, s.key)
	m.Write(lead)
	m.Write(body)
	return m.Sum(nil)[:macLen]
}

// Hidden tells a rendering for a model what signatures and redacted data of this server hide.
func (s *Signer) Hidden(reader model.Model) func(signature string) (prefix.Sealed, bool) {
	return func(signature string) (prefix.Sealed, bool) {
		seal, ok := s.Open(signature)
		return prefix.Sealed{Omitted: seal.Omitted && !seal.Redacted, Weight: seal.Weight.For(reader)}, ok
	}
}

// Open reads a signature; ok is false when this server did not make it, or somebody changed it.
func (s *Signer) Open(signature string) (seal Seal, ok bool) {
	raw, err := base64.StdEncoding.Strict().DecodeString(signature)
	if err != nil || strings.ContainsAny(signature, "\r\n") { // line breaks are blanks to the decoder
		return Seal{}, false
	}
	var lead []byte
	if len(raw) > 2 && raw[0] == 0x08 {
		lead, raw = raw[:2], raw[2:]
	}
	if len(raw) < 2 || raw[0] != 0x12 {
		return Seal{}, false
	}
	n, w := binary.Uvarint(raw[1:])
	if w <= 0 || uint64(len(raw[1+w:])) != n {
		return Seal{}, false
	}
	body := raw[1+w:]
	if len(body) < 2 || body[0] != version || len(body) != 2+int(body[1])+fixedLen+macLen {
		return Seal{}, false
	}
	signed, mac := body[:len(body)-macLen], body[len(body)-macLen:]
	if !hmac.Equal(mac, s.mac(lead, signed)) {
		return Seal{}, false
	}
	rest := signed[2+int(signed[1]):]
	seal.Model = string(signed[2 : 2+int(signed[1])])
	for _, h := range []*prefix.Hash{&seal.Account, &seal.Bind, &seal.Text, &seal.Before, &seal.Answer} {
		rest = rest[copy(h[:], rest):]
	}
	for i := range seal.Weight {
		seal.Weight[i] = math.Float64frombits(binary.BigEndian.Uint64(rest))
		rest = rest[8:]
	}
	seal.Omitted, seal.Redacted, seal.Ordinal = rest[0]&omitted != 0, rest[0]&redacted != 0, int(rest[1])
	seal.Gap = int(rest[0] >> gapShift)
	return seal, true
}
