package benchtest_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/anthropics/anthropic-sdk-go/v2"
	"github.com/anthropics/anthropic-sdk-go/v2/option"

	"harnessbench/conformance/suite/benchtest"
	"harnessbench/fakeapi"
	"harnessbench/fakeapi/script"
)

// ask is the code under test: any client of the Messages API.
func ask(url, question string) (string, error) {
	c := anthropic.NewClient(option.WithBaseURL(url), option.WithAPIKey("any"))
	m, err := c.Messages.New(context.Background(), anthropic.MessageNewParams{
		Model: "claude-sonnet-5", MaxTokens: 100,
		Messages: []anthropic.MessageParam{anthropic.NewUserMessage(anthropic.NewTextBlock(question))},
	})
	if err != nil {
		return "", err
	}
	return m.Content[0].Text, nil
}

// TestYourHarness is the whole of it: a scripted server, the code under test, its traffic judged.
func TestYourHarness(t *testing.T) {
	turn := script.Turn{Prompt: "ping", Answers: []script.Answer{{Blocks: []script.Block{{Kind: "text", Text: "pong"}}}}}
	server := benchtest.Start(t, fakeapi.Options{Script: script.Script{Turns: []script.Turn{turn}}})
	got, err := ask(server.URL, "ping")
	if err != nil || got != "pong" {
		t.Errorf("got %q, %v", got, err)
	}
	server.Holds(t)
}

func ExampleStart() {
	t := &printing{} // a *testing.T in your tests
	turn := script.Turn{Prompt: "ping", Answers: []script.Answer{{Blocks: []script.Block{{Kind: "text", Text: "pong"}}}}}
	server := benchtest.Start(t, fakeapi.Options{Script: script.Script{Turns: []script.Turn{turn}}})
	fmt.Println(ask(server.URL, "ping"))
	server.Holds(t)
	fmt.Println(len(server.Events()), "events")
	t.end()
	// Output:
	// pong <nil>
	// 3 events
}

// printing stands for a test in an example.
type printing struct{ cleanup []func() }

func (p *printing) Helper()                           {}
func (p *printing) Cleanup(f func())                  { p.cleanup = append(p.cleanup, f) }
func (p *printing) Errorf(format string, args ...any) { fmt.Printf(format+"\n", args...) }
func (p *printing) end() {
	for _, f := range p.cleanup {
		f()
	}
}
