package model

import "strings"

// families are the model families of other vendors that serve the wire format of this API, themselves or through
// gateways, by what their names begin with (vendors' model lists, 2026).
var families = [...]string{
	"chatgpt", "codestral", "command-", "deepseek", "devstral", "gemini", "gemma", "glm", "gpt", "grok", "kimi", "llama",
	"magistral", "minimax", "mistral", "o1", "o3", "o4", "phi-", "qwen", "qwq",
}

// Foreign tells the name of a model of another vendor, in whatever path a gateway puts it ("zai/glm-4.6"). Thinking of
// such a model is for no model of this table. Other names that are not known are no vendor's: a gateway may call a model
// of the table what it likes.
func Foreign(name string) bool {
	name = strings.ToLower(name[strings.LastIndexByte(name, '/')+1:])
	for _, family := range families {
		if strings.HasPrefix(name, family) {
			return true
		}
	}
	return false
}
