package validate

import (
	"slices"
	"strconv"
	"strings"

	"harnessbench/internal/wire"
)

// notCounted are the top-level fields that count_tokens does not know (messages-api.md 9).
var notCounted = []string{"max_tokens", "stream", "metadata", "stop_sequences", "temperature", "top_k", "top_p", "service_tier",
	"diagnostics", "thread", "fallbacks", "fallback_credit_token", "inference_geo", "container"}

var (
	countServerTools = rule{id: "count.server-tools", area: "count_tokens", source: "messages-api.md 9", confidence: "medium",
		text: "Server tools are not supported in the count_tokens endpoint: {types}. Use the /v1/messages endpoint instead."}
	// The next two are documented, their words are not (messages-api.md 13, item 5).
	countServers = rule{id: "count.mcp-servers", area: "count_tokens", source: "messages-api.md 9", confidence: "low",
		text: "mcp_servers: MCP servers are not supported in the count_tokens endpoint. Use the /v1/messages endpoint instead."}
	countSource = rule{id: "count.source", area: "count_tokens", source: "messages-api.md 9", confidence: "low",
		text: "{path}: '{type}' sources are not supported in the count_tokens endpoint. Use the /v1/messages endpoint instead."}
)

func countRules() []rule { return []rule{countServerTools, countServers, countSource} }

// countStops are the stops of a count_tokens body: those of create that the endpoint knows.
var countStops = func() []stop {
	var out []stop
	for _, s := range stops {
		if !slices.Contains(notCounted, s.name) {
			out = append(out, s)
		}
	}
	return out
}()

// CheckCount validates a count_tokens body: create's rules without the fields that the endpoint does not know, and
// what it refuses though create takes it.
func CheckCount(prev *Checked, req *wire.Request, h Headers) (*Checked, *Fault) {
	r := &reading{req: req, walk: walk{head: readHead(h)}, order: countStops}
	c, f := r.check(prev)
	if f != nil {
		return nil, f
	}
	if f := uncountable(r); f != nil {
		return nil, f
	}
	return c, nil
}

func uncountable(r *reading) *Fault {
	var types []string
	for _, t := range r.req.Get("tools").Elems() {
		if typ := t.Get("type").Text(); runsOnServer(typ) && !slices.Contains(types, typ) {
			types = append(types, typ)
		}
	}
	if len(types) > 0 {
		return countServerTools.fault("types", strings.Join(types, ", "))
	}
	if r.req.Get("mcp_servers").Len() > 0 && r.open(r.order, "mcp_servers") {
		return countServers.fault()
	}
	for i := range r.req.MessageCount() {
		if f := countSources(r.req.Message(i).Get("content"), "messages."+strconv.Itoa(i)+".content"); f != nil {
			return f
		}
	}
	return nil
}

// runsOnServer tells whether a tool type is one that the server runs; the advisor can be counted.
func runsOnServer(typ string) bool {
	for _, begin := range []string{"web_search_", "web_fetch_", "code_execution_", "tool_search_tool_", "mcp_toolset"} {
		if strings.HasPrefix(typ, begin) {
			return true
		}
	}
	return false
}

// countSources looks for sources that would have to be fetched, in tool results too.
func countSources(content wire.Value, path string) *Fault {
	for j, b := range content.Elems() {
		at := path + "." + strconv.Itoa(j)
		switch b.Get("type").Text() {
		case "image", "document":
			if typ := b.Get("source").Get("type").Text(); typ == "url" || typ == "file" {
				return countSource.fault("path", at+"."+b.Get("type").Text()+".source", "type", typ)
			}
		case "tool_result":
			if f := countSources(b.Get("content"), at+".tool_result.content"); f != nil {
				return f
			}
		}
	}
	return nil
}
