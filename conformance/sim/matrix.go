package sim

// Matrix is the four models, one of each kind, that stories and properties run on (D2): manual thinking
// and stripping, adaptive and keeping, system messages without binding, bound.
var Matrix = []string{"claude-haiku-4-5", "claude-sonnet-4-6", "claude-sonnet-5", "claude-sonnet-5-5"}
