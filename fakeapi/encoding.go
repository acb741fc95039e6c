package fakeapi

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"io"
	"strings"

	"harnessbench/fakeapi/validate"
)

// Rule ids of encoded bodies.
const (
	RuleEncoding    = "content-encoding-unsupported"
	RuleNotEncoded  = "content-encoding-invalid"
	RuleDecodedSize = "content-encoding-too-large"
)

// misencoded is the refusal of an encoded body with its code (messages-api.md 1.2, 1.5).
func misencoded(code, rule string, pairs ...string) *validate.Fault {
	f := validate.Told(rule, pairs...)
	f.Details = `{"error_code":"` + code + `"}`
	return f
}

// decoded undoes a content-encoding: gzip, deflate, identity, or a list of them in the order they
// were applied. What comes out may have so many bytes at most.
func decoded(body []byte, encoding string, most int) ([]byte, *validate.Fault) {
	if encoding == "" {
		return body, nil
	}
	steps := strings.Split(encoding, ",")
	for i := len(steps) - 1; i >= 0; i-- {
		var r io.Reader
		var err error
		switch name := strings.ToLower(strings.TrimSpace(steps[i])); name {
		case "identity", "":
			continue
		case "gzip", "x-gzip":
			r, err = gzip.NewReader(bytes.NewReader(body))
		case "deflate":
			r, err = zlib.NewReader(bytes.NewReader(body))
		default:
			return nil, misencoded("request_body_encoding_unsupported", RuleEncoding, "name", name)
		}
		if err == nil {
			body, err = io.ReadAll(io.LimitReader(r, int64(most)+1))
		}
		if err != nil {
			return nil, misencoded("request_body_encoding_invalid", RuleNotEncoded)
		}
		if len(body) > most {
			return nil, misencoded("request_body_too_large_after_decoding", RuleDecodedSize)
		}
	}
	return body, nil
}
