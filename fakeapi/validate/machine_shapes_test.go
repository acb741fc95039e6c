package validate_test

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"harnessbench/internal/wire"
)

// legal is a request that passes and holds every field of some objects. Spoiling it by machine makes the smallest
// offending requests of the wording families: each field taken out, each value exchanged for one of another kind,
// each object given a stranger.
type legal struct{ name, over, betas string }

const allMCP = "mcp-client-2025-11-20,mcp-client-2026-09-15"

func legals() []legal {
	mark := `"cache_control":{"type":"ephemeral"}`
	ask := func(blocks ...string) string { return talk(user(strings.Join(blocks, ","))) }
	answer := func(blocks ...string) string { return talk(u, assistant(strings.Join(blocks, ",")), u) }
	use := func(name string) string {
		return `{"type":"server_tool_use","id":"srvtoolu_a","name":"` + name + `","input":{},"caller":{"type":"direct"},` + mark + `}`
	}
	result := func(tag, content string) string {
		return `{"type":"` + tag + `","tool_use_id":"srvtoolu_a","content":` + content + `,"caller":{"type":"code_execution_20260120","tool_id":"srvtoolu_a"},` + mark + `}`
	}
	cite := func(c string) string { return ask(`{"type":"text","text":"x","citations":[` + c + `]}`) }
	tool := func(t string) string { return `{"tools":[` + t + `]}` }
	usual := `"defer_loading":false,"allowed_callers":["direct"],"strict":false,` + mark
	examples := `,"input_examples":[{}]`
	wide := `"max_uses":1,"blocked_domains":["a.com"],`
	fetch := `"citations":{"enabled":true},"max_content_tokens":9,"url_sources":{"client_tool_results":{"type":"only","tools":[{"type":"tool_reference","name":"t"}]},"server_tool_results":{"type":"except","tools":[{"type":"tool_reference","name":"t"}]},"user_input":{"type":"none"}},`
	out := []legal{
		{"document from base64", ask(`{"type":"document","source":{"type":"base64","media_type":"application/pdf","data":"JVBERi0xLjQK"},"title":"t","context":"c","citations":{"enabled":true},` + mark + `}`), ""},
		{"document from text", ask(`{"type":"document","source":{"type":"text","media_type":"text/plain","data":"x"}}`), ""},
		{"document from blocks", ask(`{"type":"document","source":{"type":"content","content":[{"type":"text","text":"x"},` + png + `]}}`), ""},
		{"document from a string", ask(`{"type":"document","source":{"type":"content","content":"x"}}`), ""},
		{"document from a URL", ask(`{"type":"document","source":{"type":"url","url":"https://example.com"}}`), ""},
		{"document from a file", ask(`{"type":"document","source":{"type":"file","file_id":"file_1"}}`), ""},
		{"image", ask(`{"type":"image","source":{"type":"file","file_id":"file_1"},"oversized_image":"downsize","transformations":{"oversized_image":"downsize"},` + mark + `}`), ""},
		{"search result", ask(`{"type":"search_result","source":"s","title":"t","content":[{"type":"text","text":"x","citations":[],` + mark + `}],"citations":{"enabled":true}}`), ""},
		{"search result marked", ask(`{"type":"search_result","source":"s","title":"t","content":[],` + mark + `}`), ""},
		{"upload", ask(`{"type":"container_upload","file_id":"file_1",` + mark + `}`), ""},
		{"result of a client tool", on(`"tools":[{"name":"t","input_schema":{"type":"object"}}],`, u, assistant(`{"type":"tool_use","id":"toolu_a","name":"t","input":{},"toolset_name":"s","caller":{"type":"direct"},`+mark+`}`),
			user(`{"type":"tool_result","tool_use_id":"toolu_a","toolset_name":"s","is_error":false,"content":[{"type":"tool_reference","tool_name":"t",`+mark+`},{"type":"browser_state","tabs":[{"tab_id":"1","title":"t","url":"u","active":true}],"state_changes":[{}],`+mark+`}]}`)), ""},
		{"caller", on(`"container":"c","tools":[{"type":"code_execution_20250825","name":"code_execution"}],`, u, assistant(use("code_execution")+`,`+result("code_execution_tool_result", `{"type":"code_execution_tool_result_error","error_code":"x"}`)+`,{"type":"tool_use","id":"toolu_a","name":"t","input":{},"caller":{"type":"code_execution_20250825","tool_id":"srvtoolu_a"}}`), user(resA)), ""},
		{"character place", cite(`{"type":"char_location","cited_text":"x","document_index":0,"document_title":"t","start_char_index":0,"end_char_index":1,"file_id":"f"}`), ""},
		{"page place", cite(`{"type":"page_location","cited_text":"x","document_index":0,"document_title":"t","start_page_number":0,"end_page_number":1,"file_id":"f"}`), ""},
		{"block place", cite(`{"type":"content_block_location","cited_text":"x","document_index":0,"document_title":"t","start_block_index":0,"end_block_index":1,"file_id":"f"}`), ""},
		{"web place", cite(`{"type":"web_search_result_location","cited_text":"x","url":"u","title":"t","encrypted_index":"e"}`), ""},
		{"search place", cite(`{"type":"search_result_location","cited_text":"x","source":"u","title":"t","search_result_index":0,"start_block_index":0,"end_block_index":1}`), ""},
		{"cited system prompt", `{"system":[{"type":"text","text":"x","citations":[]}]}`, ""},
		{"web search", answer(use("web_search"), result("web_search_tool_result", `[{"type":"web_search_result","url":"u","title":"t","encrypted_content":"QUJD","page_age":"x"}]`)), ""},
		{"web search that failed", answer(use("web_search"), result("web_search_tool_result", `{"type":"web_search_tool_result_error","error_code":"x"}`)), ""},
		{"web fetch", answer(use("web_fetch"), result("web_fetch_tool_result", `{"type":"web_fetch_result","url":"u","retrieved_at":"x","content":{"type":"document","source":{"type":"text","media_type":"text/plain","data":"x"}}}`)), ""},
		{"web fetch that failed", answer(use("web_fetch"), result("web_fetch_tool_result", `{"type":"web_fetch_tool_result_error","error_code":"x","error_message":"m"}`)), ""},
		{"code", answer(use("code_execution"), result("code_execution_tool_result", `{"type":"code_execution_result","content":[{"type":"code_execution_output","file_id":"f"}],"return_code":0,"stderr":"","stdout":""}`)), ""},
		{"sealed code", answer(use("code_execution"), result("code_execution_tool_result", `{"type":"encrypted_code_execution_result","content":[{"type":"code_execution_output","file_id":"f"}],"return_code":0,"stderr":"","encrypted_stdout":""}`)), ""},
		{"code that failed", answer(use("code_execution"), result("code_execution_tool_result", `{"type":"code_execution_tool_result_error","error_code":"x","error_message":"m"}`)), ""},
		{"shell", answer(use("bash_code_execution"), result("bash_code_execution_tool_result", `{"type":"bash_code_execution_result","content":[{"type":"bash_code_execution_output","file_id":"f"}],"return_code":0,"stderr":"","stdout":""}`)), ""},
		{"shell that failed", answer(use("bash_code_execution"), result("bash_code_execution_tool_result", `{"type":"bash_code_execution_tool_result_error","error_code":"x","error_message":"m"}`)), ""},
		{"editor creates", answer(use("text_editor_code_execution"), result("text_editor_code_execution_tool_result", `{"type":"text_editor_code_execution_create_result","is_file_update":true}`)), ""},
		{"editor views", answer(use("text_editor_code_execution"), result("text_editor_code_execution_tool_result", `{"type":"text_editor_code_execution_view_result","content":"x","file_type":"text","num_lines":1,"start_line":1,"total_lines":1}`)), ""},
		{"editor replaces", answer(use("text_editor_code_execution"), result("text_editor_code_execution_tool_result", `{"type":"text_editor_code_execution_str_replace_result","lines":["x"],"new_lines":1,"new_start":1,"old_lines":1,"old_start":1}`)), ""},
		{"editor fails", answer(use("text_editor_code_execution"), result("text_editor_code_execution_tool_result", `{"type":"text_editor_code_execution_tool_result_error","error_code":"x","error_message":"m"}`)), ""},
		{"tool search", answer(use("tool_search_tool_regex"), result("tool_search_tool_result", `{"type":"tool_search_tool_search_result","tool_references":[{"type":"tool_reference","tool_name":"t",`+mark+`}]}`)), ""},
		{"tool search that failed", answer(use("tool_search_tool_regex"), result("tool_search_tool_result", `{"type":"tool_search_tool_result_error","error_code":"x","error_message":"m"}`)), ""},
		{"advisor", answer(use("advisor"), result("advisor_tool_result", `{"type":"advisor_result","text":"x","stop_reason":"end_turn"}`)), "advisor-tool-2026-03-01"},
		{"sealed advisor", answer(use("advisor"), result("advisor_tool_result", `{"type":"advisor_redacted_result","encrypted_content":"x","stop_reason":"end_turn"}`)), "advisor-tool-2026-03-01"},
		{"advisor that failed", answer(use("advisor"), result("advisor_tool_result", `{"type":"advisor_tool_result_error","error_code":"x","error_message":"m"}`)), "advisor-tool-2026-03-01"},
		{"advisor with blocks", answer(use("advisor"), result("advisor_tool_result", `[{}]`)), "advisor-tool-2026-03-01"},
		{"MCP", answer(`{"type":"mcp_tool_listing","mcp_server_name":"s","tools":[{"name":"t","input_schema":{},"description":"d"}]},{"type":"mcp_tool_use","id":"mcptoolu_a","name":"t","server_name":"s","input":{},` + mark + `},{"type":"mcp_tool_result","tool_use_id":"mcptoolu_a","is_error":false,"content":[{"type":"text","text":"x","citations":[],` + mark + `}],` + mark + `}`), allMCP},
		{"fallback", answer(text + `,{"type":"fallback","from":{"model":"a"},"to":{"model":"b"},"trigger":{}}`), "server-side-fallback-2026-07-01"},
		{"tool changes", on(newest+`"tools":[{"name":"t","input_schema":{"type":"object"}}],`, u, system(`{"type":"tool_addition","tool":{"type":"tool_definition","definition":{"name":"n","input_schema":{"type":"object"}}},`+mark+`},{"type":"tool_addition","tool":{"type":"tool_reference","name":"t"}},{"type":"tool_removal","tool":{"type":"mcp_tool_reference","server_name":"s","name":"t"},`+mark+`},{"type":"tool_removal","tool":{"type":"mcp_toolset_reference","server_name":"s"}},{"type":"tool_removal","tool":{"type":"tool_reference","name":"t"}},{"type":"tool_addition","tool":{"type":"mcp_tool_reference","server_name":"s","name":"t"}},{"type":"tool_addition","tool":{"type":"mcp_toolset_reference","server_name":"s"}}`)), "inline-tools-2026-09-15"},
		{"custom tool", tool(`{"name":"t","input_schema":{"type":"object"},"description":"d","eager_input_streaming":true,` + usual + examples + `}`), ""},
		{"MCP server", on(`"tools":[{"type":"mcp_toolset","mcp_server_name":"s","configs":{"t":{"enabled":true,"defer_loading":false}},"default_config":{"enabled":true,"defer_loading":false},"tools":[{"name":"t","input_schema":{},"description":"d"}],`+mark+`}],"mcp_servers":[{"type":"url","name":"s","url":"https://example.com","authorization_token":"t","tool_configuration":{"enabled":true,"allowed_tools":["t"]}}],`, u), allMCP},
		{"MCP server of the first header", `{"mcp_servers":[{"type":"url","name":"s","url":"https://example.com","authorization_token":"t","tool_configuration":{"enabled":true,"allowed_tools":["t"]}}]}`, "mcp-client-2025-04-04"},
		{"toolset", tool(`{"type":"mcp_toolset","mcp_server_name":"s","configs":{"t":{"enabled":true,"defer_loading":false}},"default_config":{"enabled":true,"defer_loading":false},"tools":[{"name":"t","input_schema":{},"description":"d"}],` + mark + `}`), "mcp-client-2025-04-04,mcp-client-2025-11-20"},
		{"container", `{"tools":[{"type":"code_execution_20250825","name":"code_execution"}],"container":{"id":"c","skills":[{"type":"anthropic","skill_id":"s","version":"1"}]}}`, ""},
		{"sources of all", tool(`{"type":"web_fetch_20250910","name":"web_fetch","url_sources":{"user_input":{"type":"all"}}}`), ""},
		{"diagnostics", `{"diagnostics":{"previous_message_id":"msg_1"},"speed":"standard","user_profile_id":"u"}`, ""},
		{"billing", `{"billing_policy":{"type":"x","bill_to":"self"}}`, "user-profiles-billing-2026-10-01"},
		{"fallbacks", `{"fallbacks":[{"model":"m","max_tokens":1,"speed":"standard","thinking":{"type":"adaptive"},"output_config":{"effort":"low"}}]}`, "server-side-fallback-2026-07-01"},
		{"default fallbacks", `{"fallbacks":"default"}`, "server-side-fallback-2026-07-01"},
		{"credit", `{"fallback_credit_token":{"token":"t","mode":"strict"}}`, "fallback-credit-2026-07-01"},
		{"plain credit", `{"fallback_credit_token":"t"}`, "fallback-credit-2026-07-01"},
		{"format", `{"output_config":{"effort":"low","format":{"type":"json_schema","schema":{"type":"object","additionalProperties":false}},"task_budget":{"type":"tokens","total":20000,"remaining":1}}}`, "task-budgets-2026-03-13"},
		{"old format", `{"output_format":{"type":"json_schema","schema":{"type":"object","additionalProperties":false}}}`, ""},
	}
	for tag, name := range map[string]string{"bash_20241022": "bash", "bash_20250124": "bash", "memory_20250818": "memory", "text_editor_20241022": "str_replace_editor",
		"text_editor_20250124": "str_replace_editor", "text_editor_20250429": "str_replace_based_edit_tool", "tool_search_tool_bm25": "tool_search_tool_bm25",
		"tool_search_tool_bm25_20251119": "tool_search_tool_bm25"} {
		out = append(out, legal{tag, tool(`{"type":"` + tag + `","name":"` + name + `",` + usual + examples + `}`), "computer-use-2024-10-22"})
	}
	for tag, name := range map[string]string{"code_execution_20250522": "code_execution", "code_execution_20250825": "code_execution", "code_execution_20260120": "code_execution",
		"code_execution_20260521": "code_execution", "tool_search_tool_regex": "tool_search_tool_regex", "tool_search_tool_regex_20251119": "tool_search_tool_regex"} {
		out = append(out, legal{tag, tool(`{"type":"` + tag + `","name":"` + name + `",` + usual + `}`), ""})
	}
	for tag, more := range map[string]string{"web_search_20250305": "", "web_search_20260209": "", "web_search_20260318": `"response_inclusion":"full",`} {
		for _, one := range []string{wide, `"allowed_domains":["a.com"],`} {
			out = append(out, legal{tag, tool(`{"type":"` + tag + `","name":"web_search","user_location":{"type":"approximate","city":"c","country":"c","region":"r","timezone":"t"},` + one + more + usual + `}`), ""})
		}
	}
	for tag, more := range map[string]string{"web_fetch_20250910": "", "web_fetch_20260209": "", "web_fetch_20260309": `"use_cache":true,`, "web_fetch_20260318": `"use_cache":true,"response_inclusion":"full",`} {
		for _, one := range []string{wide, `"allowed_domains":["a.com"],`} {
			out = append(out, legal{tag, tool(`{"type":"` + tag + `","name":"web_fetch",` + fetch + one + more + usual + `}`), ""})
		}
	}
	for tag, more := range map[string]string{"computer_20241022": "", "computer_20250124": "", "computer_20251124": `,"enable_zoom":true`} {
		out = append(out, legal{tag, tool(`{"type":"` + tag + `","name":"computer","display_width_px":1,"display_height_px":1,"display_number":1,` + usual + examples + more + `}`), "computer-use-2024-10-22,computer-use-2025-01-24,computer-use-2025-11-24"})
	}
	for _, tag := range []string{"browser_toolset_20260801", "computer_toolset_20260801"} {
		out = append(out, legal{tag, tool(`{"type":"` + tag + `","configs":{"t":{"enabled":true,"defer_loading":false}},` + mark + `}`), ""})
	}
	return append(out,
		legal{"advisor tool", tool(`{"type":"advisor_20260301","name":"advisor","model":"m","max_tokens":1,"max_uses":1,"caching":{"type":"ephemeral"},` + usual + `}`), "advisor-tool-2026-03-01"},
		legal{"editor tool", tool(`{"type":"text_editor_20250728","name":"str_replace_based_edit_tool","max_characters":9,` + usual + examples + `}`), ""})
}

// families are the ends of rule ids of the wording families, and the texts they word.
var families = regexp.MustCompile(`\.(missing|extra|object|shape|dictionary|array|string|integer|number|boolean|enum|tag|short|minimum|long|pattern)$`)

var strangers = []string{`7`, `-7`, `true`, `"no such word"`, `""`, `[]`, `[[]]`, `{}`, `{"type":"no such type"}`, `null`}

// spoiltByMachine spoils every legal request in every place and holds what is said against what was done.
func spoiltByMachine(t *testing.T, covered map[string]bool) {
	for _, l := range legals() {
		t.Run(l.name, func(t *testing.T) {
			body := overlay(t, l.over)
			_, f := check(t, body, usual(l.betas))
			require.Nil(t, f, string(body))
			var doc any
			require.NoError(t, json.Unmarshal(body, &doc))
			places(doc, nil, func(at []string, v any) {
				for _, with := range append(strangers, "") {
					spoil(t, l, body, at, with, covered)
				}
				if _, isObject := v.(map[string]any); isObject {
					spoil(t, l, body, append(slices.Clone(at), "bogus"), "1", covered)
				}
			})
		})
	}
}

// spoil puts a value at a place, or takes the place out when with is "", and judges the refusal, if there is one.
func spoil(t *testing.T, l legal, body []byte, at []string, with string, covered map[string]bool) {
	if len(at) == 0 {
		return
	}
	v, err := wire.ParseValue(body)
	require.NoError(t, err)
	in := v
	for _, step := range at[:len(at)-1] {
		in = stepInto(in, step)
	}
	last := at[len(at)-1]
	var s wire.Splice
	switch {
	case in.Kind() == '{' && with == "":
		s = wire.RemoveMember(in, last)
	case in.Kind() == '{':
		s = wire.SetMember(in, last, []byte(with))
	case with == "":
		return
	default:
		s = wire.Replace(stepInto(in, last), []byte(with))
	}
	spoilt := wire.Apply(body, s)
	_, f := check(t, spoilt, usual(l.betas))
	if f == nil || !families.MatchString(f.Rule) {
		return
	}
	covered[f.Rule] = true
	place, text, found := strings.Cut(f.Message, ": ")
	require.True(t, found, f.Message)
	family := f.Rule[strings.LastIndex(f.Rule, ".")+1:]
	require.True(t, fitsFamily(family, text, with), "%s: %s, of %s at %s", f.Rule, f.Message, with, at)
	if last == "type" || len(at) > 2 && at[len(at)-1] == "bogus" && family != "extra" {
		return // the choice of a union changed with it
	}
	require.True(t, passesThrough(strings.Split(place, "."), at), "%s is said of a fault at %v", f.Message, at)
}

func stepInto(v wire.Value, step string) wire.Value {
	if v.Kind() == '[' {
		i, err := strconv.Atoi(step)
		if err != nil {
			return wire.Value{}
		}
		return v.At(i)
	}
	return v.Get(step)
}

// fitsFamily tells whether a family's text can be said of a value: nothing is said to lack the kind it has.
func fitsFamily(family, text, with string) bool {
	begins := map[string]string{"missing": "Field required", "extra": "Extra inputs are not permitted", "object": "Input should be an object",
		"shape": "Input does not match the expected shape.", "dictionary": "Input should be a valid dictionary", "array": "Input should be a valid array",
		"string": "Input should be a valid string", "integer": "Input should be a valid integer", "number": "Input should be a valid number",
		"boolean": "Input should be a valid boolean", "enum": "Input should be '", "tag": "Input tag '", "short": "String should have at least 1 character",
		"minimum": "Input should be greater than or equal to ", "long": "String should have at most ", "pattern": "String should match pattern '"}
	has := map[string]string{"object": "{", "dictionary": "{", "array": "[", "string": `"`, "integer": "7", "boolean": "t"}
	kind := has[family]
	wrong := kind != "" && strings.HasPrefix(with, kind) && family != "object"
	return strings.HasPrefix(text, begins[family]) && !wrong
}

// passesThrough tells whether the path of a message leads to a place or into it: the place's steps in order, with
// tags between them.
func passesThrough(path, at []string) bool {
	i := 0
	for _, step := range path {
		if i < len(at) && step == at[i] {
			i++
		}
	}
	return i >= len(at)-1
}

// places walks a document in order.
func places(v any, at []string, do func(at []string, v any)) {
	do(at, v)
	switch v := v.(type) {
	case map[string]any:
		names := make([]string, 0, len(v))
		for name := range v { // any order: sorted next
			names = append(names, name)
		}
		slices.Sort(names)
		for _, name := range names {
			places(v[name], append(slices.Clone(at), name), do)
		}
	case []any:
		for i, e := range v {
			places(e, append(slices.Clone(at), fmt.Sprint(i)), do)
		}
	}
}

// The machine must find faults in each of the families, or it is broken itself.
func TestTheMachineSpoilsInEveryWay(t *testing.T) {
	covered := map[string]bool{}
	spoiltByMachine(t, covered)
	for _, family := range []string{"missing", "extra", "object", "array", "string", "integer", "boolean", "enum", "tag"} {
		n := 0
		for id := range covered {
			if strings.HasSuffix(id, "."+family) {
				n++
			}
		}
		assert.Greater(t, n, 3, family)
	}
}
