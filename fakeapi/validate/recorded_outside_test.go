//go:build outside

package validate_test

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"io"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"harnessbench/fakeapi/validate"
	"harnessbench/internal/wire"
)

// exchange is what the rules need of a recorded exchange.
type exchange struct {
	ID       string            `json:"id"`
	Path     string            `json:"path"`
	Status   int               `json:"status"`
	Headers  map[string]string `json:"request_headers"`
	Request  json.RawMessage   `json:"request_body"`
	Response struct {
		Error struct{ Message string }
	} `json:"response_body"`
}

// unlikeRecorded are the recorded refusals this room answers otherwise, with the reason.
var unlikeRecorded = map[string]string{
	"messages.0: Input does not match the expected shape.": "of 2024; later measurements have other words",
	"prompt is too long: 3333404 tokens > 200000 maximum":  elsewhere,
}

// unlikeAccepted are recorded requests that were accepted once and are refused today, by the last part of their id.
var unlikeAccepted = map[string]string{
	"anthropic_completion_tools_call_with_tool_result_stream.yaml#0":        "of 2024, when results were counted and not matched by id",
	"anthropic_completion_tools_call_with_tool_result_stream_helper.yaml#0": "of 2024, when results were counted and not matched by id",
}

func TestRecordedRequestsKeepTheirVerdicts(t *testing.T) {
	files, err := filepath.Glob("../../../shared/recorded/exchanges-*.jsonl.gz")
	require.NoError(t, err)
	require.NotEmpty(t, files, "the recordings must stand beside the checkout")
	accepted, refused := 0, 0
	for _, file := range files {
		each(t, file, func(e exchange) {
			url, _, _ := strings.Cut(e.Path, "?")
			counts := url == "/v1/messages/count_tokens"
			if url != "/v1/messages" && !counts || len(e.Request) == 0 || e.Request[0] != '{' {
				return
			}
			req, err := wire.Parse(nil, e.Request)
			require.NoError(t, err, e.ID)
			h := headers{"anthropic-version": e.Headers["anthropic-version"], "anthropic-beta": strings.Join(validate.KnownBetas(), ",")}
			check := validate.Check
			if counts {
				check = validate.CheckCount
			}
			_, fault := check(nil, req, h)
			switch {
			case e.Status == 200:
				accepted++
				if is := unlikeAccepted[path.Base(e.ID)]; is != "" {
					assert.NotNil(t, fault, "%s is accepted by now, take it off the list: %s", e.ID, is)
				} else if fault != nil {
					t.Errorf("%s was accepted: %s", e.ID, fault.Message)
				}
			case e.Status == 400 && unlikeRecorded[e.Response.Error.Message] == "":
				refused++
				if assert.NotNil(t, fault, "%s was refused: %s", e.ID, e.Response.Error.Message) {
					assert.Equal(t, e.Response.Error.Message, fault.Message, e.ID)
				}
			}
		})
	}
	t.Logf("%d accepted, %d refused", accepted, refused)
	require.Greater(t, accepted, 1000)
	require.Greater(t, refused, 20)
}

func each(t *testing.T, file string, do func(exchange)) {
	f, err := os.Open(file)
	require.NoError(t, err)
	defer f.Close()
	z, err := gzip.NewReader(f)
	require.NoError(t, err)
	lines := bufio.NewReader(z)
	for {
		line, err := lines.ReadBytes('\n')
		if len(line) > 1 {
			var e exchange
			if json.Unmarshal(line, &e) == nil { // other endpoints have other bodies
				do(e)
			}
		}
		if err == io.EOF {
			return
		}
		require.NoError(t, err)
	}
}
