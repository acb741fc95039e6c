package tokens

import (
	"bytes"
	"encoding/base64"
	"image"
	"image/png"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"harnessbench/internal/model"
)

func counter(t testing.TB, id string) *Counter {
	m, ok := model.Lookup(id)
	require.True(t, ok, id)
	return For(m)
}

func TestFeaturesOfATextAreCounted(t *testing.T) {
	for name, c := range map[string]struct {
		text  string
		camel bool
		want  Counts
	}{
		"words and a blank before a digit":  {"run 12 tests", false, Counts{Word: 2, Digit: 2, SpDig: 1}},
		"camelCase is two words":            {"camelCase", true, Counts{Word: 2, Mixed: 1}},
		"camelCase is one word unsplit":     {"camelCase", false, Counts{Word: 1, Long: 4, Mixed: 1}},
		"capitals then a word":              {"HTMLParser", true, Counts{Word: 2, Mixed: 1}},
		"capitals alone are not mixed":      {"HTML", true, Counts{Word: 1}},
		"one capital belongs to its word":   {"go Home", true, Counts{Word: 2, Cap: 1}},
		"a run of punctuation":              {`ab_bc {"xy":`, false, Counts{Word: 3, Punct: 3}},
		"signs beyond two":                  {"----->", false, Counts{Punct: 1, Extra: 4}},
		"newlines with blanks are one":      {"aa\n\n  bb\ncc", false, Counts{Word: 3, NL: 2}},
		"characters beyond ASCII":           {"né 日本", false, Counts{Word: 1, One: 1, Uni: 3}},
		"long words":                        {"internationalization", false, Counts{Word: 1, Long: 15}},
		"single letters":                    {"a, b", false, Counts{Word: 2, One: 2, Punct: 1}},
		"a contraction":                     {"what's", false, Counts{Word: 2, One: 1, Punct: 1, Apos: 1}},
		"two letters of a contraction":      {"we're", true, Counts{Word: 2, Punct: 1, Apos: 1}},
		"a quoted letter is no contraction": {"the 'r'", false, Counts{Word: 2, One: 1, Punct: 2}},
		"nor is a longer word":              {"rock'roll", false, Counts{Word: 2, Punct: 1}},
		"nothing":                           {"", false, Counts{}},
	} {
		t.Run(name, func(t *testing.T) { assert.Equal(t, c.want, scan([]byte(c.text), 5, c.camel)) })
	}
}

func request(c *Counter, prompt string) int {
	return int(math.Round(c.Base() + c.Text([]byte(prompt))))
}

func TestFixedPointsOfTheCounter(t *testing.T) { // messages-api.md 9.1
	for _, id := range []string{"claude-sonnet-4-0", "claude-haiku-4-5", "claude-sonnet-4-5", "claude-opus-4-6", "claude-sonnet-4-6"} {
		assert.Equal(t, 8, request(counter(t, id), "hello"), id)
		assert.Equal(t, 14, request(counter(t, id), "What is 2+2?"), id)
	}
	prompt := "Say which of these 3 files fails, and why:\n  Makefile, go.mod"
	base := request(counter(t, "claude-opus-5"), prompt)
	for _, id := range []string{"claude-opus-4-8", "claude-sonnet-5"} {
		assert.Equal(t, base, request(counter(t, id), prompt), id)
	}
	for _, id := range []string{"claude-opus-5-5", "claude-sonnet-5-5"} {
		assert.Equal(t, base+2, request(counter(t, id), prompt), id)
	}
}

func TestEveryModelHasACounter(t *testing.T) {
	for _, m := range model.All() {
		c := For(m)
		assert.Positive(t, c.Base(), m.ID)
		assert.Positive(t, c.Tools, m.ID)
		for _, forced := range []bool{false, true} {
			for _, alone := range []bool{false, true} {
				ahead, behind := c.ToolPrompt(forced, alone)
				assert.Positive(t, ahead, m.ID)
				assert.GreaterOrEqual(t, behind, 0.0, m.ID)
			}
		}
		assert.Less(t, float64(c.TailOf(false, false, false)), c.Base(), m.ID)
	}
}

func TestAModelOutsideTheTableCountsAsTheNewest(t *testing.T) {
	assert.Equal(t, *counter(t, "claude-opus-5-5"), *For(model.Model{ID: "somebody-elses"}))
}

func TestHiddenToolPromptIsSplitAroundSystem(t *testing.T) { // messages-api.md 5.1, Sonnet 4.6
	ahead, behind := counter(t, "claude-sonnet-4-6").ToolPrompt(false, false)
	assert.Equal(t, 183.0, ahead)
	assert.Equal(t, 317.0, behind)
	same, more := counter(t, "claude-sonnet-4-6").ToolPrompt(true, false)
	assert.Equal(t, ahead, same, "a forced choice leaves the first part")
	assert.Equal(t, behind+90, more)
}

func TestTailBehindTheLastBlock(t *testing.T) { // messages-api.md 5.4
	s46 := counter(t, "claude-sonnet-4-6")
	assert.Equal(t, 3, s46.TailOf(false, false, false))
	assert.Equal(t, 1, s46.TailOf(true, false, false))
	assert.Equal(t, 10, s46.TailOf(false, false, true))
	assert.Equal(t, 19, s46.TailOf(false, true, false))
	for id, n := range map[string]int{"claude-3-5-sonnet-20241022": 4, "claude-3-5-haiku-latest": 3, "claude-haiku-4-5": 3,
		"claude-opus-4-8": 2, "claude-sonnet-5": 2, "claude-opus-5": 2, "claude-sonnet-5-5": 2} {
		assert.Equal(t, n, counter(t, id).TailOf(false, false, false), id)
	}
}

func TestJSONIsCountedInOneSpelling(t *testing.T) {
	for in, want := range map[string]string{
		"{\"a\" :\n 1,\"b\":[true,null]}":    `{"a": 1, "b": [true, null]}`,
		`{"a":"x,y:z"}`:                      `{"a": "x,y:z"}`,
		`"\u0041\u00e9\/\ud83d\ude00\u0022"`: `"Aé/😀\""`,
		`"\u000a\u0001\\u0041"`:              `"\n\u0001\\u0041"`,
		`"\ud83d"`:                           "\"\ufffd\"",
		`"C:\\" `:                            `"C:\\"`,
	} {
		assert.Equal(t, want, string(AppendSpaced(nil, []byte(in))), in)
	}
}

func TestImagesByThePixelRule(t *testing.T) { // messages-api.md 2.6
	old, now := counter(t, "claude-sonnet-4-6"), counter(t, "claude-opus-5")
	assert.Equal(t, 1.0, old.Image(1, 28))
	assert.Equal(t, 2.0, old.Image(29, 28))
	assert.Equal(t, 36.0*36, old.Image(1000, 1000))
	assert.LessOrEqual(t, old.Image(8000, 8000), 1568.0)
	assert.Greater(t, old.Image(8000, 8000), 1450.0)
	assert.Greater(t, now.Image(8000, 8000), 4500.0)
	assert.Equal(t, 1568.0, old.Image(0, 0))

	var file bytes.Buffer
	require.NoError(t, png.Encode(&file, image.NewGray(image.Rect(0, 0, 60, 20))))
	w, h, ok := ImageSize([]byte(base64.StdEncoding.EncodeToString(file.Bytes())))
	assert.True(t, ok)
	assert.Equal(t, [2]int{60, 20}, [2]int{w, h})

	lossy := []byte("RIFF\x00\x00\x00\x00WEBPVP8 \x00\x00\x00\x00\x00\x00\x00\x9d\x01\x2a\x40\x01\xf0\x00")
	w, h, ok = ImageSize([]byte(base64.StdEncoding.EncodeToString(lossy)))
	assert.True(t, ok)
	assert.Equal(t, [2]int{320, 240}, [2]int{w, h})
	_, _, ok = ImageSize([]byte("no image at all"))
	assert.False(t, ok)
}

// Whatever the bytes, the scan ends, and a text never weighs less for having more behind it at a line's end.
func TestAnyBytesAreCounted(t *testing.T) {
	c := counter(t, "claude-sonnet-4-6")
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.SliceOfN(rapid.Byte(), 0, 200).Draw(t, "text")
		a := c.Text(text)
		b := c.Text(append(append([]byte{}, text...), "\nmore words"...))
		assert.GreaterOrEqual(t, a, 0.0)
		assert.Greater(t, b, a)
		_, _, _ = ImageSize(text)
	})
}

func BenchmarkText(b *testing.B) {
	text := []byte(strings.Repeat("The stub in internal/wire/value.go returns 42;\n\tif err != nil { return fmt.Errorf(\"read: %w\", err) }\n", 10_000))
	for _, id := range []string{"claude-sonnet-4-6", "claude-sonnet-5-5"} {
		c := counter(b, id)
		b.Run(id, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				c.Text(text)
			}
		})
	}
}
