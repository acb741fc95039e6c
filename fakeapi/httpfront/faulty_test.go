package httpfront_test

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"syscall"
	"testing"

	"github.com/anthropics/anthropic-sdk-go/v2"
	"github.com/anthropics/anthropic-sdk-go/v2/option"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"harnessbench/fakeapi"
	"harnessbench/fakeapi/fault"
	"harnessbench/fakeapi/httpfront"
)

// breaking serves with faults.
func breaking(t *testing.T, texts ...string) string {
	t.Helper()
	var plan []fault.Fault
	for _, text := range texts {
		f, err := fault.Parse(text)
		require.NoError(t, err)
		plan = append(plan, f)
	}
	return serve(t, fakeapi.New(fakeapi.Options{Faults: plan, Seed: 1}), httpfront.Options{}).URL
}

// send posts a streamed request and reads what comes of it.
func send(t *testing.T, url string) (resp *http.Response, body string, err error) {
	t.Helper()
	req, err := http.NewRequest("POST", url+"/v1/messages", strings.NewReader(`{"model":"claude-sonnet-5","max_tokens":100,"stream":true,"messages":[{"role":"user","content":"hello"}]}`))
	require.NoError(t, err)
	req.Header = http.Header{"X-Api-Key": {"k"}, "Anthropic-Version": {"2023-06-01"}}
	resp, err = http.DefaultTransport.RoundTrip(req)
	if err != nil {
		return nil, "", err
	}
	defer resp.Body.Close()
	all, err := io.ReadAll(resp.Body)
	return resp, string(all), err
}

func TestFaultsOnTheWire(t *testing.T) {
	_, _, err := send(t, breaking(t, "refused"))
	require.True(t, errors.Is(err, syscall.ECONNRESET) || errors.Is(err, io.EOF), "%v", err)
	_, _, err = send(t, breaking(t, "lost"))
	require.Error(t, err)

	resp, body, err := send(t, breaking(t, "reset,at=event 2"))
	require.ErrorIs(t, err, io.ErrUnexpectedEOF)
	require.Equal(t, 200, resp.StatusCode)
	require.Equal(t, 2, strings.Count(body, "event: "))
	resp, body, err = send(t, breaking(t, "reset,at=after_headers"))
	require.ErrorIs(t, err, io.ErrUnexpectedEOF)
	require.Equal(t, 200, resp.StatusCode)
	require.Empty(t, body)

	_, body, err = send(t, breaking(t, "end"))
	require.NoError(t, err)
	require.NotContains(t, body, "message_stop")
	resp, body, err = send(t, breaking(t, "overloaded,retry_after=2s"))
	require.NoError(t, err)
	require.Equal(t, 529, resp.StatusCode)
	require.Equal(t, "2", resp.Header.Get("retry-after"))
	require.Contains(t, body, "overloaded_error")
	resp, body, err = send(t, breaking(t, "gateway_page"))
	require.NoError(t, err)
	require.Equal(t, "text/html", resp.Header.Get("content-type"))
	require.Empty(t, resp.Header.Get("request-id"))
	require.Contains(t, body, "502 Bad Gateway")
	resp, body, err = send(t, breaking(t, "compressed"))
	require.NoError(t, err)
	require.Contains(t, body, "message_stop", "the transport unpacks what it did not ask for in so many words")
	require.True(t, resp.Uncompressed)
}

// TestABreakInAPacedAnswer: the same bytes come through as in one that is not paced.
func TestABreakInAPacedAnswer(t *testing.T) {
	f, err := fault.Parse("reset,at=event 2")
	require.NoError(t, err)
	url := serve(t, fakeapi.New(fakeapi.Options{Faults: []fault.Fault{f}, Seed: 1}), httpfront.Options{Speed: 1000}).URL
	resp, body, err := send(t, url)
	require.ErrorIs(t, err, io.ErrUnexpectedEOF)
	require.Equal(t, 200, resp.StatusCode)
	require.Equal(t, 2, strings.Count(body, "event: "))
}

// TestASilenceIsKeptAndEndsWithTheClient: the server waits although its answers are not paced, and gives up with
// the client.
func TestASilenceIsKeptAndEndsWithTheClient(t *testing.T) {
	url := breaking(t, "silence,at=event 1,for=10h")
	ctx, cancel := context.WithCancel(context.Background())
	req, err := http.NewRequestWithContext(ctx, "POST", url+"/v1/messages", strings.NewReader(`{"model":"claude-sonnet-5","max_tokens":100,"stream":true,"messages":[{"role":"user","content":"hello"}]}`))
	require.NoError(t, err)
	req.Header = http.Header{"X-Api-Key": {"k"}, "Anthropic-Version": {"2023-06-01"}}
	resp, err := http.DefaultClient.Do(req)
	require.NoError(t, err)
	defer resp.Body.Close()
	line, err := bufio.NewReader(resp.Body).ReadString('\n')
	require.NoError(t, err)
	require.Equal(t, "event: message_start\n", line)
	cancel()
	_, err = io.ReadAll(resp.Body)
	require.ErrorIs(t, err, context.Canceled)
	_, body, err := send(t, breaking(t, "silence,at=event 1,for=1ms"))
	require.NoError(t, err)
	require.Contains(t, body, "message_stop")
}

// TestTheGoSDKMeetsFaults: what the official client makes of them.
func TestTheGoSDKMeetsFaults(t *testing.T) {
	for _, tc := range []struct {
		name    string
		faults  []string
		retries int
		want    string // of the error, "" for none
	}{
		{"a refusal is asked again", []string{"overloaded,call=1,retry_after=1ms"}, 1, ""},
		{"a refusal that stays", []string{"overloaded,retry_after=1ms"}, 1, "529"},
		{"not against the header", []string{"overloaded,call=1,should_retry=false"}, 1, "529"},
		{"a lost answer is asked again", []string{"lost,call=1"}, 1, ""},
		{"odd streams", []string{"crlf", "ping,at=event 3", "comment", "unknown_event", "unknown_delta", "drip"}, 0, ""},
		{"an error in the stream", []string{"error_event,at=event 3"}, 0, "overloaded_error"},
		{"a stream cut", []string{"reset,at=event 4"}, 0, "EOF"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			client := anthropic.NewClient(option.WithBaseURL(breaking(t, tc.faults...)), option.WithAPIKey("k"), option.WithMaxRetries(tc.retries))
			stream := client.Messages.NewStreaming(context.Background(), anthropic.MessageNewParams{
				Model: "claude-sonnet-5", MaxTokens: 100, Messages: []anthropic.MessageParam{anthropic.NewUserMessage(anthropic.NewTextBlock("hello"))}})
			var m anthropic.Message
			for stream.Next() {
				require.NoError(t, m.Accumulate(stream.Current()))
			}
			if tc.want != "" {
				require.ErrorContains(t, stream.Err(), tc.want)
				return
			}
			require.NoError(t, stream.Err())
			assert.Equal(t, fakeapi.FixedText, m.Content[len(m.Content)-1].Text)
		})
	}
}

func TestWhatStruckCanBeAskedFor(t *testing.T) {
	url := breaking(t, "overloaded,call=1", "reset,at=event 99")
	_, _, err := send(t, url)
	require.NoError(t, err)
	_, _, err = send(t, url)
	require.NoError(t, err)
	get := func() string {
		resp, err := http.Get(url + "/_bench/struck")
		require.NoError(t, err)
		defer resp.Body.Close()
		body, err := io.ReadAll(resp.Body)
		require.NoError(t, err)
		return string(body)
	}
	require.JSONEq(t, `{"faults":[{"name":"overloaded","at":"before_headers"},{"name":"reset","at":"event 99","missed":true}]}`, get())
	require.JSONEq(t, `{"faults":null}`, get())
}
