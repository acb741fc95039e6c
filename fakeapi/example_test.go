package fakeapi_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"

	"harnessbench/fakeapi"
	"harnessbench/fakeapi/httpfront"
	"harnessbench/fakeapi/script"
)

// A server in a test: script it, point a client at its URL.
func ExampleNew() {
	server := fakeapi.New(fakeapi.Options{Script: script.Script{Turns: []script.Turn{
		{Prompt: "ping", Answers: []script.Answer{{Blocks: []script.Block{{Kind: "text", Text: "pong"}}}}},
	}}})
	srv := httptest.NewServer(httpfront.New(server, httpfront.Options{}))
	defer srv.Close()

	req, _ := http.NewRequest("POST", srv.URL+"/v1/messages", strings.NewReader(
		`{"model":"claude-sonnet-5-5","max_tokens":100,"messages":[{"role":"user","content":"ping"}]}`))
	req.Header = http.Header{"X-Api-Key": {"any"}, "Anthropic-Version": {"2023-06-01"}}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer resp.Body.Close()
	var message struct{ Content []struct{ Type, Text string } }
	err = json.NewDecoder(resp.Body).Decode(&message)
	fmt.Println(resp.Status, message.Content, err)
	// Output: 200 OK [{text pong}] <nil>
}
