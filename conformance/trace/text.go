package trace

import (
	"encoding/base64"
	"encoding/json"
	"unicode/utf8"
)

// JSONText is exact bytes. In the file they stand as a JSON string when they are valid UTF-8, else as
// {"base64": "..."}; both ways round trip byte for byte.
type JSONText []byte

func (t JSONText) MarshalJSON() ([]byte, error) {
	if utf8.Valid(t) {
		return json.Marshal(string(t))
	}
	return json.Marshal(map[string]string{"base64": base64.StdEncoding.EncodeToString(t)})
}

func (t *JSONText) UnmarshalJSON(b []byte) error {
	if len(b) > 0 && b[0] == '"' {
		var s string
		if err := json.Unmarshal(b, &s); err != nil {
			return err
		}
		*t = JSONText(s)
		return nil
	}
	var o struct {
		Base64 []byte `json:"base64"`
	}
	if err := json.Unmarshal(b, &o); err != nil {
		return err
	}
	*t = o.Base64
	return nil
}
