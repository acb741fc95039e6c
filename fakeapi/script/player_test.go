package script

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"harnessbench/internal/wire"
)

func one(text string) []Answer { return []Answer{{Blocks: []Block{{Kind: "text", Text: text}}}} }

// ask plays messages written as "role:text"; a text of two lines is two blocks.
func ask(t *testing.T, p *Player, messages ...string) (string, *Miss) {
	var parts []string
	for _, m := range messages {
		role, text, _ := strings.Cut(m, ":")
		var blocks []string
		for _, line := range strings.Split(text, "\n") {
			blocks = append(blocks, fmt.Sprintf(`{"type":"text","text":%q}`, line))
		}
		parts = append(parts, fmt.Sprintf(`{"role":%q,"content":[%s]}`, role, strings.Join(blocks, ",")))
	}
	req, err := wire.Parse(nil, []byte(`{"messages":[`+strings.Join(parts, ",")+`]}`))
	require.NoError(t, err)
	a, miss := p.Answer(req)
	if miss != nil {
		return "", miss
	}
	return a.Blocks[0].Text, nil
}

func TestTheNewestPromptNamesTheTurn(t *testing.T) {
	p := NewPlayer(Script{Turns: []Turn{
		{Prompt: "a", Answers: append(one("a1"), one("a2")...)},
		{Prompt: "b", Answers: one("b1")},
		{Prompt: "summarise", Prefix: true, Answers: one("summary")},
		{Prompt: "a", Behind: "so far", Answers: one("a3")},
	}})
	for _, tc := range []struct {
		name     string
		messages []string
		want     string
		miss     *Miss
	}{
		{"first answer", []string{"user:a"}, "a1", nil},
		{"second answer", []string{"user:a", "assistant:a1", "user:result"}, "a2", nil},
		{"a later prompt wins", []string{"user:a", "assistant:a1", "user:b"}, "b1", nil},
		{"among other blocks", []string{"user:reminder\na\nmore"}, "a1", nil},
		{"by its beginning", []string{"user:a", "assistant:a1", "user:summarise all of this"}, "summary", nil},
		{"what only begins like an exact prompt is none", []string{"user:ab"}, "", &Miss{Newest: "ab", Answer: 1}},
		{"a system message is no prompt", []string{"user:a", "system:b"}, "a1", nil},
		{"an assistant text is no prompt", []string{"user:a", "assistant:b", "user:c"}, "a2", nil},
		{"no answer left", []string{"user:b", "assistant:b1", "user:c"}, "", &Miss{Newest: "c", Prompt: "b", Answer: 2}},
		{"behind a summary", []string{"user:so far this\na"}, "a3", nil},
		{"behind a summary that stands elsewhere", []string{"user:so far this", "assistant:ok", "user:a"}, "a1", nil},
		{"another prompt behind it", []string{"user:so far this\nb"}, "b1", nil},
		{"nothing at all", nil, "", &Miss{Answer: 1}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got, miss := ask(t, p, tc.messages...)
			assert.Equal(t, tc.want, got)
			assert.Equal(t, tc.miss, miss)
		})
	}
}

func TestMemoryOfConversationsIsBounded(t *testing.T) {
	p := NewPlayer(Script{Turns: []Turn{{Prompt: "a", Answers: one("1")}, {Prompt: "a", Answers: one("2")}}})
	for i := range maxConversations + 10 {
		_, miss := ask(t, p, fmt.Sprintf("user:hello %d", i), "assistant:x", "user:a")
		require.Nil(t, miss)
	}
	assert.Len(t, p.taken, maxConversations)
	assert.Len(t, p.byArrival, maxConversations)
}
