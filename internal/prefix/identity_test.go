package prefix

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"harnessbench/internal/wire"
)

func identity(t *testing.T, block string) Hash {
	v, err := wire.ParseValue([]byte(block))
	require.NoError(t, err)
	return (&reader{}).block(wire.Block{Value: v, Bare: v.Kind() == '"'})
}

func TestIdentityOfABlock(t *testing.T) { // D29
	for name, c := range map[string]struct {
		a, b string
		same bool
	}{
		"white space":                     {`{"type":"text","text":"a"}`, "{ \"type\" :\n\"text\",\"text\":\"a\" }", true},
		"spelling of escapes":             {`{"type":"text","text":"aé/😀\n"}`, `{"type":"text","text":"\u0061\u00e9\/\ud83d\ude00\u000a"}`, true},
		"order of the schema's members":   {`{"type":"text","text":"a"}`, `{"text":"a","type":"text"}`, true},
		"string is one text block":        {`"a"`, `{"type":"text","text":"a"}`, true},
		"cache_control":                   {`{"type":"text","text":"a"}`, `{"type":"text","text":"a","cache_control":{"type":"ephemeral"}}`, true},
		"text":                            {`{"type":"text","text":"a"}`, `{"type":"text","text":"b"}`, false},
		"type":                            {`{"type":"text","text":"a"}`, `{"type":"note","text":"a"}`, false},
		"citations null and empty":        {`{"type":"text","text":"a","citations":null}`, `{"type":"text","text":"a","citations":[]}`, true},
		"citations there":                 {`{"type":"text","text":"a"}`, `{"type":"text","text":"a","citations":[{"type":"char_location"}]}`, false},
		"is_error false":                  {`{"type":"tool_result","tool_use_id":"i"}`, `{"type":"tool_result","tool_use_id":"i","is_error":false}`, true},
		"is_error true":                   {`{"type":"tool_result","tool_use_id":"i"}`, `{"type":"tool_result","tool_use_id":"i","is_error":true}`, false},
		"direct caller":                   {`{"type":"tool_use","id":"i","name":"n","input":{}}`, `{"type":"tool_use","id":"i","name":"n","input":{},"caller":{"type":"direct"}}`, true},
		"another caller":                  {`{"type":"tool_use","id":"i","name":"n","input":{}}`, `{"type":"tool_use","id":"i","name":"n","input":{},"caller":{"type":"code_execution_20250825","tool_id":"t"}}`, false},
		"order in tool input":             {`{"type":"tool_use","input":{"a":1,"b":2}}`, `{"type":"tool_use","input":{"b":2,"a":1}}`, false},
		"white space in tool input":       {`{"type":"tool_use","input":{"a":[1,2]}}`, `{"type":"tool_use","input":{"a" : [1, 2]}}`, true},
		"cache_control as tool input":     {`{"type":"tool_use","input":{"cache_control":{"type":"ephemeral"}}}`, `{"type":"tool_use","input":{}}`, false},
		"null as tool input":              {`{"type":"tool_use","input":{"a":null}}`, `{"type":"tool_use","input":{}}`, false},
		"number spelled otherwise":        {`{"type":"tool_use","input":{"a":1}}`, `{"type":"tool_use","input":{"a":1.0}}`, false},
		"marker inside a result":          {`{"type":"tool_result","content":[{"type":"text","text":"a","cache_control":{"type":"ephemeral"}}]}`, `{"type":"tool_result","content":[{"type":"text","text":"a"}]}`, true},
		"result as string":                {`{"type":"tool_result","content":"a"}`, `{"type":"tool_result","content":[{"type":"text","text":"a"}]}`, true},
		"text moved between two members":  {`{"type":"document","title":"ab","context":"c"}`, `{"type":"document","title":"a","context":"bc"}`, false},
		"two texts against one":           {`{"type":"tool_result","content":[{"type":"text","text":"a"},{"type":"text","text":"b"}]}`, `{"type":"tool_result","content":"ab"}`, false},
		"the last of equal members":       {`{"type":"text","text":"x","text":"a"}`, `{"type":"text","text":"a"}`, true},
		"order in an unknown member":      {`{"type":"new","v":{"a":1,"b":2}}`, `{"type":"new","v":{"b":2,"a":1}}`, false},
		"cache_control in unknown member": {`{"type":"new","v":{"cache_control":1}}`, `{"type":"new","v":{}}`, false},
		"order in a source":               {`{"type":"image","source":{"type":"url","url":"u"}}`, `{"type":"image","source":{"url":"u","type":"url"}}`, true},
		"block that is no object":         {`1`, `2`, false},
	} {
		t.Run(name, func(t *testing.T) {
			assert.Equal(t, c.same, identity(t, c.a) == identity(t, c.b))
		})
	}
}

// A model may say blank text and no client can send it back, so the binding is the same with and without
// it, and when a request goes on from an earlier rendering (messages-api.md 2.3).
func TestBlankTextIsNoPartOfTheBinding(t *testing.T) {
	const think = `{"type":"thinking","thinking":"t","signature":"s"}`
	answered := func(blocks, more string) string {
		return body("claude-sonnet-5-5", `"messages":[{"role":"user","content":"go"},{"role":"assistant","content":[`+blocks+`]},{"role":"user","content":"on"}`+more+`]`)
	}
	without := render(t, answered(think+`,{"type":"text","text":"Running."}`, "")).BindEnd
	for name, c := range map[string]struct {
		blank string
		same  bool
	}{
		"empty":               {`{"type":"text","text":""}`, true},
		"line feeds":          {`{"type":"text","text":"\n\n"}`, true},
		"blanks":              {`{"type":"text","text":"  \t"}`, true},
		"blank in other form": {`{"text":"\u00a0\u2003","type":"text"}`, true},
		"a dot behind blanks": {`{"type":"text","text":"\n."}`, false},
		"an escaped letter":   {`{"type":"text","text":"\u0061"}`, false},
		"blank thinking":      {`{"type":"thinking","thinking":" ","signature":"s"}`, true},
	} {
		t.Run(name, func(t *testing.T) {
			said := think + `,` + c.blank + `,{"type":"text","text":"Running."}`
			first := render(t, answered(said, ""))
			assert.Equal(t, c.same, without == first.BindEnd)
			v, err := wire.ParseValue([]byte(c.blank))
			require.NoError(t, err)
			assert.Equal(t, c.same, first.Blocks.At(1).Bind == ExtendBind(first.Blocks.At(1).Bind, "assistant", v))

			longer := answered(said, `,{"role":"assistant","content":"x"}`)
			again, err := wire.Parse(first.Request, []byte(longer))
			require.NoError(t, err)
			assert.Equal(t, render(t, longer).BindEnd, Render(first, again, first.Model, Options{}).BindEnd)
		})
	}
}

// What a block was when it was answered and when it is sent back gives one chain.
func TestAnAnsweredBlockExtendsTheBindingAsItLaterStandsInThePrefix(t *testing.T) {
	prompt := `{"role":"user","content":"go"}`
	before := render(t, body("claude-sonnet-5-5", `"messages":[`+prompt+`]`))
	think, text := `{"type":"thinking","thinking":"t","signature":"s"}`, `{"type":"text","text":"Running.","citations":null}`
	call := `{"type":"tool_use","id":"i","name":"Bash","input":{"command":"ls"},"caller":{"type":"direct"}}`
	chain := before.BindEnd
	var chains []Hash
	for _, b := range []string{think, text, think, call} {
		v, err := wire.ParseValue([]byte(b))
		require.NoError(t, err)
		chains = append(chains, chain)
		chain = ExtendBind(chain, "assistant", v)
	}
	after := render(t, body("claude-sonnet-5-5", `"messages":[`+prompt+`,{"role":"assistant","content":[`+think+`,`+text+`,`+think+`,`+call+`]}]`))
	for i, want := range chains {
		assert.Equal(t, want, after.Blocks.At(1+i).Bind)
	}
	assert.Equal(t, chain, after.BindEnd)
	assert.Equal(t, chains[0], chains[1], "thinking leaves the chain unchanged")
}

func TestWhatTheBindingCovers(t *testing.T) { // messages-api.md 6.6
	const head = `"system":"s","tools":[{"name":"a","input_schema":{}}],`
	end := func(members string) Hash { return render(t, body("claude-sonnet-5-5", members)).BindEnd }
	base := end(head + `"messages":[{"role":"user","content":"x"},{"role":"system","content":"r","clear_at":"next_user_message"},{"role":"assistant","content":"y"},{"role":"user","content":"z"}]`)
	for name, c := range map[string]struct {
		members string
		same    bool
	}{
		"effort, thinking, choice, marks": {head + `"output_config":{"effort":"low"},"tool_choice":{"type":"none"},"messages":[{"role":"user","content":[{"type":"text","text":"x","cache_control":{"type":"ephemeral"}}]},{"role":"system","content":"r","clear_at":"next_user_message"},{"role":"assistant","content":"y"},{"role":"user","content":"z"}]`, true},
		"thinking left out or there":      {head + `"messages":[{"role":"user","content":"x"},{"role":"system","content":"r","clear_at":"next_user_message"},{"role":"assistant","content":[{"type":"thinking","thinking":"t","signature":"s"},{"type":"text","text":"y"}]},{"role":"user","content":"z"}]`, true},
		"deferred tool added":             {`"system":"s","tools":[{"name":"a","input_schema":{}},{"name":"b","input_schema":{},"defer_loading":true}],"messages":[{"role":"user","content":"x"},{"role":"system","content":"r","clear_at":"next_user_message"},{"role":"assistant","content":"y"},{"role":"user","content":"z"}]`, true},
		"cleared reminder left out":       {head + `"messages":[{"role":"user","content":"x"},{"role":"assistant","content":"y"},{"role":"user","content":"z"}]`, false},
		"cleared reminder edited":         {head + `"messages":[{"role":"user","content":"x"},{"role":"system","content":"R","clear_at":"next_user_message"},{"role":"assistant","content":"y"},{"role":"user","content":"z"}]`, false},
		"effort message put in":           {head + `"messages":[{"role":"user","content":"x"},{"role":"system","content":"r","clear_at":"next_user_message"},{"role":"assistant","content":"y"},{"role":"system","content":[],"output_config":{"effort":"low"}},{"role":"user","content":"z"}]`, false},
		"system":                          {`"system":"S","tools":[{"name":"a","input_schema":{}}],"messages":[{"role":"user","content":"x"},{"role":"system","content":"r","clear_at":"next_user_message"},{"role":"assistant","content":"y"},{"role":"user","content":"z"}]`, false},
		"tool":                            {`"system":"s","tools":[{"name":"b","input_schema":{}}],"messages":[{"role":"user","content":"x"},{"role":"system","content":"r","clear_at":"next_user_message"},{"role":"assistant","content":"y"},{"role":"user","content":"z"}]`, false},
	} {
		t.Run(name, func(t *testing.T) { assert.Equal(t, c.same, base == end(c.members)) })
	}
	effort := func(level string) Hash {
		return end(`"messages":[{"role":"user","content":"x"},{"role":"system","content":[],"output_config":{"effort":"` + level + `"}}]`)
	}
	assert.Equal(t, effort("low"), effort("high"), "only the level of a message that stays")
}
