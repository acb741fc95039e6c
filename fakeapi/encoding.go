package fakeapi

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"fmt"
	"io"
	"strings"

	"harnessbench/fakeapi/validate"
	"harnessbench/internal/model"
)

// Codes of encoded bodies (messages-api.md 1.2, 1.5). Their texts are not published.
const (
	encodingInvalid     = `{"error_code":"request_body_encoding_invalid"}`
	encodingUnsupported = `{"error_code":"request_body_encoding_unsupported"}`
	encodingTooLarge    = `{"error_code":"request_body_too_large_after_decoding"}`
)

// decoded undoes a content-encoding: gzip, deflate, identity, or a list of them in the order they were applied.
func decoded(body []byte, encoding string) ([]byte, *validate.Fault) {
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
			return nil, &validate.Fault{Rule: RuleEncoding, Status: 400, Type: typeInvalid, Details: encodingUnsupported,
				Message: fmt.Sprintf("content-encoding: '%s' is not supported. Use gzip, deflate or identity.", name)}
		}
		if err == nil {
			body, err = io.ReadAll(io.LimitReader(r, model.MaxBodyBytes+1))
		}
		if err != nil {
			return nil, &validate.Fault{Rule: RuleEncoding, Status: 400, Type: typeInvalid, Details: encodingInvalid,
				Message: "The request body could not be decoded as its content-encoding says."}
		}
		if len(body) > model.MaxBodyBytes {
			return nil, &validate.Fault{Rule: RuleEncoding, Status: 413, Type: typeTooLarge, Details: encodingTooLarge,
				Message: "Request exceeds the maximum size after decoding"}
		}
	}
	return body, nil
}
