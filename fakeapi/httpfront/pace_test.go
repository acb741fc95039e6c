package httpfront_test

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"harnessbench/fakeapi"
	"harnessbench/fakeapi/httpfront"
	"harnessbench/fakeapi/script"
)

// metronome is a clock that moves as far as somebody waits, and stops at a time until it is let go.
type metronome struct {
	mu     sync.Mutex
	now    time.Time
	waits  []time.Duration
	stopAt time.Duration // counted from noon; 0 never stops
	stands chan struct{} // closed when it stands
}

func (m *metronome) clock() time.Time {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.now
}

func (m *metronome) wait(ctx context.Context, d time.Duration) error {
	m.mu.Lock()
	next := m.now.Add(max(d, 0))
	if m.stopAt > 0 && next.After(noon.Add(m.stopAt)) {
		m.now = noon.Add(m.stopAt)
		close(m.stands)
		m.mu.Unlock()
		<-ctx.Done()
		return ctx.Err()
	}
	m.now = next
	m.waits = append(m.waits, d)
	m.mu.Unlock()
	return ctx.Err()
}

func paced(t *testing.T, opt fakeapi.Options, speed float64, stopAt time.Duration) (string, *metronome) {
	m := &metronome{now: noon, stopAt: stopAt, stands: make(chan struct{})}
	return serve(t, fakeapi.New(opt), httpfront.Options{Clock: m.clock, Wait: m.wait, Speed: speed}).URL, m
}

func TestAPacedStreamLeavesAtItsTimes(t *testing.T) {
	for _, speed := range []float64{1, 4} {
		url, m := paced(t, fakeapi.Options{}, speed, 0)
		_, body := post(t, url+"/v1/messages", cached)
		frames := strings.Count(body, "event: ")
		assert.Len(t, m.waits, frames, "one wait a frame")
		assert.Equal(t, time.Duration(float64(fakeapi.FirstByte)/speed), m.waits[0])
		whole := m.clock().Sub(noon)
		assert.Greater(t, whole, time.Duration(float64(fakeapi.FirstByte+10*fakeapi.PerToken)/speed))

		_, body = post(t, url+"/v1/messages", strings.Replace(cached, `"stream":true`, `"stream":false`, 1))
		assert.Len(t, m.waits, frames+1, "a message that is not streamed comes in one piece")
		assert.InDelta(t, float64(whole), float64(m.waits[frames]), 1000, "when its last token is there")
		assert.True(t, json.Valid([]byte(body)))
	}
}

// Every frame can be read as soon as it has left.
func TestAPacedStreamIsFlushed(t *testing.T) {
	url, m := paced(t, fakeapi.Options{}, 1, fakeapi.FirstByte)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	resp := begin(t, ctx, url, cached, nil)
	defer resp.Body.Close()
	<-m.stands
	line, err := bufio.NewReader(resp.Body).ReadString('\n')
	require.NoError(t, err)
	assert.Equal(t, "event: message_start\n", line)
}

func begin(t *testing.T, ctx context.Context, url, body string, header map[string]string) *http.Response {
	req, err := http.NewRequestWithContext(ctx, "POST", url+"/v1/messages", strings.NewReader(body))
	require.NoError(t, err)
	req.Header = http.Header{"X-Api-Key": {"k"}, "Anthropic-Version": {"2023-06-01"}, "Content-Type": {"application/json"}}
	for k, v := range header {
		req.Header.Set(k, v)
	}
	resp, err := http.DefaultClient.Do(req)
	require.NoError(t, err)
	return resp
}

// A client that hangs up in the middle has paid: its entry stays, unless the option says otherwise.
func TestAnAbortedStreamLeavesItsEntry(t *testing.T) {
	for drop, want := range map[bool]string{false: `"cache_creation_input_tokens":0`, true: `"cache_read_input_tokens":0`} {
		url, m := paced(t, fakeapi.Options{DropAborted: drop}, 1, fakeapi.FirstByte+fakeapi.PerToken)
		ctx, cancel := context.WithCancel(context.Background())
		resp := begin(t, ctx, url, cached, nil)
		<-m.stands
		cancel()
		resp.Body.Close()
		m.mu.Lock()
		m.stopAt = 0
		m.mu.Unlock()
		require.Eventually(t, func() bool { // until the server has seen it
			_, body := post(t, url+"/v1/messages", strings.Replace(cached, `"max_tokens":100,"stream":true`, `"max_tokens":0`, 1))
			return strings.Contains(body, want)
		}, 5*time.Second, time.Millisecond)
	}
}

func TestAThreadKeepsNothingOfAStreamThatWasCut(t *testing.T) {
	sc := script.Script{Turns: []script.Turn{{Prompt: "go", Answers: []script.Answer{{Blocks: []script.Block{{Kind: "text", Text: "a text of some length"}}}}}}}
	url, m := paced(t, fakeapi.Options{Script: sc}, 1, fakeapi.FirstByte+fakeapi.PerToken)
	ctx, cancel := context.WithCancel(context.Background())
	beta := map[string]string{"Anthropic-Beta": "message-threads-2026-08-12"}
	create := `{"model":"claude-sonnet-5","max_tokens":9,"stream":true,"thread":{"type":"create"},"messages":[{"role":"user","content":"go"}]}`
	resp := begin(t, ctx, url, create, beta)
	head := make([]byte, 120)
	_, err := io.ReadFull(resp.Body, head)
	require.NoError(t, err)
	_, id, _ := strings.Cut(string(head), `"id":"`)
	id, _, _ = strings.Cut(id, `"`)
	<-m.stands
	cancel()
	resp.Body.Close()
	m.mu.Lock()
	m.stopAt, m.now = 0, noon.Add(time.Minute)
	m.mu.Unlock()
	again := begin(t, context.Background(), url, `{"model":"claude-sonnet-5","max_tokens":9,"thread":{"type":"continue","previous_message_id":"`+id+`"},"messages":[{"role":"user","content":"go"}]}`, beta)
	defer again.Body.Close()
	body, err := io.ReadAll(again.Body)
	require.NoError(t, err)
	assert.Equal(t, 404, again.StatusCode)
	assert.Contains(t, string(body), `"error_code":"thread_not_found"`)
}
