package trace

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"unicode/utf8"
)

// JSONText is exact bytes. In the file they stand as a JSON string when they are valid UTF-8, else as
// {"base64": "..."}; both ways round trip byte for byte.
type JSONText []byte

// MarshalJSON leaves <, > and & as they are: bodies are full of them and must stay readable.
func (t JSONText) MarshalJSON() ([]byte, error) {
	if !utf8.Valid(t) {
		return json.Marshal(map[string]string{"base64": base64.StdEncoding.EncodeToString(t)})
	}
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(string(t)); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(out.Bytes(), []byte("\n")), nil
}

// textError is a value that holds no exact bytes. The reader finds its place by the value.
type textError struct{ value string }

func (e *textError) Error() string {
	return `exact bytes stand as a string or as {"base64": "..."}`
}

// UnmarshalJSON reads either form.
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
		Base64 *[]byte `json:"base64"`
	}
	if err := json.Unmarshal(b, &o); err != nil || o.Base64 == nil {
		return &textError{string(b)}
	}
	*t = *o.Base64
	return nil
}
