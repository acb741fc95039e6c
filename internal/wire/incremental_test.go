package wire

import (
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// requireSame compares two parses of one body in everything that can be read from them.
func requireSame(t require.TestingT, want, got Value) {
	require.Equal(t, string(want.Raw()), string(got.Raw()))
	require.Equal(t, want.Offset(), got.Offset())
	require.Equal(t, want.Kind(), got.Kind())
	require.Equal(t, want.Len(), got.Len())
	for i, w := range want.Elems() {
		requireSame(t, w, got.At(i))
	}
	if want.Kind() != '{' {
		return
	}
	type member struct {
		name  string
		value Value
	}
	var members []member
	for name, v := range got.Members() {
		members = append(members, member{name, v})
	}
	i := 0
	for name, w := range want.Members() {
		require.Equal(t, name, members[i].name)
		requireSame(t, w, members[i].value)
		g := got.Get(name)
		require.Equal(t, want.Get(name).Offset(), g.Offset())
		require.Equal(t, string(want.Get(name).Raw()), string(g.Raw()))
		i++
	}
}

func requireParsesAlike(t require.TestingT, prev *Request, body string) *Request {
	cold, coldErr := Parse(nil, []byte(body))
	warm, warmErr := Parse(prev, []byte(body))
	require.Equal(t, coldErr, warmErr)
	if coldErr != nil {
		return nil
	}
	require.Zero(t, cold.SharedMessages())
	requireSame(t, cold.Root, warm.Root)
	require.Equal(t, len(cold.Messages()), warm.MessageCount())
	shared := 0
	for i, m := range warm.Messages() {
		require.Equal(t, i, m.Index)
		requireSame(t, cold.Message(i).Value, m.Value)
		if i == shared && i < prev.MessageCount() && string(prev.Message(i).Raw()) == string(m.Raw()) {
			shared++
		}
	}
	require.Equal(t, shared, warm.SharedMessages())
	return warm
}

func TestAnIncrementalParseEqualsAColdOne(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := genRequest(t)
		prev, err := Parse(nil, []byte(c.body()))
		require.NoError(t, err)
		for range rapid.IntRange(1, 4).Draw(t, "turns") {
			switch rapid.IntRange(0, 6).Draw(t, "change") {
			case 0, 1:
				c.messages = append(c.messages[:len(c.messages):len(c.messages)], genMessage(t), genMessage(t))
			case 2:
				c.head = genRequest(t).head
			case 3:
				if n := len(c.messages); n > 0 {
					c.messages = append([]string(nil), c.messages...)
					c.messages[rapid.IntRange(0, n-1).Draw(t, "at")] = genMessage(t)
				}
			case 4:
				c.messages = c.messages[:rapid.IntRange(0, len(c.messages)).Draw(t, "rewind")]
			case 5:
				c.gap = genBlank(t)
			case 6:
				c = genRequest(t)
			}
			body := c.body()
			switch rapid.IntRange(0, 5).Draw(t, "damage") {
			case 0:
				body = body[:rapid.IntRange(0, len(body)).Draw(t, "cut")]
			case 1:
				at := rapid.IntRange(0, len(body)-1).Draw(t, "at")
				with := rapid.SampledFrom([]string{"", " ", "\"", "}", "]", ",", ":", "1", "\\", "\x00", "\xff", "e"}).Draw(t, "with")
				body = body[:at] + with + body[at+1:]
			}
			if r := requireParsesAlike(t, prev, body); r != nil {
				prev = r
			}
		}
	})
}

func TestAnIncrementalParseOfUnrelatedDocuments(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		prev, err := Parse(nil, []byte(genObject(t, 4)))
		require.NoError(t, err)
		requireParsesAlike(t, prev, genBlank(t)+genObject(t, 4)+genBlank(t))
	})
}

func TestUnchangedPartsAreShared(t *testing.T) {
	const head = `{"model":"m","system":[{"type":"text","text":"s"}],"tools":[{"name":"t"}],"messages":[`
	turn := func(texts ...string) string {
		for i, s := range texts {
			texts[i] = `{"role":"user","content":[{"type":"text","text":"first"},` + s + `]}`
		}
		return strings.Join(texts, ",")
	}
	const a, b, marked = `{"type":"text","text":"a"}`, `{"type":"text","text":"b"}`, `{"type":"text","text":"a","cache_control":{"type":"ephemeral"}}`
	prev, err := Parse(nil, []byte(head+turn(a, marked, b)+`]}`))
	require.NoError(t, err)

	// The model changed its length, the marker moved from message 1 to a new one.
	next, err := Parse(prev, []byte(strings.Replace(head, `"m"`, `"another model"`, 1)+turn(a, a, b, marked)+`]}`))
	require.NoError(t, err)
	assert.True(t, next.Get("system").Same(prev.Get("system")))
	assert.True(t, next.Get("tools").Same(prev.Get("tools")))
	assert.False(t, next.Get("model").Same(prev.Get("model")))
	assert.True(t, next.Get("thinking").Same(prev.Get("thinking")), "both absent")
	assert.Equal(t, 1, next.SharedMessages())
	for i, want := range []bool{true, false, true} {
		assert.Equal(t, want, next.Message(i).Same(prev.Message(i).Value), "message %d", i)
		assert.True(t, next.Message(i).Blocks()[0].Same(prev.Message(i).Blocks()[0].Value), "block 0 of message %d", i)
	}
	assert.NotEqual(t, prev.Message(2).Offset(), next.Message(2).Offset())
	assert.False(t, parse(t, "{}").Same(parse(t, "{}")), "containers parsed apart")
	assert.True(t, parse(t, " 12").Same(parse(t, "12 ")))
	assert.False(t, parse(t, "12").Same(parse(t, "[12]")))
}

func TestALaterRequestDoesNotKeepAnEarlierBody(t *testing.T) {
	freed := make(chan struct{})
	next := func() *Request {
		body := []byte(`{"messages":[{"role":"user","content":"` + strings.Repeat("x", 1<<16) + `"}]}`)
		runtime.AddCleanup(&body[0], func(c chan struct{}) { close(c) }, freed)
		prev, err := Parse(nil, body)
		require.NoError(t, err)
		next, err := Parse(prev, append(body[:len(body)-2:len(body)-2], `,{"role":"assistant","content":"y"}]}`...))
		require.NoError(t, err)
		require.Equal(t, 1, next.SharedMessages())
		return next
	}()
	runtime.GC()
	<-freed
	assert.Equal(t, 2, next.MessageCount())
}

func TestARootThatIsNoObject(t *testing.T) {
	for text, want := range map[string]string{
		`[]`: "an array", `"x"`: "a string", ` 1`: "a number", `true`: "a boolean", `null`: "null",
	} {
		_, err := Parse(nil, []byte(text))
		var kind *NotObjectError
		require.ErrorAs(t, err, &kind)
		assert.EqualError(t, err, "the request body must be a JSON object, not "+want)
	}
}

func TestBlocksOfAMessage(t *testing.T) {
	r, err := Parse(nil, []byte(`{"model":"m","stream":true,"messages":[{"role":"user","content":"hi"},
		{"role":"assistant","content":[{"type":"text","text":"a"},7,{"type":"odd"}]},{"role":"user","content":[]},{"role":"user"},9]}`))
	require.NoError(t, err)
	assert.Equal(t, "m", r.Model())
	assert.True(t, r.Stream())
	require.Len(t, r.Messages(), 5)
	bare := r.Messages()[0].Blocks()
	require.Len(t, bare, 1)
	assert.True(t, bare[0].Bare)
	assert.Equal(t, "text", bare[0].Type())
	assert.Equal(t, "hi", bare[0].TextValue().Text())
	blocks := r.Message(1).Blocks()
	require.Len(t, blocks, 3)
	assert.Equal(t, []string{"text", "", "odd"}, []string{blocks[0].Type(), blocks[1].Type(), blocks[2].Type()})
	assert.Equal(t, "a", blocks[0].TextValue().Text())
	assert.Equal(t, [2]int{1, 2}, [2]int{blocks[2].Message, blocks[2].Index})
	assert.Empty(t, r.Message(2).Blocks())
	assert.Empty(t, r.Message(3).Blocks())
	assert.Empty(t, r.Message(4).Role())
	assert.Equal(t, "assistant", r.Message(1).Role())
	assert.False(t, r.Message(5).Exists())

	r, err = Parse(nil, []byte(`{"messages":"none"}`))
	require.NoError(t, err)
	assert.Empty(t, r.Messages())
	assert.False(t, r.Stream())
	assert.Empty(t, r.Model())
}
