package fakeapi_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"harnessbench/fakeapi"
)

// wide are requests with n items of one kind, by the kind; every one is accepted.
func wide(n int) map[string]string {
	each := func(form string) string {
		var b strings.Builder
		for i := range n {
			if i > 0 {
				b.WriteByte(',')
			}
			b.WriteString(strings.ReplaceAll(form, "#", fmt.Sprint(i)))
		}
		return b.String()
	}
	backwards := func(form string) string {
		var all []string
		for i := range n {
			all = append(all, strings.ReplaceAll(form, "#", fmt.Sprint((i*7919+n/2)%n)))
		}
		return strings.Join(all, ",")
	}
	body := func(fields string, messages ...string) string {
		if fields != "" {
			fields += ","
		}
		return `{"model":"claude-opus-5","max_tokens":100,` + fields + `"messages":[` + strings.Join(messages, ",") + `]}`
	}
	message := func(role, content string) string { return `{"role":"` + role + `","content":[` + content + `]}` }
	hi := message("user", `{"type":"text","text":"hi"}`)
	tools := `"tools":[` + each(`{"name":"t#","description":"Reads part # of a file.","input_schema":{"type":"object"}}`) + `]`
	call := message("assistant", `{"type":"tool_use","id":"toolu_a","name":"t0","input":{}}`)
	result := func(content string) string {
		return message("user", `{"type":"tool_result","tool_use_id":"toolu_a","content":[`+content+`]}`)
	}
	tool := func(schema string) string {
		return `"tools":[{"name":"t0","input_schema":{"type":"object",` + schema + `}}]`
	}
	closed := func(schema string) string {
		return `"output_config":{"format":{"type":"json_schema","schema":{"type":"object","additionalProperties":false,` + schema + `}}}`
	}
	search := `{"type":"search_result","source":"s#","title":"t","content":[{"type":"text","text":"x"}]}`
	return map[string]string{
		"messages":                  body("", each(`{"role":"user","content":"part #"}`)),
		"texts":                     body("", message("user", each(`{"type":"text","text":"part #"}`))),
		"system texts":              body(`"system":[`+each(`{"type":"text","text":"part #"}`)+`]`, hi),
		"tools":                     body(tools, hi),
		"stop sequences":            body(`"stop_sequences":[`+each(`"stop#"`)+`]`, hi),
		"calls":                     body(tools, hi, message("assistant", each(`{"type":"tool_use","id":"toolu_#","name":"t#","input":{}}`)), message("user", backwards(`{"type":"tool_result","tool_use_id":"toolu_#","content":"x"}`))),
		"calls of another vendor":   body(tools, hi, message("assistant", each(`{"type":"tool_use","id":"call_#","name":"t#","input":{}}`)), message("user", backwards(`{"type":"tool_result","tool_use_id":"call_#","content":"x"}`))),
		"references in a result":    body(tools, hi, call, result(each(`{"type":"tool_reference","tool_name":"t#"}`))),
		"texts in a result":         body(tools, hi, call, result(each(`{"type":"text","text":"part #"}`))),
		"search results":            body("", message("user", each(search))),
		"search results in results": body(tools, hi, call, result(each(search))),
		"definitions in a message":  body("", hi, message("system", each(`{"type":"tool_addition","tool":{"type":"tool_definition","definition":{"name":"n#","input_schema":{"type":"object"}}}}`))),
		"additions":                 body(tools, hi, message("system", each(`{"type":"tool_addition","tool":{"type":"tool_reference","name":"t#"}}`))),
		"removals":                  body(tools, hi, message("system", each(`{"type":"tool_removal","tool":{"type":"tool_reference","name":"t#"}}`))),
		"removals and definitions": body(tools, hi, message("system", each(`{"type":"tool_removal","tool":{"type":"tool_reference","name":"t#"}}`)+","+
			each(`{"type":"tool_addition","tool":{"type":"tool_definition","definition":{"name":"t#","input_schema":{"type":"object"}}}}`))),
		"servers": body(`"mcp_servers":[`+each(`{"type":"url","url":"https://s#.example","name":"s#"}`)+`],"tools":[`+
			backwards(`{"type":"mcp_toolset","mcp_server_name":"s#"}`)+`]`, hi),
		"server calls": body(`"tools":[{"type":"web_search_20250305","name":"web_search"}]`, hi, message("assistant",
			each(`{"type":"server_tool_use","id":"srvtoolu_#","name":"web_search","input":{"query":"#"}}`)+","+
				backwards(`{"type":"web_search_tool_result","tool_use_id":"srvtoolu_#","content":[]}`)), hi),
		"server results in messages": body(`"tools":[{"type":"web_search_20250305","name":"web_search"}]`, hi, message("assistant",
			each(`{"type":"server_tool_use","id":"srvtoolu_#","name":"web_search","input":{"query":"#"}}`)),
			backwards(message("assistant", `{"type":"web_search_tool_result","tool_use_id":"srvtoolu_#","content":[]}`)), hi),
		"properties":           body(tool(`"properties":{`+each(`"p#":{"type":"string"}`)+`},"required":[`+each(`"p#"`)+`]`), hi),
		"enum":                 body(tool(`"properties":{"p":{"enum":[`+each(`"v#"`)+`]}}`), hi),
		"definitions":          body(tool(`"$defs":{`+each(`"d#":{"$ref":"#/$defs/d#"}`)+`}`), hi),
		"properties of format": body(closed(`"properties":{`+each(`"p#":{"type":"string"}`)+`},"required":[`+each(`"p#"`)+`]`), hi),
		"ways of format":       body(closed(`"properties":{"p":{"anyOf":[`+each(`{"type":"string","description":"#"}`)+`]}},"required":["p"]`), hi),
		"chain of format":      body(closed(`"properties":{},"$defs":{`+each(`"d#":{"$ref":"#/$defs/e#"}`)+","+each(`"e#":{"type":"string"}`)+`}`), hi),
		"examples":             body(`"tools":[{"name":"t0","input_schema":{"type":"object"},"input_examples":[`+each(`{"p":"#"}`)+`]}]`, hi),
		"tools left alone": body(`"context_management":{"edits":[{"type":"clear_tool_uses_20250919","trigger":{"type":"tool_uses","value":1},"exclude_tools":[`+each(`"t#"`)+`]}]},`+tools,
			hi, message("assistant", each(`{"type":"tool_use","id":"toolu_#","name":"t#","input":{}}`)), message("user", each(`{"type":"tool_result","tool_use_id":"toolu_#","content":"x"}`))),
		"skills": body(`"container":{"skills":[`+each(`{"type":"custom","skill_id":"s#"}`)+`]},"tools":[{"type":"code_execution_20250825","name":"code_execution"}]`, hi),
	}
}

var wideBetas = strings.Join([]string{"inline-tools-2026-09-15", "mid-conversation-tool-changes-2026-07-01", "mcp-client-2025-11-20",
	"context-management-2025-06-27", "skills-2025-10-02", "code-execution-2025-08-25"}, ",")

// Requests of many items of any kind are served.
func TestWideRequestsAreServed(t *testing.T) {
	bodies := wide(300)
	for _, name := range slices.Sorted(maps.Keys(bodies)) {
		t.Run(name, func(t *testing.T) {
			if out := serveWide(fakeapi.New(fakeapi.Options{}), bodies[name]); out.Status != 200 {
				t.Fatalf("%d %s", out.Status, out.Body())
			}
		})
	}
}

func serveWide(s *fakeapi.Server, body string) fakeapi.Response {
	header := append([]fakeapi.Field{{Name: "anthropic-beta", Value: wideBetas}}, usual...)
	return s.Handle(begin, fakeapi.Request{Method: "POST", Path: "/v1/messages", Header: header, Body: []byte(body)})
}

// BenchmarkWide compares requests of 1,000 items of one kind with those of 4,000, to see that the time grows with the
// number of items and not with its square.
func BenchmarkWide(b *testing.B) {
	few, many := wide(1_000), wide(4_000)
	for _, name := range slices.Sorted(maps.Keys(few)) {
		for n, body := range []string{few[name], many[name]} {
			b.Run(fmt.Sprint(name, "/", [...]int{1_000, 4_000}[n]), func(b *testing.B) {
				for b.Loop() {
					serveWide(fakeapi.New(fakeapi.Options{}), body)
				}
			})
		}
	}
}
