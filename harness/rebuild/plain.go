package rebuild

import (
	"harnessbench/internal/wire"
)

// Plain is a request with messages that are not those of the log, as the teaching profile makes them: a JSON array in
// which roles alternate. It has the two breakpoints of H-REB-51, or none.
func Plain(f Front, messages []byte) []byte {
	marker := markerText(f.TTL)
	if v, err := wire.ParseValue(messages); err == nil && !f.Unmarked {
		if at := lastMarkable(v); at > 0 {
			messages = append(append(append([]byte{}, messages[:at]...), marker...), messages[at:]...)
		}
	}
	body := f.write(make([]byte, 0, f.size()+len(messages)), markers{system: !f.Unmarked}, marker, nil)
	return append(append(body, messages[1:]...), '}')
}

// PlainAside is a request that goes on from such messages as Aside does from a conversation: with their markers, and with
// none on what is added (H-CMD-63).
func PlainAside(f Front, messages []byte, earlier []Exchange, texts ...string) []byte {
	open := false
	if v, err := wire.ParseValue(messages); err == nil && v.Len() > 0 {
		open = v.At(v.Len()-1).Get("role").Text() == "user"
	}
	return goOn(Plain(f, messages), open, earlier, texts)
}

// lastMarkable is the offset before the closing brace of the last block of all that may bear a marker, 0 for none.
func lastMarkable(messages wire.Value) int {
	for i := messages.Len() - 1; i >= 0; i-- {
		content := messages.At(i).Get("content")
		for j := content.Len() - 1; j >= 0; j-- {
			if b := content.At(j); mayMark(b.Get("type").Text()) {
				return b.Offset() + len(b.Raw()) - 1
			}
		}
	}
	return 0
}
