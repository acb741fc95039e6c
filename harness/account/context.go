package account

// Kinds of categories (H-ACC-2).
const (
	Used     = "used"
	Free     = "free"
	Buffer   = "buffer"
	Deferred = "deferred" // outside the sum
)

// Kinds of an exceeded limit (H-ACC-2).
const (
	HardLimit        = "hard_limit"
	CompactionWindow = "compaction_window"
)

// Parts are the sizes, in bytes, of what a request holds (H-ACC-6).
type Parts struct {
	System   int // the system field
	Tools    int // built-in definitions that are rendered
	MCPTools int
	Agents   int // listing of agents
	Memory   int // memory files
	Skills   int // listing of skills
	Messages int // all the rest of the messages
	Deferred int // definitions that are not rendered
}

// Category is one row of /context.
type Category struct {
	Name   string
	Kind   string // used, free, buffer, deferred
	Tokens int
}

// Context is what fills a window.
type Context struct {
	Model      string // display name
	Window     int    // tokens
	Used       int    // tokens, the sum of the used categories
	Categories []Category
	// Over is by how many tokens a limit is exceeded, OverKind which one: hard_limit or compaction_window; 0 and ""
	// within them (H-ACC-2).
	Over     int
	OverKind string
}

// ContextOf divides a window of so many tokens into its categories (H-ACC-1). The parts are estimated at four bytes
// a token and scaled so that their sum is reported, the context size of the last answer; 0 for none (H-ACC-4).
func ContextOf(model string, window, threshold int, p Parts, reported int) Context {
	rows := []struct {
		name     string
		bytes    int
		optional bool
	}{
		{"System prompt", p.System, false},
		{"System tools", p.Tools, false},
		{"MCP tools", p.MCPTools, true},
		{"Custom agents", p.Agents, false},
		{"Memory files", p.Memory, false},
		{"Skills", p.Skills, false},
		{"Messages", p.Messages, false},
	}
	c := Context{Model: model, Window: window}
	for _, r := range rows {
		if !r.optional || r.bytes > 0 {
			c.Categories = append(c.Categories, Category{r.name, Used, tokens(r.bytes)})
			c.Used += tokens(r.bytes)
		}
	}
	if reported > 0 && c.Used > 0 {
		scale(c.Categories, c.Used, reported)
		c.Used = reported
	}
	if p.Deferred > 0 {
		c.Categories = append(c.Categories, Category{"Deferred tools", Deferred, tokens(p.Deferred)})
	}
	buffer := window - threshold
	c.Categories = append(c.Categories,
		Category{"Autocompact buffer", Buffer, buffer},
		Category{"Free space", Free, max(0, window-c.Used-buffer)})
	switch {
	case c.Used > window:
		c.Over, c.OverKind = c.Used-window, HardLimit
	case c.Used > threshold:
		c.Over, c.OverKind = c.Used-threshold, CompactionWindow
	}
	return c
}

// tokens estimates a part (H-ACC-4).
func tokens(bytes int) int { return (bytes + 3) / 4 }

// scale makes parts of the sum from into parts of the sum to. What rounding down leaves goes to the last one that
// has anything: the messages, as a rule.
func scale(rows []Category, from, to int) {
	rest, last := to, 0
	for i := range rows {
		if rows[i].Tokens > 0 {
			last = i
		}
		rows[i].Tokens = int(int64(rows[i].Tokens) * int64(to) / int64(from))
		rest -= rows[i].Tokens
	}
	rows[last].Tokens += rest
}
