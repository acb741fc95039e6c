package fakeapi

import (
	"strings"

	"harnessbench/fakeapi/promptcache"
	"harnessbench/internal/model"
	"harnessbench/internal/prefix"
	"harnessbench/internal/wire"
)

// serverSteps adds up what the loop of server tools costs (messages-api.md 5.8): behind each result the model is
// asked again with all it said so far. When the request has a breakpoint, each result gets one more, of five
// minutes, which the next step reads. No step is behind a result that ends the answer, unless it said a stop sequence
// and nothing else.
func (x *exchange) serverSteps(a *answer) {
	split := x.look.Split
	ended := split.Read + split.Write5m + split.Write1h // what the next step reads
	for k := range a.blocks {
		if !strings.HasSuffix(a.blocks[k].kind, "_tool_result") || k+1 == len(a.blocks) && x.context.swallowed == "" {
			continue
		}
		if a.opening == nil {
			first := a.usage
			a.opening = &first
		}
		r := x.replayed(a.blocks[:k+1])
		if r == nil {
			return
		}
		last := r.Blocks.Len() - 1
		end := r.Blocks.At(last).Tokens
		if !x.look.OnMarks() || !x.model.Cacheable(end) {
			a.usage.Read += ended
			a.usage.Input += r.Total - ended
			continue
		}
		a.usage.Read += ended
		a.usage.Write5m += end - ended
		a.usage.Input += r.Total - end
		ended = end
		x.s.cache.Store(x.now, x.at(a.firstByte), x.account.scope(), promptcache.Inner{
			Chain: r.Blocks.At(last).Cache, Tokens: end, TTL: model.TTLShort, Request: x.id,
			Unlike: a.blocks[k].kind == "web_search_tool_result",
		})
	}
}

// replayed renders the request with blocks of its answer behind it; nil when a scripted block is no JSON.
func (x *exchange) replayed(blocks []block) *prefix.Rendered {
	raw := []byte(`{"role":"assistant","content":[`)
	for i, b := range blocks {
		if i > 0 {
			raw = append(raw, ',')
		}
		raw = b.json(raw)
	}
	req := x.rendered.Request
	body := wire.Apply(req.Body, wire.AppendElem(req.Get("messages"), append(raw, "]}"...)))
	next, err := wire.Parse(req, body)
	if err != nil {
		return nil
	}
	return prefix.Render(x.rendered, next, x.model, x.rendered.Options())
}
